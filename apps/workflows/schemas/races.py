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

    competitor: str | None
    wins: Annotated[float | None, "Races won, a shared win as its share"]
    events: int | None
    ahead_percent: float | None


class RacesRateRecord(Fitted):
    """Rating list of competitors."""

    rows: Rows[RacesRateRow]


class RacesListRow(TypedDict, total=False):
    """Competitor of a list by a rating system."""

    rank: Rank | None
    competitor: str | None
    rating_elo: RatingElo | None
    wins: Annotated[float | None, "Races won, a shared win as its share"]
    events: int | None
    ahead_percent: float | None


class RacesListRecord(OfData):
    """List by a rating system."""

    system: str
    settings: str
    rows: Rows[RacesListRow]


class RacesForecastRow(TypedDict, total=False):
    """Forecast of a competitor."""

    competitor: str | None
    win_percent: float | None
    mean_place: float | None
    place_1_percent: float | None
    place_2_percent: float | None


class RacesForecastRecord(Fitted):
    """Forecast of a race."""

    mc_error_percent: NotRequired[float | None]
    rows: Rows[RacesForecastRow]


class RacesBacktestRow(TypedDict, total=False):
    """Score of a forecaster of races."""

    forecaster: str | None
    events: int | None
    log_order: float | None
    log_order_gain: float | None
    log_order_error: float | None
    log_winner: float | None
    log_winner_gain: float | None
    log_winner_error: float | None
    behind_best: float | None
    behind_error: float | None


class RacesBacktestRecord(OfData):
    """Scores of forecasters of races."""

    verdict: NotRequired[Verdict]
    rows: Rows[RacesBacktestRow]
