r"""Pathfinder: normal approximations along quasi-Newton paths to the mode, the best of each path kept, by blackjax.

Several paths start at random points, one posterior standard deviation or so from the prior mean. Each gives draws from
its own best approximation q; the pool of all draws is resampled with Pareto-smoothed weights p / q, so that a path that
stopped short of the mode counts for next to nothing.

Zhang, Carpenter, Gelman & Vehtari (2022), JMLR 23:306.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.importance import Importance, importance
from halfpoint.inference.jax_density import jax_density, load_jax
from halfpoint.inference.laplace.target import Target

PATHS = 4
ELBO_DRAWS = 20
ITERATIONS = 100
CORRECTIONS = 6  # pairs of position and gradient kept by the quasi-Newton method
RISE = 1e-8  # rise in log density at which a path ends


@dataclass(frozen=True, eq=False)
class Pathfound:
    """What Pathfinder gives.

    Parameters
    ----------
    drawn : array of float, shape (draw, parameter)
        Draws resampled with their importance weights, natural units.
    weights : Importance
        Pareto k and smoothed weights of the pool the draws come from.
    distinct : int
        How many different members of the pool were drawn.
    paths : int
        How many paths the pool is made of.
    """

    drawn: Floats
    weights: Importance
    distinct: int
    paths: int


def pathfinder(target: Target, count: int, seed: int, paths: int = PATHS) -> Pathfound:
    """Return draws of multi-path Pathfinder.

    Parameters
    ----------
    target : Target
        The log posterior.
    count : int
        Draws wanted; each path adds as many to the pool.
    seed : int
        Seed.
    paths : int
        Number of paths.

    Returns
    -------
    Pathfound

    Raises
    ------
    InferenceError
        If JAX or blackjax is not installed, or a path does not reach a finite density.
    """
    jax = load_jax()
    try:
        from blackjax.vi.pathfinder import approximate, sample
    except ImportError as error:
        raise InferenceError("blackjax: expected the extra jax, found none: pip install 'halfpoint[jax]'") from error
    density = jax_density(target)

    @jax.jit
    def path(key, start, cells):  # type: ignore[no-untyped-def]
        def log_density(raw):  # type: ignore[no-untyped-def]
            return density.log_density(raw, cells)

        first, second = jax.random.split(key)
        state, _ = approximate(first, log_density, start, ELBO_DRAWS, maxiter=ITERATIONS, maxcor=CORRECTIONS, ftol=RISE)
        drawn, log_q = sample(second, state, count)
        return drawn, jax.lax.map(log_density, drawn) - log_q

    keys = jax.random.split(jax.random.PRNGKey(seed), paths)
    chance = np.random.default_rng(seed)
    pool, ratios = [], []
    for key in keys:
        drawn, log_ratio = path(key, chance.standard_normal(density.centre.size), density.cells)
        if np.isfinite(log_ratio).all():
            pool.append(np.asarray(drawn))
            ratios.append(np.asarray(log_ratio))
    if not ratios:
        raise InferenceError("pathfinder: expected a path to a finite density, found none. Use method laplace or nuts.")
    log_ratio = np.concatenate(ratios)
    weights = importance(log_ratio)
    chosen = weights.resampled(count, seed)
    raw = np.concatenate(pool)[chosen]
    return Pathfound(density.centre + density.unit * raw, weights, int(np.unique(chosen).size), len(pool))
