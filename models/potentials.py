r"""The weighted log-potential of rows for each outcome formula, value and gradients: C functions, compiled once.

A potential reads eta = white - black and lam of each row and the row's data, adds up the log-potential and leaves its
derivatives by eta and lam. It is called through its address, so that one compiled log density (see `inference.engine`)
serves every formula. Where lam is one number for all rows, `each` is 0: it stands first, and so does its derivative.

    half points, Davidson    see `kernel.cell`, which has both; data: wins less losses, all games, draws
    Rao-Kupper               data: losses, draws, wins
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

import numba
import numpy as np
from numba import types

from halfpoint.games.table import Floats
from halfpoint.models.bradley_terry import HALF_POINTS
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.kernel import cell
from halfpoint.models.rao_kupper import RAO_KUPPER
from halfpoint.models.vector import FAST, LIMIT, exponential, kept, plus, wide

VECTOR = types.CPointer(types.double)
SIGNATURE = types.float64(types.int64, types.int64, types.int64, *(VECTOR,) * 5)


def half_points(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up Bradley-Terry's potential: a draw is half a win and half a loss."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(stride + size),))
    value = 0.0
    for k in range(size):
        term, slope, _ = cell(x[k], 0.0, d[np.uint64(k)], d[np.uint64(stride + k)])
        gx[k] = 0.5 * slope
        value = plus(value, term)
    numba.carray(to_lam, (1,))[0] = 0.0
    return 0.5 * value


def davidson(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up Davidson's potential: loss, draw and win."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value = 0.0
    if each == 0:
        one, drawn, games = numba.carray(lam, (1,))[0], 0.0, 0.0
        odds = exponential(min(max(one, -LIMIT), LIMIT))
        for k in range(size):
            term, slope, draws = cell(x[k], odds, d[np.uint64(k)], d[np.uint64(stride + k)])
            gx[k] = 0.5 * slope
            value = plus(value, term)
            drawn = plus(drawn, draws)
        for k in range(size):
            games = plus(games, d[np.uint64(2 * stride + k)])
        numba.carray(to_lam, (1,))[0] = games - drawn
        value += 2.0 * one * games
        if one > LIMIT:
            for k in range(size):
                value -= 2.0 * (one - LIMIT) * d[np.uint64(stride + k)]
        return 0.5 * value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        total, games = d[np.uint64(stride + k)], d[np.uint64(2 * stride + k)]
        near = min(max(y[k], -LIMIT), LIMIT)
        term, slope, draws = cell(x[k], exponential(near), d[np.uint64(k)], total)
        gx[k] = 0.5 * slope
        gy[k] = games - draws
        value = plus(value, term + 2.0 * (y[k] * games - max(y[k] - LIMIT, 0.0) * total))
    return 0.5 * value


def rao_kupper(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up Rao and Kupper's potential: drawn unless ahead by more than a threshold, theta = 1 + e^lam."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    count = np.int64(size) if each else 1
    y, gy = numba.carray(lam, (count,)), numba.carray(to_lam, (count,))
    value, together = 0.0, 0.0
    for k in range(size):
        lost, drawn, won = d[np.uint64(k)], d[np.uint64(stride + k)], d[np.uint64(2 * stride + k)]
        near = min(max(y[np.uint64(k) if each else np.uint64(0)], -LIMIT), LIMIT)
        odds = exponential(near)
        theta, ahead = 1.0 + odds, x[k] >= 0.0
        far = abs(x[k])
        u = exponential(-0.5 * min(far, 2.0 * LIMIT))  # e^(-|eta| / 2): the stronger side is the unit
        high, low = u * u, theta * u * u
        strong, weak = np.log(theta + high), np.log(1.0 + low)  # plus |eta| / 2: denominators of their loss and win
        wins, losses = (won, lost) if ahead else (lost, won)
        value = plus(value, -wins * weak - losses * (far + strong))
        value = plus(value, drawn * (near + np.log(2.0 + odds) - far - weak - strong))
        weak_slope, strong_slope = 0.5 * (1.0 - low) / (1.0 + low), 0.5 * (theta - high) / (theta + high)
        slope = wins * (0.5 - weak_slope) - losses * (0.5 + strong_slope) - drawn * (weak_slope + strong_slope)
        gx[k] = slope if ahead else -slope
        weak_lam, strong_lam = odds * high / (1.0 + low), odds / (theta + high)
        by_lam = drawn * (1.0 + odds / (2.0 + odds) - weak_lam - strong_lam) - wins * weak_lam - losses * strong_lam
        if each:
            gy[k] = by_lam
        else:
            together = plus(together, by_lam)
    if not each:
        gy[0] = together
    return value


def of_scores(weight: Floats) -> Floats:
    """Return what the first two potentials read: wins less losses, games and draws of each row, shape (3, row)."""
    return np.stack([weight[:, 2] - weight[:, 0], weight.sum(axis=1), weight[:, 1]])


def of_outcomes(weight: Floats) -> Floats:
    """Return losses, draws and wins of each row, shape (3, row)."""
    return np.array(weight.T)


@dataclass(frozen=True)
class Potential:
    """Compiled code for an outcome formula.

    Parameters
    ----------
    function : callable
        The potential, for numba.
    data : callable
        Weights (row, outcome) -> what it reads of them, shape (column, row).
    scores : callable
        The formula that it computes; another formula of the same name is compiled for itself.
    """

    function: Callable[..., Any]
    data: Callable[[Floats], Floats]
    scores: Callable[..., Any]


POTENTIALS = {
    "bradley_terry": Potential(half_points, of_scores, HALF_POINTS.scores),
    "davidson": Potential(davidson, of_scores, DAVIDSON.scores),
    "rao_kupper": Potential(rao_kupper, of_outcomes, RAO_KUPPER.scores),
}


@cache
def compiled(name: str) -> Any:
    """Return the compiled potential of an outcome formula of this file, a C function with its address."""
    return kept(partial(numba.cfunc, SIGNATURE, fastmath=FAST, error_model="numpy"), POTENTIALS[name].function)
