"""Options of scoring and of a simulated club as records, and the models of bridge."""

from dataclasses import dataclass
from typing import Literal

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.settings import setting

ELO = "elo"  # the name of the rating system, in place of a model
MODELS = ("bridge-ability", "bridge-ability-t", "bridge-ability-even")  # of the catalogue
Datum = Literal["mean", "median", "trimmed"]
Rounding = Literal["none", "half up", "toward zero"]
Divide = Literal["others", "all"]
_SCORINGS = ("auto", "matchpoints", "imps")


@dataclass(frozen=True)
class Scoring:
    """Options of scoring."""

    datum: Datum = setting("mean", "datum of Butler scoring")
    rounding: Rounding = setting("none", "rounding of the datum to tens")
    trim: int = setting(1, "results removed from each end by a trimmed mean")
    divide: Divide = setting("others", "cross-IMPs by the number of other results, or of all")
    scoring: str = setting("auto", "rank pairs by: auto (from the file) | matchpoints (percent) | imps (cross-IMPs)")

    def __post_init__(self) -> None:
        require_word("--scoring", self.scoring, _SCORINGS, GameTableError)


@dataclass(frozen=True)
class Club:
    """Settings of a simulated club; `GameTableError` if a number is out of its range."""

    players: int = setting(48, "number of players, a multiple of 4; all play in every session")
    sessions: int = setting(20, "sessions, one a week")
    boards: int = setting(24, "boards of a session, rounded down to a multiple of the number of tables")
    change: float = setting(0.5, "share of the players who draw a new partner before a session; 0 keeps all pairs")
    skill: float = setting(1.0, "standard deviations in IMPs a board")
    partnership: float = 0.5
    noise: float = setting(
        4.7, "median of the deals' standard deviations in IMPs, and how much their logarithms differ"
    )
    wildness: float = 0.3
    seed: int = setting(1, "seed; the same seed gives the same results")

    def __post_init__(self) -> None:
        if self.players < 8 or self.players % 4 or self.sessions < 1 or self.boards < 1:
            sizes = f"{self.players} players, {self.sessions} sessions, {self.boards} boards"
            raise GameTableError("simulated club", "a multiple of 4 players from 8, sessions and boards from 1", sizes)
        if not (0.0 <= self.change <= 1.0 and min(self.skill, self.partnership, self.noise, self.wildness) >= 0.0):
            raise GameTableError("simulated club", "a change from 0 to 1 and spreads >= 0", "other values")
