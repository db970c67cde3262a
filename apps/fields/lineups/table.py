"""Stints of line-ups: five (or another number) a side, points, possessions. Immutable, checked once."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import code_sides, freeze
from halfpoint.models.games.table import Codes, Floats, GameTable, Texts

ROLES = ("offence", "defence")
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class LineupTable:
    """Stints, one row a stint or possession of one side on offence."""

    players: Texts  #: (player,), every player once, sorted
    offence: Codes  #: (stint, seat), index into `players`, rising in each row
    defence: Codes
    points: Floats  #: (stint,), points of the offence
    possessions: Floats  #: (stint,), its possessions, above 0
    game: Texts  #: (stint,), name of the game, empty where unknown
    line: Ints | None = None  #: (stint,), line of the source file, for messages
    name: str = "line-ups"  #: name of the data set, and its source
    source: str = "line-ups"
    simulated: bool = False  #: whether the stints were simulated
    notes: tuple[str, ...] = ()  #: the reader's changes and omissions

    def __post_init__(self) -> None:
        if self.points.size == 0:
            raise GameTableError(self.source, "at least one stint", "no rows")
        for name in ROLES:
            object.__setattr__(self, name, np.sort(getattr(self, name), axis=1))
        freeze(self)
        for name in ROLES:
            side = getattr(self, name)
            twice = np.flatnonzero((np.diff(side, axis=1) == 0).any(axis=1))
            if twice.size:
                row = int(twice[0])
                again = side[row][np.flatnonzero(np.diff(side[row]) == 0)[0]]
                location = f"{self.place(row)}, {name}"
                raise GameTableError(location, "different players", f"{str(self.players[again])!r} twice")
        is_on_both = (self.offence[:, :, None] == self.defence[:, None, :]).any(axis=(1, 2))
        self.first(is_on_both, "no player on both sides", np.full(self.points.size, "one who is"), "players")
        self.first(~(np.isfinite(self.points) & (self.points >= 0.0)), "points >= 0", self.points, "points")
        wrong = ~(np.isfinite(self.possessions) & (self.possessions > 0.0))
        self.first(wrong, "possessions above 0", self.possessions, "possessions")

    def __len__(self) -> int:
        return int(self.points.size)

    def place(self, stint: int) -> str:
        """Place of a stint in its source, for messages."""
        return f"{self.source}, stint {stint + 1}" if self.line is None else f"{self.source}, line {self.line[stint]}"

    def as_games(self) -> GameTable:
        """Stints as games between sides of several people: the offence against the defence.

        Each player is two people, "Ann (offence)" and "Ann (defence)". The margin is the points per possession, the
        weight of a game its possessions; the score is 1 with points, else 1/2.
        """
        names = self.players.tolist()
        line_ups = [
            {f"{names[k]} ({role})": 1.0 for k in side}
            for role, sides in zip(ROLES, (self.offence, self.defence), strict=True)
            for side in sides.tolist()
        ]
        codes = np.arange(len(self), dtype=np.int32)
        players, white, black, sides = code_sides(line_ups, codes, codes + np.int32(len(self)), self.source)
        margin = self.points / self.possessions
        score = (1.0 + np.sign(margin)) / 2.0
        return GameTable(
            players, white, black, score, weight=self.possessions, covariates={"margin": margin},
            line=self.line, name=self.name, source=self.source, simulated=self.simulated, sides=sides,
        )  # fmt: skip

    def first(self, bad: npt.NDArray[np.bool_], expected: str, values: npt.NDArray[np.generic], column: str) -> None:
        """Raise `GameTableError` at the first bad row."""
        rows = np.flatnonzero(bad)
        if rows.size:
            row = int(rows[0])
            raise GameTableError(f"{self.place(row)}, {column}", expected, repr(values[row].item()))
