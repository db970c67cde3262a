"""Differences between a declared model and the model that its function makes: graph and data, in words.

An edited model is sampled and approximated with its edits, and its trace names them. Quantities that a trace computes
from the function again, the likelihood of each game and forecasts, are valid as long as the games are the same function
of the parameters; a parameter that was fixed is kept in the trace as a number.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.trace_attributes import BY_HAND
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import constant_value, pm
from halfpoint.models.reading.layout import WEIGHT


@dataclass(frozen=True)
class Edits:
    """Differences between a declared model and the model that its function makes."""

    # what differs; empty for a model as declared. Deterministics that were added change nothing and do not count.
    words: tuple[str, ...] = ()
    weights: str = ""  # hash of the weights where they were swapped, else empty
    likelihood: bool = True  # whether the games are still the function's of the trace's parameters and the data
    fixed: tuple[str, ...] = ()  # parameters of the function that are numbers now

    @property
    def pointwise(self) -> bool:
        """True if the log likelihood of each game is unchanged by the edits."""
        return self.likelihood and not self.weights

    def __str__(self) -> str:
        return "; ".join(self.words)


def edits(declared: Declared) -> Edits:
    """Compare a declared model with the model that its function makes."""
    if not declared.is_edited or declared.is_untouched:
        return Edits()
    own = declared.model
    if declared.alone:
        lam = declared.outcome.lam
        known = (lam,) if lam in own.named_vars and own[lam] not in own.free_RVs + own.deterministics else ()
        weight = own[WEIGHT].get_value()
        swapped = "" if np.array_equal(weight, declared.cells.weight) else hashlib.sha256(weight.tobytes()).hexdigest()
        return Edits((BY_HAND,), swapped[:12], likelihood=False, fixed=known)
    fresh = declared.spec.run(declared.view())
    words: list[str] = []
    names = {kind: variable_names(variables) for kind, variables in _kinds(fresh)}
    fixed: list[str] = []
    for kind, variables in _kinds(own):
        mine, theirs = variable_names(variables), names[kind]
        words += [f"{kind} {name} added" for name in sorted(mine - theirs)]
        for name in sorted(theirs - mine):
            number = kind == "parameter" and name in own.named_vars
            fixed += [name] if number else []
            words.append(f"parameter {name} fixed" if number else f"{kind} {name} removed")
    data = [name for name, variable in fresh.named_vars.items() if _is_data(variable)]
    changed = [name for name in data if not _same_data(own.named_vars.get(name), fresh[name])]
    words += [f"data {name} changed" for name in changed]
    pairs = [(own[name], fresh[name]) for name in data if _is_data(own.named_vars.get(name))]
    common = [variable for variable in fresh.free_RVs if variable.name in variable_names(own.free_RVs)]
    pairs += [(own[variable.name], variable) for variable in common]
    pairs += [(own[name], fresh[name]) for name in fixed]
    pairs += _same_lengths(own, fresh)
    words += [f"prior of {variable.name} changed" for variable in common if not _same_prior(own, variable, pairs)]
    for kind, variables in (("potential", fresh.potentials), ("deterministic", fresh.deterministics)):
        for variable in variables:
            if variable.name in own.named_vars and not _same_graph([own[variable.name]], [variable], pairs):
                words.append(f"{kind} {variable.name} changed")
    weights = hashlib.sha256(own[WEIGHT].get_value().tobytes()).hexdigest()[:12] if WEIGHT in changed else ""
    return Edits(tuple(words), weights, _same_games(own, fresh, pairs), tuple(fixed))


def _kinds(model: "pm.Model") -> list[tuple[str, Sequence[Any]]]:
    """Variables of a model by kind."""
    return [("parameter", model.free_RVs), ("potential", model.potentials), ("observed variable", model.observed_RVs)]


def _same_games(own: "pm.Model", fresh: "pm.Model", pairs: Sequence[tuple[Any, Any]]) -> bool:
    """True if the sides of the games are the same functions of the parameters and the data."""
    from halfpoint.models.reading.games_variable import games_of

    known = [one for one in (*fresh.free_RVs, *fresh.deterministics) if one.name in own.named_vars]
    every = [*((own[one.name], one) for one in known), *pairs]
    unique = list({id(one[1]): one for one in every}.values())
    mine, theirs = games_of(own), games_of(fresh)
    same = mine.op.outcome == theirs.op.outcome and len(mine.inputs) == len(theirs.inputs)
    return same and _same_graph(list(mine.inputs[2:-2]), list(theirs.inputs[2:-2]), unique)


def variable_names(variables: Sequence[Any]) -> set[str]:
    """The names of variables."""
    return {str(variable.name) for variable in variables}


def _same_lengths(own: "pm.Model", fresh: "pm.Model") -> list[tuple[Any, Any]]:
    """True if shared dims have equal lengths."""
    each = [(own.dim_lengths.get(name), length) for name, length in fresh.dim_lengths.items()]
    known = [(one, other) for one, other in each if one is not None]
    return [(one, other) for one, other in known if int(constant_value(one)) == int(constant_value(other))]


def _is_data(variable: Any) -> bool:
    """True if a variable is data of a model."""
    from pytensor.compile.sharedvalue import SharedVariable

    return isinstance(variable, SharedVariable)


def _same_data(own: Any, fresh: Any) -> bool:
    """True if a model's data are those of a fresh declaration."""
    return _is_data(own) and np.array_equal(own.get_value(), fresh.get_value(), equal_nan=True)


def _same_graph(own: list[Any], fresh: list[Any], pairs: Sequence[tuple[Any, Any]]) -> bool:
    """True if two graphs have the same operators and constants over paired data and parameters."""
    from pytensor.graph.basic import equal_computations

    if not pairs:
        return bool(equal_computations(own, fresh))
    mine, theirs = [list(side) for side in zip(*pairs, strict=True)]
    paired = {(id(one), id(other)) for one, other in pairs}  # PyTensor looks behind those, too, that it is given itself
    rest = [(one, other) for one, other in zip(own, fresh, strict=True) if (id(one), id(other)) not in paired]
    return bool(equal_computations([one for one, _ in rest], [other for _, other in rest], in_xs=mine, in_ys=theirs))


def _same_prior(own: "pm.Model", variable: Any, pairs: Sequence[tuple[Any, Any]]) -> bool:
    """True if a parameter has the prior of a fresh declaration."""
    mine = own[variable.name]
    if not _same_operator(mine.owner.op, variable.owner.op):
        return False
    generators = zip(_generators(mine), _generators(variable), strict=False)
    return _same_graph(mine.owner.inputs, variable.owner.inputs, [*pairs, *generators])


def _same_operator(one: Any, other: Any) -> bool:
    """True if two operators are equal; operators of series are graphs, made anew by each run of a function."""
    from pytensor.graph.basic import equal_computations

    if one == other:
        return True
    if type(one) is not type(other) or not hasattr(one, "inner_outputs"):
        return False
    return bool(equal_computations(one.inner_outputs, other.inner_outputs, one.inner_inputs, other.inner_inputs))


def _generators(variable: Any) -> list[Any]:
    """The generators of random numbers behind a variable, in the order of its graph."""
    from pytensor.graph.traversal import graph_inputs
    from pytensor.tensor.random.type import RandomType

    return [one for one in graph_inputs([variable]) if isinstance(one.type, RandomType)]


def likelihood_as_sampled(model: "pm.Model", draws: xr.Dataset, each: bool = False) -> Floats | None:
    """Log likelihood of all games by the model's own graph, (chain, draw), or by row; None if not finite."""
    from pytensor.graph.replace import clone_replace

    from halfpoint.models.reading.games_variable import GamesVariable
    from halfpoint.models.reading.under_draws import under_draws

    games = next(one for one in model.observed_RVs if isinstance(one.owner.op, GamesVariable))
    rows = pm.logp(games, model.rvs_to_values[games], warn_rvs=False)
    seen = {one: model.rvs_to_values[one] for one in model.observed_RVs if one is not games}
    inputs = {variable: variable.type() for variable in model.free_RVs}
    drawn = [draws[str(variable.name)].transpose("chain", "draw", ...).to_numpy() for variable in inputs]
    shape = draws.sizes["chain"], draws.sizes["draw"]
    flat = {node: value.reshape(-1, *value.shape[2:]) for node, value in zip(inputs.values(), drawn, strict=True)}
    (value,) = under_draws([clone_replace(rows if each else rows.sum(), inputs | seen)], flat)
    value = value.reshape(*shape, *value.shape[1:])
    return value if np.isfinite(value).all() else None
