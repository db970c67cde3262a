r"""Compiled passes over cells: value, gradient and curvature; Hessian times vectors; random scores.

With d and lam of a cell, W its weight and p the outcome probabilities (see `halfpoint.inference.target`):

    -d2 log L / dd2     = W (p_win p_loss + p_draw (p_win + p_loss) / 4)
    -d2 log L / dd dlam = -W p_draw (p_win - p_loss) / 2
    -d2 log L / dlam2   = W p_draw (1 - p_draw)

Every pass takes a range of cells and adds into arrays of its own, so that ranges can run in threads (`over_cells`).
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import pairwise
from typing import Any

import numba
import numpy as np

from halfpoint.games.compiled_loops import lasting

SMALLEST_RANGE = 500_000  # cells worth a thread
CHUNK = 1 << 17  # ranges start at multiples of this, so that random streams do not depend on the number of threads
SAFE = {"contract", "nsz", "arcp"}  # no reordering of sums across exp
kernel = partial(lasting, partial(numba.njit, nogil=True, error_model="numpy", fastmath=SAFE))


@kernel
def curve(  # type: ignore[no-untyped-def]
    start, stop, draws, white, black, known, weight, p, q, lam, h, gp, gq, dp, dq, bp, bq, totals
):
    """Add value, gradient and curvature of cells start to stop.

    `h` (cell) is overwritten with the curvature in d; gradients (gp, gq), curvature sums (dp, dq) and cross
    derivatives with lam (bp, bq) are added by seat, shape (player + 1,); totals = value, d/dlam, curvature in lam,
    cross derivative of d and lam, curvature in d.
    """
    for c in range(start, stop):
        i, j = white[c], black[c]
        loss, draw, win = weight[c, 0], weight[c, 1], weight[c, 2]
        total = loss + draw + win
        d = p[i] - q[j] + known[c]
        half = 0.5 * abs(d)
        top = half
        if draws and lam > top:
            top = lam
        better, worse = np.exp(half - top), np.exp(-half - top)
        even = np.exp(lam - top) if draws else 0.0
        z = better + worse + even
        pw, pl, pd = better / z, worse / z, even / z
        if d < 0.0:
            pw, pl = pl, pw
        totals[0] += 0.5 * d * (win - loss) - total * (np.log(z) + top)
        slope = 0.5 * (win - loss) - 0.5 * total * (pw - pl)
        bend = total * (pw * pl + 0.25 * pd * (pw + pl))
        h[c] = bend
        gp[i] += slope
        gq[j] -= slope
        dp[i] += bend
        dq[j] += bend
        totals[4] += bend
        if draws:
            totals[0] += lam * draw
            totals[1] += draw - total * pd
            totals[2] += total * pd * (1.0 - pd)
            cross = -0.5 * total * pd * (pw - pl)
            bp[i] += cross
            bq[j] -= cross
            totals[3] += cross


@kernel
def values(draws, white, black, known, weight, p, q, lam):  # type: ignore[no-untyped-def]
    """Return the weighted log likelihood of all cells; arguments as in `curve`."""
    value = 0.0
    for c in range(white.size):
        loss, draw, win = weight[c, 0], weight[c, 1], weight[c, 2]
        d = p[white[c]] - q[black[c]] + known[c]
        half = 0.5 * abs(d)
        top = max(half, lam) if draws else half
        z = np.exp(half - top) + np.exp(-half - top)
        if draws:
            z += np.exp(lam - top)
            value += lam * draw
        value += 0.5 * d * (win - loss) - (loss + draw + win) * (np.log(z) + top)
    return value


@kernel
def apply(start, stop, white, black, h, p, q, out_p, out_q):  # type: ignore[no-untyped-def]
    """Add the Hessian of cells start to stop times seat vectors p, q, shape (player + 1, column)."""
    columns = p.shape[1]
    for c in range(start, stop):
        i, j, bend = white[c], black[c], h[c]
        for k in range(columns):
            t = bend * (p[i, k] - q[j, k])
            out_p[i, k] += t
            out_q[j, k] -= t


@kernel
def scatter(start, stop, white, black, h, noise, out_p, out_q):  # type: ignore[no-untyped-def]
    """Add sqrt(h) times noise, shape (cell of the range, column), to both seats: a random score of the cells."""
    columns = noise.shape[1]
    for c in range(start, stop):
        i, j, root = white[c], black[c], np.sqrt(h[c])
        for k in range(columns):
            t = root * noise[c - start, k]
            out_p[i, k] += t
            out_q[j, k] -= t


def ranges(cells: int, threads: int | None = None) -> list[tuple[int, int]]:
    """Return ranges of cells, one a thread, none smaller than is worth it."""
    available = threads or int(os.environ.get("NUMBA_NUM_THREADS", 0)) or len(os.sched_getaffinity(0))
    count = max(1, min(available, cells // SMALLEST_RANGE))
    edges = (np.linspace(0, cells, count + 1).astype(np.int64) // CHUNK * CHUNK).tolist()
    edges[-1] = cells
    return list(pairwise(edges))


def over_cells(work: Callable[[int, int], Any], cells: int, threads: int | None = None) -> list[Any]:
    """Return work(start, stop) of each range, in order, one thread a range.

    Parameters
    ----------
    work : callable
        Takes a range of cells; must write to arrays of its own or to that range only.
    cells : int
        Number of cells.
    threads : int, optional
        At most so many; NUMBA_NUM_THREADS or the processors allowed by default.
    """
    parts = ranges(cells, threads)
    if len(parts) == 1:
        return [work(*parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(lambda part: work(*part), parts))
