"""Answers of the commands of the study."""

from typing import Annotated, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    Answered,
    Approximate,
    Converged,
    Data,
    Edition,
    Folder,
    Games,
    ModelName,
    Record,
    Rows,
    Simulated,
    Verdict,
)


class StudyRow(TypedDict, total=False):
    """Fit of a model of the study."""

    name: str | None
    edition: Edition | None
    neg_mean_loglik: float | None
    printed: object
    sd_loglik: float | None
    aicm: float | None
    aicm_printed: float | None
    max_rhat: float | None
    min_ess_bulk: float | None
    converged: Converged | None


class StudyRecord(Record):
    """Fits of the study."""

    verdict: NotRequired[Verdict]
    data: NotRequired[Data]
    simulated: NotRequired[Simulated]
    rows: Rows[StudyRow]
    folder: Folder


class ReportRecord(Record):
    """Report of a study."""

    report: Annotated[str, "File of the page"]
    verdict: NotRequired[Verdict]


class CriteriaRow(TypedDict, total=False):
    """Information criteria of a model."""

    model: ModelName | None
    edition: Edition | None
    likelihood: str | None
    parameters: int | None
    aic: float | None
    bic: float | None
    dic: float | None
    p_dic: float | None
    dic_by_variance: float | None
    waic: float | None
    p_waic: float | None
    neg2_elpd_loo: float | None
    max_pareto_k: float | None
    log_evidence: object
    evidence_error: object


class CriteriaRecord(Answered):
    """Information criteria of models."""

    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    rows: Rows[CriteriaRow]


class ClaimsRow(TypedDict, total=False):
    """Claim of a source, with the estimate from games."""

    claim: str | None
    source: str | None
    statement: str | None
    quantity: str | None
    estimate: float | None
    standard_error: float | None
    low: float | None
    high: float | None
    games: Games | None
    data: Data | None
    verdict: str | None


class ClaimsRecord(Answered):
    """Claims of the sources."""

    rows: Rows[ClaimsRow]
