"""Answer of `halfpoint markets`."""

from typing import NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import Day, MaybeFitted, Rows

FractionMarkets = TypedDict("FractionMarkets", {
    "over_1.5_percent": float | None, "handicap_-0.5_percent": float | None,
}, total=False)  # fmt: skip


class MarketsRow(FractionMarkets, total=False):
    """Forecast of a match."""

    home: str | None
    away: str | None
    day: Day | None
    home_goals: float | None
    away_goals: float | None
    home_win_percent: float | None
    draw_percent: float | None
    away_win_percent: float | None
    handicap_0_percent: float | None
    handicap_0_returned_percent: float | None
    both_score_percent: float | None
    home_to_nil_percent: float | None
    away_to_nil_percent: float | None
    score_1: str | None
    score_1_percent: float | None


class MarketsRecord(MaybeFitted):
    """Forecasts of matches."""

    system: NotRequired[str]
    rows: Rows[MarketsRow]
