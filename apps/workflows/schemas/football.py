"""Answer of `halfpoint markets`."""

from typing import Annotated, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import Day, MaybeFitted, Rows

FractionMarkets = TypedDict("FractionMarkets", {
    "over_1.5_percent": Annotated[float | None, "Probability of more goals, percent; other lines likewise"],
    "handicap_-0.5_percent": Annotated[
        float | None, "Probability that the home team wins with this handicap, percent; others likewise"],
}, total=False)  # fmt: skip


class MarketsRow(FractionMarkets, total=False):
    """Forecast of a match."""

    home: Annotated[str | None, "Home team"]
    away: Annotated[str | None, "Visiting team"]
    day: Day | None
    home_goals: Annotated[float | None, "Expected goals of the home team"]
    away_goals: Annotated[float | None, "Expected goals of the visitors"]
    home_win_percent: Annotated[float | None, "Probability of a home win, percent"]
    draw_percent: Annotated[float | None, "Probability of a draw, percent"]
    away_win_percent: Annotated[float | None, "Probability of an away win, percent"]
    handicap_0_percent: Annotated[float | None, "Probability of a home win where a draw returns the stake, percent"]
    handicap_0_returned_percent: Annotated[float | None, "Probability that the stake is returned, percent"]
    both_score_percent: Annotated[float | None, "Probability that both teams score, percent"]
    home_to_nil_percent: Annotated[float | None, "Probability of a home win to nil, percent"]
    away_to_nil_percent: Annotated[float | None, "Probability of an away win to nil, percent"]
    score_1: Annotated[str | None, "The likeliest score"]
    score_1_percent: Annotated[float | None, "Its probability, percent"]


class MarketsRecord(MaybeFitted):
    """Forecasts of matches."""

    system: NotRequired[Annotated[str, "Rating system that forecasts, without a model"]]
    rows: Rows[MarketsRow]
