r"""The weighted log-potential of merged games, value and gradient in one pass: numba on arrays, no PyMC.

With eta = white - black the difference of the two seats of a cell (natural units, anchor included), lam the draw
parameter and W_l, W_d, W_w the summed weights of its losses, draws and wins for White, Davidson's cell contributes

    (W_w - W_l) eta / 2 + W_d lam - (W_l + W_d + W_w) log(e^(eta/2) + e^(-eta/2) + e^lam).

At e^lam = 0, and without the term W_d lam, this is Bradley-Terry's half-point likelihood: a draw counts in the total
and moves no weight to either side. One kernel therefore serves both families; the caller adds lam * sum(W_d).

With u = e^(-|eta|/2), s the sign of eta, n the total weight and M = W_w - W_l, it is computed without cancellation as

    f = u^2 + e^lam u,   value = -(n - s M) |eta| / 2 - n log(1 + f),
    d value / d eta = (s / 2) (n (f + u^2) / (1 + f) - (n - s M)),   d value / d lam = -n e^lam u / (1 + f):

one exponential and one logarithm a cell, both polynomials that the compiler turns into vector instructions. Nothing
overflows: beyond 700, |eta|/2 and lam count as 700 where they are exponents.

Davidson (1970) JASA 65:317. The exponential reduces its argument by multiples of log 2 (Cody & Waite 1980); the
logarithm is 2 artanh(g / (2 + g)) as a series (Abramowitz & Stegun 1964, 4.1.29 and 4.6.22).
"""

import hashlib
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numba
import numpy as np
import numpy.typing as npt
from numba.extending import intrinsic

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32] | npt.NDArray[np.int64]

VERSION = int(hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:12], 16)
FAST = {"contract", "nsz", "arcp"}  # with error_model="numpy": a check for division by zero keeps a loop scalar
VARYING = -2  # Black of a run of cells with many Blacks
BLOCK = 1024  # cells whose slopes stay in the first-level cache
LIMIT = 700.0
LOG2_HIGH, LOG2_LOW = 6.93147180369123816490e-01, 1.90821492927058770002e-10  # sum to log 2; the first ends in zeros
ROUND = 1.5 * 2.0**52  # adding it leaves the nearest integer in the low bits
TWO_52, TWO_52_BITS = 2.0**52, np.int64(0x4330000000000000)
HALF_ROOT_BITS = np.int64(0x3FE6A09E667F3BCD)  # sqrt(1/2)
MANTISSA, BIAS = np.int64(52), np.int64(1023)
E2, E3, E4, E5, E6, E7, E8, E9, E10, E11, E12 = (1.0 / math.factorial(power) for power in range(2, 13))
L3, L5, L7, L9, L11, L13, L15, L17, L19 = (2.0 / power for power in range(3, 20, 2))


def vectorised[Function: Callable[..., Any]](function: Function) -> Function:
    """Compile for use inside a loop; no `reassoc`, which would break the arithmetic on bits."""
    return cast(Function, numba.njit(fastmath=FAST, error_model="numpy", forceinline=True)(function))


def stamped[Function: Callable[..., Any]](function: Function) -> Function:
    """Name a function after this file's version: numba's disk cache does not see that inlined code has changed."""
    function.__qualname__ += f"_{VERSION:x}"
    return function


def compiled[Function: Callable[..., Any]](function: Function) -> Function:
    """Compile for use from Python, cached on disk."""
    return cast(Function, numba.njit(fastmath=FAST, error_model="numpy", cache=True)(stamped(function)))


def _bitcast(origin: Any, goal: Any) -> Any:
    def declare(context: Any, value: Any) -> Any:
        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.bitcast(arguments[0], target.get_value_type(goal))

        return goal(origin), generate

    return declare


bits: Any = intrinsic(_bitcast(numba.types.float64, numba.types.int64))
double: Any = intrinsic(_bitcast(numba.types.int64, numba.types.float64))


def _plus(context: Any, left: Any, right: Any) -> Any:
    """Return left + right, an addition whose order is free, so that a sum over cells becomes a sum of vectors."""

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.fadd(*arguments, flags=("reassoc", "nsz", "contract"))

    return numba.types.float64(numba.types.float64, numba.types.float64), generate


plus: Any = intrinsic(_plus)


@vectorised
def exponential(y: float) -> Any:
    """Return e^y for -700 <= y <= 700, within two units in the last place."""
    shifted = y * 1.4426950408889634 + ROUND
    multiple = shifted - ROUND
    r = (y - multiple * LOG2_HIGH) - multiple * LOG2_LOW
    high = E7 + r * (E8 + r * (E9 + r * (E10 + r * (E11 + r * E12))))
    polynomial = 1.0 + r * (1.0 + r * (E2 + r * (E3 + r * (E4 + r * (E5 + r * (E6 + r * high))))))
    return double(bits(polynomial) + (bits(shifted) << MANTISSA))


@vectorised
def cell(eta: float, draw: float, surplus: float, total: float) -> Any:
    """Return value, d value / d eta and n P(draw) of one cell; `draw` is e^lam."""
    u = exponential(-min(abs(eta) * 0.5, LIMIT))
    square, drawn = u * u, draw * u
    f = square + drawn
    z = 1.0 + f
    # z = 2^power * (1 + g), 1 + g in [sqrt(1/2), sqrt(2)); one division serves 1 / z and the logarithm
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    scaled = double(bits(z) - (power << MANTISSA))
    g = f if power == 0 else scaled - 1.0
    joint = 1.0 / (scaled * (2.0 + g))
    t = g * (joint * scaled)
    q = t * t
    high = L9 + q * (L11 + q * (L13 + q * (L15 + q * (L17 + q * L19))))
    series = t * q * (L3 + q * (L5 + q * (L7 + q * high)))
    exponent = double(power | TWO_52_BITS) - TWO_52
    logarithm = exponent * LOG2_HIGH + (exponent * LOG2_LOW + (2.0 * t + series))
    share = total * (joint * (2.0 + g)) * double((BIAS - power) << MANTISSA)  # n / z
    sign = 1.0 if eta >= 0.0 else -1.0
    behind = total - sign * surplus
    value = -behind * (abs(eta) * 0.5) - total * logarithm
    return value, 0.5 * sign * (share * (f + square) - behind), share * drawn


@vectorised
def slopes(eta: Floats, draw: float, surplus: Floats, total: Floats, first: int, count: int) -> Any:
    """Replace eta by d value / d eta for `count` cells from `first`; return value and n P(draw), both summed."""
    value = 0.0
    drawn = 0.0
    for k in range(count):
        term, slope, draws = cell(eta[k], draw, surplus[first + k], total[first + k])
        eta[k] = slope
        value = plus(value, term)
        drawn = plus(drawn, draws)
    return value, drawn


@compiled
def runs_of(white: Integers, black: Integers) -> npt.NDArray[np.int64]:
    """Return the runs of cells of one White, and of one Black where either side is anchored.

    Parameters
    ----------
    white, black : array of int, shape (cell,)
        Seats, -1 where anchored; sorted by White, then Black, for few runs (any order is right).

    Returns
    -------
    array of int64, shape (run + 1, 3)
        First cell, White, and Black or VARYING; the last row ends the last run.
    """
    table = np.empty((white.size + 1, 3), dtype=np.int64)
    count = 0
    for c in range(white.size):
        opponent = black[c] if white[c] < 0 or black[c] < 0 else VARYING
        if count == 0 or white[c] != table[count - 1, 1] or opponent != table[count - 1, 2]:
            table[count, 0], table[count, 1], table[count, 2] = c, white[c], opponent
            count += 1
    table[count, 0] = white.size
    return table[: count + 1].copy()


@compiled
def log_potential(
    white_seat: Floats,
    black_seat: Floats,
    log_draw: float,
    black: Integers,
    offset: Floats,
    surplus: Floats,
    total: Floats,
    runs: npt.NDArray[np.int64],
    white_slope: Floats,
    black_slope: Floats,
) -> tuple[float, float]:
    """Return the log-potential without its term lam * sum(W_d), and its derivative by lam; fill the gradients.

    Parameters
    ----------
    white_seat, black_seat : array of float, shape (player + 1,)
        What each player brings to a seat, natural units; the last is the anchored opponent's, without his anchor.
    log_draw : float
        Draw parameter lam; -inf for Bradley-Terry.
    black : array of int, shape (cell,)
        Index of Black, -1 where anchored.
    offset : array of float, shape (cell,)
        Anchor of White minus anchor of Black, natural units; 0 where both are monitored.
    surplus, total : array of float, shape (cell,)
        Weight of wins minus weight of losses, and the weight of all games.
    runs : array of int64, shape (run + 1, 3)
        From `runs_of`.
    white_slope, black_slope : array of float, shape (player + 1,)
        Filled with the derivatives by `white_seat` and `black_seat`.
    """
    draw = math.exp(min(log_draw, LIMIT))
    white_slope[:] = 0.0
    black_slope[:] = 0.0
    value = 0.0
    drawn = 0.0
    eta = np.empty(min(BLOCK, total.size))
    last = runs.shape[0] - 1
    head = 0
    for first in range(0, total.size, BLOCK):
        stop = min(first + BLOCK, total.size)
        run = head
        while run < last and runs[run, 0] < stop:
            begin, end = max(runs[run, 0], first), min(runs[run + 1, 0], stop)
            base = white_seat[runs[run, 1]]
            if runs[run, 2] == VARYING:
                for c in range(begin, end):
                    eta[c - first] = base - black_seat[np.uint32(black[c])] + offset[c]
            else:
                base -= black_seat[runs[run, 2]]
                for c in range(begin, end):
                    eta[c - first] = base + offset[c]
            run += 1
        term, draws = slopes(eta, draw, surplus, total, first, stop - first)
        value += term
        drawn += draws
        run = head
        while run < last and runs[run, 0] < stop:
            begin, end = max(runs[run, 0], first), min(runs[run + 1, 0], stop)
            gathered = 0.0
            for k in range(begin - first, end - first):
                gathered = plus(gathered, eta[k])
            white_slope[runs[run, 1]] += gathered
            if runs[run, 2] == VARYING:
                for c in range(begin, end):
                    black_slope[np.uint32(black[c])] -= eta[c - first]
            else:
                black_slope[runs[run, 2]] -= gathered
            run += 1
        head = run - 1  # this run may go on in the next block
    if log_draw > LIMIT:
        value -= (log_draw - LIMIT) * total.sum()
    return value, -drawn
