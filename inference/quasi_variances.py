r"""Quasi-variances: one number per level, such that any two give the error of their levels' difference.

    var(b_i - b_j) ~ q_i + q_j      minimising      sum over i < j of (log(q_i + q_j) - log var(b_i - b_j))^2

so that a plot of b_i with b_i -+ 2 sqrt(q_i) compares any two levels, instead of each level with one reference. With
three levels quasi-variances are exact. A quasi-variance may be negative if levels are strongly correlated with another
term; sums of two quasi-variances are still positive.

Firth & de Menezes (2004) Biometrika 91:65, section 2; after an idea of Ridout (1989). Gauss-Newton steps are halved
until the sum falls: with w_ij = (q_i + q_j)^-2 the matrix of a step is w off its diagonal and the sums of its rows on
it.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.inference.errors import InferenceError
from halfpoint.models.games.table import Floats

_ROUNDS, _STILL = 200, 1e-7  # steps; a step, relative to the largest, that is the last one


@dataclass(frozen=True, eq=False)
class QuasiVariances:
    """Quasi-variances and their accuracy."""

    value: Floats  # (level,): q
    # relative error of the standard error of the difference of two levels, the most negative and the most positive
    worst: tuple[float, float]

    @property
    def standard_error(self) -> Floats:
        """Quasi standard errors, shape (level,); NaN if the quasi-variance is negative."""
        return np.sqrt(np.where(self.value >= 0.0, self.value, np.nan))


def quasi_variances(covariance: Floats) -> QuasiVariances:
    """Quasi-variances of estimates from their covariance, zeros for the reference level.

    Raises `InferenceError` for fewer than three levels, or if there is no solution.

    Examples
    --------
    >>> covariance = np.array([[0.0, 0.0, 0.0], [0.0, 5.0, 1.0], [0.0, 1.0, 3.0]])
    >>> quasi = quasi_variances(covariance)
    >>> quasi.value.round(6).tolist()  # (5 + 3 - 6) / 2, (5 + 6 - 3) / 2, (3 + 6 - 5) / 2
    [1.0, 4.0, 2.0]
    """
    size = covariance.shape[0]
    if size < 3:
        raise InferenceError(f"quasi-variances: expected three levels or more, found {size}")
    diagonal = np.diag(covariance)
    variance = diagonal[:, None] + diagonal - covariance - covariance.T
    off_diagonal = ~np.eye(size, dtype=np.bool_)
    target = np.zeros((size, size))
    target[off_diagonal] = np.log(variance[off_diagonal])

    def missing(q: Floats) -> Floats:
        sums = q[:, None] + q
        gap = np.full((size, size), np.inf)
        gap[off_diagonal] = target[off_diagonal] - np.log(np.where(sums > 0.0, sums, np.nan)[off_diagonal])
        np.fill_diagonal(gap, 0.0)
        return gap

    q = np.full(size, variance[off_diagonal].mean() / 2.0)
    gaps = missing(q)
    for _ in range(_ROUNDS):
        slope = np.where(off_diagonal, 1.0 / (q[:, None] + q), 0.0)
        matrix = slope**2
        matrix[~off_diagonal] = matrix.sum(axis=1)
        step, share = np.linalg.solve(matrix, (slope * gaps).sum(axis=1)), 1.0
        small, loss = np.abs(step).max() <= _STILL * np.abs(q).max(), float((gaps**2).sum())
        while not small and not float((missing(q + share * step) ** 2).sum()) < loss and share > _STILL:
            share /= 2.0
        q = q + share * step
        gaps = missing(q)
        if small:
            break
    else:
        raise InferenceError("quasi-variances did not converge. Use standard errors of differences")
    errors = np.expm1(-0.5 * gaps[off_diagonal])
    return QuasiVariances(q, (float(errors.min()), float(errors.max())))
