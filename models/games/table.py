"""The table of games: immutable, checked once, White first.

Every reader returns a `GameTable`, whose constructor checks that White's score is 0, 1/2 or 1, no player meets
themselves, no name is empty, and ratings are numbers from 0 to 4000 or unknown (NaN). Where sides have several people,
`players` are the sides and `sides` has their people; `people` are the persons either way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from html import escape
from types import MappingProxyType
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import pandas as pd

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import RATING_ELO
from halfpoint.models.games.sides import USUAL, Sides, code_sides, freeze, rename_people, seats_named

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]
Texts = npt.NDArray[np.str_]
Dates = npt.NDArray[np.datetime64]

OUTCOMES = ("loss", "draw", "win")  # of White
POINTS: Floats = np.array([0.0, 0.5, 1.0])  # of each
RATING_RANGE_ELO = (RATING_ELO.least, RATING_ELO.most)
LARGEST_WEIGHT = 1e9
GRADE = "verdict_grade"  # column that says by how many steps the better side was better: 1, 2 (`a>>b`), 3; 0 of a tie
LEAD = "lead_percent"  # column of White's lead in percent of the games or points of all sets
MARGINS = ("margin", "goal_difference")  # columns that say by how much White won
_DAYS = np.dtype("datetime64[D]")
_SHOWN = ("period", "date", "white_rating_elo", "black_rating_elo", "event", "weight")
_MANY = 50_000  # games


@dataclass(frozen=True, eq=False, repr=False)
class GameTable:
    """Games between two players, or two sides of several people, one row per game, White first.

    Raises
    ------
    GameTableError
        If any column breaks the rules of the module.
    """

    players: Texts  #: (player,): every player once, sorted; every side once where sides have several people
    white: Codes  #: (game,): index into `players`
    black: Codes  #: likewise
    score: Floats  #: (game,): White's score: 0 loss, 0.5 draw, 1 win
    period: npt.NDArray[np.int64] | None = None  #: (game,): period number, for example the study's months 1 to 35
    date: Dates | None = None  #: (game,): day of the game; NaT where unknown
    white_rating_elo: Floats | None = None  #: (game,): rating on the day in Elo points; NaN where unknown
    black_rating_elo: Floats | None = None  #: likewise
    event: Texts | None = None  #: (game,): event or site as the source names it
    weight: Floats | None = None  #: (game,): weight of the game in a likelihood; equal weights if absent
    #: further columns of shape (game,) by name. `neutral` is 1 without the first seat's advantage and 0
    #: elsewhere; it is 1 for all games of a file of winners and losers, in which the winner is seated first.
    covariates: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    line: npt.NDArray[np.int64] | None = None  #: (game,): line of the source file, or row of a frame, for messages
    counts: str = "line"  #: what `line` counts: "line" or "row"
    name: str = "games"  #: name of the data set
    source: str = "games"  #: file or object it was read from
    sha256: str | None = None  #: hash of the file it was read from
    simulated: bool = False  #: whether the games were simulated
    notes: tuple[str, ...] = ()  #: the reader's changes and omissions, a line each: columns left out, ...
    day_first: bool = False  #: whether the dates of the source show that the day comes first
    seats: str = USUAL  #: names of the two seats: "white", "stones", "home" or "first" (`halfpoint.models.games.sides`)
    sides: Sides | None = None  #: who is on each side of `players`, where sides have several people

    def __post_init__(self) -> None:
        if self.date is not None and self.date.dtype != _DAYS:
            object.__setattr__(self, "date", self.date.astype(_DAYS))
        freeze(self)
        object.__setattr__(self, "covariates", MappingProxyType(dict(self.covariates)))
        _check_games(self)

    def __repr__(self) -> str:
        return "\n".join(describe_table(self))

    def _repr_html_(self) -> str:
        lines = "<br>".join(map(escape, describe_table(self)))
        return f"<p>{lines}</p>{self.head().to_html(index=False)}"

    def head(self, games: int = 5) -> pd.DataFrame:
        """The first games as a data frame: players, score, and the columns of the table."""
        rows = slice(0, games)
        columns = {"white": self.white_names[rows], "black": self.black_names[rows], "score": self.score[rows]}
        columns |= {name: getattr(self, name)[rows] for name in _SHOWN if getattr(self, name) is not None}
        return pd.DataFrame(columns | {name: value[rows] for name, value in self.covariates.items()})

    def __len__(self) -> int:
        return int(self.score.size)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by rebuilding, which freezes and checks again in another process."""
        columns = {column.name: getattr(self, column.name) for column in fields(self)}
        return partial(type(self), **(columns | {"covariates": dict(self.covariates)})), ()

    @property
    def white_names(self) -> Texts:
        """White's name, shape (game,)."""
        return self.players[self.white]

    @property
    def black_names(self) -> Texts:
        """Black's name, shape (game,)."""
        return self.players[self.black]

    @property
    def people(self) -> Texts:
        """Every person once, sorted: the players, or the people of their sides, shape (person,)."""
        return self.players if self.sides is None else self.sides.people

    def members(self, players: Codes) -> Codes:
        """People of the sides of some players, indexes into `people`, shape (..., seat); -1 in empty seats."""
        return players[..., None] if self.sides is None else self.sides.members[players]

    @property
    def everyone(self) -> Codes:
        """Participants of each game, indexes into `people`, shape (game, seat), White's first; -1 in empty seats."""
        return np.concatenate([self.members(self.white), self.members(self.black)], axis=1)

    @cached_property
    def games_of_people(self) -> npt.NDArray[np.int64]:
        """Number of games of each person, shape (person,)."""
        codes = self.everyone.ravel()
        return np.bincount(codes[codes >= 0], minlength=self.people.size)

    def renaming(self, names: Mapping[str, str]) -> Self:
        """Table with people renamed; people with equal new names are merged."""
        if self.sides is None:
            new = np.array([names.get(name, name) for name in self.players.tolist()], dtype=np.str_)
            players, white, black = code_players(new[self.white], new[self.black])
            return replace(self, players=players, white=white, black=black)
        renamed = rename_people(self.sides, names)
        players, white, black, sides = code_sides(renamed, self.white, self.black, self.source, self.sides.separator)
        return replace(self, players=players, white=white, black=black, sides=sides)

    @property
    def outcome(self) -> Codes:
        """White's outcome, shape (game,): 0 loss, 1 draw, 2 win."""
        return np.rint(2.0 * self.score).astype(np.int32)

    @property
    def has_margins(self) -> bool:
        """True if every game has a margin."""
        return bool(len(self)) and bool(np.isfinite(self.margin).all())

    @property
    def margin(self) -> Floats:
        """White's goals or points less Black's, shape (game,); NaN if unknown."""
        column = next((name for name in MARGINS if name in self.covariates), None)
        values = None if column is None else np.asarray(self.covariates[column])
        if values is None or values.dtype.kind not in "fiu":
            return np.full(len(self), np.nan)
        return values.astype(np.float64)

    @property
    def grade(self) -> Integers:
        """Grade of the better side, shape (game,): 1 to 3, 0 for ties and ungraded games."""
        grades = np.asarray(self.covariates.get(GRADE, np.zeros(len(self))))
        graded = grades.dtype.kind in "fiu" and not bool((grades < 0).any())
        return np.nan_to_num(grades).astype(np.int64) * (self.score != 0.5) if graded else np.zeros(len(self), np.int64)

    @property
    def all_neutral(self) -> bool:
        """True if every game is on neutral ground, so the first-seat advantage is not identified."""
        return "neutral" in self.covariates and bool((np.asarray(self.covariates["neutral"], np.float64) == 1.0).all())

    @property
    def time(self) -> Floats:
        """Time of each game, its period or its day, shape (game,).

        Raises
        ------
        GameTableError
            If the table has neither periods nor dates, or an unknown date.
        """
        if self.period is not None:
            return self.period.astype(np.float64)
        if self.date is None:
            remedy = "Add a column of dates or of rounds."
            raise GameTableError(self.source, "a period or a date for each game", "neither", remedy)
        unknown = np.flatnonzero(np.isnat(self.date))
        if unknown.size:
            count_unknown = f"{unknown.size} games without one"
            raise GameTableError(self.place(int(unknown[0])), "a complete date", count_unknown, "Drop these games.")
        return self.date.astype("datetime64[D]").astype(np.float64)

    def place(self, game: int) -> str:
        """Place of a game in its source, for messages."""
        position = f"game {game + 1}" if self.line is None else f"{self.counts} {self.line[game]}"
        return f"{self.source}, {position}"

    def take(self, rows: npt.NDArray[np.bool_] | npt.NDArray[np.intp]) -> Self:
        """The games of `rows` (mask or indexes), with their players.

        Parameters
        ----------
        rows : array of bool or int
            Mask of shape (game,) or indexes of the games to keep; a mask that keeps all returns this table.

        Raises
        ------
        GameTableError
            If no game is left.
        """
        is_playing = np.zeros(self.players.size, dtype=np.bool_)
        for codes in (self.white, self.black):
            is_playing[codes[rows]] = True
        if is_playing.all() and np.asarray(rows).dtype == np.bool_ and np.all(rows):
            return self
        columns: dict[str, Any] = {}
        for column in fields(self):
            value = getattr(self, column.name)
            if column.name != "players" and isinstance(value, np.ndarray):
                columns[column.name] = value[rows]
        columns["covariates"] = {key: value[rows] for key, value in self.covariates.items()}
        playing, place = np.flatnonzero(is_playing), (np.cumsum(is_playing) - 1).astype(np.int32)
        columns["players"] = self.players[playing]
        for side in ("white", "black"):
            columns[side] = place[columns[side]]
        if self.sides is not None:
            columns["sides"] = self.sides.take(playing)
        return replace(self, **columns)


def describe_table(games: GameTable) -> list[str]:
    """Summary of a table, in at most five lines."""
    players, noun = games.players.size, seats_named(games.seats).noun if games.sides is None else "player"
    lines = [f"{games.name}{' (SIMULATED)' * games.simulated}: {len(games):,} games among {players:,} {noun}s"]
    if games.date is not None and not np.isnat(games.date).all():
        dates = games.date[~np.isnat(games.date)]
        lines[0] += f", {dates.min()} to {dates.max()}"
    elif games.period is not None:
        lines[0] += f", periods {games.period.min()} to {games.period.max()}"
    loss, draw, win = np.bincount(games.outcome, minlength=3).tolist()
    first = seats_named(games.seats).first
    lines.append(f"{first}'s score {games.score.mean():.1%}: {win:,} wins, {draw:,} draws, {loss:,} losses")
    further = [name for name in _SHOWN if getattr(games, name) is not None] + list(games.covariates)
    if further:
        lines.append(f"columns: white, black, score, {', '.join(further)}")
    rated = games.white_rating_elo
    if rated is not None:
        lines.append(f"ratings on the day in {1 - np.isnan(rated).mean():.0%} of the games")
    if games.notes:
        omitted = f" (and {len(games.notes) - 1} more notes)" if len(games.notes) > 1 else ""
        lines.append(f"note: {games.notes[0]}{omitted}")
    return lines


def code_players(
    white: Sequence[str] | npt.NDArray[np.generic], black: Sequence[str] | npt.NDArray[np.generic]
) -> tuple[Texts, Codes, Codes]:
    """The sorted players and the two columns of indexes into them; white, black (game,): players (player,)."""
    first, second = np.asarray(white, dtype=np.str_), np.asarray(black, dtype=np.str_)
    if first.size > _MANY:
        import pandas  # half of the time where its hashes pay

        codes, uniques = pandas.factorize(np.concatenate([first, second]).astype(object))
        names = np.asarray(uniques, dtype=np.str_)
        order = np.argsort(names)
        place = np.empty(order.size, dtype=np.int32)
        place[order] = np.arange(order.size)
        return names[order], place[codes[: first.size]], place[codes[first.size :]]
    players: Texts = np.union1d(np.unique(first), np.unique(second)).astype(np.str_, copy=False)
    white_codes, black_codes = (np.searchsorted(players, side).astype(np.int32) for side in (first, second))
    return players, white_codes, black_codes


def _check_games(games: GameTable) -> None:
    """Raise `GameTableError` at the first rule a table breaks (see `GameTable`)."""
    n = games.score.size
    if n == 0:
        raise GameTableError(games.source, "at least one game", "no rows")
    columns = {column.name: getattr(games, column.name) for column in fields(games) if column.name != "players"}
    columns |= dict(games.covariates)
    for name, value in columns.items():
        if isinstance(value, np.ndarray) and value.shape != (n,):
            raise GameTableError(f"{games.source}, column {name}", f"{n} values, one a game", f"shape {value.shape}")

    def first(bad: npt.NDArray[np.bool_], expected: str, values: npt.NDArray[Any], column: str) -> None:
        if bad.any():
            faulty = np.flatnonzero(bad).tolist()
            game = faulty[0]
            value = values[game] if values is not games.players else values[games.white[game]]
            error = GameTableError(f"{games.place(game)}, column {column}", expected, repr(value.item()))
            raise error.at(games.place, faulty)

    for side in (games.white, games.black):
        if side.min() < 0 or side.max() >= games.players.size:
            raise GameTableError(games.source, f"player codes from 0 to {games.players.size - 1}", "another code")
    if np.unique(games.players).size != games.players.size:
        raise GameTableError(games.source, "every player once in players", "a repeated name")
    blank = np.char.strip(games.players) == ""
    if blank.any():
        first(blank[games.white] | blank[games.black], "a player's name", games.players, "white or black")
    first(games.white == games.black, "two different players", games.players, "black")
    if games.sides is not None:
        _check_sides(games, games.sides)
    first(~np.isin(games.score, (0.0, 0.5, 1.0)), "White's score 0, 0.5 or 1", games.score, "score")
    low, high = RATING_RANGE_ELO
    for column in ("white_rating_elo", "black_rating_elo"):
        rating = getattr(games, column)
        if rating is not None:
            outside = ~np.isnan(rating) & ~((rating >= low) & (rating <= high))
            first(outside, f"a rating from {low:.0f} to {high:.0f} Elo", rating, column)
    if games.weight is not None:
        outside = ~((games.weight >= 0) & (games.weight <= LARGEST_WEIGHT))
        first(outside, f"a weight, a number from 0 to {LARGEST_WEIGHT:g}", games.weight, "weight")


def _check_sides(games: GameTable, sides: Sides) -> None:
    """Raise `GameTableError` unless every player of a table is a side of one or more people with shares above 0."""
    shape = sides.members.shape
    expected = (games.players.size, shape[-1] if len(shape) == 2 else 0)
    if shape != expected or sides.share.shape != expected:
        raise GameTableError(games.source, f"{games.players.size} sides with seats and shares", f"shape {shape}")
    filled = sides.members >= 0
    if sides.members.max(initial=-1) >= sides.people.size or not filled.any(axis=1).all():
        raise GameTableError(games.source, "at least one person on every side", "an empty side or an unknown person")
    if not np.isfinite(sides.share).all() or not np.array_equal(sides.share > 0, filled) or sides.share.min() < 0:
        raise GameTableError(games.source, "shares of play above 0 for every person", "a share of 0 or less")
    if np.unique(sides.people).size != sides.people.size:
        raise GameTableError(games.source, "every person once", "a repeated name")
