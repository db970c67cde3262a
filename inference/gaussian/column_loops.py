"""Loops of `noncentred` over eight columns, the last index of arrays; a row of one is a vector (`rows_of_eight`)."""

from functools import partial
from pathlib import Path

import numba
import numpy as np

from halfpoint.inference.loops import rows_of_eight
from halfpoint.inference.loops.engine import call_potential
from halfpoint.inference.loops.rows_of_eight import COLUMNS, equal_numbers, put, row
from halfpoint.inference.loops.vector_arithmetic import kept

_BLOCK = 1000  # rows whose eta and lam are held at a time; with a power of two they share the places of a cache
_compiled = partial(numba.njit, error_model="numpy", fastmath={"contract", "reassoc", "nsz"})
_loop = partial(kept, _compiled, further=(Path(rows_of_eight.__file__),))


@_loop
def solve_columns(first, rows, value, b):  # type: ignore[no-untyped-def]
    """Replace b (size, column) by M^-1 b; M is lower triangular by columns, each with its diagonal first."""
    for j in range(first.size - 1):
        x = (1.0 / value[first[j]]) * row(b, j)
        put(b, j, x)
        for p in range(first[j] + 1, first[j + 1]):
            put(b, rows[p], row(b, rows[p]) - value[p] * x)


@_loop
def solve_transposed(first, rows, value, b):  # type: ignore[no-untyped-def]
    """Replace b (size, column) by M^-T b; M as in `solve_columns`."""
    for j in range(first.size - 2, -1, -1):
        total = row(b, j)
        for p in range(first[j] + 1, first[j + 1]):
            total = total - value[p] * row(b, rows[p])
        put(b, j, (1.0 / value[first[j]]) * total)


@_loop
def turn(q, p, cosine, sine):  # type: ignore[no-untyped-def]
    """Rotate q and p (number, column) by an angle of each column, (1, column) each; returns q and changes p."""
    turned, along, across = np.empty(q.shape), row(cosine, 0), row(sine, 0)
    for i in range(q.shape[0]):
        x, y = row(q, i), row(p, i)
        put(turned, i, x * along + y * across)
        put(p, i, y * along - x * across)
    return turned


@_loop
def kick(p, slope, q, step):  # type: ignore[no-untyped-def]
    """Add step (1, column) times slope + q to p, all (number, column)."""
    length = row(step, 0)
    for i in range(p.shape[0]):
        put(p, i, row(p, i) + length * (row(slope, i) + row(q, i)))


@_loop
def linear(slopes, numbers):  # type: ignore[no-untyped-def]
    """Sums over a few numbers (number, column) with slopes (z, number), shape (z, column)."""
    sums = np.empty((slopes.shape[0], COLUMNS))
    for i in range(slopes.shape[0]):
        total = equal_numbers(0.0)
        for k in range(slopes.shape[1]):
            total = total + slopes[i, k] * row(numbers, k)
        put(sums, i, total)
    return sums


@_loop
def pull_back(of_noise, e, width, follow, shrink):  # type: ignore[no-untyped-def]
    """Slopes by what centres follow and by the logarithms of widths, (theta, column) each; `of_noise` by noise before.

    Noise is e times its width and what centres follow, (z, column).
    """
    by_bend, by_logs = np.zeros((follow.shape[1], COLUMNS)), np.zeros((follow.shape[1], COLUMNS))
    for i in range(of_noise.shape[0]):
        x = row(of_noise, i)
        wide = x * row(width, i)
        put(of_noise, i, wide)
        y = row(e, i) * wide
        for k in range(follow.shape[1]):
            put(by_bend, k, row(by_bend, k) + follow[i, k] * x)
            put(by_logs, k, row(by_logs, k) - shrink[i, k] * y)
    return by_bend, by_logs


@_loop
def put_sums(sums, start, stop, v, out):  # type: ignore[no-untyped-def]
    """Write the sums of rows from `start` to before `stop` at values v to `out` (column, row)."""
    first, column, slope = sums
    here = np.empty((1, COLUMNS))
    for r in range(start, stop):
        x = equal_numbers(0.0)
        for p in range(first[r], first[r + 1]):
            x = x + slope[p] * row(v, column[p])
        put(here, 0, x)
        for c in range(COLUMNS):
            out[c, r - start] = here[0, c]


@_loop
def add_slopes(sums, start, stop, by_sum, gradient):  # type: ignore[no-untyped-def]
    """Add the slopes of rows to a gradient (number, column); `by_sum` are derivatives by their sums (column, row)."""
    first, column, slope = sums
    here = np.empty((1, COLUMNS))
    for r in range(start, stop):
        for c in range(COLUMNS):
            here[0, c] = by_sum[c, r - start]
        x = row(here, 0)
        for p in range(first[r], first[r + 1]):
            put(gradient, column[p], row(gradient, column[p]) + slope[p] * x)


@_loop
def add_rows(address, data, sums, pairs, v, slope, value):  # type: ignore[no-untyped-def]
    """Add the log likelihood at values v (number, column) to `value` (column,) and its gradient to `slope`.

    `sums` are those of eta and of lam by row; a single sum of lam is that of all rows.
    """
    of_eta, of_lam = sums
    of, part, coefficient, left, right = pairs
    count, begin, by_row = of_eta[0].size - 1, 0, 1 if of_lam[0].size == of_eta[0].size else 0
    size = min(count, _BLOCK)
    eta, lam, by_eta, by_lam = np.empty((4, COLUMNS, size))
    together = np.zeros((COLUMNS, 1))
    if by_row == 0:
        put_sums(of_lam, 0, 1, v, lam)
    for start in range(0, count, size):
        stop = min(start + size, count)
        put_sums(of_eta, start, stop, v, eta)
        if by_row == 1:
            put_sums(of_lam, start, stop, v, lam)
        end = begin
        while end < of.size and of[end] < stop:
            out, i, j, share = lam if part[end] else eta, left[end], right[end], coefficient[end]
            for c in range(COLUMNS):
                out[c, of[end] - start] += share * v[i, c] * v[j, c]
            end += 1
        for c in range(COLUMNS):
            by_lam[c, : stop - start] = 0.0
            value[c] += call_potential(
                address, stop - start, count, by_row,
                eta[c].ctypes, lam[c].ctypes, data[start:].ctypes, by_eta[c].ctypes, by_lam[c].ctypes,
            )  # fmt: skip
            together[c, 0] += by_lam[c, 0]
        add_slopes(of_eta, start, stop, by_eta, slope)
        if by_row == 1:
            add_slopes(of_lam, start, stop, by_lam, slope)
        for p in range(begin, end):
            by, i, j, share = by_lam if part[p] else by_eta, left[p], right[p], coefficient[p]
            for c in range(COLUMNS):
                slope[i, c] += share * v[j, c] * by[c, of[p] - start]
                slope[j, c] += share * v[i, c] * by[c, of[p] - start]
        begin = end
    if by_row == 0:
        add_slopes(of_lam, 0, 1, together, slope)


@_loop
def at_columns(address, data, e, factor, prior, solver, sums, pairs, spread, rho, mean, v):  # type: ignore[no-untyped-def]
    """Values (column,) and their derivatives by e, values, solved sums and ratios rho, at noise e and thetas in v.

    The first numbers of v (number, column) are z, which is filled in; e is overwritten.
    """
    (first, rows, root, rank, centre), (start, column, share, weight, hat, alone) = factor, prior
    (low, low_row, low_value), (high, high_row, high_value), to, back = solver
    n, value = centre.size, np.zeros(COLUMNS)
    shape = n, COLUMNS
    moved, t, work, residual = np.empty(shape), np.empty(shape), np.empty(shape), np.empty(shape)
    solve_transposed(first, rows, root, e)
    for i in range(n):
        put(moved, i, equal_numbers(centre[i]) + row(e, rank[i]))
    squares, turned = np.zeros((1, COLUMNS)), e
    for r in range(n):
        total = equal_numbers(-hat[r])
        for p in range(start[r], start[r + 1]):
            total = total + share[p] * row(moved, column[p])
        put(residual, r, total)
        put(squares, 0, row(squares, 0) - (0.5 * weight[r]) * (total * total))
        put(t, r, row(moved, alone[r]) if alone[r] >= 0 else total)
        put(work, to[r], row(rho, spread[r]) * row(t, r) + row(mean, r))
    value += squares[0]
    solve_columns(low, low_row, low_value, work)
    for r in range(n):
        put(turned, n - 1 - r, row(work, r))
    solve_columns(high, high_row, high_value, turned)
    for i in range(n):
        put(v, i, row(turned, back[i]))
    slope, of_rho, of_noise = np.zeros(v.shape), np.zeros(rho.shape), moved  # its values are not read again
    add_rows(address, data, sums, pairs, v, slope, value)
    for i in range(n):
        put(turned, back[i], row(slope, i))
    solve_transposed(high, high_row, high_value, turned)
    for r in range(n):
        put(work, r, row(turned, n - 1 - r))
    solve_transposed(low, low_row, low_value, work)
    of_noise[:] = 0.0
    for r in range(n):
        k, number, here = spread[r], alone[r], row(work, to[r])
        put(of_rho, k, row(of_rho, k) + here * row(t, r))
        put(t, r, here)
        x, y = row(rho, k) * here, -weight[r] * row(residual, r)
        if number >= 0:
            put(of_noise, rank[number], row(of_noise, rank[number]) + x)
        else:
            y = y + x
        for p in range(start[r], start[r + 1]):
            place = rank[column[p]]
            put(of_noise, place, row(of_noise, place) + share[p] * y)
    solve_columns(first, rows, root, of_noise)
    return value, of_noise, slope[n:], t, of_rho
