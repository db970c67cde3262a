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

Davidson (1970) JASA 65:317. The logarithm is 2 artanh(g / (2 + g)) (Abramowitz & Stegun 1964, 4.6.22).
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.models.vector import LIMIT, MANTISSA, bits, compiled, double, exponential, plus, vectorised, wide

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int32] | npt.NDArray[np.int64]

VARYING = -2  # Black of a run of cells with many Blacks
BLOCK = 8192  # cells whose slopes stay in the second-level cache
LOG2 = math.log(2.0)
TWO_52, TWO_52_BITS = 2.0**52, np.int64(0x4330000000000000)
HALF_ROOT_BITS = np.int64(0x3FE6A09E667F3BCD)  # sqrt(1/2)
# Chebyshev fit: (2 artanh(t) / t - 2) / t^2 for t^2 <= 0.02944
L3, L5, L7, L9, L11, L13 = (
    0.6666666666666206,
    0.4000000001125826,
    0.28571424124237144,
    0.22222863621611316,
    0.18140141675044053,
    0.16622525963824042,
)


@vectorised
def cell(eta: float, draw: float, surplus: float, total: float) -> Any:
    """Return twice the value, twice d value / d eta, and n P(draw) of one cell; `draw` is e^lam."""
    size = abs(eta)
    u = exponential(-0.5 * min(size, 2.0 * LIMIT))
    square, drawn = u * u, draw * u
    f = square + drawn
    z = 1.0 + f
    # z = 2^power (1 + g), 1 + g in [sqrt(1/2), sqrt(2)); one division serves 1 / z and the logarithm
    power = (bits(z) - HALF_ROOT_BITS) >> MANTISSA
    g = f if power == 0 else double(bits(z) - (power << MANTISSA)) - 1.0
    joint = 1.0 / (z * (2.0 + g))
    t = joint * z * g
    q = t * t
    artanh = t * (2.0 + q * (L3 + q * (L5 + q * (L7 + q * (L9 + q * (L11 + q * L13))))))
    logarithm = (double(power | TWO_52_BITS) - TWO_52) * LOG2 + artanh
    share = total * (joint * (2.0 + g))  # n / z
    ahead = eta >= 0.0
    behind = total - surplus if ahead else total + surplus
    slope = share * (f + square) - behind
    return -behind * size - (total + total) * logarithm, slope if ahead else -slope, share * drawn


@vectorised
def slopes(eta: Floats, draw: float, surplus: Floats, total: Floats, first: int, count: int) -> Any:
    """Replace eta by twice d value / d eta for `count` cells from `first`; return value and n P(draw), both summed."""
    wide()
    value = 0.0
    drawn = 0.0
    for k in range(count):
        term, slope, draws = cell(eta[k], draw, surplus[np.uint64(first + k)], total[np.uint64(first + k)])
        eta[k] = slope
        value = plus(value, term)
        drawn = plus(drawn, draws)
    return 0.5 * value, drawn


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
        What each player brings to a seat, natural units; the last is the anchored opponent's, without their anchor.
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
    # indices are unsigned: for a signed one numba asks whether it counts from the end, which costs a third of the time
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
                    place = np.uint64(c)
                    eta[np.uint64(c - first)] = base - black_seat[np.uint32(black[place])] + offset[place]
            else:
                base -= black_seat[runs[run, 2]]
                for c in range(begin, end):
                    eta[np.uint64(c - first)] = base + offset[np.uint64(c)]
            run += 1
        term, draws = slopes(eta, draw, surplus, total, first, stop - first)
        value += term
        drawn += draws
        run = head
        while run < last and runs[run, 0] < stop:
            begin, end = max(runs[run, 0], first), min(runs[run + 1, 0], stop)
            gathered = 0.0
            for k in range(begin - first, end - first):
                gathered = plus(gathered, eta[np.uint64(k)])
            white_slope[runs[run, 1]] += 0.5 * gathered
            if runs[run, 2] == VARYING:
                for c in range(begin, end):
                    black_slope[np.uint32(black[np.uint64(c)])] -= 0.5 * eta[np.uint64(c - first)]
            else:
                black_slope[runs[run, 2]] -= 0.5 * gathered
            run += 1
        head = run - 1  # this run may go on in the next block
    if log_draw > LIMIT:
        value -= (log_draw - LIMIT) * total.sum()
    return value, -drawn
