"""Answers of the commands for federations: lists, performances, pools of rating systems."""

from typing import Annotated, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    Draws,
    Games,
    Losses,
    OfData,
    Played,
    Player,
    Rank,
    RankHigh,
    RankLow,
    RatingElo,
    Rows,
    Wins,
)

BySystem = TypedDict("BySystem", {
    "chessmetrics": float | None, "ecf": float | None, "egf": float | None, "elo": float | None,
    "elo-event": float | None, "elo-fide": float | None, "elo-game": float | None, "elo-icc": float | None,
    "elo-margin": float | None, "elo-normal": float | None, "elo-own": float | None, "elo-plus-plus": float | None,
    "elo-uscf": float | None, "fifa": float | None, "glicko": float | None, "glicko-2": float | None,
    "glicko-margin": float | None, "icc": float | None, "kappa-elo": float | None, "performance-400": float | None,
    "performance-bcf": float | None, "performance-fide": float | None, "performance-quantile": float | None,
    "plackett-luce": float | None, "scrabble": float | None, "sonas": float | None, "stephenson": float | None,
    "trueskill": float | None, "uscf": float | None, "uscf-fide": float | None, "weng-lin-full": float | None,
    "weng-lin-margin": float | None, "weng-lin-part": float | None, "world-football": float | None,
}, total=False)  # fmt: skip


class ListRow(Played, BySystem, total=False):
    """Player of a list by a rating system, or by several."""

    rank: Rank | None
    player: Player | None
    rating_elo: RatingElo | None
    rank_low: RankLow | None
    rank_high: RankHigh | None
    change_elo: Annotated[float | None, "Change since the list before, Elo points"]
    recent: Annotated[int | None, "Games of the last period"]
    provisional: bool | None
    active: bool | None
    printed_elo: float | None
    less_printed_elo: Annotated[float | None, "Difference from the printed rating, Elo points"]
    new: bool | None


class ListRecord(OfData):
    """List by a rating system."""

    system: NotRequired[str]
    settings: NotRequired[str]
    source: NotRequired[str]
    period: NotRequired[int]
    players: NotRequired[int]
    rows: Rows[ListRow]
    rules: NotRequired[str]


class PerformanceRow(TypedDict, total=False):
    """Performance of a player in an event."""

    event: str | None
    player: Player | None
    games: Games | None
    points: float | None
    rated_games: int | None
    rated_points: float | None
    opponents_mean_elo: float | None
    performance_fide_elo: float | None
    performance_400_elo: float | None
    performance_quantile_elo: float | None
    norms: str | None
    norms_missed: str | None
    place: int | None
    R1: str | None
    R2: str | None
    rating_elo: Annotated[int | None, "Printed rating, Elo points"]
    wins: Wins | None
    draws: Draws | None
    losses: Losses | None


class PoolRow(TypedDict, total=False):
    """Ratings of a pool of players after a period."""

    system: str | None
    period: int | None
    players: int | None
    mean_elo: float | None
    sd_elo: Annotated[float | None, "Standard deviation of the ratings, Elo points"]
    top_elo: float | None
    less_printed_elo: Annotated[object, "Mean difference from printed ratings, Elo points"]
    less_reference_elo: object
