r"""The curvature H of a log density at its mode, as what a Newton step and the widths of forecasts need of it.

    H = J' I J + prior precisions,   J the derivatives of (eta, lam) of the games by z

`Dense` factorises it. `TwoLevel` never holds it: conjugate gradients solve with it, and V = H^-1 is taken as

    V ~ Z E^-1 Z' + (1 - Z E^-1 Z' H) W (1 - H Z E^-1 Z'),   E = Z' H Z,   W = 1 / diag H for members of populations

with Z the numbers that are no member's, how each population answers to each of them, and each population as a whole.
That is exact for all that Z spans, where nearly all the dependence is, and the preconditioner as well. The variance of
each member comes from draws, all others given, so that only what two players know of each other through the games they
played is left out of the widths of a game; of the mode nothing is.

    V_ii = W_i + the mean square of e_i - W_i (H e)_i,   H e = J' root(I) n + root(prior precisions) n,   n ~ N(0, 1)

Nicolaides (1987) SIAM J. Numer. Anal. 24:355 for Z; Mandel (1993) Commun. Numer. Meth. Eng. 9:233 for the formula of V;
Siden, Lindgren, Bolin & Villani (2018) J. Comput. Graph. Stat. 27:898 for variances.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.linalg import cho_solve
from scipy.linalg.lapack import dpotrf, dpotri

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError

TOLERANCE, ROUGH = 1e-8, 1e-3  # of solutions: of a step, and of draws
Linear = Callable[[Floats], Floats]
MOST_STEPS, SAMPLES = 2000, 16
SPANNED = 1e-10  # share of the largest eigenvalue of E below which a direction is in the span of the others


class Curvature(Protocol):
    """H, shape (value, value), of the values that games tell of."""

    def solve(self, b: Floats) -> Floats:
        """Return V b."""

    def diagonal(self) -> Floats:
        """Return the diagonal of V."""

    def widths(self, first: Any, second: Any) -> tuple[Floats, Floats, Floats]:
        """Return variances and covariance of rows: V by the first derivatives, by both, by the second, shape (row,)."""


class Dense:
    """H by its Cholesky factor.

    Parameters
    ----------
    first, second : sparse arrays, shape (game, value)
        Derivatives of eta and lam.
    information : three arrays, shape (game,)
        By eta and eta, eta and lam, lam and lam.
    precision : array of float, shape (value,)
        Of the prior.
    """

    def __init__(self, first: Any, second: Any, information: Sequence[Floats], precision: Floats) -> None:
        aa, ab, bb = (sparse.diags_array(one) for one in information)
        mixed = first.T @ (ab @ second)
        hessian = (first.T @ (aa @ first) + second.T @ (bb @ second) + mixed + mixed.T).toarray()
        hessian[np.arange(precision.size), np.arange(precision.size)] += precision
        self.lower, code = dpotrf(np.asfortranarray(hessian), lower=1, clean=1, overwrite_a=1)
        if code != 0:
            raise InferenceError("normal approximation: expected a positive definite information, found another")

    def solve(self, b: Floats) -> Floats:
        """Return V b."""
        return np.asarray(cho_solve((self.lower, True), b))

    def inverse(self) -> Floats:
        """Return V."""
        return inverse(self.lower.copy(order="F"))

    def diagonal(self) -> Floats:
        """Return the diagonal of V."""
        return np.asarray(np.diag(self.inverse()))

    def widths(self, first: Any, second: Any) -> tuple[Floats, Floats, Floats]:
        """Return variances and covariance of rows."""
        near = self.inverse()
        moved = first @ near, second @ near
        pairs = ((first, moved[0]), (second, moved[0]), (second, moved[1]))
        a, b, c = (np.asarray(left.multiply(right).sum(axis=1)).ravel() for left, right in pairs)
        return a, b, c


class TwoLevel:
    """H by its products.

    Parameters
    ----------
    first, second, information, precision
        As in `Dense`.
    populations : sequence of array of int
        The members of each population among the values.
    """

    def __init__(
        self,
        first: Any,
        second: Any,
        information: Sequence[Floats],
        precision: Floats,
        populations: Sequence[npt.NDArray[np.intp]],
    ) -> None:
        self.sides = [sparse.csr_array(first), sparse.csr_array(second)]
        self.turned = [sparse.csr_array(one.T) for one in self.sides]
        self.information, self.precision = [np.asarray(one)[:, None] for one in information], precision[:, None]
        aa, ab, bb = information
        a, b = self.sides
        told = a.multiply(a).T @ aa + 2.0 * (a.multiply(b).T @ ab) + b.multiply(b).T @ bb
        member = np.zeros(precision.size, dtype=np.bool_)
        for one in populations:
            member[one] = True
        self.own = np.where(member, 1.0 / (told + precision), 0.0)
        free = np.flatnonzero(~member)
        unit = np.zeros((precision.size, free.size))
        unit[free, np.arange(free.size)] = 1.0
        answers = self.product(unit)
        directions = [unit]
        for one in populations:
            directions.append(np.zeros((precision.size, free.size + 1)))
            directions[-1][one] = self.own[one, None] * np.column_stack([answers[one], told[one]])
        spanning = np.hstack(directions)
        image = self.product(spanning)
        size = np.sqrt(np.maximum((spanning * image).sum(axis=0), 1e-300))
        self.spanning, self.image = spanning / size, image / size
        values, turn = np.linalg.eigh(self.spanning.T @ self.image)
        kept = values > SPANNED * values[-1]
        self.spanning, self.image = (one @ turn[:, kept] / np.sqrt(values[kept]) for one in (self.spanning, self.image))
        self.held = self.image.T @ (self.own[:, None] * self.image)

    def product(self, x: Floats) -> Floats:
        """Return H x, shape (value, column)."""
        (a, b), (aa, ab, bb) = (one @ x for one in self.sides), self.information
        return np.asarray(self.turned[0] @ (aa * a + ab * b) + self.turned[1] @ (ab * a + bb * b) + self.precision * x)

    def near(self, r: Floats) -> Floats:
        """Return what V is taken as, times r, shape (value, column)."""
        coarse = self.spanning.T @ r
        rest = self.own[:, None] * (r - self.image @ coarse)
        return np.asarray(rest + self.spanning @ (coarse - self.image.T @ rest))

    def solve(self, b: Floats) -> Floats:
        """Return V b."""
        return solved(self.product, self.near, b[:, None], TOLERANCE)[:, 0]

    @cached_property
    def variance(self) -> Floats:
        """The diagonal of V, of members by draws, shape (value,)."""
        rng = np.random.default_rng(0)
        aa, ab, bb = self.information
        one = np.sqrt(np.maximum(aa, 1e-300))
        other = ab / one
        rest = np.sqrt(np.maximum(bb - other**2, 0.0))
        n, m = rng.standard_normal((2, aa.size, SAMPLES))
        b = self.turned[0] @ (one * n) + self.turned[1] @ (other * n + rest * m)
        b += np.sqrt(self.precision) * rng.standard_normal((self.own.size, SAMPLES))
        draws = solved(self.product, self.near, b, ROUGH)
        left = draws - self.own[:, None] * self.product(draws)
        member = self.own > 0.0
        return np.where(member, self.own + np.square(left).mean(axis=1), self.taken)

    @cached_property
    def taken(self) -> Floats:
        """The diagonal of what V is taken as, shape (value,)."""
        along = self.spanning
        lost = 2.0 * self.own * (along * self.image).sum(axis=1)
        return np.asarray(self.own - lost + (along * along).sum(axis=1) + ((along @ self.held) * along).sum(axis=1))

    def diagonal(self) -> Floats:
        """Return the diagonal of V."""
        return self.variance

    def widths(self, first: Any, second: Any) -> tuple[Floats, Floats, Floats]:
        """Return variances and covariance of rows by what V is taken as, and what draws add to each member."""
        added = np.maximum(self.variance - self.taken, 0.0)
        weighted = self.own[:, None] * self.image
        rows = [(one, one @ self.spanning, one @ weighted) for one in (first, second)]
        found = []
        for (one, along, lost), (other, beside, gone) in ((rows[0], rows[0]), (rows[1], rows[0]), (rows[1], rows[1])):
            alone = one.multiply(other) @ (self.own + added)
            spanned = (along * beside).sum(axis=1) + ((along @ self.held) * beside).sum(axis=1)
            found.append(alone + spanned - (along * gone).sum(axis=1) - (beside * lost).sum(axis=1))
        return found[0], found[1], found[2]


def solved(product: Linear, near: Linear, b: Floats, tolerance: float) -> Floats:
    """Return V b, shape (value, column), by conjugate gradients, each column by its own steps; `near` is about V."""
    x, rest = np.zeros_like(b), b.copy()
    turned = near(rest)
    along, size = turned.copy(), (rest * turned).sum(axis=0)
    least = tolerance**2 * np.maximum(size, 1e-300)
    for _ in range(MOST_STEPS):
        if (size <= least).all():
            return x
        image = product(along)
        step = size / np.maximum((along * image).sum(axis=0), 1e-300)
        x, rest = x + step * along, rest - step * image
        turned = near(rest)
        last, size = size, (rest * turned).sum(axis=0)
        along = turned + size / np.maximum(last, 1e-300) * along
    raise InferenceError("normal approximation: expected conjugate gradients to end, found that they do not")


def inverse(lower: Floats) -> Floats:
    """Return V from the Cholesky factor of H, which is overwritten."""
    found, code = dpotri(lower, lower=1, overwrite_c=1)
    if code != 0:
        raise InferenceError("normal approximation: expected an information with an inverse, found none")
    return np.asarray(np.tril(found) + np.tril(found, -1).T)
