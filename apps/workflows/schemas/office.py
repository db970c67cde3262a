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

BySystemElo = Annotated[float | None, "Rating by this system, if several were asked for"]
BySystem = TypedDict("BySystem", {
    "chessmetrics": BySystemElo, "ecf": BySystemElo, "egf": BySystemElo, "elo": BySystemElo,
    "elo-event": BySystemElo, "elo-fide": BySystemElo, "elo-game": BySystemElo, "elo-icc": BySystemElo,
    "elo-margin": BySystemElo, "elo-normal": BySystemElo, "elo-own": BySystemElo, "elo-plus-plus": BySystemElo,
    "elo-uscf": BySystemElo, "fifa": BySystemElo, "glicko": BySystemElo, "glicko-2": BySystemElo,
    "glicko-margin": BySystemElo, "icc": BySystemElo, "kappa-elo": BySystemElo, "performance-400": BySystemElo,
    "performance-bcf": BySystemElo, "performance-fide": BySystemElo, "performance-quantile": BySystemElo,
    "plackett-luce": BySystemElo, "scrabble": BySystemElo, "sonas": BySystemElo, "stephenson": BySystemElo,
    "trueskill": BySystemElo, "uscf": BySystemElo, "uscf-fide": BySystemElo, "weng-lin-full": BySystemElo,
    "weng-lin-margin": BySystemElo, "weng-lin-part": BySystemElo, "world-football": BySystemElo,
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
    provisional: Annotated[bool | None, "True if the rating is provisional"]
    active: Annotated[bool | None, "True if the player is active"]
    printed_elo: Annotated[float | None, "Printed rating, Elo points"]
    less_printed_elo: Annotated[float | None, "Difference from the printed rating, Elo points"]
    new: Annotated[bool | None, "True if the player is new on the list"]


class ListRecord(OfData):
    """List by a rating system."""

    system: NotRequired[Annotated[str, "Name of the rating system"]]
    settings: NotRequired[Annotated[str, "Its settings, in words"]]
    source: NotRequired[Annotated[str, "Source of its rules"]]
    period: NotRequired[Annotated[int, "The period of the list"]]
    players: NotRequired[Annotated[int, "Number of players"]]
    rows: Rows[ListRow]
    rules: NotRequired[Annotated[str, "Rules of the list, in words"]]


class PerformanceRow(TypedDict, total=False):
    """Performance of a player in an event."""

    event: Annotated[str | None, "Name of the event"]
    player: Player | None
    games: Games | None
    points: Annotated[float | None, "Points in the event"]
    rated_games: Annotated[int | None, "Games against rated opponents"]
    rated_points: Annotated[float | None, "Points in these games"]
    opponents_mean_elo: Annotated[float | None, "Mean printed rating of the opponents, Elo points"]
    performance_fide_elo: Annotated[float | None, "Performance by FIDE's table, Elo points"]
    performance_400_elo: Annotated[float | None, "Performance by the rule of 400, Elo points"]
    performance_quantile_elo: Annotated[float | None, "Performance by the quantile of the points, Elo points"]
    norms: Annotated[str | None, "Norms that the numbers allow"]
    norms_missed: Annotated[str | None, "What is missing for the next norm"]
    place: Annotated[int | None, "Place in the event"]
    R1: Annotated[str | None, "Result of the first round"]
    R2: Annotated[str | None, "Result of the second round; further rounds likewise"]
    rating_elo: Annotated[int | None, "Printed rating, Elo points"]
    wins: Wins | None
    draws: Draws | None
    losses: Losses | None


class PoolRow(TypedDict, total=False):
    """Ratings of a pool of players after a period."""

    system: Annotated[str | None, "Name of the rating system"]
    period: Annotated[int | None, "The period"]
    players: Annotated[int | None, "Number of active players"]
    mean_elo: Annotated[float | None, "Mean rating, Elo points"]
    sd_elo: Annotated[float | None, "Standard deviation of the ratings, Elo points"]
    top_elo: Annotated[float | None, "Mean rating of the ten strongest, Elo points"]
    less_printed_elo: Annotated[object, "Mean difference from printed ratings, Elo points"]
    less_reference_elo: Annotated[object, "Mean difference from the reference's ratings, Elo points"]
