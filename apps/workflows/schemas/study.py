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

    name: Annotated[str | None, "Name of the model"]
    edition: Edition | None
    neg_mean_loglik: Annotated[float | None, "Negative mean log likelihood"]
    printed: Annotated[object, "The same as the study printed it; null if it did not"]
    sd_loglik: Annotated[float | None, "Standard deviation of the log likelihood"]
    aicm: Annotated[float | None, "AICM, Akaike's criterion by the draws; lower is better"]
    aicm_printed: Annotated[float | None, "AICM in the form that the study printed"]
    max_rhat: Annotated[float | None, "Largest R-hat"]
    min_ess_bulk: Annotated[float | None, "Smallest bulk effective number of draws"]
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
    likelihood: Annotated[str | None, "Likelihood of a game"]
    parameters: Annotated[int | None, "Number of parameters"]
    aic: Annotated[float | None, "Akaike's information criterion"]
    bic: Annotated[float | None, "Schwarz' information criterion"]
    dic: Annotated[float | None, "Deviance information criterion"]
    p_dic: Annotated[float | None, "Its effective number of parameters"]
    dic_by_variance: Annotated[float | None, "DIC with half the variance of the deviance as the effective number"]
    waic: Annotated[float | None, "Widely applicable information criterion"]
    p_waic: Annotated[float | None, "Its effective number of parameters"]
    neg2_elpd_loo: Annotated[float | None, "-2 times the expected log predictive density by leave-one-out"]
    max_pareto_k: Annotated[float | None, "Largest Pareto k of leave-one-out"]
    log_evidence: Annotated[object, "Log marginal likelihood; null if not asked for"]
    evidence_error: Annotated[object, "Its Monte Carlo error"]


class CriteriaRecord(Answered):
    """Information criteria of models."""

    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    rows: Rows[CriteriaRow]


class ClaimsRow(TypedDict, total=False):
    """Claim of a source, with the estimate from games."""

    claim: Annotated[str | None, "Short name of the claim"]
    source: Annotated[str | None, "Publication that makes it"]
    statement: Annotated[str | None, "The claim, in a sentence"]
    quantity: Annotated[str | None, "Number that the claim is about"]
    estimate: Annotated[float | None, "The number by these games"]
    standard_error: Annotated[float | None, "Its standard error"]
    low: Annotated[float | None, "Lower end of the 95% interval"]
    high: Annotated[float | None, "Upper end of the 95% interval"]
    games: Games | None
    data: Data | None
    verdict: Annotated[str | None, "What the games say of the claim"]


class ClaimsRecord(Answered):
    """Claims of the sources."""

    rows: Rows[ClaimsRow]
