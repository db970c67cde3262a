r"""Make a declared model ready for nutpie: without compiling where its sides are sums, through its graph elsewhere.

A model whose sides are sums of parameters and products of two is read as numbers for functions compiled once and kept
on disk (see `engine`); its formula of a game is compiled for itself, where it is not one of ours. An edited model, or
one of another form, goes through nutpie's compiler, 10 to 30 seconds, and the reason is kept.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import pandas as pd

from halfpoint.games.table import Floats
from halfpoint.inference import engine
from halfpoint.inference.edits import edits
from halfpoint.inference.engine import Numbers, called, compiled_function, numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal import MANY
from halfpoint.inference.normal.refit import Refits
from halfpoint.inference.normal.rows import log_likelihoods
from halfpoint.models.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.forms import NotASumError
from halfpoint.models.populations import Pooled, inverted

CHUNK_VALUES = 10_000_000  # values of draws laid out at a time
Density = Callable[[Floats], tuple[float, Floats]]


@dataclass(frozen=True, eq=False)
class Compiled:
    """A declared model ready for `nutpie.sample`."""

    model: Any  # nutpie.sample.CompiledModel: what nutpie samples
    route: str  # "compiled": shared compiled functions, or "graph": nutpie's compiler on the model's graph
    reason: str  # why the graph was taken; empty for "compiled"
    declared: Declared  # the model

    @property
    def centring(self) -> dict[str, float]:
        """Sums over players of how far a population is sampled centred, which the log prior of its draws needs."""
        pooled = [block for block in self.declared.blocks if isinstance(block, Pooled) and not block.hidden]
        return {f"{block.name}_centring": float(block.plan()[3].sum()) for block in pooled}


def compile_declared(declared: Declared) -> Compiled:
    """Return a declared model ready for `nutpie.sample`, by the fastest route that is exactly its log density."""
    changes = edits(declared).beyond
    reason = f"edited: {'; '.join(changes)}" if changes else ""
    if not reason:
        try:
            numbers = numbers_of(declared)
            kept = declared.model.deterministics if "model" in declared.__dict__ else []
            further = {str(variable.name) for variable in kept} - set(declared.layout.slots)
            reason = f"further values: {', '.join(sorted(further))}" if further else ""
        except (NotASumError, NoLoopError) as found:
            reason = str(found)
        if not reason:
            return Compiled(nutpie_model(declared, numbers, start(declared, numbers)), "compiled", "", declared)
    import nutpie

    return Compiled(nutpie.compile_pymc_model(declared.model), "graph", reason, declared)


def density(numbers: Numbers) -> Density:
    """Return the compiled log density as a function of Python: coordinates -> (value, gradient)."""
    assert numbers.starts.size  # numbers of the games only have no operations
    call, value, gradient = called(engine.log_density, numbers), np.zeros(1), np.empty(int(numbers.sizes[0]))

    def log_density(point: Floats) -> tuple[float, Floats]:
        place = np.ascontiguousarray(point, dtype=np.float64)
        return (-np.inf if call(place.size, place, gradient, value) else float(value[0])), gradient.copy()

    return log_density


def expand(declared: Declared, numbers: Numbers, points: Floats) -> dict[str, Floats]:
    """Return the parameters, each of shape (draw, ...), at coordinates of shape (draw, coordinate)."""
    assert numbers.starts.size
    call, shown = called(engine.trace_values, numbers), declared.layout.shown()
    sizes = [int(np.prod(shape, dtype=np.int64)) for _, shape in shown.values()]
    result = np.empty((len(points), sum(sizes)))
    for point, values in zip(np.ascontiguousarray(points, dtype=np.float64), result, strict=True):
        call(point.size, values.size, point, values)
    parts = np.split(result, np.cumsum(sizes)[:-1], axis=1)
    return {name: part.reshape(-1, *shape) for (name, (_, shape)), part in zip(shown.items(), parts, strict=True)}


def log_likelihood(declared: Declared, numbers: Numbers, p: dict[str, Floats]) -> Floats:
    """Return the weighted log likelihood of all games under each draw of the parameters, shape (draw,)."""
    layout, draws = declared.layout, len(next(iter(p.values())))
    step, found = max(1, CHUNK_VALUES // max(1, layout.values)), []
    for first in range(0, draws, step):
        values = np.zeros((min(step, draws - first), layout.values))
        for name, (start, shape) in layout.slots.items():
            if name in p:  # what a trace does not keep no formula reads
                stop = start + int(np.prod(shape, dtype=np.int64))
                values[:, start:stop] = p[name][first : first + step].reshape(len(values), -1)
        found.append(log_likelihoods(numbers, values))
    return np.concatenate(found)


def start(declared: Declared, numbers: Numbers) -> Floats | None:
    """Return coordinates of the closest normal where parameters multiply, None elsewhere.

    Turned round, two factors give the same product: judges all below no sharpness, strengths upside down. A chain that
    begins between the two may stay in the mirror, which the priors make far less likely.
    """
    if not (numbers.partner >= 0).any():
        return None
    try:
        refits = Refits(declared, factored=declared.layout.count <= MANY)
        found = refits.fit()
        centre = inverted(declared.blocks, declared.layout.named(refits.parts.values(found.x, found.z)))
    except InferenceError:
        return None
    return centre if np.isfinite(centre).all() else None


def around(centre: Floats) -> Callable[[Any], Floats]:
    """Return nutpie's start of a chain: within one unit of a point, from the chain's seed."""

    def start(seed: Any) -> Floats:
        return centre + np.random.default_rng(seed).uniform(-1.0, 1.0, size=centre.size)

    return start


def nutpie_model(declared: Declared, numbers: Numbers, centre: Floats | None = None) -> Any:
    """Return a declared model in nutpie's form, chains starting at a centre (coordinate,), or at the priors'."""
    from nutpie.compile_pymc import CompiledPyMCModel

    assert numbers.starts.size
    layout = declared.layout
    shown = layout.shown()
    names, shapes = list(shown), [shape for _, shape in shown.values()]
    stops = np.cumsum([0, *(int(np.prod(shape, dtype=np.int64)) for shape in shapes)]).tolist()
    slices = list(map(slice, stops[:-1], stops[1:]))
    dims = {block.name: block.dims for block in declared.blocks if block.dims and block.name in shown}
    coords = {name: pd.Index(list(declared.coords[name])) for one in dims.values() for name in one}
    coords["unconstrained_parameter"] = pd.RangeIndex(layout.count)
    return CompiledPyMCModel(
        dims=dims,
        _coords=coords,
        _n_dim=layout.count,
        _shapes=dict(zip(names, shapes, strict=True)),
        compiled_logp_func=compiled_function(engine.log_density),
        compiled_expand_func=compiled_function(engine.trace_values),
        initial_point_func=around(np.zeros(layout.count) if centre is None else centre),
        shared_data={field.name: getattr(numbers, field.name) for field in fields(numbers)},
        shared_var_keys={},
        user_data=numbers.table(),
        n_expanded=stops[-1],
        shape_info=(names, slices, shapes),
        logp_func=None,
        expand_func=None,
    )
