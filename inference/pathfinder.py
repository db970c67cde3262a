r"""Pathfinder: normal approximations along quasi-Newton paths to the mode, the best of each path kept, by blackjax.

Several paths start at random points, one posterior standard deviation or so from the prior mean. Each gives draws from
its own best approximation q_k; the pool of all draws is resampled with Pareto-smoothed weights p / q, q the mean of the
q_k, so that a path that stopped short of the mode counts for next to nothing, and one that is too narrow is covered by
the others.

Zhang, Carpenter, Gelman & Vehtari (2022), JMLR 23:306, who weigh each path by its own q_k; Owen & Zhou (2000), JASA
95:135, eq. 7, for their mean.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from halfpoint.games.table import Floats
from halfpoint.inference.engine import Density, density, numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.importance import Importance, importance
from halfpoint.inference.jax_density import load_jax
from halfpoint.models.declared import Declared

PATHS = 4
ELBO_DRAWS = 20
ITERATIONS = 100
CORRECTIONS = 6  # pairs of position and gradient kept by the quasi-Newton method
RISE = 1e-8  # rise in log density at which a path ends


@dataclass(frozen=True, eq=False)
class Pathfound:
    """What Pathfinder gives."""

    drawn: Floats  # (draw, coordinate): draws resampled with their importance weights, sampled coordinates
    weights: Importance  # pareto k and smoothed weights of the pool the draws come from
    distinct: int  # how many different members of the pool were drawn
    paths: int  # how many paths the pool is made of


def called_back(jax: Any, log_posterior: Density, size: int) -> Callable[[Any], Any]:
    """Return a compiled log density with its gradient as a function that JAX can differentiate once."""
    value_and_slope = (jax.ShapeDtypeStruct((), np.float64), jax.ShapeDtypeStruct((size,), np.float64))

    def both(point: Any) -> tuple[Floats, Floats]:
        value, slope = log_posterior(np.asarray(point))
        return np.asarray(value), slope

    @jax.custom_vjp
    def log_density(point):  # type: ignore[no-untyped-def]
        return jax.pure_callback(both, value_and_slope, point, vmap_method="sequential")[0]

    def forward(point):  # type: ignore[no-untyped-def]
        return jax.pure_callback(both, value_and_slope, point, vmap_method="sequential")

    log_density.defvjp(forward, lambda slope, given: (given * slope,))
    found: Callable[[Any], Any] = log_density
    return found


def log_normals(states: list[Any], points: Floats) -> Floats:
    """Return the log density of each path's normal approximation at points (point, coordinate), shape (path, point).

    Its covariance is D + B G B', D diagonal, B of few columns: with Q R = D^-1/2 B it is D^1/2 (I + Q R G R' Q') D^1/2.
    """
    found = []
    for state in states:
        root, factor, inner, slope = (
            np.asarray(part, dtype=np.float64)
            for part in (np.sqrt(state.alpha), state.beta, state.gamma, state.grad_position)
        )
        mean = np.asarray(state.position) + root**2 * slope + factor @ (inner @ (factor.T @ slope))
        q, r = np.linalg.qr(factor / root[:, None])
        lower = np.linalg.cholesky(np.eye(len(r)) + r @ inner @ r.T)
        away = (points - mean) / root
        along = away @ q
        inside = solve_triangular(lower, along.T, lower=True)
        square = np.square(away).sum(axis=1) - np.square(along).sum(axis=1) + np.square(inside).sum(axis=0)
        found.append(-0.5 * square - np.log(root).sum() - np.log(np.diag(lower)).sum())
    return np.array(found)


def pathfinder(declared: Declared, count: int, seed: int) -> Pathfound:
    """Return draws of multi-path Pathfinder; an error without JAX or blackjax, or where no density is finite."""
    jax = load_jax()
    try:
        from blackjax.vi.pathfinder import approximate, sample
    except ImportError as error:
        raise InferenceError("blackjax: expected the extra jax, found none: pip install 'halfpoint[jax]'") from error
    log_posterior, size = density(numbers_of(declared)), declared.layout.count
    log_density = called_back(jax, log_posterior, size)

    @jax.jit
    def path(key, start):  # type: ignore[no-untyped-def]
        first, second = jax.random.split(key)
        state, _ = approximate(first, log_density, start, ELBO_DRAWS, maxiter=ITERATIONS, maxcor=CORRECTIONS, ftol=RISE)
        return sample(second, state, count)[0], state

    chance = np.random.default_rng(seed)
    pool, values, states = [], [], []
    for key in jax.random.split(jax.random.PRNGKey(seed), PATHS):
        found, state = path(key, chance.standard_normal(size))
        drawn = np.asarray(found)
        value = np.array([log_posterior(point)[0] for point in drawn])
        if np.isfinite(drawn).all() and np.isfinite(value).all():
            pool.append(drawn)
            values.append(value)
            states.append(state)
    if not states:
        raise InferenceError("pathfinder: expected a path to a finite density, found none. Use method normal or nuts.")
    together = np.concatenate(pool)
    weights = importance(np.concatenate(values) - np.logaddexp.reduce(log_normals(states, together)))
    chosen = weights.resampled(count, seed)
    return Pathfound(together[chosen], weights, int(np.unique(chosen).size), len(states))
