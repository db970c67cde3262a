"""Loops of `noncentred` over eight columns, the innermost index of arrays, so that solves and sums are vectorised."""

from functools import partial

import numba
import numpy as np

from halfpoint.inference.loops.engine import call_potential
from halfpoint.inference.loops.vector_arithmetic import kept

COLUMNS = 8
_BLOCK = 1000  # rows whose eta and lam are held at a time; with a power of two they share the places of a cache
_loop = partial(kept, partial(numba.njit, error_model="numpy", fastmath={"contract", "reassoc", "nsz"}))


@_loop
def solve_columns(first, row, value, b):  # type: ignore[no-untyped-def]
    """Replace b (size, column) by M^-1 b; M is lower triangular by columns, each with its diagonal first."""
    for j in range(first.size - 1):
        scale = 1.0 / value[first[j]]
        for c in range(COLUMNS):
            b[j, c] *= scale
        for p in range(first[j] + 1, first[j + 1]):
            k, share = row[p], value[p]
            for c in range(COLUMNS):
                b[k, c] -= share * b[j, c]


@_loop
def solve_transposed(first, row, value, b):  # type: ignore[no-untyped-def]
    """Replace b (size, column) by M^-T b; M as in `solve_columns`."""
    total = np.empty(COLUMNS)
    for j in range(first.size - 2, -1, -1):
        for c in range(COLUMNS):
            total[c] = b[j, c]
        for p in range(first[j] + 1, first[j + 1]):
            k, share = row[p], value[p]
            for c in range(COLUMNS):
                total[c] -= share * b[k, c]
        scale = 1.0 / value[first[j]]
        for c in range(COLUMNS):
            b[j, c] = total[c] * scale


@_loop
def turn(q, p, cosine, sine):  # type: ignore[no-untyped-def]
    """Rotate q and p (number, column) by an angle of each column; returns q and changes p."""
    turned = np.empty(q.shape)
    for i in range(q.shape[0]):
        for c in range(COLUMNS):
            turned[i, c] = q[i, c] * cosine[c] + p[i, c] * sine[c]
            p[i, c] = p[i, c] * cosine[c] - q[i, c] * sine[c]
    return turned


@_loop
def kick(p, slope, q, step):  # type: ignore[no-untyped-def]
    """Add step (column,) times slope + q to p, all (number, column)."""
    for i in range(p.shape[0]):
        for c in range(COLUMNS):
            p[i, c] += step[c] * (slope[i, c] + q[i, c])


@_loop
def linear(slopes, numbers):  # type: ignore[no-untyped-def]
    """Sums over a few numbers (number, column) with slopes (z, number), shape (z, column)."""
    total = np.zeros((slopes.shape[0], COLUMNS))
    for i in range(slopes.shape[0]):
        for k in range(slopes.shape[1]):
            for c in range(COLUMNS):
                total[i, c] += slopes[i, k] * numbers[k, c]
    return total


@_loop
def pull_back(of_noise, e, width, follow, shrink):  # type: ignore[no-untyped-def]
    """Slopes by what centres follow and by the logarithms of widths, (theta, column) each; `of_noise` by noise before.

    Noise is e times its width and what centres follow, (z, column).
    """
    by_bend, by_logs = np.zeros((2, follow.shape[1], COLUMNS))
    for i in range(of_noise.shape[0]):
        for k in range(follow.shape[1]):
            for c in range(COLUMNS):
                by_bend[k, c] += follow[i, k] * of_noise[i, c]
        for c in range(COLUMNS):
            of_noise[i, c] *= width[i, c]
        for k in range(follow.shape[1]):
            for c in range(COLUMNS):
                by_logs[k, c] -= shrink[i, k] * e[i, c] * of_noise[i, c]
    return by_bend, by_logs


@_loop
def add_rows(address, data, entries, pairs, place, v, slope, value):  # type: ignore[no-untyped-def]
    """Add the log likelihood at values v (number, column) to `value` (column,) and its gradient to `slope`."""
    first, column, a, b = entries
    row, part, coefficient, left, right = pairs
    count, begin = first.size - 1, 0
    size = min(count, _BLOCK)
    eta, lam, by_eta, by_lam = np.empty((4, COLUMNS, size))
    x, y = np.empty(COLUMNS), np.empty(COLUMNS)
    for start in range(0, count, size):
        stop = min(start + size, count)
        for r in range(start, stop):
            for c in range(COLUMNS):
                x[c] = place[0, r]
                y[c] = place[1, r]
            for p in range(first[r], first[r + 1]):
                k, of_eta, of_lam = column[p], a[p], b[p]
                for c in range(COLUMNS):
                    x[c] += of_eta * v[k, c]
                if of_lam != 0.0:
                    for c in range(COLUMNS):
                        y[c] += of_lam * v[k, c]
            for c in range(COLUMNS):
                eta[c, r - start] = x[c]
                lam[c, r - start] = y[c]
        end = begin
        while end < row.size and row[end] < stop:
            out, i, j, share = lam if part[end] else eta, left[end], right[end], coefficient[end]
            for c in range(COLUMNS):
                out[c, row[end] - start] += share * v[i, c] * v[j, c]
            end += 1
        for c in range(COLUMNS):
            by_lam[c, : stop - start] = 0.0
            value[c] += call_potential(
                address, stop - start, count, 1,
                eta[c].ctypes, lam[c].ctypes, data[start:].ctypes, by_eta[c].ctypes, by_lam[c].ctypes,
            )  # fmt: skip
        for r in range(start, stop):
            for c in range(COLUMNS):
                x[c] = by_eta[c, r - start]
                y[c] = by_lam[c, r - start]
            for p in range(first[r], first[r + 1]):
                k, of_eta, of_lam = column[p], a[p], b[p]
                for c in range(COLUMNS):
                    slope[k, c] += of_eta * x[c]
                if of_lam != 0.0:
                    for c in range(COLUMNS):
                        slope[k, c] += of_lam * y[c]
        for p in range(begin, end):
            of, i, j, share = by_lam if part[p] else by_eta, left[p], right[p], coefficient[p]
            for c in range(COLUMNS):
                slope[i, c] += share * v[j, c] * of[c, row[p] - start]
                slope[j, c] += share * v[i, c] * of[c, row[p] - start]
        begin = end


@_loop
def at_columns(address, data, e, factor, prior, solver, entries, pairs, place, spread, rho, mean, v):  # type: ignore[no-untyped-def]
    """Value (column,), slopes by e, by values, by the solved sums and by ratios rho, at noise e and thetas in v.

    The first numbers of v (number, column) are z, which is filled in.
    """
    (first, row, root, rank, centre), (start, column, share, weight, hat, alone) = factor, prior
    (low, low_row, low_value), (high, high_row, high_value), to, back = solver
    n, value = centre.size, np.zeros(COLUMNS)
    white, moved, t = e.copy(), np.empty((n, COLUMNS)), np.empty((n, COLUMNS))
    solve_transposed(first, row, root, white)
    for i in range(n):
        for c in range(COLUMNS):
            moved[i, c] = centre[i] + white[rank[i], c]
    residual, work, turned = np.empty((n, COLUMNS)), np.empty((n, COLUMNS)), np.empty((n, COLUMNS))
    for r in range(n):
        for c in range(COLUMNS):
            residual[r, c] = -hat[r]
        for p in range(start[r], start[r + 1]):
            k, by = column[p], share[p]
            for c in range(COLUMNS):
                residual[r, c] += by * moved[k, c]
        for c in range(COLUMNS):
            value[c] -= 0.5 * weight[r] * residual[r, c] * residual[r, c]
            t[r, c] = moved[alone[r], c] if alone[r] >= 0 else residual[r, c]
            work[to[r], c] = rho[spread[r], c] * t[r, c] + mean[r, c]
    solve_columns(low, low_row, low_value, work)
    for r in range(n):
        turned[n - 1 - r] = work[r]
    solve_columns(high, high_row, high_value, turned)
    for i in range(n):
        v[i] = turned[back[i]]
    slope, of_rho, of_noise = np.zeros(v.shape), np.zeros(rho.shape), np.zeros((n, COLUMNS))
    add_rows(address, data, entries, pairs, place, v, slope, value)
    for i in range(n):
        turned[back[i]] = slope[i]
    solve_transposed(high, high_row, high_value, turned)
    for r in range(n):
        work[r] = turned[n - 1 - r]
    solve_transposed(low, low_row, low_value, work)
    by_sums, x, y = np.empty((n, COLUMNS)), np.empty(COLUMNS), np.empty(COLUMNS)
    for r in range(n):
        k, number = spread[r], alone[r]
        for c in range(COLUMNS):
            by_sums[r, c] = work[to[r], c]
            of_rho[k, c] += by_sums[r, c] * t[r, c]
            x[c] = rho[k, c] * by_sums[r, c]
            y[c] = -weight[r] * residual[r, c] + (0.0 if number >= 0 else x[c])
        if number >= 0:
            for c in range(COLUMNS):
                of_noise[rank[number], c] += x[c]
        for p in range(start[r], start[r + 1]):
            k, by = rank[column[p]], share[p]
            for c in range(COLUMNS):
                of_noise[k, c] += by * y[c]
    solve_columns(first, row, root, of_noise)
    return value, of_noise, slope[n:], by_sums, of_rho
