"""Options of a leaderboard and of a sequential test as records."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from halfpoint.apps.workflows.options import words
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import Range
from halfpoint.models.games.settings import setting

if TYPE_CHECKING:
    from halfpoint.apps.fields.arena.frontier import Costs
    from halfpoint.apps.workflows.beside.anchor_list import Anchored

INTERVAL, REGION = Range(0.5, 0.999), Range(0.0, 1e9)
PAIRS, JUDGEMENTS = Range(1, 1000), Range(1, 100_000)
ELO, ERROR, PRIOR = Range(-500.0, 500.0), Range(0.0001, 0.4999), Range(0.1, 200.0)
PRIOR_SD_ELO = 50.0


@dataclass(frozen=True)
class JudgementOptions:
    """Options of reading judgements."""

    style: Sequence[str] = setting(
        (), "style to adjust for (comma-separated): length, headers, lists, bold, all, or any NAME (NAME_a, NAME_b)"
    )
    criteria: Sequence[str] = setting(
        (), "columns of verdicts, a list for each (comma-separated). And one list of all (`read`)"
    )
    outcomes: str | Mapping[str, object] | None = setting(None, 'what words mean: "tie=0.5,both_bad=drop"')
    reader: Mapping[str, object] | None = setting(None, "further options of the reader: columns, ignore, date_format")
    region: float | None = setting(
        None, "the file contains scores (method x data set): difference that counts as a tie. `score_matrix`"
    )
    lower: bool = setting(False, "lower scores are better")
    pairs: str = setting("auto", "PGN: which two games are a pair: auto (`game_pairs.pair_keys`) or by order")

    def __post_init__(self) -> None:
        for name in ("style", "criteria"):  # a text has names between commas, as on the command line
            object.__setattr__(self, name, words(getattr(self, name)))


@dataclass(frozen=True)
class BoardOptions:
    """Options of a board; `GameTableError` if a word or a number is invalid."""

    judges: bool = setting(False, "a position habit and a sharpness for each judge. Both pooled")
    effects: Sequence[str] = setting(
        (), 'what further columns change: "advantage ~ 0 + same_maker" (`halfpoint.models.rows.effects`)'
    )
    grades: bool = setting(True, "whether `a>>b` is stronger than `a>b` (`halfpoint.models.language.grades`)")
    honest: bool = setting(
        False, "reduce the weight of careless, hostile and partisan judges. By `apps.fields.arena.honest_votes`"
    )
    reweighted: bool = setting(
        False, "weight pairs inversely to their number of votes, as arena-rank does. By `clusters`"
    )
    by: str | None = setting(None, "a board of each category or language too. A column")
    fix: str | Sequence[str] | None = setting(
        None, "fix the rating of one entry, NAME=1000; default: mean 1500. Or at the file's ratings"
    )
    groups: str = setting("refuse", "groups that never meet: refuse | largest")
    tier: float = setting(0.95, "probability that separates tiers. Of `halfpoint.evaluation.rating_list`")
    interval: float = setting(0.95, "mass of the intervals")
    cluster: str | None = setting(
        None, "column of correlated judgements, such as judge or prompt. Both are tested by default"
    )
    costs: "Costs | None" = setting(None, "CSV of name and cost: Pareto frontier, by criterion")
    checks: bool = setting(True, "whether to audit, hold out judgements and refit")
    anchors: "Anchored | None" = setting(None, "CSV of name, rating and standard error from an earlier list")

    def __post_init__(self) -> None:
        object.__setattr__(self, "effects", [self.effects] if isinstance(self.effects, str) else self.effects)
        INTERVAL.require("--interval", self.interval, GameTableError)
        INTERVAL.require("--tiers", self.tier, GameTableError)
        if self.groups not in ("refuse", "largest"):
            raise GameTableError("--groups", "refuse | largest", repr(self.groups))
        _ = self.level
        if self.fix is not None and self.anchors is not None:
            raise GameTableError("--anchors", "either anchors or --fix", "both")

    @cached_property
    def level(self) -> tuple[str, float] | None:
        """The entry with a fixed rating."""
        if self.fix is None or (not isinstance(self.fix, str) and not self.fix):
            return None
        several = [self.fix] if isinstance(self.fix, str) else list(self.fix)
        if len(several) != 1:
            remedy = "One level fixes the scale; --anchors takes a file of several ratings."
            raise GameTableError("--fix", "one NAME=NUMBER", f"{len(several)}: {', '.join(several)}"[:80], remedy)
        name, equals, level = several[0].rpartition("=")
        try:
            number = float(level)
        except ValueError:
            number = math.nan
        if not equals or not name.strip() or not math.isfinite(number):
            raise GameTableError("--fix", "NAME=NUMBER, for example gpt=1000", repr(self.fix))
        return name.strip(), number


@dataclass(frozen=True)
class Hypotheses:
    """Hypotheses and errors of a sequential test; `GameTableError` if a number is invalid."""

    elo0: float = setting(0.0, "difference under H0, Elo points")
    elo1: float = setting(2.0, "difference under H1, Elo points. Above elo0")
    alpha: float = setting(0.05, "probability of accepting H1 if H0 is true")
    beta: float = setting(0.05, "probability of accepting H0 if H1 is true")
    normalized: bool = setting(False, "the differences are normalised Elo points")

    def __post_init__(self) -> None:
        for name in ("elo0", "elo1"):
            ELO.require(f"--{name}", getattr(self, name), GameTableError)
        for name in ("alpha", "beta"):
            ERROR.require(f"--{name}", getattr(self, name), GameTableError)
        if not self.elo0 < self.elo1:
            raise GameTableError("--elo1", f"a difference above --elo0 {self.elo0:g}", f"{self.elo1:g}")
