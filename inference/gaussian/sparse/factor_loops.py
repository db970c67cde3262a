"""Loops of sparse Cholesky factors by columns: the factor, solutions, and the inverse where the factor has entries."""

from functools import partial

import numba
import numpy as np

from halfpoint.inference.loops.vector_arithmetic import kept

_BUNDLE = 8  # columns from which products of matrices are faster than loops
_loop = partial(kept, partial(numba.njit, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}))


@_loop
def supernodes(first, row):  # type: ignore[no-untyped-def]
    """End of the supernode of each column: consecutive columns, each with the rows of the next and its own."""
    size = first.size - 1
    end = np.arange(1, size + 1)
    for j in range(size - 2, -1, -1):
        count = first[j + 1] - first[j]
        if count > 1 and row[first[j] + 1] == j + 1 and count == first[j + 2] - first[j + 1] + 1:
            end[j] = end[j + 1]
    return end


@_loop
def factorise(first, row, value):  # type: ignore[no-untyped-def]
    """Replace the lower columns of H by the columns of L, in place; a singular H raises `LinAlgError`.

    Each bundle of columns is a dense matrix, from which the contributions of earlier bundles are subtracted (Ng &
    Peyton 1993, SIAM J. Sci. Comput. 14:1034).
    """
    size, end = first.size - 1, supernodes(first, row)
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
def invert_where_stored(first, row, root, out):  # type: ignore[no-untyped-def]
    """Fill `out` with V on the pattern of L, a bundle of columns at a time.

    V21 = -V22 Y,    V11 = (L11 L11')^-1 - Y' V21,    Y = L21 L11^-1       1 the bundle, 2 its rows beyond
    """
    stop, end = first.size - 1, supernodes(first, row)
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
def solve_lower(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace b by L^-1 b."""
    for j in range(first.size - 1):
        b[j] /= root[first[j]]
        for p in range(first[j] + 1, first[j + 1]):
            b[row[p]] -= root[p] * b[j]


@_loop
def solve_upper(first, row, root, b):  # type: ignore[no-untyped-def]
    """Replace each column of b by L^-T times it, a bundle of columns of L at a time."""
    stop, end = first.size - 1, supernodes(first, row)
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
