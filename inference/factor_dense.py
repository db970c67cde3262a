"""Exact work with a Hessian's body by dense Cholesky: up to a few thousand players."""

import numpy as np
import scipy.linalg as linalg

from halfpoint.games.table import Floats
from halfpoint.inference.curvature import Curvature
from halfpoint.inference.errors import InferenceError


class DenseFactor:
    """Cholesky factor K = L L' of a Hessian's body.

    Parameters
    ----------
    curvature : Curvature
        The Hessian, at the mode for a Laplace approximation.

    Raises
    ------
    InferenceError
        If K is not positive definite, which only priors without any precision can cause.
    """

    name = "dense"

    def __init__(self, curvature: Curvature) -> None:
        try:
            self.lower = linalg.cholesky(
                np.asfortranarray(curvature.matrix().toarray()), lower=True, overwrite_a=True, check_finite=False
            )
        except linalg.LinAlgError as error:
            raise InferenceError(f"Hessian: expected positive definite, found {error}. Give proper priors.") from error

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column)."""
        return np.asarray(linalg.cho_solve((self.lower, True), right, check_finite=False))

    def variances(self, drawn: Floats | None = None) -> Floats:
        """Return the diagonal of K^-1, shape (body,): sums of squares of the columns of L^-1. No draws needed."""
        inverse, _ = linalg.lapack.dtrtri(self.lower, lower=1)
        return np.asarray(np.einsum("ij,ij->j", inverse, inverse))

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""
        noise = chance.standard_normal((self.lower.shape[0], count))
        return np.asarray(linalg.solve_triangular(self.lower, noise, trans=1, lower=True, check_finite=False))

    def log_determinant(self) -> float:
        """Return log det K."""
        return 2.0 * float(np.log(np.diag(self.lower)).sum())
