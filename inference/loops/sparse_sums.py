"""Sparse sums of parameters over rows and over seats, and the gradient back: compiled loops of the engine.

A column adds slope times a value, or times a product of two, to every row (see `models.reading.sparse_affine`); a
player's contribution to White's or Black's seat is summed once per seat and added to rows in runs of one White, and of
one Black if many rows have the same Black.
"""

import numpy as np

from halfpoint.inference.loops.vector_arithmetic import plus, vectorise
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.models.reading.sparse_affine import PRODUCT, UNIFORM, UNIFORM_PRODUCT


@vectorise
def add_columns(
    entry: int, of_kind: int, rows: int, columns: int, first: int, count: int,
    index: Codes, partner: Codes, slope: Floats, kind: Integers, v: Floats, out: Floats,
) -> None:  # fmt: skip
    """Add the columns of `count` rows from `first` of a table to `out`, by the starts of its entries and kinds."""
    for c in range(columns):
        base, of = entry + c * rows + first, kind[of_kind + c]
        if of in (UNIFORM, UNIFORM_PRODUCT):
            value = v[index[base]]
            if of == UNIFORM_PRODUCT:
                value *= v[partner[base]]
            for k in range(count):
                out[k] += slope[np.uint64(base + k)] * value
        elif of == PRODUCT:
            for k in range(count):
                place = np.uint64(base + k)
                out[k] += slope[place] * v[np.uint32(index[place])] * v[np.uint32(partner[place])]
        else:
            for k in range(count):
                place = np.uint64(base + k)
                out[k] += slope[place] * v[np.uint32(index[place])]


@vectorise
def take_columns(
    entry: int, of_kind: int, rows: int, columns: int, first: int, count: int,
    index: Codes, partner: Codes, slope: Floats, kind: Integers, v: Floats, g: Floats, gv: Floats,
) -> None:  # fmt: skip
    """Add the gradient `g` of `count` rows from `first`, through their columns, to the gradient by values."""
    for c in range(columns):
        base, of = entry + c * rows + first, kind[of_kind + c]
        if of in (UNIFORM, UNIFORM_PRODUCT):
            total = 0.0
            for k in range(count):
                total = plus(total, slope[np.uint64(base + k)] * g[k])
            if of == UNIFORM:
                gv[index[base]] += total
            else:
                gv[index[base]] += total * v[partner[base]]
                gv[partner[base]] += total * v[index[base]]
        elif of == PRODUCT:
            for k in range(count):
                place = np.uint64(base + k)
                i, j = np.uint32(index[place]), np.uint32(partner[place])
                share = slope[place] * g[k]
                gv[i] += share * v[j]
                gv[j] += share * v[i]
        else:
            for k in range(count):
                place = np.uint64(base + k)
                gv[np.uint32(index[place])] += slope[place] * g[k]


@vectorise
def add_seats_by_runs(
    runs: Integers, head: int, first: int, stop: int, black: Codes, white_seat: Floats, black_seat: Floats, out: Floats
) -> int:
    """Add the contribution of the seats to the rows from `first` to `stop`; return the run with `stop`."""
    run = head
    while runs[3 * run] < stop:
        begin, end = max(runs[3 * run], first), min(runs[3 * run + 3], stop)
        base = white_seat[runs[3 * run + 1]]
        if runs[3 * run + 2] < 0:
            for c in range(begin, end):
                out[np.uint64(c - first)] += base + black_seat[np.uint32(black[np.uint64(c)])]
        else:
            base += black_seat[runs[3 * run + 2]]
            for c in range(begin, end):
                out[np.uint64(c - first)] += base
        run += 1
    return max(run - 1, head)


@vectorise
def add_gradient_by_seats(
    runs: Integers, head: int, first: int, stop: int, black: Codes, g: Floats, to_white: Floats, to_black: Floats
) -> None:
    """Add the gradient of the rows from `first` to `stop` to the gradient by their seats."""
    run = head
    while runs[3 * run] < stop:
        begin, end = max(runs[3 * run], first), min(runs[3 * run + 3], stop)
        total = 0.0
        for k in range(begin - first, end - first):
            total = plus(total, g[np.uint64(k)])
        to_white[runs[3 * run + 1]] += total
        if runs[3 * run + 2] < 0:
            for c in range(begin, end):
                to_black[np.uint32(black[np.uint64(c)])] += g[np.uint64(c - first)]
        else:
            to_black[runs[3 * run + 2]] += total
        run += 1
