r"""Make a model ready for nutpie: without compiling it where its form allows, by nutpie's own compiler elsewhere.

nutpie compiles each model anew, 13 to 26 seconds. A model of normal parameters behind the fused log-potential (the
whole catalogue) needs none of that: its numbers go into functions compiled once and kept on disk (see `density`).
Whether a model has that form is read off its operators (see `linear`); a model that has another prior, another formula
or a term of its own goes through nutpie's compiler, and the reason is kept. Log density and gradient are compared with
the model's own at two points all the same. Deterministics that are not linear do not decide the route: they are
computed from the draws.
"""

import ctypes
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import nutpie
import pandas as pd
import pymc as pm
import pytensor
import pytensor.tensor as pt
import xarray as xr
from nutpie.compile_pymc import CompiledPyMCModel

from halfpoint.games.table import Floats
from halfpoint.inference.density import compiled_functions
from halfpoint.inference.from_draws import INTERPRETED, completed
from halfpoint.inference.linear import Linear, NotLinearError, read_model

Density = Callable[[Floats], tuple[float, Floats]]
TOLERANCE = 1e-9


@dataclass(frozen=True, eq=False)
class Compiled:
    """A model ready for `nutpie.sample`.

    Parameters
    ----------
    model : nutpie.sample.CompiledModel
        What nutpie samples.
    route : {"fused", "graph"}
        Shared compiled functions, or nutpie's compiler on the model's graph.
    reason : str
        Why the graph was taken; empty for "fused".
    source : pymc.Model
        The model itself.
    left : tuple of str
        Deterministics that the sampler does not write down.
    """

    model: Any
    route: str
    reason: str
    source: pm.Model
    left: tuple[str, ...] = ()

    @property
    def centring(self) -> dict[str, float]:
        """Nothing: the trace reads it off the model."""
        return {}

    def completed(self, posterior: xr.Dataset) -> xr.Dataset:
        """Return what `nutpie.sample` gave with the deterministics that it does not write down, dims chain, draw."""
        return completed(self.source, self.left, posterior)


def compile_model(model: pm.Model) -> Compiled:
    """Return a model ready for `nutpie.sample`, by the fastest route that is exactly its log density.

    Parameters
    ----------
    model : pymc.Model
        A catalogue model, an edited one, or any other.

    Returns
    -------
    Compiled
    """
    try:
        linear = read_model(model)
        check(model, linear)
    except NotLinearError as found:
        return Compiled(nutpie.compile_pymc_model(model), "graph", str(found), model)
    return Compiled(nutpie_model(model, linear), "fused", "", model, tuple(linear.left))


def density(linear: Linear) -> Density:
    """Return the compiled log density as a function of Python: point -> (value, gradient)."""
    compiled, _ = compiled_functions()
    table = linear.numbers.table()
    value, gradient = np.zeros(1), np.empty(linear.numbers.mean.size)

    def log_density(point: Floats) -> tuple[float, Floats]:
        place = np.ascontiguousarray(point, dtype=np.float64)
        addresses = (array.ctypes.data for array in (place, gradient, value, table))
        code = call(place.size, *addresses)
        return (float(value[0]) if code == 0 else -np.inf), gradient.copy()

    arguments = (ctypes.c_uint64, *(ctypes.c_void_p,) * 4)
    call = ctypes.CFUNCTYPE(ctypes.c_int64, *arguments)(compiled.address)
    return log_density


def own_density(model: pm.Model) -> Density:
    """Return the model's own log density and gradient, interpreted from its graph."""
    values = [model.rvs_to_values[variable] for variable in model.free_RVs]
    logp = model.logp()
    gradient = pt.concatenate([pt.atleast_1d(part).ravel() for part in pt.grad(logp, values)])
    function = pytensor.function(values, [logp, gradient], mode=INTERPRETED)
    start = model.initial_point()
    shapes = [np.shape(start[value.name]) for value in values]
    stops = np.cumsum([int(np.prod(shape)) for shape in shapes])

    def log_density(point: Floats) -> tuple[float, Floats]:
        pieces = np.split(point, stops[:-1])
        value, slope = function(*(piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)))
        return float(value), slope

    return log_density


def check(model: pm.Model, linear: Linear) -> None:
    """Compare the compiled log density and gradient with the model's own, at the prior mean and a random point.

    Raises
    ------
    NotLinearError
        If they differ by more than 1e-9, relative.
    """
    fast, slow = density(linear), own_density(model)
    mean = linear.numbers.mean
    for point in (mean, mean + np.random.default_rng(1952).normal(size=mean.size)):
        (value, gradient), (own_value, own_gradient) = fast(point), slow(point)
        near = np.isclose(value, own_value, rtol=TOLERANCE)
        if not near or not np.allclose(
            gradient, own_gradient, rtol=TOLERANCE, atol=TOLERANCE * np.abs(own_gradient).max()
        ):
            raise NotLinearError(f"the compiled log density is {value!r} where the model's own is {own_value!r}")


def nutpie_model(model: pm.Model, linear: Linear) -> CompiledPyMCModel:
    """Return the model in nutpie's form: the shared compiled functions with this model's numbers."""
    log_density, trace_values = compiled_functions()
    numbers, sizes = linear.numbers, [int(np.prod(shape)) for shape in linear.shapes]
    slices = [slice(int(stop) - size, int(stop)) for size, stop in zip(sizes, np.cumsum(sizes), strict=True)]
    coords = {
        name: pd.Index(labels if labels is not None else range(int(model.dim_lengths[name].eval())))
        for name, labels in model.coords.items()
    }
    coords["unconstrained_parameter"] = pd.RangeIndex(numbers.mean.size)

    def start(seed: Any) -> Floats:
        return numbers.mean + np.random.default_rng(seed).uniform(-1.0, 1.0, size=numbers.mean.size)

    return CompiledPyMCModel(
        dims={name: dims for name, dims in model.named_vars_to_dims.items() if name in linear.names},
        _coords=coords,
        _n_dim=numbers.mean.size,
        _shapes=dict(zip(linear.names, linear.shapes, strict=True)),
        compiled_logp_func=log_density,
        compiled_expand_func=trace_values,
        initial_point_func=start,
        shared_data={field.name: getattr(numbers, field.name) for field in fields(numbers)},
        shared_var_keys={},
        user_data=numbers.table(),
        n_expanded=numbers.trace_constant.size,
        shape_info=(linear.names, slices, linear.shapes),
        logp_func=None,
        expand_func=None,
    )
