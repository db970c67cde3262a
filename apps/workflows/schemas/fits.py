"""Answers of the commands that fit a model."""

from typing import Annotated, Never, NotRequired, TypedDict

from halfpoint.apps.workflows.schemas.shared import (
    AdvantageElo,
    Approximate,
    Converged,
    Data,
    DrawRate,
    Edition,
    Games,
    Level,
    ModelName,
    OfData,
    RatedPlayer,
    RatingElo,
    Record,
    Rows,
    Seats,
    Sentence,
    Sha256,
    Simulated,
    Verdict,
)


class RateRow(RatedPlayer, total=False):
    """Player of a rating list."""

    converged: Converged | None


class RateList(Record):
    """Rating list of one group."""

    answer: NotRequired[Sentence]
    model: ModelName
    data: Data
    sha256: Sha256
    simulated: Simulated
    verdict: Verdict
    converged: Converged
    approximate: Approximate
    level: Level
    account: str
    advantage_elo: AdvantageElo
    draw_rate: DrawRate | None
    shared: str
    margins: str
    not_told: list[object]
    time: str
    rows: Rows[RateRow]


class RateRecord(RateList):
    """Rating list, if there are no groups."""

    groups: NotRequired[Never]


class RateGroupsRecord(TypedDict):
    """Rating lists of several groups."""

    groups: Annotated[list[RateList], "One list a group, with --groups apart"]


class FitRecord(Record):
    """Fit of a model."""

    model: NotRequired[ModelName]
    edition: NotRequired[Edition]
    data: NotRequired[Data]
    simulated: NotRequired[Simulated]
    seats: Seats
    verdict: NotRequired[Verdict]
    converged: Converged
    approximate: Approximate
    games: Games
    players: int
    seed: int
    trace: Annotated[str, "File of the trace"]


class MleRow(TypedDict, total=False):
    """Estimate of a parameter."""

    parameter: str | None
    name: str | None
    estimate: float | None
    standard_error: float | None
    quasi_error: float | None
    z: float | None
    rating_elo: RatingElo | None
    error_elo: float | None


class MleRecord(OfData):
    """Maximum-likelihood fit."""

    model: NotRequired[ModelName]
    reference: str
    log_likelihood: float | None
    parameters: int
    games: Annotated[float | None, "Number of games"]
    aic: float | None
    bic: float | None
    deviance: object
    degrees_of_freedom: object
    quasi_worst: Annotated[
        list[float | None] | None,
        "Largest relative errors, too small and too large, of a standard error from quasi variances; "
        "null with two players",
    ]
    rows: Rows[MleRow]


Quantiles = TypedDict("Quantiles", {
    "2.5%": float | None, "25%": float | None, "50%": float | None, "75%": float | None, "97.5%": float | None,
}, total=False)  # fmt: skip


class ModelsRow(Quantiles, total=False):
    """Model of the catalogue, or prior quantiles of a quantity."""

    name: str | None
    outcome: str | None
    advantage: str | None
    weighted: bool | None
    about: str | None
    quantity: str | None
