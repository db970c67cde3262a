"""What is asked of a leaderboard, as records: how judgements are read, and what is made of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from halfpoint.games.anchor_list import Anchored
from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range

INTERVAL, REGION = Range(0.5, 0.999), Range(0.0, 1e9)


@dataclass(frozen=True)
class Judged:
    """How judgements are read.

    Parameters
    ----------
    style : sequence of str
        Style to allow for: length, headers, lists, bold, or NAME where there are NAME_a and NAME_b; ("all",) for all.
    outcomes : str or mapping, optional
        What words of outcomes mean: "tie=0.5,both_bad=drop".
    reader : mapping, optional
        Further options of the reader: columns, ignore, date_format.
    region : float, optional
        The file holds scores of methods on data sets: how near two scores are a tie
        (`halfpoint.fields.arena.score_matrix`).
    lower : bool
        Whether lower scores are better.
    """

    style: Sequence[str] = ()
    outcomes: str | Mapping[str, Any] | None = None
    reader: Mapping[str, Any] | None = None
    region: float | None = None
    lower: bool = False


@dataclass(frozen=True)
class Asked:
    """What is made of judgements.

    Parameters
    ----------
    judges : bool
        Give each judge a position habit and a sharpness, pooled.
    by : str, optional
        Column (category, language) of which each level gets a board too.
    fix : str, optional
        "NAME=1000": whose posterior mean stands where; the mean of all at 1500 otherwise, or that of the ratings in the
        file.
    groups : {"refuse", "largest"}
        What happens where groups never meet.
    tier : float
        Probability that separates tiers (`halfpoint.evaluation.rating_list`).
    interval : float
        Mass of the intervals.
    cluster : str, optional
        Column whose judgements may go together; judge and prompt are both looked at by default
        (`halfpoint.fields.arena.clusters`).
    checks : bool
        Whether to audit, hold out judgements and refit.
    anchors : str, Path, DataFrame or mapping, optional
        Ratings of an earlier list that models are anchored to, with their errors (`halfpoint.games.anchor_list`).

    Raises
    ------
    GameTableError
        If a word is none of these, or a number out of its range.
    """

    judges: bool = False
    by: str | None = None
    fix: str | None = None
    groups: str = "refuse"
    tier: float = 0.95
    interval: float = 0.95
    cluster: str | None = None
    checks: bool = True
    anchors: Anchored | None = None

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
