"""Answers of the commands for comparisons of models by judges."""

from typing import Annotated, NotRequired, TypedDict

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

    what: Annotated[str | None, "Property of the answers, such as length"]
    effect_elo: Annotated[float | None, "Effect of one standard deviation more, Elo points"]
    positive: Annotated[float | None, "Probability that the effect is positive"]


class LeaderboardCluster(TypedDict, total=False):
    """Share of a model by judge."""

    model: ModelName | None
    judge: Annotated[float | None, "Wins of the model among this judge's votes, a share"]
    all: Annotated[float | None, "Its wins among all votes, a share"]


class LeaderboardBorder(TypedDict, total=False):
    """Border between two tiers."""

    leader: Annotated[str | None, "The first of a tier"]
    next_leader: Annotated[str | None, "The first of the next tier"]
    probability: Annotated[float | None, "Probability that the first is stronger than the second"]


class LeaderboardRecord(OfData):
    """Leaderboard of models."""

    noun: Annotated[str, "What is ranked, such as model"]
    unit: Annotated[str, "What is counted, such as battle"]
    first: Annotated[str, "Words for the first side"]
    second: Annotated[str, "Words for the second side"]
    model: NotRequired[ModelName]
    method: Annotated[str, "How the draws were made"]
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    level: Level
    interval: Annotated[float | None, "Mass of the intervals"]
    tier_probability: Annotated[float | None, "Probability with which a tier is separated from the next"]
    borders_expected_wrong: Annotated[float | None, "Expected number of wrong borders between tiers"]
    tiers: Annotated[str, "The tiers, in words"]
    widened: Annotated[str, "How votes of one judge widened the intervals, in words; empty if they did not"]
    account: Annotated[str, "How the file was read, in words"]
    advantage_elo: AdvantageElo
    draw_rate: DrawRate
    intervals: Annotated[str, "What the intervals contain, in words"]
    rows: Rows[LeaderboardRow]
    style: Annotated[list[LeaderboardStyle], "Effects of properties of the answers"]
    clusters: Annotated[list[LeaderboardCluster], "Shares by judge"]
    borders: Annotated[list[LeaderboardBorder], "Borders between tiers"]
    pairs_of_games: Annotated[list[object], "Results by pairs of games, for engines"]
    categories: Annotated[dict[str, object], "Lists by category"]
    frontier: Annotated[dict[str, object], "Models that none beats at their costs or less, by cost"]
    audit: Annotated[list[object], "Findings about votes and judges"]


class JudgesRow(Rated, total=False):
    """Model of a list that corrects for judges."""

    model: ModelName | None


class JudgesRecord(OfData):
    """List that corrects for judges."""

    verdict: NotRequired[Verdict]
    alpha: NotRequired[Annotated[float | None, "Krippendorff's alpha of all judges"]]
    alpha_dear: NotRequired[Annotated[float | None, "Krippendorff's alpha of the expensive judges"]]
    dear_votes_saved: NotRequired[
        Annotated[float | None, "Decrease of variances of differences by cheap votes, a share"]
    ]
    rows: Rows[JudgesRow]


class NextRow(TypedDict, total=False):
    """Proposed comparison."""

    order: Annotated[int | None, "Order of the comparisons, from 1"]
    first: Annotated[str | None, "Name on the first side"]
    second: Annotated[str | None, "Name on the second side"]
    gain_percent: Annotated[float | None, "Decrease of the posterior variance of the target, percent"]
    left_percent: Annotated[float | None, "Rest of the variance after it, percent"]


SprtOutlook = TypedDict("SprtOutlook", {  # continuation of a test if the difference is such
    "if": Annotated[str | None, "What is true: elo0, the estimate (found), or elo1"],
    "difference_elo": Annotated[float | None, "Its difference, Elo points"],
    "p_h1": Annotated[float | None, "Probability that H1 will be accepted"],
    "games_left": Annotated[float | None, "Expected number of further games"],
}, total=False)  # fmt: skip


class SprtRow(TypedDict, total=False):
    """Estimate by games or pairs of games."""

    by: Annotated[str | None, "What is counted: pairs of games, or games"]
    elo: Annotated[float | None, "Difference of the first from the second, Elo points"]
    low_elo: LowElo | None
    high_elo: HighElo | None
    llr: Annotated[float | None, "Log likelihood ratio of H1 against H0"]
    los_percent: Annotated[float | None, "Probability that the first is stronger, percent"]
    score_percent: Annotated[float | None, "Points of the first, percent"]
    units: Annotated[int | None, "Number of pairs or games"]
    counts: Annotated[str | None, "Numbers by points of the first, from none to all"]
    normalized: Annotated[float | None, "Difference in normalised Elo points"]
    normalized_low: Annotated[float | None, "Lower end of its 95% interval"]
    normalized_high: Annotated[float | None, "Upper end of its 95% interval"]


class SprtRecord(Answered):
    """Sequential test of two players."""

    first: Annotated[str, "Name of the first player"]
    second: Annotated[str, "Name of the second player"]
    elo0: Annotated[float | None, "Difference under H0, Elo points"]
    elo1: Annotated[float | None, "Difference under H1, Elo points"]
    alpha: Annotated[float | None, "Probability of accepting H1 if H0 is true"]
    beta: Annotated[float | None, "Probability of accepting H0 if H1 is true"]
    normalized: Annotated[bool, "True if H0 and H1 are in normalised Elo points"]
    lower: Annotated[float | None, "Log likelihood ratio at which H0 is accepted"]
    upper: Annotated[float | None, "Log likelihood ratio at which H1 is accepted"]
    by: Annotated[str, "What the test counts: pairs of games, or games"]
    llr: Annotated[float | None, "Log likelihood ratio of H1 against H0"]
    decision: Annotated[str, "H0, H1, or go on"]
    games_at_decision: Annotated[object, "Number of games at the decision; null without one"]
    wins: Wins | None
    draws: NotRequired[Draws | None]
    losses: Losses | None
    pentanomial: Annotated[list[object] | None, "Pairs of games by points of the first, from 0 to 2"]
    pairs_by: Annotated[str, "Evidence for pairs of games, such as opening"]
    prior_sd_elo: Annotated[float | None, "Standard deviation of the difference before the games, Elo points"]
    p_above_elo0: Annotated[float | None, "Posterior probability of a difference above that of H0"]
    p_above_elo1: Annotated[float | None, "Posterior probability of a difference above that of H1"]
    believed_elo: Annotated[float | None, "Posterior mean of the difference, Elo points"]
    believed_low: Annotated[float | None, "Lower end of its 95% interval"]
    believed_high: Annotated[float | None, "Upper end of its 95% interval"]
    p_h1: Annotated[float | None, "Probability that H1 will be accepted"]
    games_left: Annotated[float | None, "Expected number of further games"]
    outlook: Annotated[list[SprtOutlook], "Continuation of the test if elo0, the estimate or elo1 is true"]
    after_stop: Annotated[list[float | None], "Estimate that allows for the stop, and its 95% interval, Elo points"]
    whenever: Annotated[list[float | None], "Ends of an interval that is valid at every look, Elo points"]
    wide_enough: Annotated[object, "True if that interval is at most as wide as asked; null if nothing was asked"]
    rows: Rows[SprtRow]
