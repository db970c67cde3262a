"""Evaluation of the log density of a model near its initial point, so that its mistakes are named before any fit.

Variables of wrong lengths, scales that are not positive and formulas that return something else than numbers raise
errors of NumPy and PyTensor without a name, or none at all if only part of the graph is read.
"""

from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.errors import ModelError, in_words
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, interpreted, pytensor
from halfpoint.models.reading.sum_model import SumModel

if TYPE_CHECKING:
    import pymc as pm

_STARTS = 10  # points, as many as PyMC tries
_SCALED = ("normal", "half_normal", "log_normal")  # families whose last parameter is a standard deviation


def require_density(graph: "SumModel | pm.Model", name: str) -> None:
    """Raise `ModelError` with the variable whose log density has no value, or is not a number."""
    if isinstance(graph, SumModel):
        _require_numbers(graph, name)
        return
    factors: dict[str, Node] = {}
    try:
        names = [str(variable.name) for variable in (*graph.basic_RVs, *graph.potentials)]
        factors = dict(zip(names, graph.logp(jacobian=False, sum=False), strict=True))
        values = _at_start(graph, list(factors.values()))
    except Exception as error:
        raise _fault(graph, name, factors, error) from error
    for factor, value in zip(factors, values, strict=True):
        if np.isnan(value).any():
            raise ModelError(
                f"model {name}: the log density of {factor} is not a number. Check the numbers in its prior or formula."
            )


def _at_start(model: "pm.Model", graphs: list[Node]) -> list[Floats]:
    """Graphs of the values of a model's variables, at the first of some points near the start that has numbers."""
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    numbers_at = pytensor.function(values, graphs, mode=interpreted(), on_unused_input="ignore")
    start, rng = model.initial_point(random_seed=1), np.random.default_rng(1)
    point = [start[value.name] for value in values]
    numbers, failure = list[Floats](), Exception()
    for _ in range(_STARTS):
        near = [x + 0.1 * rng.standard_normal(np.shape(x)) if np.asarray(x).dtype.kind == "f" else x for x in point]
        try:
            at = (np.asarray(x, dtype=value.dtype) for x, value in zip(near, values, strict=True))
            numbers = list(map(np.asarray, numbers_at(*at)))
        except Exception as error:  # a scale may be negative at this point alone
            failure = error
            continue
        if not any(np.isnan(number).any() for number in numbers):
            break
    if not numbers:
        raise failure
    return numbers


def _fault(model: "pm.Model", name: str, factors: dict[str, Node], error: Exception) -> ModelError:
    """Error with the first variable whose log density fails."""
    for factor, graph in factors.items():
        try:
            _at_start(model, [graph])
        except Exception as failure:
            return ModelError(f"model {name}: {_reason(factor, failure)}")
    return ModelError(f"model {name}: its log density has no value: {in_words(error)}")


def _reason(factor: str, failure: Exception) -> str:
    """Words for the failure of one variable."""
    if type(failure).__name__ == "ParameterValueError":
        return f"{factor} needs {str(failure).partition('\n')[0]}. Change the parameters of its distribution."
    return f"the log density of {factor} has no value: {in_words(failure)}"


def _require_numbers(graph: SumModel, name: str) -> None:
    """Refuse priors with means that are not numbers, or standard deviations that are not positive."""
    for variable, (family, parents) in graph.priors.items():
        numbers = [np.asarray(parent, dtype=np.float64) for parent in parents if np.isscalar(parent)]
        if family in _SCALED and np.isscalar(parents[-1]) and not numbers[-1] > 0.0:
            raise ModelError(
                f"model {name}: {variable} needs sigma > 0, found {numbers[-1]:g}. Change the parameters of its prior."
            )
        if any(np.isnan(number) for number in numbers):
            raise ModelError(f"model {name}: a parameter of the prior of {variable} is not a number.")
