r"""The closest normal at one theta, its own: of thousands of players, and again and again with other weights of games.

    z      the centre given theta: the top of F with its own widths, see `posterior`
    x      scales and numbers among theta: climbed by together with z
    s^2    spreads: the fixed point of `settle` in `posterior`
    P      chances of a game: E P(outcome | eta, lam) under q, the uncertainty of scales and numbers included

A game that weighs nothing is not learned and stands in the model all the same: its chances are its forecast.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from threadpoolctl import threadpool_limits

from halfpoint.games.table import Floats
from halfpoint.inference.normal.conditional import Problem
from halfpoint.inference.normal.curvature import Large
from halfpoint.inference.normal.parts import Parts
from halfpoint.inference.normal.posterior import Fitted, Posterior, settle
from halfpoint.inference.normal.rows import nodes_of
from halfpoint.models.declared import Declared

NODES = 7
PART, SHORT = 100, 50_000_000  # draws at a time; so many numbers stand in single precision


class Refits:
    """A declared model, every row of the catalogue, to be fitted once or with other weights of its games.

    H is factorised, or known by its products (`curvature.Products`). Errors are those of `normal_draws`.
    """

    def __init__(self, declared: Declared, factored: bool = True) -> None:
        self.declared = declared
        self.posterior: Posterior = Problem(declared) if factored else Large(declared)
        self.beside = [k for k, theta in enumerate(self.parts.thetas) if theta.kind != "spread"]

    @property
    def parts(self) -> Parts:
        """The model's parameters."""
        return self.posterior.parts

    def fit(self, start: Fitted | None = None, learned: bool = True) -> Fitted:
        """Return the fit to the games as they weigh now; spreads are learned, or stay those of the start."""
        begin = Fitted(self.posterior.start, self.parts.begin()) if start is None else start
        with threadpool_limits(1, user_api="blas"):
            return settle(self.posterior, begin, beside=self.beside, learned=learned)

    def values(self, fitted: Fitted) -> dict[str, Floats]:
        """Return the parameters by name, natural units."""
        return self.declared.layout.named(self.parts.values(fitted.x, fitted.z))

    def errors(self, fitted: Fitted) -> dict[str, Floats]:
        """Return standard deviations of the parameters by name; of a positive scale its logarithm's, 0 for spreads."""
        assert fitted.top is not None
        top, parts, v = fitted.top, self.parts, np.zeros(self.parts.count)
        variance = top.curvature.deviations() ** 2
        if top.moved:
            covariance, moved = np.linalg.inv(top.inner), np.array([w for _, w in top.moved])
            variance = variance + np.einsum("iz,ij,jz->z", moved, covariance, moved)
            for k, one in enumerate(self.beside):
                v[list(parts.thetas[one].places)] = covariance[k, k]
        v[parts.z] = variance
        return self.declared.layout.named(np.sqrt(v[parts.source]))

    def draws(self, fitted: Fitted, count: int, seed: int) -> Floats:
        """Return draws of all values, shape (count, value), single where many; spreads stand at their estimates."""
        assert fitted.top is not None
        top, rng = fitted.top, np.random.default_rng([seed, 1])
        with threadpool_limits(1, user_api="blas"):
            z = top.curvature.draws(count, rng).T
            z += fitted.z
        x = np.repeat(fitted.x[None], count, axis=0)
        if top.moved:
            away = rng.standard_normal((count, len(top.moved))) @ np.linalg.cholesky(np.linalg.inv(top.inner)).T
            x[:, self.beside] += away
            z -= away @ np.array([w for _, w in top.moved])
        found = np.empty((count, self.parts.source.size), dtype=np.float32 if z.size > SHORT else np.float64)
        for first in range(0, count, PART):
            found[first : first + PART] = self.parts.values(x[first : first + PART], z[first : first + PART])
        return found

    def probabilities(self, fitted: Fitted, cells: npt.NDArray[np.integer[Any]]) -> Floats:
        """Return chances of cells, (cell, 3), integrated over what is not known; half points have (1 - p, 0, p)."""
        outcome = self.declared.entry.outcome
        assert fitted.variance is not None
        _, place, _ = self.posterior.placed(fitted.x, fitted.z)
        (eta, lam), (a, b, c) = place[:, cells], fitted.variance[:, cells]
        node, weight = nodes_of(NODES)
        own = np.sqrt(np.maximum(a, 0.0))
        joint = np.divide(b, own, out=np.zeros_like(b), where=own > 0.0)
        rest = np.sqrt(np.maximum(c - joint**2, 0.0))
        total = np.zeros((eta.size, 3))
        for x, one in zip(node, weight, strict=True):
            for y, two in zip(node, weight, strict=True):
                at = eta + own * x, np.zeros_like(eta), lam + joint * x + rest * y
                total += one * two * np.exp(outcome.log_probability(*at))
        if not outcome.draws:  # half points: what stands for a draw is no chance
            total[:, 1] = 0.0
        return total
