"""What is asked of a leaderboard, as records: how judgements are read, and what is made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypedDict

import numpy as np

from halfpoint.games.anchor_list import Anchored
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range

INTERVAL, REGION = Range(0.5, 0.999), Range(0.0, 1e9)


@dataclass(frozen=True)
class JudgementOptions:
    """How judgements are read."""

    style: Sequence[str] = ()  #: length, headers, lists, bold, NAME where there are NAME_a and NAME_b; ("all",)
    criteria: Sequence[str] = ()  #: columns of verdicts, one a criterion; a list of each, and one of all (`read`)
    outcomes: str | Mapping[str, Any] | None = None  #: what words mean: "tie=0.5,both_bad=drop"
    reader: Mapping[str, Any] | None = None  #: further options of the reader: columns, ignore, date_format
    region: float | None = None  #: of a file of scores (`score_matrix`): how near two are a tie
    lower: bool = False  #: whether lower scores are better
    #: of PGN files of engines: which two games are a pair, auto (`game_pairs.pair_keys`) or by order
    pairs: str = "auto"


JudgedOptions = TypedDict("JudgedOptions", {
    "style": Sequence[str], "criteria": Sequence[str], "outcomes": str | Mapping[str, Any] | None,
    "reader": Mapping[str, Any] | None, "region": float | None, "lower": bool, "pairs": str
}, total=False)  # fmt: skip


@dataclass(frozen=True)
class BoardOptions:
    """What is made of judgements; `GameTableError` if a word is none of these, or a number out of its range."""

    judges: bool = False  #: give each judge a position habit and a sharpness, pooled
    #: what further columns change: "advantage ~ 0 + same_maker" (`halfpoint.models.parts.effects`)
    effects: Sequence[str] = ()
    grades: bool = True  #: whether `a>>b` tells more than `a>b` (`halfpoint.models.parts.grades`)
    honest: bool = False  #: count votes of careless and hostile judges less (`halfpoint.fields.arena.honest_votes`)
    reweighted: bool = False  #: count votes of pairs less that were judged often, as arena-rank does (`clusters`)
    by: str | None = None  #: column (category, language) of which each level gets a board too
    #: "NAME=1000": whose posterior mean stands where; of all at 1500, or at the file's ratings, by default
    fix: str | None = None
    groups: str = "refuse"  #: refuse | largest: what happens where groups never meet
    tier: float = 0.95  #: probability that separates tiers (`halfpoint.evaluation.rating_list`)
    interval: float = 0.95  #: mass of the intervals
    #: column whose judgements may go together; judge and prompt are both looked at by default
    cluster: str | None = None
    checks: bool = True  #: whether to audit, hold out judgements and refit
    anchors: Anchored | None = None  #: ratings of an earlier list with their errors, to which models are anchored

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
    "anchors": Anchored | None
}, total=False)  # fmt: skip
