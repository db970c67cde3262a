"""Answers of the commands that judge forecasts and models."""

from typing import Annotated, Literal, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    Answered,
    Approximate,
    Converged,
    Data,
    Edition,
    Folder,
    Games,
    ModelName,
    Note,
    Rank,
    Record,
    Rows,
    Sentence,
    Simulated,
    Title,
    Verdict,
)


class BacktestRow(TypedDict, total=False):
    """Score of a forecaster on a set of games."""

    system: Annotated[str | None, "Name of the forecaster"]
    set: Annotated[str | None, "Set of games"]
    games: Games | None
    periods: Annotated[int | None, "Number of periods"]
    log_score: Annotated[float | None, "Mean negative log probability of the results, nats a game; lower is better"]
    deviance: Annotated[float | None, "Binomial deviance of the expected scores; lower is better"]
    definetti: Annotated[float | None, "Squared distance of probabilities from results, de Finetti; lower is better"]
    rps: Annotated[float | None, "Ranked probability score; lower is better"]
    accuracy: Annotated[float | None, "Share of games whose likeliest result came"]
    reference: Annotated[str | None, "Forecaster that the difference is from"]
    difference: Annotated[float | None, "Log score less the reference's, nats a game; below 0 is better"]
    se_naive: Annotated[float | None, "Standard error of the difference, if games are independent"]
    se_event: Annotated[float | None, "Standard error, clustered by event"]
    se_player: Annotated[float | None, "Standard error, clustered by player"]
    se_two_way: Annotated[float | None, "Standard error, clustered by event and by player"]
    low: Annotated[float | None, "Lower end of the 95% interval of the difference"]
    high: Annotated[float | None, "Upper end of the 95% interval of the difference"]
    periods_better: Annotated[int | None, "Number of periods with a better log score than the reference's"]
    difference_draw: Annotated[float | None, "Part of the difference from draw or no draw"]
    se_draw: Annotated[float | None, "Its standard error, clustered by event and by player"]
    difference_decisive: Annotated[float | None, "Part of the difference from who won decisive games"]
    se_decisive: Annotated[float | None, "Its standard error, clustered by event and by player"]
    title: Annotated[str | None, "Title of the forecaster"]
    draws: Annotated[str | None, "Draw probabilities: own, or rule (the common rule)"]


class BacktestRecord(Record):
    """Scores of forecasters on the same games."""

    answer: NotRequired[Sentence]
    data: NotRequired[Data]
    simulated: NotRequired[Simulated]
    games: Games
    first_judged: Annotated[int, "First period that is judged"]
    reference: Annotated[str, "Forecaster that differences are from"]
    error_to_believe: Annotated[str, "Name of the standard error that allows for clusters"]
    verdict: NotRequired[Verdict]
    left_out: Annotated[dict[str, object], "Why forecasters are missing from sets of games, by set"]
    time_classes: Annotated[dict[str, object], "Games by class of time control and its evidence"]
    systems: Annotated[dict[str, object], "Forecasters with their settings"]
    rows: Rows[BacktestRow]
    margins: Annotated[list[object], "Forecasts of margins, judged"]
    folder: Folder


ParetoCount = TypedDict(
    "ParetoCount", {"games_above_0.7": Annotated[int | None, "Number of games with a Pareto k above 0.7"]}, total=False
)


class CompareRow(ParetoCount, total=False):
    """Score of a model."""

    observation: Annotated[str | None, "What is observed of games"]
    weighting: Annotated[str | None, "Weights of games"]
    name: Annotated[str | None, "Name of the model"]
    edition: Edition | None
    neg_mean_loglik: Annotated[float | None, "Negative mean log likelihood"]
    aicm: Annotated[float | None, "AICM, Akaike's criterion by the draws; lower is better"]
    aicm_printed: Annotated[float | None, "AICM in the form that the study printed"]
    elpd_loo: Annotated[float | None, "Expected log predictive density by leave-one-out, nats"]
    mc_error: Annotated[float | None, "Monte Carlo error of the criterion"]
    difference: Annotated[float | None, "Difference from the best model"]
    difference_se: Annotated[float | None, "Standard error of the difference"]
    difference_mc_error: Annotated[float | None, "Monte Carlo error of the difference"]
    p_worse: Annotated[object, "Probability that the model is worse than the best"]
    caution: Annotated[str | None, "Why the row is to be read with caution"]
    better: Annotated[str | None, "Whether the best is significantly better, in words"]
    rank: Rank | None
    max_pareto_k: Annotated[float | None, "Largest Pareto k of leave-one-out"]
    converged: Converged | None


class CompareRecord(Answered):
    """Comparison of models by their traces."""

    by: Annotated[str, "Criterion by which the models are compared"]
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    rows: Rows[CompareRow]


class CalibratedModelRow(TypedDict, total=False):
    """Calibration of a parameter."""

    parameter: Annotated[str | None, "Name of the parameter"]
    outside: Annotated[float | None, "Largest distance of the ranks from their band, 0 within it"]
    calibrated: Annotated[bool | None, "True if all ranks are within their bands"]


class CalibratedModel(TypedDict, total=False):
    """Calibration of a model."""

    title: Title | None
    model: ModelName | None
    simulations: Annotated[int | None, "Number of simulations"]
    divergences: Annotated[int | None, "Divergent transitions of all fits"]
    note: Note | None
    answer: Sentence | None
    rows: Rows[CalibratedModelRow]
    calibrated: Annotated[bool | None, "True if all parameters are calibrated"]
    folder: Folder | None


class CalibrateRecord(Record):
    """Simulation-based calibration of models."""

    models: Annotated[list[CalibratedModel], "One object a model"]


class Calibrated(TypedDict):
    """Status of a calibration."""

    code: Annotated[Literal["calibrated", "not-calibrated"], "Result of the calibration"]
    exit_code: Annotated[Literal[0, 1], "The exit code of the command"]
