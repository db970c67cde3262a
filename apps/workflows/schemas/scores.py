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

    system: str | None
    set: str | None
    games: Games | None
    periods: int | None
    log_score: float | None
    deviance: float | None
    definetti: float | None
    rps: float | None
    accuracy: float | None
    reference: str | None
    difference: float | None
    se_naive: float | None
    se_event: float | None
    se_player: float | None
    se_two_way: float | None
    low: float | None
    high: float | None
    periods_better: int | None
    difference_draw: float | None
    se_draw: float | None
    difference_decisive: float | None
    se_decisive: float | None
    title: Annotated[str | None, "Title of the forecaster"]
    draws: Annotated[str | None, "Draw probabilities: own, or rule (the common rule)"]


class BacktestRecord(Record):
    """Scores of forecasters on the same games."""

    answer: NotRequired[Sentence]
    data: NotRequired[Data]
    simulated: NotRequired[Simulated]
    games: Games
    first_judged: int
    reference: str
    error_to_believe: str
    verdict: NotRequired[Verdict]
    left_out: dict[str, object]
    time_classes: dict[str, object]
    systems: dict[str, object]
    rows: Rows[BacktestRow]
    margins: list[object]
    folder: Folder


ParetoCount = TypedDict("ParetoCount", {"games_above_0.7": int | None}, total=False)


class CompareRow(ParetoCount, total=False):
    """Score of a model."""

    observation: str | None
    weighting: str | None
    name: str | None
    edition: Edition | None
    neg_mean_loglik: float | None
    aicm: float | None
    aicm_printed: float | None
    elpd_loo: float | None
    mc_error: float | None
    difference: float | None
    difference_se: float | None
    difference_mc_error: float | None
    p_worse: object
    caution: str | None
    better: str | None
    rank: Rank | None
    max_pareto_k: float | None
    converged: Converged | None


class CompareRecord(Answered):
    """Comparison of models by their traces."""

    by: str
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    rows: Rows[CompareRow]


class CalibratedModelRow(TypedDict, total=False):
    """Calibration of a parameter."""

    parameter: str | None
    outside: float | None
    calibrated: bool | None


class CalibratedModel(TypedDict, total=False):
    """Calibration of a model."""

    title: Title | None
    model: ModelName | None
    simulations: int | None
    divergences: int | None
    note: Note | None
    answer: Sentence | None
    rows: Rows[CalibratedModelRow]
    calibrated: bool | None
    folder: Folder | None


class CalibrateRecord(Record):
    """Simulation-based calibration of models."""

    models: list[CalibratedModel]


class Calibrated(TypedDict):
    """Status of a calibration."""

    code: Literal["calibrated", "not-calibrated"]
    exit_code: Annotated[Literal[0, 1], "The exit code of the command"]
