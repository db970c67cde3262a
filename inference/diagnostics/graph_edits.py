"""What was edited in a declared model, in words: its graph and its data beside those of a fresh declaration.

An edited model is sampled as it stands; what is known of the catalogue's formula alone (approximations, the likelihood
of each game) holds for it no longer, or only in part: of games it holds as long as their potential is the same function
of the parameters. Other margins are other games of the same formula: all that a
trace says is of them. Graphs are compared operator by operator, data number by number. Another prior is best given to a
part before the model is declared (`dataclasses.replace`): then nothing is edited.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.models.declared import Declared
from halfpoint.models.graph.layout import LIKELIHOOD
from halfpoint.models.graph.pymc_import import interpreted, pm, pytensor


@dataclass(frozen=True)
class Edits:
    """How a declared model differs from the catalogue's."""

    # what differs; empty for a model as declared. Deterministics that were added change nothing and do not count.
    words: tuple[str, ...] = ()
    # what of it is more than the games' data, which are read from the graph (`Declared.seen`)
    beyond: tuple[str, ...] = ()
    weights: str = ""  # hash of the weights where they were swapped, else empty
    # whether the log likelihood of the games is still the catalogue's function of the trace's parameters and the data
    likelihood: bool = True
    further: tuple[str, ...] = ()  # deterministics that were added

    @property
    def pointwise(self) -> bool:
        """Whether the log likelihood of each game is still the catalogue's."""
        return self.likelihood and not self.weights

    def __str__(self) -> str:
        return "; ".join(self.words)


def edits(declared: Declared) -> Edits:
    """How a declared model differs from the catalogue's."""
    if "model" not in declared.__dict__:  # nobody can have edited what was never made
        return Edits()
    own, fresh = declared.model, replace(declared).model  # a copy makes its graph anew
    words: list[str] = []
    for kind, mine, theirs in (
        ("parameter", own.free_RVs, fresh.free_RVs),
        ("potential", own.potentials, fresh.potentials),
        ("observed variable", own.observed_RVs, fresh.observed_RVs),
    ):
        words += [f"{kind} {name} added" for name in sorted(variable_names(mine) - variable_names(theirs))]
        words += [f"{kind} {name} removed" for name in sorted(variable_names(theirs) - variable_names(mine))]
    data = [name for name, variable in fresh.named_vars.items() if _is_data(variable)]
    changed = [name for name in data if not _same_data(own.named_vars.get(name), fresh[name])]
    words += [f"data {name} changed" for name in changed if not _has_shape(own.named_vars.get(name), fresh[name])]
    pairs = [(own[name], fresh[name]) for name in data if _is_data(own.named_vars.get(name))]
    for dim, length in fresh.dim_lengths.items():
        if _is_data(length) and dim in own.dim_lengths:
            pairs.append((own.dim_lengths[dim], length))
            words += [] if _same_data(*pairs[-1]) else [f"dim {dim} changed"]
    common = [variable for variable in fresh.free_RVs if variable.name in variable_names(own.free_RVs)]
    pairs += [(own[variable.name], variable) for variable in common]
    words += [
        f"prior of {variable.name} changed" for variable in common if not _same_prior(own, fresh, variable, pairs)
    ]
    bent = [
        f"{kind} {variable.name} changed"
        for kind, variables in (("potential", fresh.potentials), ("deterministic", fresh.deterministics))
        for variable in variables
        if variable.name in own.named_vars and not _same_graph([own[variable.name]], [variable], pairs)
    ]
    lost = sorted(variable_names(fresh.deterministics) - variable_names(own.deterministics))
    words += [*bent, *(f"deterministic {name} removed" for name in lost)]
    swapped = [f"data {name} changed" for name in changed if f"data {name} changed" not in words]
    other = "data weight changed" in swapped
    weights = hashlib.sha256(own["weight"].get_value().tobytes()).hexdigest()[:12] if other else ""
    further = tuple(sorted(variable_names(own.deterministics) - variable_names(fresh.deterministics)))
    return Edits((*swapped, *words), tuple(words), weights, _same_likelihood(own, fresh, pairs), further)


def _same_likelihood(own: "pm.Model", fresh: "pm.Model", pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether the log likelihood of the games is the same function of the parameters and the data."""
    if LIKELIHOOD not in variable_names(own.potentials):
        return False
    known = [one for one in (*fresh.free_RVs, *fresh.deterministics) if one.name in own.named_vars]
    every = [*((own[one.name], one) for one in known), *pairs]
    return _same_graph([own[LIKELIHOOD]], [fresh[LIKELIHOOD]], list({id(one[1]): one for one in every}.values()))


def require_unedited(declared: Declared) -> None:
    """Refuse a model whose graph was edited: an approximation knows the model as it was declared."""
    found = edits(declared)
    if found.words:
        raise InferenceError(
            f"model: expected the catalogue's formula and priors, found an edited model ({found}). Use method nuts."
        )


def variable_names(variables: Sequence[Any]) -> set[str]:
    """The names of variables."""
    return {str(variable.name) for variable in variables}


def _is_data(variable: Any) -> bool:
    """Whether a variable is data of a model."""
    from pytensor.compile.sharedvalue import SharedVariable

    return isinstance(variable, SharedVariable)


def _same_data(own: Any, fresh: Any) -> bool:
    """Whether a model's data are those of a fresh declaration."""
    return _is_data(own) and np.array_equal(own.get_value(), fresh.get_value(), equal_nan=True)


def _has_shape(own: Any, fresh: Any) -> bool:
    """Whether a model's data are as many as those of a fresh declaration."""
    return _is_data(own) and own.get_value().shape == fresh.get_value().shape


def _same_graph(own: list[Any], fresh: list[Any], pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether two graphs have the same operators and constants over paired data and parameters."""
    from pytensor.graph.basic import equal_computations

    mine, theirs = [list(side) for side in zip(*pairs, strict=True)]
    return bool(equal_computations(own, fresh, in_xs=mine, in_ys=theirs))


def _same_prior(own: "pm.Model", fresh: "pm.Model", variable: Any, pairs: Sequence[tuple[Any, Any]]) -> bool:
    """Whether a parameter has the prior of a fresh declaration."""
    mine = own[variable.name]
    transforms = [type(model.rvs_to_transforms[one]) for model, one in ((own, mine), (fresh, variable))]
    if mine.owner.op != variable.owner.op or transforms[0] is not transforms[1]:
        return False
    return _same_graph(mine.owner.inputs[1:], variable.owner.inputs[1:], pairs)  # the first is the generator


def likelihood_as_sampled(model: "pm.Model", draws: xr.Dataset) -> Floats | None:
    """The log likelihood of all games by the model's own potential, (chain, draw); None if not finite."""
    if LIKELIHOOD not in variable_names(model.potentials):
        return None
    from pytensor.graph.replace import clone_replace

    inputs = {variable: variable.type() for variable in model.free_RVs}
    drawn = [draws[str(variable.name)].transpose("chain", "draw", ...).to_numpy() for variable in inputs]
    total = clone_replace(model[LIKELIHOOD], inputs).sum()
    at = pytensor.function(list(inputs.values()), total, mode=interpreted(), on_unused_input="ignore")
    given = [value.astype(one.dtype).reshape(-1, *value.shape[2:]) for one, value in zip(inputs, drawn, strict=True)]
    value = np.array([at(*one) for one in zip(*given, strict=True)], dtype=np.float64).reshape(drawn[0].shape[:2])
    return value if np.isfinite(value).all() else None
