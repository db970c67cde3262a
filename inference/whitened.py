r"""NUTS on a target whose slow directions are evened out first: for fields too large for a diagonal metric.

In units of single standard deviations the posterior of a large field is nearly round but for a few directions: all
players together, whole clubs, classes of strength. NUTS turns round when the many short directions have turned and
crosses the few long ones in a random walk. With S = diag(H)^-1/2 at the mode and (Q, Lambda) the smallest eigenpairs of
S H S, sampling z in

    x = c + S (I + Q (Lambda^-1/2 - I) Q') z

makes these directions as short as the others. The metric is then adapted as usual; the target is unchanged.
"""

from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import xarray as xr
from nutpie.compiled_pyfunc import from_pyfunc
from scipy.sparse.linalg import LinearOperator, eigsh

from halfpoint.games.table import Floats
from halfpoint.inference.laplace import Approximation
from halfpoint.inference.laplace.hessian import Arrow
from halfpoint.inference.laplace.target import Target
from halfpoint.inference.nuts import all_draws
from halfpoint.models.kernel import log_potential, runs_of

DIRECTIONS = 32
STATISTICS = ("diverging", "energy", "n_steps", "depth", "step_size", "step_size_bar")

released = numba.njit(nogil=True)(lambda *arguments: log_potential(*arguments))  # chains run in threads


def slow_directions(arrow: Arrow, count: int) -> tuple[Floats, Floats, Floats]:
    """Return S, shape (parameter,), and Q, shape (parameter, direction), with Lambda, shape (direction,).

    Parameters
    ----------
    arrow : Arrow
        The Hessian at the mode.
    count : int
        How many directions.
    """
    shape = arrow.curvature
    body, size = shape.target.body, shape.target.prior_mean.size
    scale = np.concatenate([shape.diagonal(), np.diag(shape.corner)]) ** -0.5

    def times(vector: Floats) -> Floats:
        inner, outer = np.split(scale * vector.ravel(), [body])
        upper = shape.times(inner[:, None])[:, 0] + shape.cross @ outer
        return np.asarray(scale * np.concatenate([upper, shape.cross.T @ inner + shape.corner @ outer]))

    start = np.random.default_rng(0).standard_normal(size)
    operator = LinearOperator((size, size), matvec=times, dtype=np.float64)
    few = min(count, size - 1)
    values, vectors = eigsh(operator, k=few, which="SA", v0=start, ncv=min(size, 4 * few), tol=1e-3)
    return scale, vectors, values


def log_density_of(target: Target, expand: Callable[[Floats], Floats], pull: Callable[[Floats], Floats]) -> Any:
    """Return a factory of functions z -> (log density, gradient), each with memory of its own.

    Parameters
    ----------
    target : Target
        The log posterior.
    expand : callable
        z -> x.
    pull : callable
        Gradient by x -> gradient by z.
    """
    runs = runs_of(target.white, target.black)
    surplus, total = target.weight[:, 2] - target.weight[:, 0], target.weight.sum(axis=1)
    drawn = float(target.weight[:, 1].sum())
    precision = target.prior_sd**-2.0

    def make() -> Callable[[Floats], tuple[float, Floats]]:
        slopes = np.empty((2, target.players.size + 1))

        def log_density(point: Floats) -> tuple[float, Floats]:
            x = expand(point)
            p, q = target.seats(x[: target.body], x[target.body :])
            lam = float(x[-1]) if target.draws else -np.inf
            value, by_lam = released(p, q, lam, target.black, target.known, surplus, total, runs, *slopes)
            gradient = np.empty_like(x)
            gradient[: target.body] = target.gather(slopes[0], slopes[1])
            if target.advantage == "common":
                gradient[target.body] = slopes[0].sum()
            if target.draws:
                value, gradient[-1] = value + lam * drawn, by_lam + drawn
            away = x - target.prior_mean
            return float(value - 0.5 * (away * precision) @ away), pull(gradient - away * precision)

        return log_density

    return make


def whitened_nuts(
    found: Approximation, draws: int, tune: int, chains: int, seed: int, cores: int | None = None
) -> tuple[Floats, xr.Dataset]:
    """Sample a target by nutpie's NUTS in evened-out coordinates.

    Parameters
    ----------
    found : Approximation
        The target with its mode.
    draws, tune, chains : int
        Draws kept a chain, tuning draws a chain, chains.
    seed : int
        Seed.
    cores : int, optional
        Chains at a time.

    Returns
    -------
    drawn : array of float, shape (chain, draw, parameter)
        Natural units.
    statistics : xarray.Dataset
        The sampler's, dims chain, draw.
    """
    target = found.target
    size = target.prior_mean.size
    scale, vectors, values = slow_directions(found.mode.arrow, DIRECTIONS)
    stretch = values**-0.5 - 1.0

    def expand(point: Floats) -> Floats:
        return found.centre + scale * (point + vectors @ (stretch * (vectors.T @ point)))

    def pull(gradient: Floats) -> Floats:
        scaled = scale * gradient
        return np.asarray(scaled + vectors @ (stretch * (vectors.T @ scaled)))

    make_log_density = log_density_of(target, expand, pull)

    def make_expand(*_: Any) -> Callable[..., dict[str, Floats]]:
        return lambda point: {"x": expand(point)}

    def start(seed: Any) -> Floats:
        return np.random.default_rng(seed).uniform(-1.0, 1.0, size)

    make_log_density()(np.zeros(size))  # compiled here, not in each chain
    model = from_pyfunc(
        size, make_log_density, make_expand, [np.dtype("float64")], [(size,)], ["x"], make_initial_point_fn=start
    )
    settings = {"draws": draws, "tune": tune, "chains": chains, "seed": seed, "cores": cores or chains}
    raw = all_draws(model, **settings)
    statistics = raw["sample_stats"].to_dataset()
    drawn = raw["posterior"]["x"].transpose("chain", "draw", ...).to_numpy()
    return drawn, statistics[[name for name in STATISTICS if name in statistics]]
