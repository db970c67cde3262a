"""Loops over the cells of a shard: rows sorted by White, whose entries are White's place, Black's, and seats by kind.

`first` (z + 1,) has the first row of each place of White, `black` (row,) Black's place, `kind` (row,) the kind of seats
(empty if all are alike). A block begins at row `start`; `place`, `second` and others have one column for each row.
"""

import numpy as np

from halfpoint.inference.gaussian.affine_rows import loop


@loop
def sort_by_white(white, size):  # type: ignore[no-untyped-def]
    """First row of each place (size + 1,); `white` is overwritten with the sorted position of each row."""
    first = np.zeros(size + 1, np.int64)
    for place in white:
        first[place + 1] += 1
    for i in range(size):
        first[i + 1] += first[i]
    until = first[:-1].copy()
    for r in range(white.size):
        place = white[r]
        white[r] = until[place]
        until[place] += 1
    return first


@loop
def lay_out(first, black, kind, counts, z, eta, lam, start, place, data):  # type: ignore[no-untyped-def]
    """Write eta and lam of a block, (2, row), and its counts, (3, row); `eta` and `lam` are those of kinds."""
    w = np.searchsorted(first, start, side="right") - 1
    for i in range(place.shape[1]):
        r = start + i
        while r >= first[w + 1]:
            w += 1
        k = kind[r] if kind.size else 0
        place[0, i] = z[w] - z[black[r]] + eta[k]
        place[1, i] = lam[k]
        for j in range(3):
            data[j, i] = counts[j, r]


@loop
def lay_widths(first, black, kind, widths, tilt, cross, of_lam, start, variance):  # type: ignore[no-untyped-def]
    """Write variance of eta, covariance and variance of lam of a block, (3, row)."""
    w = np.searchsorted(first, start, side="right") - 1
    for i in range(variance.shape[1]):
        r = start + i
        while r >= first[w + 1]:
            w += 1
        k = kind[r] if kind.size else 0
        variance[0, i] = widths[r]
        variance[1, i] = tilt[k, w] - tilt[k, black[r]] + cross[k]
        variance[2, i] = of_lam[k]


@loop
def gather(first, black, kind, slope, second, start, sums, shared, upper):  # type: ignore[no-untyped-def]
    """Add slopes (2, row) and information of a block to sums by place and by kind; write `upper`, by row.

    `sums` (z, 2 + 2 kinds): gradient, information about eta, and by kind the signed information about eta, and about
    eta and lam; `shared` (kind, 5): slopes by eta and lam, information ee, el and ll. Curvatures (3, row) are clipped.
    """
    w = np.searchsorted(first, start, side="right") - 1
    for i in range(slope.shape[1]):
        r = start + i
        while r >= first[w + 1]:
            w += 1
        b, k = black[r], kind[r] if kind.size else 0
        ge, ee, el = slope[0, i], max(-second[0, i], 1e-12), -second[1, i]
        at = 2 + 2 * k
        sums[w, 0] += ge
        sums[b, 0] -= ge
        sums[w, 1] += ee
        sums[b, 1] += ee
        sums[w, at] += ee
        sums[b, at] -= ee
        sums[w, at + 1] += el
        sums[b, at + 1] -= el
        shared[k, 0] += ge
        shared[k, 1] += slope[1, i]
        shared[k, 2] += ee
        shared[k, 3] += el
        shared[k, 4] += max(-second[2, i], el * el / ee)
        upper[r] = ee


@loop
def between(first, black, upper, x, product):  # type: ignore[no-untyped-def]
    """Add the information between White and Black of each row, times x, shape (z, column), to `product`."""
    columns = x.shape[1]
    if columns == 1:
        for w in range(first.size - 1):
            white, total = x[w, 0], 0.0
            for r in range(first[w], first[w + 1]):
                b, u = black[r], upper[r]
                total += u * x[b, 0]
                product[b, 0] -= u * white
            product[w, 0] -= total
        return
    whites, sums = np.empty(columns), np.empty(columns)
    for w in range(first.size - 1):
        for c in range(columns):
            whites[c], sums[c] = x[w, c], 0.0
        for r in range(first[w], first[w + 1]):
            b, u = black[r], upper[r]
            for c in range(columns):
                sums[c] += u * x[b, c]
                product[b, c] -= u * whites[c]
        for c in range(columns):
            product[w, c] -= sums[c]


@loop
def widen(first, black, kind, alone, ways, positive, of_kind, of_shared, widths, new):  # type: ignore[no-untyped-def]
    """Write variances of eta into `widths`, (row,), and return their largest change (unless new) and the largest.

    A variance is the sum of `alone` (z,) of both players, `of_shared` (kind,), and squares along `ways` (z, way), moved
    by `of_kind` (kind, way), of which the first `positive` are added and the others subtracted.
    """
    moved = most = 0.0
    for w in range(first.size - 1):
        for r in range(first[w], first[w + 1]):
            b, k = black[r], kind[r] if kind.size else 0
            total = alone[w] + alone[b] + of_shared[k]
            for c in range(positive):
                e = ways[w, c] - ways[b, c] + of_kind[k, c]
                total += e * e
            for c in range(positive, ways.shape[1]):
                e = ways[w, c] - ways[b, c] + of_kind[k, c]
                total -= e * e
            if not new:
                moved = max(moved, abs(total - widths[r]))
            widths[r] = total
            most = max(most, total)
    return moved, most
