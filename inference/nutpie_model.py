r"""Make a declared model ready for nutpie: without compiling if its sides are sums, else through its graph.

A model whose sides are sums of parameters and products of two is read as numbers for functions compiled once and kept
on disk (see `engine`); its formula of a game is compiled separately, if it is not one of this package's formulas. The
model's own graph is read, edited or not. A model with an edited likelihood, or of another form, goes through nutpie's
compiler, 10 to 30 seconds, and the reason is recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian import MANY
from halfpoint.inference.gaussian.affine_rows import log_likelihoods
from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
from halfpoint.inference.loops import engine
from halfpoint.inference.loops.engine import Numbers, compiled_function, numbers_of
from halfpoint.inference.nested_coordinates import straighten
from halfpoint.models.declaration.declared import Declared
from halfpoint.models.errors import NoLoopError
from halfpoint.models.games.table import Floats
from halfpoint.models.reading.layout import Layout
from halfpoint.models.reading.sparse_affine import NotAffineError

if TYPE_CHECKING:
    import pymc as pm
    from nutpie.compile_pymc import CompiledModel

_CHUNK_VALUES = 10_000_000  # values of draws laid out at a time


@dataclass(frozen=True, eq=False)
class Compiled:
    """A declared model ready for `nutpie.sample`."""

    model: "CompiledModel"  # what nutpie samples
    route: str  # "compiled": shared compiled functions, or "graph": nutpie's compiler on the model's graph
    reason: str  # why the graph was taken; empty for "compiled"
    straight: bool = False  # whether it is sampled in coordinates in which it is nearly normal


def compile_declared(declared: Declared, sampler: str = "nutpie", straight: bool = False) -> Compiled:
    """Prepare a declared model for `nutpie.sample`, by the fastest route with its exact log density, or by JAX.

    With `straight`, in coordinates in which it is nearly normal, if available.
    """
    if declared.current_sums is None and (name := declared.reading.discrete):
        raise InferenceError(
            f"model {declared.spec.name}: {name} is discrete, which NUTS does not sample. Sum over its values, as by "
            "pm.Mixture, or use sampler pymc."
        )
    if sampler == "jax":
        return Compiled(_through_jax(declared.model), "jax", "asked for")
    try:
        layout = declared.layout
        numbers = numbers_of(declared, layout)
        start = starting_coordinates(declared, numbers)
        numbers = straighten(declared, numbers, layout, start) if straight else numbers
        model = nutpie_model(declared, numbers, start, layout)
        return Compiled(model, "compiled", "", bool(numbers.transport.size))
    except (NotAffineError, NoLoopError) as error:
        reason = str(error)
    import nutpie

    return Compiled(nutpie.compile_pymc_model(declared.model), "graph", reason)


def _through_jax(model: "pm.Model") -> "CompiledModel":
    """A PyMC model compiled by JAX, in double precision, for nutpie; an error without the extra."""
    try:
        import jax
    except ImportError as error:
        raise InferenceError("JAX is not installed. Install it: pip install 'halfpoint[jax]'") from error
    import nutpie

    jax.config.update("jax_enable_x64", True)
    return nutpie.compile_pymc_model(model, backend="jax", gradient_backend="jax")


def log_likelihood(declared: Declared, numbers: Numbers, p: dict[str, Floats]) -> Floats:
    """The weighted log likelihood of all games under each draw of the parameters, shape (draw,)."""
    layout, draws = declared.layout, len(next(iter(p.values())))
    step, blocks = max(1, _CHUNK_VALUES // max(1, layout.values)), []
    for first in range(0, draws, step):
        values = np.zeros((min(step, draws - first), layout.values))
        for name, (start, shape) in layout.slots.items():
            if name in p:  # no formula reads parameters missing in a trace
                stop = start + int(np.prod(shape, dtype=np.int64))
                values[:, start:stop] = p[name][first : first + step].reshape(len(values), -1)
        blocks.append(log_likelihoods(numbers, values))
    return np.concatenate(blocks)


def starting_coordinates(declared: Declared, numbers: Numbers) -> Floats | None:
    """Coordinates of the Gaussian variational approximation if parameters multiply, else None.

    Two factors with reversed signs give the same product, for instance negative sharpness of all judges and reversed
    strengths. A chain that starts between the two modes may stay in the mirrored mode, which is far less probable under
    the priors.
    """
    if not (numbers.partner >= 0).any():
        return None
    try:
        refits = ReweightedFits(declared, factored=declared.layout.count <= MANY)
        fitted = refits.fit()
        centre = declared.coordinates(declared.layout.named(refits.parts.values(fitted.x, fitted.z)))
    except InferenceError:
        return None
    return centre if np.isfinite(centre).all() else None


def _around(centre: Floats) -> Callable[[int], Floats]:
    """Starting point of a chain for nutpie: within one unit of a point, from the chain's seed."""

    def start(seed: int) -> Floats:
        return centre + np.random.default_rng(seed).uniform(-1.0, 1.0, size=centre.size)

    return start


def nutpie_model(
    declared: Declared, numbers: Numbers, centre: Floats | None = None, layout: Layout | None = None
) -> "CompiledModel":
    """Declared model in nutpie's form; chains start at a centre (coordinate,), or at 0."""
    from nutpie.compile_pymc import CompiledPyMCModel

    assert numbers.starts.size
    layout = layout or declared.layout
    shown = layout.kept_slots()
    names, shapes = list(shown), [shape for _, shape in shown.values()]
    stops = np.cumsum([0, *(int(np.prod(shape, dtype=np.int64)) for shape in shapes)]).tolist()
    slices = list(map(slice, stops[:-1], stops[1:]))
    graph = declared.model
    dims = {
        str(name): tuple(map(str, axes)) for name, axes in graph.named_vars_to_dims.items() if axes and name in shown
    }
    coords = {name: pd.Index(list(graph.coords[name])) for axes in dims.values() for name in axes}
    coords["unconstrained_parameter"] = pd.RangeIndex(layout.count)
    return CompiledPyMCModel(
        dims=dims,
        _coords=coords,
        _n_dim=layout.count,
        _shapes=dict(zip(names, shapes, strict=True)),
        compiled_logp_func=compiled_function(engine.log_density),
        compiled_expand_func=compiled_function(engine.trace_values),
        initial_point_func=_around(np.zeros(layout.count) if centre is None or numbers.transport.size else centre),
        shared_data={field.name: getattr(numbers, field.name) for field in fields(numbers)},
        shared_var_keys={},
        user_data=numbers.table(),
        n_expanded=stops[-1],
        shape_info=(names, slices, shapes),
        logp_func=None,
        expand_func=None,
    )
