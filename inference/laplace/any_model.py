r"""Laplace approximation of any model that the engine reads: mode and curvature in its sampled coordinates.

    q(x) = N(c, H^-1),    m = argmax log p(x | games),    H = -d2 log p / dx2 at m
    c = m + H^-1 E d log p(m + e) / dx

e ~ N(0, H^-1) in pairs, where that step is shorter than one standard deviation in every coordinate; else c = m. The
coordinates are those that NUTS sees (see `halfpoint.models.blocks`): standard deviations on the log scale, populations
partly centred, where a posterior is closest to a normal. H comes from differences of exact gradients.

How good it is say the importance weights: their Pareto k is in the verdict. Models with independent normal priors have
an approximation of their own, for millions of games (`halfpoint.inference.laplace`).

Tierney & Kadane (1986) JASA 81:82; Opper & Archambeau (2009) Neural Computation 21:786 for the centre.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import minimize

from halfpoint.games.table import Floats
from halfpoint.inference.compile import Density, density, expand
from halfpoint.inference.engine import Numbers, numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.models.blocks import Spread
from halfpoint.models.model import Declared

MOST_COORDINATES = 4000  # a dense Hessian of 128 MB
STEP = 1e-4  # of differences, in units of about one posterior standard deviation
NEWTON_STEPS = 20
NEAR = 1e-6  # expected rise of the log density at which the mode is found
NEAR_ENOUGH = 0.01  # the same after all steps
PAIRS = 200
NARROWER = (1.0, 0.3, 0.1, 0.03, 0.01)  # spreads to begin with, in units of their prior's scale


@dataclass(frozen=True, eq=False)
class NormalAtMode:
    """A normal approximation in sampled coordinates.

    Parameters
    ----------
    mode, centre : array of float, shape (coordinate,)
        Where the posterior is highest, and the mean of the approximation.
    root : array of float, shape (coordinate, coordinate)
        Lower Cholesky factor of the Hessian.
    log_posterior : callable
        Coordinates to log density and gradient.
    rounds : int
        Newton steps.
    """

    mode: Floats
    centre: Floats
    root: Floats
    log_posterior: Density
    rounds: int

    def draws(self, count: int, seed: int) -> Floats:
        """Return draws, shape (count, coordinate)."""
        noise = np.random.default_rng([seed, 1]).standard_normal((self.centre.size, count))
        return np.asarray(self.centre + solve_triangular(self.root.T, noise, lower=False).T)

    def log_ratios(self, drawn: Floats) -> Floats:
        """Return log p - log q of draws up to a constant, shape (count,)."""
        away = (drawn - self.centre) @ self.root
        return np.array([self.log_posterior(x)[0] for x in drawn]) + 0.5 * np.square(away).sum(axis=1)


def curvature_at(log_posterior: Density, x: Floats) -> Floats:
    """Return minus the second derivatives of a log density, from central differences of its gradient."""
    found = np.empty((x.size, x.size))
    for k in range(x.size):
        step = np.zeros(x.size)
        step[k] = STEP
        found[k] = (log_posterior(x - step)[1] - log_posterior(x + step)[1]) / (2.0 * STEP)
    return (found + found.T) / 2.0


def starts(declared: Declared, log_posterior: Density, numbers: Numbers) -> Iterator[Floats]:
    """Yield coordinates to climb from: all at 0, and the best ones where the spreads of populations are held.

    While all strengths are alike a spread of nothing is the best of spreads; a climb that follows this far enough ends
    there, at no mode. Spreads that are held, ever smaller ones in turn, let strengths go to their places first.
    """
    nothing = np.zeros(declared.layout.count)
    yield nothing
    at_nothing = {name: value[0] for name, value in expand(declared, numbers, nothing[None]).items()}
    try:
        sizes = [np.size(block.invert(at_nothing)) for block in declared.blocks]
    except KeyError:  # a parameter that is gathered from others
        return
    places = np.cumsum([0, *sizes])[:-1]
    spreads = [place for block, place in zip(declared.blocks, places, strict=True) if isinstance(block, Spread)]
    for narrower in NARROWER if spreads and sum(sizes) == nothing.size else ():
        start = nothing.copy()
        start[spreads] = np.log(narrower)

        def falling(x: Floats, held: Floats = start[spreads]) -> tuple[float, Floats]:
            point = x.copy()
            point[spreads] = held
            value, gradient = log_posterior(point)
            gradient = gradient.copy()
            gradient[spreads] = 0.0
            return -value, -gradient

        yield np.asarray(minimize(falling, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x)


def climbed(log_posterior: Density, start: Floats) -> tuple[Floats, Any, int] | None:
    """Return the mode above a point, the Cholesky factor of the Hessian there and Newton's steps; None without one."""

    def falling(x: Floats) -> tuple[float, Floats]:
        value, gradient = log_posterior(x)
        return -value, -gradient

    x = np.asarray(minimize(falling, start, jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x)
    value, gradient = log_posterior(x)
    rounds = 0
    while True:
        rounds += 1
        try:
            factor = cho_factor(curvature_at(log_posterior, x), lower=True)
        except np.linalg.LinAlgError:
            return None
        step = cho_solve(factor, gradient)
        rise = float(gradient @ step) / 2.0
        if rise < NEAR:
            return x, factor, rounds
        if rounds == NEWTON_STEPS:
            return (x, factor, rounds) if rise < NEAR_ENOUGH else None
        share = 1.0
        while share > 1e-6 and not log_posterior(x + share * step)[0] > value:
            share /= 2.0
        x = x + share * step
        value, gradient = log_posterior(x)


def normal_at_mode(declared: Declared, seed: int) -> NormalAtMode:
    """Return the Laplace approximation of a declared model.

    Parameters
    ----------
    declared : Declared
        Any model that the engine reads.
    seed : int
        Seed of the step towards the mean.

    Raises
    ------
    InferenceError
        If the model has too many parameters, or no mode is found at which the log density curves down.
    """
    size = declared.layout.count
    if size > MOST_COORDINATES:
        raise InferenceError(f"method laplace: expected up to {MOST_COORDINATES} parameters, found {size}. Use nuts.")
    numbers = numbers_of(declared)
    log_posterior = density(numbers)
    found = next(
        (mode for start in starts(declared, log_posterior, numbers) if (mode := climbed(log_posterior, start))), None
    )
    if found is None:
        raise InferenceError(
            f"method laplace: expected a mode of {declared.entry.name} at which the log density curves down in every "
            "direction, found none. Use method nuts."
        )
    x, factor, rounds = found
    root = np.tril(factor[0])
    noise = solve_triangular(root.T, np.random.default_rng([seed, 3]).standard_normal((size, PAIRS)), lower=False).T
    expected = np.mean([log_posterior(x + e)[1] + log_posterior(x - e)[1] for e in noise], axis=0) / 2.0
    step = cho_solve((root, True), expected)
    sd = np.sqrt(np.diag(cho_solve((root, True), np.eye(size))))
    short = bool(np.isfinite(step).all() and (np.abs(step) < sd).all())
    return NormalAtMode(x, x + step if short else x, root, log_posterior, rounds)
