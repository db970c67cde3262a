r"""Symmetric matrices in storage of their own, their Cholesky factors, and the inverse where the matrix has entries.

    H = L L',    log det H = 2 sum log diag L,    draws L^-T e,    V = H^-1 on the places of H (Takahashi 1973)

Dense by LAPACK; sparse by columns in the order that fills least (SuperLU's minimum degree), in which a walk is a band.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse
from scipy.linalg.lapack import dpotrf, dpotri, dtrtri, dtrtrs
from scipy.sparse.linalg import spilu

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.loops.vector_arithmetic import kept
from halfpoint.models.games.table import Floats, Integers

type Singles = npt.NDArray[np.float32]
type Local = Callable[[Any], Any]  # (size, column) -> (size, column): differences of rows C
type Unit = tuple[Floats, Floats]  # L as stored numbers and the diagonal of S, for S^-1 C L^-T diag L S
_REST = 3e-5  # of the squares of a unit, which few units leave
_DENSE = 400  # size up to which a dense matrix is faster
_FILLED = 0.1  # share of entries above which it is too
_LARGEST = 100_000_000  # numbers of a sparse factor; a larger one is reported by its size as a dense matrix
_TRIALS = 8  # columns of normal numbers by which units are compared
_BUNDLE = 8  # columns from which products of matrices are faster than loops
_TOGETHER = 512  # columns that a sparse factor is applied to at a time
_loop = partial(kept, partial(numba.njit, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}))


_NOT_POSITIVE = "normal approximation: the log density has no maximum. Use method nuts."


class NotPositiveError(InferenceError):
    """Raised for a matrix that is not positive definite."""


def as_they_are(columns: Any) -> Any:
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

    def spread(self, units: Sequence[Any], share: Floats, e: Floats, local: Local = as_they_are) -> Singles:
        """Sum over ready units of their shares (draw, unit) of units times e, e and sum of shape (size, draw)."""
        noise, total = e.astype(np.float32), np.zeros(e.shape, dtype=np.float32)
        for unit, part in zip(units, share.T.astype(np.float32), strict=True):
            total += unit @ (noise * part)
        return total

    def inverse(self, root: Floats) -> Floats:
        """V as stored numbers."""
        upper, _ = dpotri(self._upper(root), lower=0)
        return np.asarray(upper.T).ravel()


@_loop
def _supernodes(first, row):  # type: ignore[no-untyped-def]
    """End of the supernode of each column: consecutive columns, each with the rows of the next and its own."""
    size = first.size - 1
    end = np.arange(1, size + 1)
    for j in range(size - 2, -1, -1):
        count = first[j + 1] - first[j]
        if count > 1 and row[first[j] + 1] == j + 1 and count == first[j + 2] - first[j + 1] + 1:
            end[j] = end[j + 1]
    return end


@_loop
def _cholesky_factor(first, row, value):  # type: ignore[no-untyped-def]
    """Replace the lower columns of H by the columns of L, in place; a singular H raises `LinAlgError`.

    Each bundle of columns is a dense matrix, from which the contributions of earlier bundles are subtracted (Ng &
    Peyton 1993, SIAM J. Sci. Comput. 14:1034).
    """
    size, end = first.size - 1, _supernodes(first, row)
    begin = np.arange(size)
    for j in range(1, size):
        begin[j] = begin[j - 1] if end[j] == end[j - 1] else j
    offset = np.zeros(size + 1, dtype=np.int64)
    for j in range(size):
        offset[j + 1] = offset[j] + first[begin[j] + 1] - first[begin[j]]
    bundles = np.zeros(offset[size])  # bundles whole, row by row
    waiting, further = np.full(size, -1), np.full(size, -1)  # of each bundle the first one that changes it; the next
    at = np.zeros(size, dtype=np.int64)  # rows of a bundle that are done
    place = np.empty(size, dtype=np.int64)
    a = 0
    while a < size:
        b, rows = end[a], row[first[a] : first[a + 1]]
        width, tall = b - a, rows.size
        part = bundles[offset[a] : offset[b]].reshape(tall, width)
        for k in range(tall):
            place[rows[k]] = k
        for k in range(width):
            part[k:, k] = value[first[a + k] : first[a + k + 1]]
        source = waiting[a]
        while source >= 0:
            after, done, source_rows = further[source], at[source], row[first[source] : first[source + 1]]
            block = bundles[offset[source] : offset[end[source]]].reshape(source_rows.size, end[source] - source)[done:]
            count = 0
            while done + count < source_rows.size and source_rows[done + count] < b:
                count += 1
            if block.shape[1] == 1:
                for r in range(source_rows.size - done):
                    to, share = place[source_rows[done + r]], block[r, 0]
                    for c in range(min(count, r + 1)):
                        part[to, source_rows[done + c] - a] -= block[c, 0] * share
            else:
                change = np.dot(block, block[:count].T)
                for r in range(source_rows.size - done):
                    to = place[source_rows[done + r]]
                    for c in range(min(count, r + 1)):
                        part[to, place[source_rows[done + c]]] -= change[r, c]
            at[source] = done + count
            if at[source] < source_rows.size:
                target = begin[source_rows[at[source]]]
                further[source], waiting[target] = waiting[target], source
            source = after
        for k in range(width):
            part[k, k + 1 : width] = part[k + 1 : width, k]
        if width > 1:
            part[:width] = np.linalg.cholesky(part[:width].copy())
        else:
            part[0, 0] = np.sqrt(part[0, 0])
        if not (np.diag(part[:width]) > 0.0).all():
            raise np.linalg.LinAlgError("not positive")
        if tall > width:
            if width > 1:
                part[width:] = np.dot(part[width:], np.linalg.inv(part[:width].copy()).T)
            else:
                part[1:] /= part[0, 0]
            at[a] = width
            target = begin[rows[width]]
            further[a], waiting[target] = waiting[target], a
        for k in range(width):
            value[first[a + k] : first[a + k + 1]] = part[k:, k]
        a = b


@_loop
def _locate(first, row, rows, c, position):  # type: ignore[no-untyped-def]
    """Set positions of rows[c:] in column rows[c], and so, from position[c] on, in later columns of its bundle."""
    t = first[rows[c]]
    for r in range(c, rows.size):
        while row[t] != rows[r]:
            t += 1
        position[r] = t - first[rows[c]]


@_loop
def _selected_inverse(first, row, root, out):  # type: ignore[no-untyped-def]
    """Fill `out` with V on the pattern of L, a bundle of columns at a time.

    V21 = -V22 Y,    V11 = (L11 L11')^-1 - Y' V21,    Y = L21 L11^-1       1 the bundle, 2 its rows beyond
    """
    stop, end = first.size - 1, _supernodes(first, row)
    position = np.empty(stop, dtype=np.int64)
    while stop > 0:
        start = stop - 1
        while start > 0 and end[start - 1] == stop:
            start -= 1
        rows = row[first[stop - 1] + 1 : first[stop]]
        n, width, begin, bundle = rows.size, stop - start, first[start], -1
        if width == 1:  # without products of matrices
            ratios = root[begin + 1 : begin + 1 + n] / root[begin]
            across = out[begin + 1 : begin + 1 + n]
            across[:] = 0.0
            for c in range(n):
                if end[rows[c]] != bundle:
                    bundle = end[rows[c]]
                    _locate(first, row, rows, c, position)
                column = first[rows[c]] - position[c]
                total = out[column + position[c]] * ratios[c]
                for r in range(c + 1, n):
                    total += out[column + position[r]] * ratios[r]
                    across[r] -= out[column + position[r]] * ratios[c]
                across[c] -= total
            out[begin] = root[begin] ** -2.0 - np.dot(ratios, across)
            stop = start
            continue
        inverse_beyond, below, above = np.empty((n, n)), np.empty((n, width)), np.zeros((width, width))
        for c in range(n):
            if end[rows[c]] != bundle:
                bundle = end[rows[c]]
                _locate(first, row, rows, c, position)
            for r in range(c, n):
                inverse_beyond[c, r] = out[first[rows[c]] - position[c] + position[r]]
                inverse_beyond[r, c] = inverse_beyond[c, r]
        for k in range(width):
            begin = first[start + k]
            above[k:, k] = root[begin : begin + width - k]
            below[:, k] = root[begin + width - k : begin + width - k + n]
        inverse = np.linalg.inv(above)
        part = np.dot(below, inverse)
        across = -np.dot(inverse_beyond, part)
        within = np.dot(inverse.T, inverse) - np.dot(part.T, across)
        for k in range(width):
            begin = first[start + k]
            out[begin : begin + width - k] = within[k:, k]
            out[begin + width - k : begin + width - k + n] = across[:, k]
        stop = start


@_loop
def _solve_lower(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace b by L^-1 b."""
    for j in range(first.size - 1):
        b[j] /= root[first[j]]
        for p in range(first[j] + 1, first[j + 1]):
            b[row[p]] -= root[p] * b[j]


@_loop
def _solve_upper(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace each column of b by L^-T times it, a bundle of columns of L at a time."""
    stop, end = first.size - 1, _supernodes(first, row)
    while stop > 0:
        start = stop - 1
        while start > 0 and end[start - 1] == stop:
            start -= 1
        width, n = stop - start, first[stop] - first[stop - 1] - 1
        if width < _BUNDLE or b.shape[1] < _BUNDLE:
            for j in range(stop - 1, start - 1, -1):
                for p in range(first[j] + 1, first[j + 1]):
                    k, share = row[p], root[p]
                    for c in range(b.shape[1]):
                        b[j, c] -= share * b[k, c]
                for c in range(b.shape[1]):
                    b[j, c] /= root[first[j]]
        else:
            below, above, solved = (
                np.empty((width, n), b.dtype),
                np.zeros((width, width), b.dtype),
                np.empty_like(b[:n]),
            )
            for k in range(width):
                begin = first[start + k]
                above[k:, k] = root[begin : begin + width - k]
                below[k] = root[begin + width - k : begin + width - k + n]
            for r in range(n):
                solved[r] = b[row[first[stop - 1] + 1 + r]]
            left = b[start:stop] - np.dot(below, solved)
            b[start:stop] = np.dot(np.ascontiguousarray(np.linalg.inv(above).T), left)
        stop = start


@_loop
def symbolic_factor(first, row, most):  # type: ignore[no-untyped-def]
    """Columns of L, each with its diagonal, rows rising, from the columns of H; empty if more than `most` numbers.

    Row i of L has the paths of the elimination tree from the entries of row i of H up to i (Liu 1990, SIAM J. Matrix
    Anal. Appl. 11:134).
    """
    size = first.size - 1
    start, at, rows = np.zeros(size + 1, dtype=np.int64), np.zeros(size, dtype=np.int64), np.empty(0, dtype=np.int64)
    for _ in range(2):  # how many, then which
        parent, mark = np.full(size, size), np.full(size, -1)
        for i in range(size):
            mark[i] = i
            if rows.size:
                rows[at[i]] = i
            at[i] += 1
            for t in range(first[i], first[i + 1]):
                k = row[t]
                while k < i and mark[k] != i:
                    parent[k], mark[k] = min(parent[k], i), i
                    if rows.size:
                        rows[at[k]] = i
                    at[k] += 1
                    k = parent[k]
        if not rows.size:
            start[1:] = np.cumsum(at)
            if start[size] > most:
                break
            at[:], rows = start[:-1], np.empty(start[size], dtype=np.int64)
    return start, rows


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
            _cholesky_factor(self.first, self.row, value)
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
        _solve_lower(self.first, self.row, root, x)
        _solve_upper(self.first, self.row, root, x[:, None])
        return x[self.rank]

    def half[T: np.floating](self, root: npt.NDArray[T], e: npt.NDArray[T]) -> npt.NDArray[T]:
        """L^-T e, e of shape (size,) or (size, draw)."""
        result = np.empty((self.size, e.size // self.size), e.dtype)
        for first in range(0, result.shape[1], _TOGETHER):
            x = np.array(e.reshape(result.shape)[:, first : first + _TOGETHER], order="C")
            _solve_upper(self.first, self.row, root, x)
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
        _selected_inverse(self.first, self.row, root, out)
        return out


def storage(size: int, i: Integers, j: Integers) -> DenseMatrices | SparseMatrices:
    """Storage for matrices with entries at (i, j), each pair once or more, in either order."""
    if size <= _DENSE:
        return DenseMatrices(size)
    diagonal = np.arange(size)
    entries = np.concatenate([i, j, diagonal]), np.concatenate([j, i, diagonal])
    pattern = sparse.coo_array((np.ones(entries[0].size), entries), shape=(size, size)).tocsc()
    pattern.setdiag(size)  # values are irrelevant: only the order is needed
    about: dict[str, Any] = {"diag_pivot_thresh": 0.0, "options": {"SymmetricMode": True}}
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
