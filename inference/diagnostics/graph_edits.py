"""Differences between a declared model and the model that its function makes: graph and data, in words.

An edited model is sampled and approximated with its edits, and its trace names them. Quantities that a trace computes
from the function again, the likelihood of each game and forecasts, are valid as long as the games are the same function
of the parameters; a parameter that was fixed is kept in the trace as a number.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import xarray as xr

from halfpoint.models.declaration.declared import Declared
from halfpoint.models.declaration.trace_attributes import BY_HAND
from halfpoint.models.games.table import Floats
from halfpoint.models.pymc_import import Node, constant_value, pm
from halfpoint.models.reading.layout import WEIGHT

if TYPE_CHECKING:
    from pytensor.compile.sharedvalue import SharedVariable
    from pytensor.graph.op import Op


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
    edited = declared.model
    if declared.alone:
        lam = declared.outcome.lam
        fixed_lam = (
            (lam,) if lam in edited.named_vars and edited[lam] not in edited.free_RVs + edited.deterministics else ()
        )
        weight = edited[WEIGHT].get_value()
        swapped = "" if np.array_equal(weight, declared.cells.weight) else hashlib.sha256(weight.tobytes()).hexdigest()
        return Edits((BY_HAND,), swapped[:12], likelihood=False, fixed=fixed_lam)
    fresh = declared.spec.run(declared.view())
    words: list[str] = []
    names = {kind: variable_names(variables) for kind, variables in _kinds(fresh)}
    fixed: list[str] = []
    for kind, variables in _kinds(edited):
        edited_names, fresh_names = variable_names(variables), names[kind]
        words += [f"{kind} {name} added" for name in sorted(edited_names - fresh_names)]
        for name in sorted(fresh_names - edited_names):
            number = kind == "parameter" and name in edited.named_vars
            fixed += [name] if number else []
            words.append(f"parameter {name} fixed" if number else f"{kind} {name} removed")
    data = [name for name, variable in fresh.named_vars.items() if _is_data(variable)]
    changed = [name for name in data if not _same_data(edited.named_vars.get(name), fresh[name])]
    words += [f"data {name} changed" for name in changed]
    pairs = [(edited[name], fresh[name]) for name in data if _is_data(edited.named_vars.get(name))]
    common = [variable for variable in fresh.free_RVs if variable.name in variable_names(edited.free_RVs)]
    pairs += [(edited[variable.name], variable) for variable in common]
    pairs += [(edited[name], fresh[name]) for name in fixed]
    pairs += _same_lengths(edited, fresh)
    words += [f"prior of {variable.name} changed" for variable in common if not _same_prior(edited, variable, pairs)]
    for kind, variables in (("potential", fresh.potentials), ("deterministic", fresh.deterministics)):
        for variable in variables:
            if variable.name in edited.named_vars and not _same_graph([edited[variable.name]], [variable], pairs):
                words.append(f"{kind} {variable.name} changed")
    weights = hashlib.sha256(edited[WEIGHT].get_value().tobytes()).hexdigest()[:12] if WEIGHT in changed else ""
    return Edits(tuple(words), weights, _same_games(edited, fresh, pairs), tuple(fixed))


def _kinds(model: "pm.Model") -> list[tuple[str, Sequence[Node]]]:
    """Variables of a model by kind."""
    return [("parameter", model.free_RVs), ("potential", model.potentials), ("observed variable", model.observed_RVs)]


def _same_games(edited: "pm.Model", fresh: "pm.Model", pairs: Sequence[tuple[Node, Node]]) -> bool:
    """True if the sides of the games are the same functions of the parameters and the data."""
    from halfpoint.models.reading.games_variable import games_of

    common = [variable for variable in (*fresh.free_RVs, *fresh.deterministics) if variable.name in edited.named_vars]
    all_pairs = [*((edited[variable.name], variable) for variable in common), *pairs]
    unique = list({id(pair[1]): pair for pair in all_pairs}.values())
    edited_games, fresh_games = games_of(edited), games_of(fresh)
    same = edited_games.op.outcome == fresh_games.op.outcome and len(edited_games.inputs) == len(fresh_games.inputs)
    return same and _same_graph(list(edited_games.inputs[2:-2]), list(fresh_games.inputs[2:-2]), unique)


def variable_names(variables: Sequence[Node]) -> set[str]:
    """The names of variables."""
    return {str(variable.name) for variable in variables}


def _same_lengths(edited: "pm.Model", fresh: "pm.Model") -> list[tuple[Node, Node]]:
    """True if shared dims have equal lengths."""
    lengths = [(edited.dim_lengths.get(name), length) for name, length in fresh.dim_lengths.items()]
    shared = [(left, right) for left, right in lengths if left is not None]
    return [(left, right) for left, right in shared if int(constant_value(left)) == int(constant_value(right))]


def _is_data(variable: object) -> bool:
    """True if a variable is data of a model."""
    from pytensor.compile.sharedvalue import SharedVariable

    return isinstance(variable, SharedVariable)


def _same_data(edited: "SharedVariable", fresh: "SharedVariable") -> bool:
    """True if a model's data equal the data of a fresh declaration."""
    return _is_data(edited) and np.array_equal(edited.get_value(), fresh.get_value(), equal_nan=True)


def _same_graph(edited: list[Node], fresh: list[Node], pairs: Sequence[tuple[Node, Node]]) -> bool:
    """True if two graphs have the same operators and constants over paired data and parameters."""
    from pytensor.graph.basic import equal_computations

    if not pairs:
        return bool(equal_computations(edited, fresh))
    xs, ys = [list(side) for side in zip(*pairs, strict=True)]
    paired = {(id(a), id(b)) for a, b in pairs}  # PyTensor looks behind those, too, that it is given itself
    unpaired = [(a, b) for a, b in zip(edited, fresh, strict=True) if (id(a), id(b)) not in paired]
    return bool(equal_computations([a for a, _ in unpaired], [b for _, b in unpaired], in_xs=xs, in_ys=ys))


def _same_prior(edited: "pm.Model", variable: Node, pairs: Sequence[tuple[Node, Node]]) -> bool:
    """True if a parameter has the prior of a fresh declaration."""
    edited_variable = edited[variable.name]
    if not _same_operator(edited_variable.owner.op, variable.owner.op):
        return False
    generators = zip(_generators(edited_variable), _generators(variable), strict=False)
    return _same_graph(edited_variable.owner.inputs, variable.owner.inputs, [*pairs, *generators])


def _same_operator(left: "Op", right: "Op") -> bool:
    """True if two operators are equal; operators of series are graphs, which each run of a function builds again."""
    from pytensor.graph.basic import equal_computations

    if left == right:
        return True
    if type(left) is not type(right) or not hasattr(left, "inner_outputs"):
        return False
    return bool(equal_computations(left.inner_outputs, right.inner_outputs, left.inner_inputs, right.inner_inputs))


def _generators(variable: Node) -> list[Node]:
    """The generators of random numbers behind a variable, in the order of its graph."""
    from pytensor.graph.traversal import graph_inputs
    from pytensor.tensor.random.type import RandomType

    return [node for node in graph_inputs([variable]) if isinstance(node.type, RandomType)]


def likelihood_as_sampled(model: "pm.Model", draws: xr.Dataset, by_row: bool = False) -> Floats | None:
    """Log likelihood of all games by the model's own graph, (chain, draw), or by row; None if not finite."""
    from pytensor.graph.replace import clone_replace

    from halfpoint.models.reading.games_variable import GamesVariable
    from halfpoint.models.reading.under_draws import under_draws

    games = next(variable for variable in model.observed_RVs if isinstance(variable.owner.op, GamesVariable))
    rows = pm.logp(games, model.rvs_to_values[games], warn_rvs=False)
    observed = {variable: model.rvs_to_values[variable] for variable in model.observed_RVs if variable is not games}
    inputs = {variable: variable.type() for variable in model.free_RVs}
    drawn = [draws[str(variable.name)].transpose("chain", "draw", ...).to_numpy() for variable in inputs]
    shape = draws.sizes["chain"], draws.sizes["draw"]
    flat = {node: value.reshape(-1, *value.shape[2:]) for node, value in zip(inputs.values(), drawn, strict=True)}
    (value,) = under_draws([clone_replace(rows if by_row else rows.sum(), inputs | observed)], flat)
    value = value.reshape(*shape, *value.shape[1:])
    return value if np.isfinite(value).all() else None
