"""Answers of `halfpoint bridge`."""

from typing import Annotated, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    BestPercent,
    MaybeFitted,
    OfData,
    Player,
    Rank,
    RankHigh,
    RankLow,
    RatingElo,
    Rows,
    Tier,
)


class BridgeRateRow(TypedDict, total=False):
    """Rated player or pair."""

    rank: Rank | None
    player: Player | None
    rating_elo: RatingElo | None
    results: Annotated[int | None, "Number of results"]
    last: str | None
    partnerships: int | None
    cross_imps_per_result: float | None
    pair: str | None
    rating_imps: float | None
    sd_imps: float | None
    low_imps: float | None
    high_imps: float | None
    rank_low: RankLow | None
    rank_high: RankHigh | None
    best_percent: BestPercent | None
    tier: Tier | None
    told: Annotated[str | None, "Whether results identify the rating: yes, only together, only among their own kind"]


class BridgeRateRecord(MaybeFitted):
    """Rating list of players or pairs."""

    rules: NotRequired[dict[str, object]]
    rows: Rows[BridgeRateRow]
    spreads: NotRequired[dict[str, object]]
    not_told: NotRequired[list[str | None]]


class BridgeScoreRow(TypedDict, total=False):
    """Score of a pair."""

    rank: Rank | None
    pair: str | None
    direction: str | None
    results: Annotated[int | None, "Number of results"]
    cross_imps: float | None
    cross_imps_per_board: float | None
    butler_imps: float | None
    matchpoints: float | None
    percent: float | None


class BridgeScoreRecord(OfData):
    """Scores of a tournament."""

    scoring: str
    by_direction: bool
    deals: int
    rows: Rows[BridgeScoreRow]


class BridgeForecastRow(TypedDict, total=False):
    """Forecast of a table."""

    deal: str | None
    north: str | None
    east: str | None
    south: str | None
    west: str | None
    ns_elo: float | None
    ew_elo: float | None
    gamma_elo: float | None
    expected_ns: float | None


class BridgeSeatRow(TypedDict, total=False):
    """Proposed table."""

    table: int | None
    ns_pair: str | None
    ew_pair: str | None
    ns_elo: float | None
    ew_elo: float | None
    expected_ns: float | None
