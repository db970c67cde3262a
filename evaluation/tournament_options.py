"""Options of tournaments, seasons, matches and the pairing of the next round, as records."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.ranges import Range, require_word
from halfpoint.models.games.settings import setting

Decider = Literal["replay", "armageddon", "coin"]
DECIDERS: tuple[Decider, ...] = get_args(Decider)
GAMES = Range(1, 1_000)  # of a match
SIMULATIONS = Range(1, 1_000_000)
Aim = Literal["top", "all", "even", "knockout"]
AIMS: tuple[Aim, ...] = get_args(Aim)
PointScoring = Literal["1-0.5-0", "3-1-0", "2-1-0"]
SCORINGS: dict[str, tuple[float, float, float]] = {
    "1-0.5-0": (0.0, 0.5, 1.0),
    "3-1-0": (0.0, 1.0, 3.0),
    "2-1-0": (0.0, 1.0, 2.0),
}
MONTHS, BAND = Range(1, 120), Range(0, 1_000)


#: formats that read a setting of `Rules`
READ_BY: Mapping[str, tuple[str, ...]] = {
    "cycles": ("round-robin",), "rounds": ("swiss",), "games": ("knockout",), "decider": ("knockout",),
    "tie_break": ("round-robin", "swiss"), "seeding": ("knockout", "swiss"),
}  # fmt: skip


@dataclass(frozen=True)
class Calendar:
    """Calendar and scoring of a season."""

    scoring: PointScoring = setting("3-1-0", "season: points of a win, a draw and a loss")
    first: int = setting(0, "season: also the probability of the first N places, such as a cup")
    last: int = setting(0, "season: also the probability of the last N places, such as relegation")
    months: int = setting(1, "season without fixtures: its length in months")
    zones: Mapping[str, tuple[int, int]] | None = setting(
        None, "season: also the probability of named places, such as promotion=1-2,down=18-20"
    )

    def __post_init__(self) -> None:
        require_word("scoring", self.scoring, SCORINGS, EvaluationError)
        for name, ends in (self.zones or {}).items():
            places = tuple(ends) if isinstance(ends, Sequence) else (ends,)
            are_places = len(places) == 2 and all(isinstance(place, int) for place in places)
            if not (name and are_places and 1 <= places[0] <= places[1]):
                expected = "NAME=BEST-WORST, places from 1 on"
                raise EvaluationError("--zones", expected, f"{name}={'-'.join(map(str, places))}")
        for name in ("first", "last"):
            BAND.require(name, getattr(self, name), EvaluationError)
        MONTHS.require("months", self.months, EvaluationError)


TournamentFormat = Literal["round-robin", "knockout", "swiss"]
TieBreak = Literal["share", "buchholz", "sonneborn-berger"]
Seeding = Literal["listed", "rating", "random"]
_FORMATS: tuple[TournamentFormat, ...] = get_args(TournamentFormat)
TIE_BREAKS: tuple[TieBreak, ...] = get_args(TieBreak)
_SEEDINGS: tuple[Seeding, ...] = get_args(Seeding)
ROUNDS = Range(1, 1_000)


@dataclass(frozen=True)
class Rules:
    """Rules of a tournament; an `EvaluationError` if a word or number is invalid."""

    format: TournamentFormat = setting("round-robin", "see the module")
    cycles: int = setting(1, "how often each pair of a round robin meets")
    rounds: int = setting(9, "rounds of a Swiss")
    games: int = setting(2, "games of a match of a knockout")
    tie_break: TieBreak = setting("share", "tie-break of equal points")
    decider: Decider = setting(
        "replay",
        "decider of a drawn match: games until one is won, one game in which a draw counts as a win for Black, "
        "or a coin",
    )
    seeding: Seeding = setting(
        "rating", "seeds of a knockout and first order of a Swiss: as listed, by mean rating, or at random"
    )

    def __post_init__(self) -> None:
        for name, allowed in (
            ("format", _FORMATS), ("tie_break", TIE_BREAKS), ("decider", DECIDERS), ("seeding", _SEEDINGS),
        ):  # fmt: skip
            require_word(name.replace("_", " "), getattr(self, name), allowed, EvaluationError)
        for name in ("cycles", "rounds", "games"):
            ROUNDS.require(name, getattr(self, name), EvaluationError)

    def require_read(self) -> None:
        """Raise `EvaluationError` for a changed setting that the format does not read."""
        for name, formats in READ_BY.items():
            if getattr(self, name) != getattr(Rules, name) and self.format not in formats:
                raise EvaluationError(name, f"format {' or '.join(formats)}", self.format)
