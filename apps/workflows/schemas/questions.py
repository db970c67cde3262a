"""Answers from the trace of a fit."""

from typing import Annotated, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    AdvantageElo,
    Black,
    Day,
    DrawRate,
    ExpectedHighPercent,
    ExpectedLowPercent,
    ExpectedPercent,
    Level,
    OfTrace,
    Player,
    RatedPlayer,
    Rows,
    Score,
    White,
)


class RankRow(RatedPlayer, total=False):
    """Player of a ranking from a trace."""

    above_percent: float | None


class RankRecord(OfTrace):
    """Ranking from a trace."""

    level: Level
    advantage_elo: AdvantageElo
    draw_rate: DrawRate | None
    rows: Rows[RankRow]


class MatchRow(TypedDict, total=False):
    """Score of a match with its probability, or share of the points of a player."""

    score: Score | None
    probability_percent: float | None
    player: Annotated[str, "Player, for a model of half points, which has no chance of a score"]
    expected_percent: ExpectedPercent | None
    expected_low_percent: ExpectedLowPercent | None
    expected_high_percent: ExpectedHighPercent | None


class TournamentRow(TypedDict, total=False):
    """Chances of a player in a tournament."""

    player: Player | None
    title_percent: Annotated[float | None, "Probability of winning the title, percent"]
    mc_error_percent: Annotated[float | None, "Monte Carlo error"]
    tie_first_percent: float | None
    points: float | None
    points_sd: float | None
    final_percent: float | None
    semi_final_percent: float | None
    points_low: float | None
    points_high: float | None


class PairRow(TypedDict, total=False):
    """Game of a proposed round."""

    board: int | None
    white: White | None
    black: Black | None
    expected_percent: ExpectedPercent | None
    bits: float | None


class ForecastRow(TypedDict, total=False):
    """Forecast of a game."""

    white: White | None
    black: Black | None
    day: Day | None
    white_known: bool | None
    black_known: bool | None
    expected_percent: ExpectedPercent | None
    expected_low_percent: ExpectedLowPercent | None
    expected_high_percent: ExpectedHighPercent | None
    loss_percent: float | None
    loss_low_percent: float | None
    loss_high_percent: float | None
    draw_percent: float | None
    draw_low_percent: float | None
    draw_high_percent: float | None
    win_percent: float | None
    win_low_percent: float | None
    win_high_percent: float | None


class ForecastRecord(OfTrace):
    """Forecasts of games."""

    new: list[object]
    rows: Rows[ForecastRow]
