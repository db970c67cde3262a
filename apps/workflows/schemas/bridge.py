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
    last: Annotated[str | None, "Day of the last result"]
    partnerships: Annotated[int | None, "Number of partners"]
    cross_imps_per_result: Annotated[float | None, "Mean cross-IMPs of a result"]
    pair: Annotated[str | None, "Names of the pair"]
    rating_imps: Annotated[float | None, "Rating, posterior mean, IMPs a board"]
    sd_imps: Annotated[float | None, "Posterior standard deviation, IMPs a board"]
    low_imps: Annotated[float | None, "Lower end of the 95% interval, IMPs a board"]
    high_imps: Annotated[float | None, "Upper end of the 95% interval, IMPs a board"]
    rank_low: RankLow | None
    rank_high: RankHigh | None
    best_percent: BestPercent | None
    tier: Tier | None
    told: Annotated[str | None, "Whether results identify the rating: yes, only together, only among their own kind"]


class BridgeRateRecord(MaybeFitted):
    """Rating list of players or pairs."""

    rules: NotRequired[Annotated[dict[str, object], "Rules of the rating system"]]
    rows: Rows[BridgeRateRow]
    spreads: NotRequired[Annotated[dict[str, object], "Spreads of players, partnerships and boards, IMPs"]]
    not_told: NotRequired[Annotated[list[str | None], "Differences that the results cannot tell"]]


class BridgeScoreRow(TypedDict, total=False):
    """Score of a pair."""

    rank: Rank | None
    pair: Annotated[str | None, "Names of the pair"]
    direction: Annotated[str | None, "North-South or East-West"]
    results: Annotated[int | None, "Number of results"]
    cross_imps: Annotated[float | None, "Sum of cross-IMPs"]
    cross_imps_per_board: Annotated[float | None, "Cross-IMPs a board"]
    butler_imps: Annotated[float | None, "Sum of IMPs against the datum"]
    matchpoints: Annotated[float | None, "Matchpoints"]
    percent: Annotated[float | None, "Matchpoints, percent of the maximum"]


class BridgeScoreRecord(OfData):
    """Scores of a tournament."""

    scoring: Annotated[str, "Scoring by which the rows are ranked"]
    by_direction: Annotated[bool, "True if directions are ranked apart"]
    deals: Annotated[int, "Number of deals"]
    rows: Rows[BridgeScoreRow]


class BridgeForecastRow(TypedDict, total=False):
    """Forecast of a table."""

    deal: Annotated[str | None, "Deal"]
    north: Annotated[str | None, "Player in North"]
    east: Annotated[str | None, "Player in East"]
    south: Annotated[str | None, "Player in South"]
    west: Annotated[str | None, "Player in West"]
    ns_elo: Annotated[float | None, "Rating of North and South, Elo points"]
    ew_elo: Annotated[float | None, "Rating of East and West, Elo points"]
    gamma_elo: Annotated[float | None, "Correction for North and South by the rules of the system, Elo points"]
    expected_ns: Annotated[float | None, "Expected score of North and South, from 0 to 1"]


class BridgeSeatRow(TypedDict, total=False):
    """Proposed table."""

    table: Annotated[int | None, "Number of the table"]
    ns_pair: Annotated[str | None, "Pair in North and South"]
    ew_pair: Annotated[str | None, "Pair in East and West"]
    ns_elo: Annotated[float | None, "Rating of North and South, Elo points"]
    ew_elo: Annotated[float | None, "Rating of East and West, Elo points"]
    expected_ns: Annotated[float | None, "Expected score of North and South, from 0 to 1"]
