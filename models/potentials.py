r"""The weighted log-potential of rows for each outcome formula, value and gradients: C functions, compiled once.

A potential reads eta = white - black and lam of each row and the row's data, adds up the log-potential and leaves its
derivatives by eta and lam. It is called through its address, so that one compiled log density (see `inference.engine`)
serves every formula. Where lam is one number for all rows, `each` is 0: it stands first, and so does its derivative.

    half points, Davidson    see `kernel.cell`, which has both; data: wins less losses, all games, draws
    Rao-Kupper               data: losses, draws, wins
    draw curve               see `models.draw_curve`; data as Davidson's, whose cell it shares
"""

import math
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
from halfpoint.models.draw_curve import DRAW_CURVE, FAR
from halfpoint.models.kernel import HALF_ROOT_BITS, L3, L5, L7, L9, L11, L13, LOG2, TWO_52, TWO_52_BITS, cell
from halfpoint.models.margin import DEGREES, LOG_NORMAL, LOG_T, MARGIN_NORMAL, MARGIN_T
from halfpoint.models.rao_kupper import RAO_KUPPER
from halfpoint.models.vector import (
    FAST,
    LIMIT,
    MANTISSA,
    bits,
    double,
    exponential,
    kept,
    plus,
    vectorised,
    wide,
)

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


@vectorised
def log_one_and(f: float) -> Any:
    """Return log(1 + f) for f >= 0; see `kernel.cell`, whose logarithm this is."""
    z = 1.0 + f
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    g = f if power == 0 else double(bits(z) - (power << MANTISSA)) - 1.0
    t = g / (2.0 + g)
    q = t * t
    artanh = t * (2.0 + q * (L3 + q * (L5 + q * (L7 + q * (L9 + q * (L11 + q * L13))))))
    return (double(power | TWO_52_BITS) - TWO_52) * LOG2 + artanh


@vectorised
def rao_kupper_row(eta: float, lam: float, lost: float, drawn: float, won: float) -> Any:
    """Return value, derivative by eta and derivative by lam of one row; theta = 1 + e^lam."""
    over, odds = max(lam - LIMIT, 0.0), exponential(min(max(lam, -LIMIT), LIMIT))
    theta, ahead, far = 1.0 + odds, eta >= 0.0, abs(eta)
    # e^(-|eta| / 2), the stronger side is the unit; beyond LIMIT theta e^(-|eta|) is kept by what lam and |eta| share
    u = exponential(-0.5 * min(max(far - over, 0.0), 2.0 * LIMIT))
    high, low = u * u, theta * u * u
    # plus |eta| / 2: denominators of their loss and win
    strong, weak = log_one_and(odds + high) + over, log_one_and(low) + max(over - far, 0.0)
    wins, losses = (won if ahead else lost), (lost if ahead else won)
    value = drawn * (lam + over + log_one_and(theta) - far - weak - strong) - wins * weak - losses * (far + strong)
    weak_slope, strong_slope = 0.5 * (1.0 - low) / (1.0 + low), 0.5 * (theta - high) / (theta + high)
    slope = wins * (0.5 - weak_slope) - losses * (0.5 + strong_slope) - drawn * (weak_slope + strong_slope)
    weak_lam, strong_lam = odds * high / (1.0 + low), odds / (theta + high)
    by_lam = drawn * (1.0 + odds / (2.0 + odds) - weak_lam - strong_lam) - wins * weak_lam - losses * strong_lam
    return value, (slope if ahead else -slope), by_lam


def rao_kupper(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up Rao and Kupper's potential: drawn unless ahead by more than a threshold, theta = 1 + e^lam."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value = 0.0
    if each == 0:  # a loop of its own: where one loop serves both, arrays that lie near in memory change its rounding
        one, together = numba.carray(lam, (1,))[0], 0.0
        for k in range(size):
            here, drawn = np.uint64(k), np.uint64(stride + k)
            term, gx[k], by_lam = rao_kupper_row(x[k], one, d[here], d[drawn], d[np.uint64(2 * stride + k)])
            value = plus(value, term)
            together = plus(together, by_lam)
        numba.carray(to_lam, (1,))[0] = together
        return value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        here, drawn = np.uint64(k), np.uint64(stride + k)
        term, gx[k], gy[k] = rao_kupper_row(x[k], y[k], d[here], d[drawn], d[np.uint64(2 * stride + k)])
        value = plus(value, term)
    return value


@vectorised
def draw_curve_row(eta: float, lam: float, surplus: float, total: float, drawn: float) -> Any:
    """Return twice the value, and the derivatives by eta and by lam of one row."""
    half, near = min(max(0.5 * eta, -FAR), FAR), min(max(lam, -FAR), FAR)
    up, q = exponential(half), 0.5 * exponential(near)
    down = 1.0 / up
    x, y = 0.5 * q * (up - down), 0.5 * q * (up + down)  # q sinh(u / 2) and q cosh(u / 2)
    size = abs(x)
    r = math.sqrt(1.0 + x * x)
    bend = log_one_and(size + x * x / (1.0 + r))
    odds = exponential(min(max(lam, -LIMIT), LIMIT))
    term, slope, draws = cell(eta + 2.0 * (bend if x >= 0.0 else -bend), odds, surplus, total)
    by_eta = 0.5 * slope * (1.0 + (y / r if half == 0.5 * eta else 0.0))
    by_lam = drawn - draws + (slope * x / r if near == lam else 0.0)
    return term + 2.0 * (lam * drawn - max(lam - LIMIT, 0.0) * total), by_eta, by_lam


def draw_curve(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up the potential of draws that keep the expected score: loss, draw and win."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value = 0.0
    if each == 0:
        one, together = numba.carray(lam, (1,))[0], 0.0
        for k in range(size):
            total, drawn = d[np.uint64(stride + k)], d[np.uint64(2 * stride + k)]
            term, gx[k], by_lam = draw_curve_row(x[k], one, d[np.uint64(k)], total, drawn)
            value = plus(value, term)
            together = plus(together, by_lam)
        numba.carray(to_lam, (1,))[0] = together
        return 0.5 * value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        total, drawn = d[np.uint64(stride + k)], d[np.uint64(2 * stride + k)]
        term, gx[k], gy[k] = draw_curve_row(x[k], y[k], d[np.uint64(k)], total, drawn)
        value = plus(value, term)
    return 0.5 * value


@vectorised
def margin_normal_row(eta: float, lam: float, margin: float, weight: float) -> Any:
    """Return value, derivative by eta and derivative by lam of one normal margin."""
    inverse = exponential(min(max(-lam, -LIMIT), LIMIT))
    z = (margin - eta) * inverse
    return weight * (LOG_NORMAL - lam - 0.5 * z * z), weight * z * inverse, weight * (z * z - 1.0)


def margin_normal(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up the log density of normal margins."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value = 0.0
    if each == 0:  # a loop of its own, as in `rao_kupper`
        one, together = numba.carray(lam, (1,))[0], 0.0
        for k in range(size):
            term, gx[k], by_lam = margin_normal_row(x[k], one, d[np.uint64(k)], d[np.uint64(stride + k)])
            value = plus(value, term)
            together = plus(together, by_lam)
        numba.carray(to_lam, (1,))[0] = together
        return value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        term, gx[k], gy[k] = margin_normal_row(x[k], y[k], d[np.uint64(k)], d[np.uint64(stride + k)])
        value = plus(value, term)
    return value


@vectorised
def margin_t_row(eta: float, lam: float, margin: float, weight: float) -> Any:
    """Return value, derivative by eta and derivative by lam of one margin with a t of four degrees of freedom."""
    inverse = exponential(min(max(-lam, -LIMIT), LIMIT))
    z = (margin - eta) * inverse
    square = z * z
    share = (DEGREES + 1.0) * z / (DEGREES + square)
    value = LOG_T - lam - 0.5 * (DEGREES + 1.0) * log_one_and(square / DEGREES)
    return weight * value, weight * share * inverse, weight * (share * z - 1.0)


def margin_t(size, stride, each, eta, lam, data, to_eta, to_lam):  # type: ignore[no-untyped-def]
    """Add up the log density of margins with a t of four degrees of freedom."""
    wide()
    shape = (np.int64(size),)
    x, gx, d = numba.carray(eta, shape), numba.carray(to_eta, shape), numba.carray(data, (np.int64(2 * stride + size),))
    value = 0.0
    if each == 0:  # a loop of its own, as in `rao_kupper`
        one, together = numba.carray(lam, (1,))[0], 0.0
        for k in range(size):
            term, gx[k], by_lam = margin_t_row(x[k], one, d[np.uint64(k)], d[np.uint64(stride + k)])
            value = plus(value, term)
            together = plus(together, by_lam)
        numba.carray(to_lam, (1,))[0] = together
        return value
    y, gy = numba.carray(lam, shape), numba.carray(to_lam, shape)
    for k in range(size):
        term, gx[k], gy[k] = margin_t_row(x[k], y[k], d[np.uint64(k)], d[np.uint64(stride + k)])
        value = plus(value, term)
    return value


def of_margins(weight: Floats, margin: Floats | None = None) -> Floats:
    """Return what densities of margins read: shape (3, row): margin, weight, nothing."""
    assert margin is not None
    return np.stack([margin, weight.sum(axis=1), np.zeros(margin.size)])


def of_scores(weight: Floats, margin: Floats | None = None) -> Floats:
    """Return what half points, Davidson and the draw curve read: shape (3, row): surplus of wins, games, draws."""
    return np.stack([weight[:, 2] - weight[:, 0], weight.sum(axis=1), weight[:, 1]])


def of_outcomes(weight: Floats, margin: Floats | None = None) -> Floats:
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
        Weights (row, outcome) and margins, where there are some -> what it reads of them, shape (column, row).
    scores : callable
        The formula that it computes; another formula of the same name is compiled for itself.
    """

    function: Callable[..., Any]
    data: Callable[[Floats, Floats | None], Floats]
    scores: Callable[..., Any]


POTENTIALS = {
    "bradley_terry": Potential(half_points, of_scores, HALF_POINTS.scores),
    "davidson": Potential(davidson, of_scores, DAVIDSON.scores),
    "rao_kupper": Potential(rao_kupper, of_outcomes, RAO_KUPPER.scores),
    "draw_curve": Potential(draw_curve, of_scores, DRAW_CURVE.scores),
    "margin_normal": Potential(margin_normal, of_margins, MARGIN_NORMAL.scores),
    "margin_t": Potential(margin_t, of_margins, MARGIN_T.scores),
}


@cache
def compiled(name: str) -> Any:
    """Return the compiled potential of an outcome formula of this file, a C function with its address."""
    return kept(partial(numba.cfunc, SIGNATURE, fastmath=FAST, error_model="numpy"), POTENTIALS[name].function)
