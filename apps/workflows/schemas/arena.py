"""Answers of the commands for comparisons of models by judges."""

from typing import NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    AdvantageElo,
    Answered,
    Approximate,
    Converged,
    DrawRate,
    Draws,
    HighElo,
    Interval,
    Level,
    Losses,
    LowElo,
    ModelName,
    OfData,
    Played,
    Rated,
    Rows,
    Verdict,
    Wins,
)


class LeaderboardRow(Played, Rated, total=False):
    """Model of a leaderboard."""

    model: ModelName | None


class LeaderboardStyle(Interval, total=False):
    """Effect of a property of the answers."""

    what: str | None
    effect_elo: float | None
    positive: float | None


class LeaderboardCluster(TypedDict, total=False):
    """Share of a model by judge."""

    model: ModelName | None
    judge: float | None
    all: float | None


class LeaderboardBorder(TypedDict, total=False):
    """Border between two tiers."""

    leader: str | None
    next_leader: str | None
    probability: float | None


class LeaderboardRecord(OfData):
    """Leaderboard of models."""

    noun: str
    unit: str
    first: str
    second: str
    model: NotRequired[ModelName]
    method: str
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    level: Level
    interval: float | None
    tier_probability: float | None
    borders_expected_wrong: float | None
    tiers: str
    widened: str
    account: str
    advantage_elo: AdvantageElo
    draw_rate: DrawRate
    intervals: str
    rows: Rows[LeaderboardRow]
    style: list[LeaderboardStyle]
    clusters: list[LeaderboardCluster]
    borders: list[LeaderboardBorder]
    pairs_of_games: list[object]
    categories: dict[str, object]
    frontier: dict[str, object]
    audit: list[object]


class JudgesRow(Rated, total=False):
    """Model of a list that corrects for judges."""

    model: ModelName | None


class JudgesRecord(OfData):
    """List that corrects for judges."""

    verdict: NotRequired[Verdict]
    alpha: NotRequired[float | None]
    alpha_dear: NotRequired[float | None]
    dear_votes_saved: NotRequired[float | None]
    rows: Rows[JudgesRow]


class NextRow(TypedDict, total=False):
    """Proposed comparison."""

    order: int | None
    first: str | None
    second: str | None
    gain_percent: float | None
    left_percent: float | None


SprtOutlook = TypedDict("SprtOutlook", {  # continuation of a test if the difference is such
    "if": str | None, "difference_elo": float | None, "p_h1": float | None, "games_left": float | None,
}, total=False)  # fmt: skip


class SprtRow(TypedDict, total=False):
    """Estimate by games or pairs of games."""

    by: str | None
    elo: float | None
    low_elo: LowElo | None
    high_elo: HighElo | None
    llr: float | None
    los_percent: float | None
    score_percent: float | None
    units: int | None
    counts: str | None
    normalized: float | None
    normalized_low: float | None
    normalized_high: float | None


class SprtRecord(Answered):
    """Sequential test of two players."""

    first: str
    second: str
    elo0: float | None
    elo1: float | None
    alpha: float | None
    beta: float | None
    normalized: bool
    lower: float | None
    upper: float | None
    by: str
    llr: float | None
    decision: str
    games_at_decision: object
    wins: Wins | None
    draws: NotRequired[Draws | None]
    losses: Losses | None
    pentanomial: list[object] | None
    pairs_by: str
    prior_sd_elo: float | None
    p_above_elo0: float | None
    p_above_elo1: float | None
    believed_elo: float | None
    believed_low: float | None
    believed_high: float | None
    p_h1: float | None
    games_left: float | None
    outlook: list[SprtOutlook]
    after_stop: list[float | None]
    whenever: list[float | None]
    wide_enough: object
    rows: Rows[SprtRow]
