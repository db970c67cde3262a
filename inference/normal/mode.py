"""The mode of a model and the curvature there: maximum likelihood and its errors where priors are flat.

Beside means and draws this is what tables in print have, and what quick tests need.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np
from threadpoolctl import threadpool_limits

from halfpoint.games.table import Floats
from halfpoint.inference.engine import Numbers, numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.conditional import Problem
from halfpoint.inference.normal.large import SAMPLES, TOLERANCE, climbed
from halfpoint.inference.normal.parts import Parts
from halfpoint.inference.normal.rows import Rows, blocks_of, log_likelihoods
from halfpoint.models.model import Declared

FACTORED = 2_000  # parameters up to which there is a factor
GAIN, GAIN_OF_MANY = 1e-14, 1e-6  # log density still to be gained
SEED = 1  # of the draws behind the standard deviations of thousands of players


@dataclass(frozen=True, eq=False)
class Mode:
    """Where a log posterior is highest.

    Parameters
    ----------
    parts : Parts
        The model's parameters.
    z : array of float, shape (z,)
        Those that are not known, natural units.
    solve : callable
        Returns V b, V the inverse of the Hessian there, b of shape (z,).
    deviations : callable
        Returns the standard deviations of z.
    log_likelihood : float
        Weighted log likelihood there.
    """

    parts: Parts
    z: Floats
    solve: Callable[[Floats], Floats]
    deviations: Callable[[], Floats]
    log_likelihood: float

    @cached_property
    def values(self) -> dict[str, Floats]:
        """The parameters by name, natural units, each of its own shape."""
        return self.parts.declared.layout.named(self.parts.values(np.zeros(0), self.z))

    @cached_property
    def errors(self) -> dict[str, Floats]:
        """Their standard deviations by the curvature, 0 for what is known."""
        sd = np.append(self.deviations(), 0.0)
        return self.parts.declared.layout.named(sd[self.parts.position])

    def error_of(self, **weights: Floats) -> float:
        """Return the standard deviation of a weighted sum of parameters, weights by name.

        Parameters
        ----------
        **weights : array of float
            Each of the shape of its parameter.
        """
        b = np.zeros(self.z.size)
        for name, weight in weights.items():
            np.add.at(b, self.parts.position[self.parts.of(name)], np.ravel(weight))
        return float(np.sqrt(b @ self.solve(b)))


def mode(declared: Declared) -> Mode:
    """Return the mode of a model without spreads and scales.

    Parameters
    ----------
    declared : Declared
        From `halfpoint.models.declare`: independent normal or correlated priors, sides that are sums.

    Raises
    ------
    InferenceError
        If the model learns a spread or a scale, for which the mode says nothing, or no mode is found.

    Examples
    --------
    >>> from dataclasses import replace
    >>> import pandas as pd
    >>> from halfpoint import games, inference, models
    >>> row = models.find("bt")
    >>> flat = replace(row, name="flat", strength=replace(row.strength, prior=(0.0, 1e4)))
    >>> sides = {"white": ["A"] * 50, "black": ["B"] * 50}
    >>> played = games.read(pd.DataFrame({**sides, "score": [1.0] * 30 + [0.0] * 20}))
    >>> found = inference.mode(models.declare(flat, games.select(played, played.players)))
    >>> strength = found.values["strength"]
    >>> float((strength[0] - strength[1]).round(6)), round(found.error_of(strength=[1.0, -1.0]), 6)  # log(30 / 20)
    (0.405465, 0.288675)
    """
    parts = Parts(declared)
    if parts.thetas:
        found = parts.thetas[0].name
        raise InferenceError(f"mode: expected a model without spreads and scales, found {found!r}. Use method normal.")
    none = np.zeros(0)
    with threadpool_limits(1, user_api="blas"):
        if declared.layout.count > FACTORED:
            return of_many(declared, parts)
        problem = Problem(declared)
        z, root = problem.climb(none, problem.middle(none), GAIN)
    here, store = np.arange(z.size), problem.store

    def exact() -> Floats:
        return np.asarray(np.sqrt(store.inverse(root)[store.places(here, here)]))

    def solve(b: Floats) -> Floats:
        return store.solve(root, b)

    return Mode(parts, z, solve, exact, likelihood(problem.numbers, parts.values(none, z)))


def of_many(declared: Declared, parts: Parts) -> Mode:
    """Return the mode of thousands of parameters, by conjugate gradients."""
    numbers, none = numbers_of(declared), np.zeros(0)
    rows = Rows(numbers, blocks_of(declared), parts.source, parts.position)
    z, v, matrix, _ = climbed(parts, rows, none, parts.begin(), None, GAIN_OF_MANY)

    def sampled() -> Floats:
        with threadpool_limits(1, user_api="blas"):
            return matrix.deviations(matrix.draws(SAMPLES, np.random.default_rng([SEED, 2])))

    return Mode(parts, z, partial(matrix.solve, tolerance=TOLERANCE), sampled, likelihood(numbers, v))


def likelihood(numbers: Numbers, v: Floats) -> float:
    """Return the weighted log likelihood at values (value,)."""
    return float(log_likelihoods(numbers, v[None])[0])
