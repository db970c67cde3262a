r"""Symmetric matrices in storage of their own, their Cholesky factors, and the inverse where the matrix has entries.

    H = L L',    log det H = 2 sum log diag L,    draws L^-T e,    V = H^-1 on the places of H (Takahashi 1973)

Dense by LAPACK; sparse by columns in the order that fills least (SuperLU's minimum degree), where a walk is a band.
"""

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.linalg.lapack import dpotrf, dpotri, dtrtrs
from scipy.sparse.linalg import splu

from halfpoint.games.table import Floats
from halfpoint.models.vector import kept

Integers = npt.NDArray[np.int64]
DENSE = 400  # up to so many a dense matrix is faster whatever it holds
FILLED = 0.1  # share of entries above which it is too
loop = partial(kept, partial(numba.njit, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}))


class NotPositiveError(ValueError):
    """A matrix is not positive definite."""


@dataclass(frozen=True, eq=False)
class Dense:
    """Matrices of one size, stored whole.

    Parameters
    ----------
    size : int
    """

    size: int

    @cached_property
    def low(self) -> Integers:
        """Where the lower triangle is stored."""
        i, j = np.tril_indices(self.size)
        return i * self.size + j

    @property
    def length(self) -> int:
        """Numbers stored."""
        return self.size**2

    def places(self, i: Integers, j: Integers) -> Integers:
        """Return where entries are stored."""
        return np.maximum(i, j) * self.size + np.minimum(i, j)

    def root(self, stored: Floats) -> Floats:
        """Return the factor of a stored matrix, as stored numbers."""
        upper, code = dpotrf(
            stored.reshape(self.size, self.size).T, lower=0, clean=1
        )  # ours by rows, LAPACK's by columns
        if code != 0:
            raise NotPositiveError
        return np.asarray(upper.T).ravel()

    def _upper(self, root: Floats) -> Floats:
        return root.reshape(self.size, self.size).T

    def diagonal(self, root: Floats) -> Floats:
        """Return the diagonal of a factor; a view."""
        return root[:: self.size + 1]

    def solve(self, root: Floats, b: Floats) -> Floats:
        """Return H^-1 b."""
        half, _ = dtrtrs(self._upper(root), b, lower=0, trans=1)
        return np.asarray(dtrtrs(self._upper(root), half, lower=0)[0]).reshape(b.shape)

    def half(self, root: Floats, e: Floats) -> Floats:
        """Return L^-T e."""
        return np.asarray(dtrtrs(self._upper(root), e, lower=0)[0]).reshape(e.shape)

    def inverse(self, root: Floats) -> Floats:
        """Return V as stored numbers."""
        upper, _ = dpotri(self._upper(root), lower=0)
        return np.asarray(upper.T).ravel()

    def packed(self, root: Floats) -> Floats:
        """Return the numbers that are interpolated: columns in units of their diagonal, that by logarithms."""
        whole, diagonal = root.reshape(self.size, self.size), self.diagonal(root)
        whole = whole / diagonal
        whole[np.diag_indices(self.size)] = np.log(diagonal)
        return whole.ravel()[self.low]

    def unpacked(self, packed: Floats) -> Floats:
        """Return the factor whose packed numbers these are."""
        whole = np.zeros(self.length)
        whole[self.low] = packed
        diagonal = np.exp(whole[:: self.size + 1])
        whole[:: self.size + 1] = 1.0
        return (whole.reshape(self.size, self.size) * diagonal).ravel()


@loop
def factorised(first, row, value):  # type: ignore[no-untyped-def]
    """Replace the lower columns of H by those of L, in place; return False where H is not positive."""
    size = first.size - 1
    for j in range(size):
        pivot = value[first[j]]
        if not pivot > 0.0:
            return False
        pivot = np.sqrt(pivot)
        value[first[j]] = pivot
        for p in range(first[j] + 1, first[j + 1]):
            value[p] /= pivot
        for p in range(first[j] + 1, first[j + 1]):
            share = value[p]
            if share == 0.0:
                continue
            t = first[row[p]]
            for q in range(p, first[j + 1]):
                while row[t] != row[q]:
                    t += 1
                value[t] -= value[q] * share
    return True


@loop
def selected(first, row, root, out):  # type: ignore[no-untyped-def]
    """Fill `out` with V on the pattern of L."""
    size = first.size - 1
    gathered = np.zeros(size)
    for j in range(size - 1, -1, -1):
        begin, end = first[j], first[j + 1]
        pivot = root[begin]
        for p in range(begin + 1, end):
            gathered[row[p]] = 0.0
        for p in range(begin + 1, end):  # sum over k of V_ik L_kj, by columns i of V
            i = row[p]
            t, own = first[i], root[p]
            total = 0.0
            for q in range(p, end):
                while row[t] != row[q]:
                    t += 1
                v = out[t]
                if q == p:
                    total += v * own
                else:
                    total += v * root[q]
                    gathered[row[q]] += v * own
            gathered[i] += total
        square = 0.0
        for p in range(begin + 1, end):
            out[p] = -gathered[row[p]] / pivot
            square += out[p] * root[p]
        out[begin] = (1.0 / pivot - square) / pivot


@loop
def lower(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace b by L^-1 b."""
    for j in range(first.size - 1):
        b[j] /= root[first[j]]
        for p in range(first[j] + 1, first[j + 1]):
            b[row[p]] -= root[p] * b[j]


@loop
def upper(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace b by L^-T b."""
    for j in range(first.size - 2, -1, -1):
        total = b[j]
        for p in range(first[j] + 1, first[j + 1]):
            total -= root[p] * b[row[p]]
        b[j] = total / root[first[j]]


def filled(pattern: Any) -> tuple[Integers, Integers]:
    """Return first entry and rows of each column of L, from the lower columns of H."""
    size = pattern.shape[0]
    columns: list[Any] = [None] * size
    children: list[list[int]] = [[] for _ in range(size)]
    for j in range(size):
        own = pattern.indices[pattern.indptr[j] : pattern.indptr[j + 1]]
        parts = [own[own >= j], *(columns[k][columns[k] > k] for k in children[j])]
        columns[j] = np.unique(np.concatenate([[j], *parts]))
        if columns[j].size > 1:
            children[columns[j][1]].append(j)
    first = np.concatenate([[0], np.cumsum([one.size for one in columns])])
    return first.astype(np.int64), np.concatenate(columns).astype(np.int64)


@dataclass(frozen=True, eq=False)
class Sparse:
    """Matrices of one pattern, stored by the columns of their factor.

    Parameters
    ----------
    rank : array of int, shape (size,)
        Place of each row in the order of the factor.
    first, row : array of int
        Columns of L.
    """

    rank: Integers
    first: Integers
    row: Integers

    @property
    def size(self) -> int:
        """Rows."""
        return int(self.rank.size)

    @property
    def length(self) -> int:
        """Numbers stored."""
        return int(self.row.size)

    def places(self, i: Integers, j: Integers) -> Integers:
        """Return where entries are stored."""
        high, low = np.maximum(self.rank[i], self.rank[j]), np.minimum(self.rank[i], self.rank[j])
        column = np.repeat(np.arange(self.size), np.diff(self.first))
        return np.searchsorted(column * self.size + self.row, low * self.size + high)

    def root(self, stored: Floats) -> Floats:
        """Return the factor of a stored matrix, as stored numbers."""
        value = stored.copy()
        if not factorised(self.first, self.row, value):
            raise NotPositiveError
        return value

    def diagonal(self, root: Floats) -> Floats:
        """Return the diagonal of a factor."""
        return root[self.first[:-1]]

    def solve(self, root: Floats, b: Floats) -> Floats:
        """Return H^-1 b, b of shape (size,)."""
        x = np.empty(self.size)
        x[self.rank] = b
        lower(self.first, self.row, root, x)
        upper(self.first, self.row, root, x)
        return x[self.rank]

    def half(self, root: Floats, e: Floats) -> Floats:
        """Return L^-T e, e of shape (size,)."""
        x = e.copy()
        upper(self.first, self.row, root, x)
        return x[self.rank]

    def inverse(self, root: Floats) -> Floats:
        """Return V as stored numbers."""
        out = np.empty(self.length)
        selected(self.first, self.row, root, out)
        return out

    def packed(self, root: Floats) -> Floats:
        """Return the numbers that are interpolated: columns in units of their diagonal, that by logarithms."""
        diagonal = self.diagonal(root)
        whole = root / np.repeat(diagonal, np.diff(self.first))
        whole[self.first[:-1]] = np.log(diagonal)
        return whole

    def unpacked(self, packed: Floats) -> Floats:
        """Return the factor whose packed numbers these are."""
        whole = packed.copy()
        diagonal = np.exp(whole[self.first[:-1]])
        whole[self.first[:-1]] = 1.0
        whole *= np.repeat(diagonal, np.diff(self.first))
        return whole


def storage(size: int, i: Integers, j: Integers) -> Dense | Sparse:
    """Return storage for matrices with entries at (i, j), each pair once or more, in either order."""
    if size <= DENSE:
        return Dense(size)
    here = np.arange(size)
    both = np.concatenate([i, j, here]), np.concatenate([j, i, here])
    pattern = sparse.coo_array((np.ones(both[0].size), both), shape=(size, size)).tocsc()
    pattern.data[:] = -1.0
    pattern.setdiag(np.diff(pattern.indptr) + 1.0)
    options = {"SymmetricMode": True}
    found = splu(pattern, permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options)
    if found.L.nnz > FILLED * size**2:
        return Dense(size)
    rank = found.perm_c.astype(np.int64)
    order = np.argsort(rank)
    first, row = filled(sparse.tril(pattern[order][:, order]).tocsc())
    return Sparse(rank, first, row)
