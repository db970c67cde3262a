r"""A Hessian's inverse from a factor of its sparse body: block elimination of the dense border.

H = [ K  B ]     V = K^-1 B,   S = C - B' V
[ B' C ]

H^-1's body diagonal      diag(K^-1) + rows of V S^-1 V'
H^-1's border block       S^-1
draws                     border ~ N(0, S^-1),  body = K^-1-draw - V border
"""

from typing import Protocol

import numpy as np

from halfpoint.games.table import Floats
from halfpoint.inference.curvature import Curvature


class Factor(Protocol):
    """What an arrow needs from a solver of its body K."""

    name: str

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column)."""

    def variances(self, drawn: Floats) -> Floats:
        """Return the diagonal of K^-1, shape (body,); draws from N(0, K^-1) serve where it is not computed exactly."""

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""

    def log_determinant(self) -> float:
        """Return log det K, NaN where unknown."""


class Arrow:
    """Inverse of a curvature's Hessian.

    Parameters
    ----------
    curvature : Curvature
        The Hessian.
    factor : Factor
        A solver of its body.
    """

    def __init__(self, curvature: Curvature, factor: Factor) -> None:
        self.curvature = curvature
        self.factor = factor
        self.border = curvature.cross.shape[1]
        right = np.concatenate([curvature.cross, curvature.gradient[: curvature.target.body, None]], axis=1)
        solved = factor.solve(right)
        self.reach = solved[:, : self.border]
        self.body_step = solved[:, self.border]
        self.rest = curvature.corner - curvature.cross.T @ self.reach
        self.rest_inverse = np.linalg.inv(self.rest) if self.border else self.rest

    def newton_step(self) -> Floats:
        """Return H^-1 times the gradient of the curvature, shape (parameter,)."""
        return self.join(self.body_step, self.curvature.gradient[self.curvature.target.body :])

    def times(self, vector: Floats) -> Floats:
        """Return H^-1 times a vector, shape (parameter,)."""
        body = self.curvature.target.body
        return self.join(self.factor.solve(vector[:body, None])[:, 0], vector[body:])

    def join(self, body: Floats, border: Floats) -> Floats:
        """Return H^-1 times (K body, border): block elimination."""
        shared = self.rest_inverse @ (border - self.curvature.cross.T @ body)
        return np.concatenate([body - self.reach @ shared, shared])

    def variances(self, drawn: Floats) -> Floats:
        """Return the diagonal of H^-1, shape (parameter,); draws from N(0, K^-1) serve an iterative factor."""
        added = np.einsum("ij,jk,ik->i", self.reach, self.rest_inverse, self.reach)
        return np.concatenate([self.factor.variances(drawn) + added, np.diag(self.rest_inverse)])

    def draws(self, count: int, chance: np.random.Generator, body: Floats | None = None) -> Floats:
        """Return draws from N(0, H^-1), shape (parameter, count), from draws of N(0, K^-1) if there are some."""
        body = self.factor.draws(count, chance) if body is None else body
        if not self.border:
            return body
        shared = np.linalg.cholesky(self.rest_inverse) @ chance.standard_normal((self.border, count))
        return np.concatenate([body - self.reach @ shared, shared])

    def log_determinant(self) -> float:
        """Return log det H, NaN where the factor has none."""
        corner = float(np.linalg.slogdet(self.rest)[1]) if self.border else 0.0
        return self.factor.log_determinant() + corner
