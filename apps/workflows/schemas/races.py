"""Answers of `halfpoint races`."""

from typing import Annotated, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    Fitted,
    OfData,
    Rank,
    Rated,
    RatingElo,
    Rows,
    Verdict,
)


class RacesRateRow(Rated, total=False):
    """Rated competitor."""

    competitor: Annotated[str | None, "Name of the competitor"]
    wins: Annotated[float | None, "Races won, a shared win as its share"]
    events: Annotated[int | None, "Number of events"]
    ahead_percent: Annotated[float | None, "Opponents who were beaten, percent"]


class RacesRateRecord(Fitted):
    """Rating list of competitors."""

    rows: Rows[RacesRateRow]


class RacesListRow(TypedDict, total=False):
    """Competitor of a list by a rating system."""

    rank: Rank | None
    competitor: Annotated[str | None, "Name of the competitor"]
    rating_elo: RatingElo | None
    wins: Annotated[float | None, "Races won, a shared win as its share"]
    events: Annotated[int | None, "Number of events"]
    ahead_percent: Annotated[float | None, "Opponents who were beaten, percent"]


class RacesListRecord(OfData):
    """List by a rating system."""

    system: Annotated[str, "Name of the rating system"]
    settings: Annotated[str, "Its settings, in words"]
    rows: Rows[RacesListRow]


class RacesForecastRow(TypedDict, total=False):
    """Forecast of a competitor."""

    competitor: Annotated[str | None, "Name of the competitor"]
    win_percent: Annotated[float | None, "Probability of winning, percent"]
    mean_place: Annotated[float | None, "Expected place"]
    place_1_percent: Annotated[float | None, "Probability of the first place, percent"]
    place_2_percent: Annotated[float | None, "Probability of the second place, percent; further places likewise"]


class RacesForecastRecord(Fitted):
    """Forecast of a race."""

    mc_error_percent: NotRequired[Annotated[float | None, "Largest Monte Carlo error of a probability, percent"]]
    rows: Rows[RacesForecastRow]


class RacesBacktestRow(TypedDict, total=False):
    """Score of a forecaster of races."""

    forecaster: Annotated[str | None, "Name of the forecaster"]
    events: Annotated[int | None, "Number of events that were judged"]
    log_order: Annotated[float | None, "Mean log probability of the order, nats"]
    log_order_gain: Annotated[float | None, "Difference from equal probabilities, nats"]
    log_order_error: Annotated[float | None, "Standard error of the difference"]
    log_winner: Annotated[float | None, "Mean log probability of the winner, nats"]
    log_winner_gain: Annotated[float | None, "Difference from equal probabilities, nats"]
    log_winner_error: Annotated[float | None, "Standard error of the difference"]
    behind_best: Annotated[float | None, "How far behind the best forecaster of the order, nats"]
    behind_error: Annotated[float | None, "Its standard error"]


class RacesBacktestRecord(OfData):
    """Scores of forecasters of races."""

    verdict: NotRequired[Verdict]
    rows: Rows[RacesBacktestRow]
