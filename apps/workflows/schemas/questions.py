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

    above_percent: Annotated[float | None, "Probability of the asked rating or more, percent"]


class RankRecord(OfTrace):
    """Ranking from a trace."""

    level: Level
    advantage_elo: AdvantageElo
    draw_rate: DrawRate | None
    rows: Rows[RankRow]


class MatchRow(TypedDict, total=False):
    """Score of a match with its probability, or share of the points of a player."""

    score: Score | None
    probability_percent: Annotated[float | None, "Probability of the score, percent"]
    player: Annotated[str, "Player, for a model of half points, which has no chance of a score"]
    expected_percent: ExpectedPercent | None
    expected_low_percent: ExpectedLowPercent | None
    expected_high_percent: ExpectedHighPercent | None


class TournamentRow(TypedDict, total=False):
    """Chances of a player in a tournament."""

    player: Player | None
    title_percent: Annotated[float | None, "Probability of winning the title, percent"]
    mc_error_percent: Annotated[float | None, "Monte Carlo error"]
    tie_first_percent: Annotated[float | None, "Probability of a tie for the first place, percent"]
    points: Annotated[float | None, "Expected points"]
    points_sd: Annotated[float | None, "Standard deviation of the points"]
    final_percent: Annotated[float | None, "Probability of playing the final, percent"]
    semi_final_percent: Annotated[float | None, "Probability of playing a semi-final, percent"]
    points_low: Annotated[float | None, "Lower end of the 95% interval of the points"]
    points_high: Annotated[float | None, "Upper end of the 95% interval of the points"]


class PairRow(TypedDict, total=False):
    """Game of a proposed round."""

    board: Annotated[int | None, "Number of the board"]
    white: White | None
    black: Black | None
    expected_percent: ExpectedPercent | None
    bits: Annotated[float | None, "Information of the game about the aim, bits"]


class ForecastRow(TypedDict, total=False):
    """Forecast of a game."""

    white: White | None
    black: Black | None
    day: Day | None
    white_known: Annotated[bool | None, "True if the first player is in the trace"]
    black_known: Annotated[bool | None, "True if the second player is in the trace"]
    expected_percent: ExpectedPercent | None
    expected_low_percent: ExpectedLowPercent | None
    expected_high_percent: ExpectedHighPercent | None
    loss_percent: Annotated[float | None, "Probability that the first loses, percent"]
    loss_low_percent: Annotated[float | None, "Lower end of its 95% interval"]
    loss_high_percent: Annotated[float | None, "Upper end of its 95% interval"]
    draw_percent: Annotated[float | None, "Probability of a draw, percent"]
    draw_low_percent: Annotated[float | None, "Lower end of its 95% interval"]
    draw_high_percent: Annotated[float | None, "Upper end of its 95% interval"]
    win_percent: Annotated[float | None, "Probability that the first wins, percent"]
    win_low_percent: Annotated[float | None, "Lower end of its 95% interval"]
    win_high_percent: Annotated[float | None, "Upper end of its 95% interval"]


class ForecastRecord(OfTrace):
    """Forecasts of games."""

    new: Annotated[list[object], "Players who are not in the trace"]
    rows: Rows[ForecastRow]
