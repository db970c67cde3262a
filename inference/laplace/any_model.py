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

from dataclasses import dataclass

import numpy as np
from scipy.linalg import cho_factor, cho_solve, solve_triangular
from scipy.optimize import minimize

from halfpoint.games.table import Floats
from halfpoint.inference.compile import Density, density
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.models.model import Declared

MOST_COORDINATES = 4000  # a dense Hessian of 128 MB
STEP = 1e-4  # of differences, in units of about one posterior standard deviation
NEWTON_STEPS = 20
NEAR = 1e-6  # expected rise of the log density at which the mode is found
PAIRS = 200


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
    log_posterior = density(numbers_of(declared))

    def falling(x: Floats) -> tuple[float, Floats]:
        value, gradient = log_posterior(x)
        return -value, -gradient

    x = np.asarray(minimize(falling, np.zeros(size), jac=True, method="L-BFGS-B", options={"maxiter": 2000}).x)
    value, gradient = log_posterior(x)
    rounds = 0
    while True:
        rounds += 1
        try:
            factor = cho_factor(curvature_at(log_posterior, x), lower=True)
        except np.linalg.LinAlgError as error:
            raise InferenceError(
                f"method laplace: expected a mode of {declared.entry.name} at which the log density curves down in "
                "every direction, found none. Use method nuts."
            ) from error
        step = cho_solve(factor, gradient)
        rise = float(gradient @ step) / 2.0
        if rise < NEAR or rounds == NEWTON_STEPS:
            break
        share = 1.0
        while share > 1e-6 and not log_posterior(x + share * step)[0] > value:
            share /= 2.0
        x = x + share * step
        value, gradient = log_posterior(x)
    root = np.tril(factor[0])
    noise = solve_triangular(root.T, np.random.default_rng([seed, 3]).standard_normal((size, PAIRS)), lower=False).T
    expected = np.mean([log_posterior(x + e)[1] + log_posterior(x - e)[1] for e in noise], axis=0) / 2.0
    step = cho_solve((root, True), expected)
    sd = np.sqrt(np.diag(cho_solve((root, True), np.eye(size))))
    short = bool(np.isfinite(step).all() and (np.abs(step) < sd).all())
    return NormalAtMode(x, x + step if short else x, root, log_posterior, rounds)
