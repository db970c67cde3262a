"""One table of models, which ranks only what can be ranked.

Two log likelihoods can be compared where they are of the same games, give these games the same weights, and are
densities of the same observation. A half-point likelihood does not sum to one over loss, draw and win, and a weighted
sum counts some games more than once, so a number from one kind stands in no order with a number from another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import pandas as pd

from halfpoint.evaluation.errors import EvaluationError

Observation = Literal["half points", "three outcomes"]


@dataclass(frozen=True)
class Likelihood:
    """What a log likelihood is the log of.

    Parameters
    ----------
    observation : {"half points", "three outcomes"}
        Bradley-Terry's half-point score, or Davidson's loss, draw and win.
    weighting : str
        Name of the weights of the games.
    games : str
        Name of the games (training, A, B, ...).
    """

    observation: Observation
    weighting: str = "equal"
    games: str = "training"


@dataclass(frozen=True)
class Compared:
    """One line of a comparison.

    Parameters
    ----------
    name, edition : str
        Model and edition; the edition of a reference model is empty.
    likelihood : Likelihood
        Kind of its log likelihood.
    values : mapping of str to float
        Criteria by name, all of them lower is better.
    converged : bool
        Whether the sampler passed its diagnosis; a failed run is marked.
    """

    name: str
    edition: str
    likelihood: Likelihood
    values: Mapping[str, float] = field(default_factory=dict)
    converged: bool = True


def refusal(models: Sequence[Compared]) -> str:
    """Return why these models cannot be ranked together, or an empty string if they can.

    Parameters
    ----------
    models : sequence of Compared
        The models.

    Returns
    -------
    str
    """
    reasons = []
    kinds = {model.likelihood for model in models}
    if len({kind.observation for kind in kinds}) > 1:
        reasons.append(
            "half-point and three-outcome likelihoods are densities of different observations; "
            "compare them by the expected score"
        )
    if len({kind.weighting for kind in kinds}) > 1:
        names = ", ".join(sorted({kind.weighting for kind in kinds}))
        reasons.append(f"the games weigh differently ({names}), so the sums count different data")
    if len({kind.games for kind in kinds}) > 1:
        names = ", ".join(sorted({kind.games for kind in kinds}))
        reasons.append(f"the games differ ({names})")
    return "; ".join(reasons)


def ranking(models: Sequence[Compared], by: str = "aicm") -> list[str]:
    """Return the names of models from best to worst.

    Parameters
    ----------
    models : sequence of Compared
        Models with likelihoods of one kind.
    by : str
        Criterion; lower is better.

    Returns
    -------
    list of str
        "name (edition)", or the name alone where there is no edition.

    Raises
    ------
    EvaluationError
        If the likelihoods are of different kinds (the message says why), or a model lacks the criterion.
    """
    why = refusal(models)
    if why:
        raise EvaluationError("ranking", "likelihoods of one kind", why, "Rank each kind by itself.")
    for model in models:
        if by not in model.values:
            raise EvaluationError(f"model {model.name}", f"criterion {by}", ", ".join(model.values) or "none")
    order = sorted(models, key=lambda model: model.values[by])
    return [f"{model.name} ({model.edition})" if model.edition else model.name for model in order]


def comparison_table(models: Sequence[Compared], by: str = "aicm") -> pd.DataFrame:
    """Return all models in one table, ranked within each kind of likelihood and never across kinds.

    Parameters
    ----------
    models : sequence of Compared
        Models of any kinds.
    by : str
        Criterion that ranks; lower is better.

    Returns
    -------
    DataFrame
        Columns games, observation, weighting, name, edition, the criteria, `difference` to the best of the kind, `rank`
        within the kind, `converged`, and `not_comparable_with` saying which kinds and why. The whole reason stands in
        `attrs["refusal"]`.
    """
    kinds = sorted({model.likelihood for model in models}, key=lambda k: (k.games, k.observation, k.weighting))
    columns = list(dict.fromkeys(name for model in models for name in model.values))
    rows = []
    for kind in kinds:
        mates = [model for model in models if model.likelihood == kind]
        strangers = refusal(models) if len(kinds) > 1 else ""
        known = sorted(model.values[by] for model in mates if by in model.values)
        for model in sorted(mates, key=lambda one: one.values.get(by, float("inf"))):
            value = model.values.get(by)
            row: dict[str, object] = {
                "games": kind.games,
                "observation": kind.observation,
                "weighting": kind.weighting,
                "name": model.name,
                "edition": model.edition,
            }
            row |= {name: model.values.get(name, float("nan")) for name in columns}
            row["difference"] = float("nan") if value is None else value - known[0]
            row["rank"] = None if value is None else known.index(value) + 1
            row["converged"] = model.converged
            row["not_comparable_with"] = strangers
            rows.append(row)
    table = pd.DataFrame(rows)
    if rows:
        table["rank"] = table["rank"].astype("Int64")
    table.attrs["refusal"] = refusal(models)
    return table
