"""What is asked of a leaderboard, as records: how judgements are read, and what is made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from halfpoint.fields.arena.frontier import Costs
from halfpoint.games.anchor_list import Anchored
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range

INTERVAL, REGION = Range(0.5, 0.999), Range(0.0, 1e9)


@dataclass(frozen=True)
class JudgementOptions:
    """How judgements are read."""

    #: style to allow for (commas): length, headers, lists, bold, NAME, or all. NAME where there are NAME_a and NAME_b
    style: Sequence[str] = ()
    criteria: Sequence[str] = ()  #: columns of verdicts, a list of each (commas). And one list of all (`read`)
    outcomes: str | Mapping[str, Any] | None = None  #: what words mean: "tie=0.5,both_bad=drop"
    reader: Mapping[str, Any] | None = None  #: further options of the reader: columns, ignore, date_format
    region: float | None = None  #: the file holds scores (method x data set): how near is a tie. `score_matrix`
    lower: bool = False  #: lower scores are better
    #: PGN: which two games are a pair: auto (`game_pairs.pair_keys`) or by order
    pairs: str = "auto"


JudgedOptions = TypedDict("JudgedOptions", {
    "style": Sequence[str], "criteria": Sequence[str], "outcomes": str | Mapping[str, Any] | None,
    "reader": Mapping[str, Any] | None, "region": float | None, "lower": bool, "pairs": str
}, total=False)  # fmt: skip


@dataclass(frozen=True)
class BoardOptions:
    """What is made of judgements; `GameTableError` if a word is none of these, or a number out of its range."""

    judges: bool = False  #: a position habit and a sharpness for each judge. Both pooled
    #: what further columns change: "advantage ~ 0 + same_maker" (`halfpoint.models.effects`)
    effects: Sequence[str] = ()
    grades: bool = True  #: whether `a>>b` tells more than `a>b` (`halfpoint.models.grades`)
    honest: bool = False  #: count votes of careless, hostile, partisan judges less. By `fields.arena.honest_votes`
    reweighted: bool = False  #: pairs judged often count less, as arena-rank's. By `clusters`
    by: str | None = None  #: a board of each category or language too. A column
    #: who stands where, NAME=1000; the mean at 1500 otherwise. Or at the file's ratings
    fix: str | None = None
    groups: str = "refuse"  #: groups that never meet: refuse | largest
    tier: float = 0.95  #: probability that separates tiers. Of `halfpoint.evaluation.rating_list`
    interval: float = 0.95  #: mass of the intervals
    cluster: str | None = None  #: column whose judgements go together; judge, prompt. Both are looked at by default
    costs: Costs | None = None  #: CSV of name and cost: who is worth it, by criterion
    checks: bool = True  #: whether to audit, hold out judgements and refit
    anchors: Anchored | None = None  #: CSV of name, rating and standard error: whom an earlier list knows

    def __post_init__(self) -> None:
        INTERVAL.require("--interval", self.interval, GameTableError)
        INTERVAL.require("--tiers", self.tier, GameTableError)
        if self.groups not in ("refuse", "largest"):
            raise GameTableError("--groups", "refuse | largest", repr(self.groups))
        _ = self.level
        if self.fix is not None and self.anchors is not None:
            raise GameTableError("--anchors", "anchors without --fix, whose work they do", "both")

    @cached_property
    def level(self) -> tuple[str, float] | None:
        """Who stands where."""
        if self.fix is None:
            return None
        name, equals, level = self.fix.rpartition("=")
        try:
            number = float(level)
        except ValueError:
            number = np.nan
        if not equals or not name.strip() or not np.isfinite(number):
            raise GameTableError("--fix", "NAME=NUMBER, for example gpt=1000", repr(self.fix))
        return name.strip(), number


AskedOptions = TypedDict("AskedOptions", {
    "judges": bool, "grades": bool, "honest": bool, "reweighted": bool, "effects": Sequence[str], "by": str | None,
    "fix": str | None, "groups": str, "tier": float, "interval": float, "cluster": str | None, "checks": bool,
    "anchors": Anchored | None, "costs": Costs | None
}, total=False)  # fmt: skip
