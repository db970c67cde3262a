r"""Symmetric matrices in storage of their own, their Cholesky factors, and the inverse where the matrix has entries.

    H = L L',    log det H = 2 sum log diag L,    draws L^-T e,    V = H^-1 on the places of H (Takahashi 1973)

Dense by LAPACK; sparse by columns in the order that fills least (SuperLU's minimum degree), in which a walk is a band.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.linalg.lapack import dpotrf, dpotri, dtrtri, dtrtrs
from scipy.sparse.linalg import spilu

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.sparse.factor_loops import (
    factorise,
    invert_where_stored,
    solve_lower,
    solve_upper,
    symbolic_factor,
)
from halfpoint.models.games.table import Floats, Integers

type Singles = npt.NDArray[np.float32]
type Local = Callable[[Floats], Floats]  # (size, column) -> (size, column): differences of rows C
type Unit = tuple[Floats, Floats]  # L as stored numbers and the diagonal of S, for S^-1 C L^-T diag L S
_REST = 3e-5  # of the squares of a unit, which few units leave
_DENSE = 400  # size up to which a dense matrix is faster
_FILLED = 0.1  # share of entries above which it is too
_LARGEST = 100_000_000  # numbers of a sparse factor; a larger one is reported by its size as a dense matrix
_TRIALS = 8  # columns of normal numbers by which units are compared
_TOGETHER = 512  # columns that a sparse factor is applied to at a time
_NOT_POSITIVE = "normal approximation: the log density has no maximum. Use method nuts."


class NotPositiveError(InferenceError):
    """Raised for a matrix that is not positive definite."""


def as_they_are(columns: Floats) -> Floats:
    """No differences."""
    return columns


@dataclass(frozen=True, eq=False)
class DenseMatrices:
    """Matrices of one size, stored whole."""

    size: int

    @property
    def length(self) -> int:
        """Numbers stored."""
        return self.size**2

    def places(self, i: Integers, j: Integers) -> Integers:
        """Indices of stored entries."""
        return np.maximum(i, j) * self.size + np.minimum(i, j)

    def root(self, stored: Floats) -> Floats:
        """The factor of a stored matrix, as stored numbers."""
        upper, code = dpotrf(
            stored.reshape(self.size, self.size).T, lower=0, clean=1
        )  # ours by rows, LAPACK's by columns
        if code != 0:
            raise NotPositiveError(_NOT_POSITIVE)
        return np.asarray(upper.T).ravel()

    def _upper(self, root: Floats) -> Floats:
        return root.reshape(self.size, self.size).T

    def diagonal(self, root: Floats) -> Floats:
        """The diagonal of a factor; a view."""
        return root[:: self.size + 1]

    def solve(self, root: Floats, b: Floats) -> Floats:
        """H^-1 b."""
        half, _ = dtrtrs(self._upper(root), b, lower=0, trans=1)
        return np.asarray(dtrtrs(self._upper(root), half, lower=0)[0]).reshape(b.shape)

    def half(self, root: Floats, e: Floats) -> Floats:
        """L^-T e, e of shape (size,) or (size, draw)."""
        return np.asarray(dtrtrs(self._upper(root), e, lower=0)[0]).reshape(e.shape)

    @property
    def rank(self) -> Integers:
        """Place of each row in the order of the factor, in which noise is, shape (size,)."""
        return np.arange(self.size)

    def ready(self, unit: Unit, local: Local = as_they_are) -> Any:
        """Argument of `spread`: the unit in single precision, which moves no draw by a millionth of its sd."""
        root, scale = unit
        upper, _ = dtrtri(self._upper(root), lower=0)
        return np.ascontiguousarray(local(upper * (self.diagonal(root) * scale)) / scale[:, None], dtype=np.float32)

    def spread(self, units: Sequence[object], share: Floats, e: Floats, local: Local = as_they_are) -> Singles:
        """Sum over ready units of their shares (draw, unit) of units times e, e and sum of shape (size, draw)."""
        noise, total = e.astype(np.float32), np.zeros(e.shape, dtype=np.float32)
        for unit, part in zip(units, share.T.astype(np.float32), strict=True):
            total += unit @ (noise * part)
        return total

    def inverse(self, root: Floats) -> Floats:
        """V as stored numbers."""
        upper, _ = dpotri(self._upper(root), lower=0)
        return np.asarray(upper.T).ravel()


@dataclass(frozen=True, eq=False)
class SparseMatrices:
    """Matrices of one pattern, stored by the columns of their factor."""

    rank: Integers  # (size,): place of each row in the order of the factor, in which noise is
    first: Integers  # columns of L
    row: Integers  # likewise

    @property
    def size(self) -> int:
        """Rows."""
        return int(self.rank.size)

    @property
    def length(self) -> int:
        """Numbers stored."""
        return int(self.row.size)

    def places(self, i: Integers, j: Integers) -> Integers:
        """Indices of stored entries."""
        high, low = np.maximum(self.rank[i], self.rank[j]), np.minimum(self.rank[i], self.rank[j])
        column = np.repeat(np.arange(self.size), np.diff(self.first))
        return np.searchsorted(column * self.size + self.row, low * self.size + high)

    def root(self, stored: Floats) -> Floats:
        """The factor of a stored matrix, as stored numbers."""
        value = stored.copy()
        try:
            factorise(self.first, self.row, value)
        except np.linalg.LinAlgError:
            raise NotPositiveError(_NOT_POSITIVE) from None
        return value

    def diagonal[T: np.floating](self, root: npt.NDArray[T]) -> npt.NDArray[T]:
        """The diagonal of a factor."""
        return root[self.first[:-1]]

    def solve(self, root: Floats, b: Floats) -> Floats:
        """H^-1 b, b of shape (size,)."""
        x = np.empty(self.size)
        x[self.rank] = b
        solve_lower(self.first, self.row, root, x)
        solve_upper(self.first, self.row, root, x[:, None])
        return x[self.rank]

    def half[T: np.floating](self, root: npt.NDArray[T], e: npt.NDArray[T]) -> npt.NDArray[T]:
        """L^-T e, e of shape (size,) or (size, draw)."""
        result = np.empty((self.size, e.size // self.size), e.dtype)
        for first in range(0, result.shape[1], _TOGETHER):
            x = np.array(e.reshape(result.shape)[:, first : first + _TOGETHER], order="C")
            solve_upper(self.first, self.row, root, x)
            result[:, first : first + _TOGETHER] = x[self.rank]
        return result.reshape(e.shape)

    def ready(self, unit: Unit, local: Local = as_they_are) -> Any:
        """Arguments of `spread` in single precision: L, the factors of the columns of L^-T, and S."""
        root, scale = unit
        wide = self.diagonal(root) * scale[np.argsort(self.rank)]
        return tuple(numbers.astype(np.float32) for numbers in (root, wide[:, None], scale[:, None]))

    def spread(self, units: Sequence[Any], share: Floats, e: Floats, local: Local = as_they_are) -> Singles:
        """Sum over ready units of their shares (draw, unit) of units times e, e and sum of shape (size, draw)."""
        noise, total = e.astype(np.float32), np.zeros(e.shape, dtype=np.float32)
        for (root, wide, scale), part in zip(units, share.T.astype(np.float32), strict=True):
            total += part * (local(self.half(root, noise * wide)) / scale)
        return total

    def inverse(self, root: Floats) -> Floats:
        """V as stored numbers."""
        out = np.empty(self.length)
        invert_where_stored(self.first, self.row, root, out)
        return out


def storage(size: int, i: Integers, j: Integers) -> DenseMatrices | SparseMatrices:
    """Storage for matrices with entries at (i, j), each pair once or more, in either order."""
    if size <= _DENSE:
        return DenseMatrices(size)
    diagonal = np.arange(size)
    entries = np.concatenate([i, j, diagonal]), np.concatenate([j, i, diagonal])
    pattern = sparse.coo_array((np.ones(entries[0].size), entries), shape=(size, size)).tocsc()
    pattern.setdiag(size)  # values are irrelevant: only the order is needed
    about: dict[str, object] = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
    rank = spilu(pattern, 1.0, 1.0, permc_spec="MMD_AT_PLUS_A", **about).perm_c.astype(np.int64)
    order = np.argsort(rank)
    inside = pattern[order][:, order]
    first, row = symbolic_factor(inside.indptr, inside.indices, min(_FILLED * size**2, _LARGEST))
    return SparseMatrices(rank, first, row) if row.size else DenseMatrices(size)


def principal(
    store: DenseMatrices | SparseMatrices, units: Sequence[Unit], local: Local = as_they_are
) -> tuple[list[object], Floats]:
    """A few units, ready, whose weighted sums give all units, and their weights, (unit, few); the first unit is kept.

    Weights sum to 1, so that determinants do not change; the omitted part is a share of REST of a unit's squares. Units
    are compared by their products with a few normal numbers. The few are pivots of the Cholesky factor of the units'
    differences from the first (Harbrecht, Peters & Schneider 2012).
    """
    trial, order = np.random.default_rng(0).standard_normal((store.size, _TRIALS)), np.argsort(store.rank)
    trials = np.stack(
        [
            np.ravel(local(store.half(root, trial * (store.diagonal(root) * scale[order])[:, None])) / scale[:, None])
            for root, scale in units
        ]
    )
    differences = trials - trials[0]
    product = differences @ differences.T
    left, columns, chosen = np.diag(product).copy(), np.zeros((len(units), 0)), list[int]()
    while left.sum() > _REST * float(trials[0] @ trials[0]) and len(chosen) < len(units) - 1:
        pivot = int(left.argmax())
        column = (product[:, pivot] - columns @ columns[pivot]) / np.sqrt(left[pivot])
        columns, chosen = np.column_stack([columns, column]), [*chosen, pivot]
        left = np.maximum(left - np.square(column), 0.0)
    share = np.linalg.lstsq(product[np.ix_(chosen, chosen)], product[chosen])[0].T if chosen else columns
    return [store.ready(units[k], local) for k in (0, *chosen)], np.column_stack([1.0 - share.sum(axis=1), share])
