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
    account: Annotated[str, "How the file was read, in words"]
    advantage_elo: AdvantageElo
    draw_rate: DrawRate | None
    shared: Annotated[str, "The first move and draws, in words"]
    margins: Annotated[str, "What margins tell, for a model of margins, in words"]
    not_told: Annotated[list[object], "What the games cannot tell, a sentence each"]
    time: Annotated[str, "Date of the ratings, in words"]
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
    players: Annotated[int, "Number of players"]
    seed: Annotated[int, "Seed of the draws"]
    trace: Annotated[str, "File of the trace"]


class MleRow(TypedDict, total=False):
    """Estimate of a parameter."""

    parameter: Annotated[str | None, "Group of parameters, such as strength"]
    name: Annotated[str | None, "Player, column or number of the group"]
    estimate: Annotated[float | None, "Estimate at the maximum of the likelihood, natural units"]
    standard_error: Annotated[float | None, "Standard error, natural units"]
    quasi_error: Annotated[float | None, "Standard error from quasi variances, for the difference of any two players"]
    z: Annotated[float | None, "Estimate divided by its standard error"]
    rating_elo: RatingElo | None
    error_elo: Annotated[float | None, "Standard error, Elo points"]


class MleRecord(OfData):
    """Maximum-likelihood fit."""

    model: NotRequired[ModelName]
    reference: Annotated[str, "Player or mean from which strengths are counted"]
    log_likelihood: Annotated[float | None, "Log likelihood at its maximum"]
    parameters: Annotated[int, "Number of estimated parameters"]
    games: Annotated[float | None, "Number of games"]
    aic: Annotated[float | None, "Akaike's information criterion"]
    bic: Annotated[float | None, "Schwarz' information criterion"]
    deviance: Annotated[object, "Deviance from the saturated model; null without one"]
    degrees_of_freedom: Annotated[object, "Degrees of freedom of the deviance"]
    quasi_worst: Annotated[
        list[float | None] | None,
        "Largest relative errors, too small and too large, of a standard error from quasi variances; "
        "null with two players",
    ]
    rows: Rows[MleRow]


Quantile = Annotated[float | None, "Quantile of the prior"]
Quantiles = TypedDict("Quantiles", {
    "2.5%": Quantile, "25%": Quantile, "50%": Quantile, "75%": Quantile, "97.5%": Quantile,
}, total=False)  # fmt: skip


class ModelsRow(Quantiles, total=False):
    """Model of the catalogue, or prior quantiles of a quantity."""

    name: Annotated[str | None, "Name of the model"]
    outcome: Annotated[str | None, "Formula of the outcomes"]
    advantage: Annotated[str | None, "White's advantage: none, common or by player"]
    weighted: Annotated[bool | None, "True if games are weighted by their age"]
    about: Annotated[str | None, "What the model says, in a sentence"]
    quantity: Annotated[str | None, "Quantity whose prior has these quantiles"]
