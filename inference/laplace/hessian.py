"""Value, gradient and Hessian of a target at a point, and what block elimination makes of the Hessian's inverse.

The Hessian is an arrow: a sparse body, a dense border.

    H = [ K   B ]    K  (body, body)      per-player parameters: sums over cells plus prior precisions
        [ B'  C ]    B  (body, border), C (border, border)

H is minus the second derivative of the log posterior: positive definite. With a factor of K,

    V = K^-1 B,   S = C - B' V

    H^-1's body diagonal      diag(K^-1) + rows of V S^-1 V'
    H^-1's border block       S^-1
    draws                     border ~ N(0, S^-1),  body = K^-1-draw - V border

Compiled passes over cells give the sums. With d and lam of a cell, W its weight and p the outcome probabilities (see
`halfpoint.inference.laplace.target`):

    -d2 log L / dd2     = W (p_win p_loss + p_draw (p_win + p_loss) / 4)
    -d2 log L / dd dlam = -W p_draw (p_win - p_loss) / 2
    -d2 log L / dlam2   = W p_draw (1 - p_draw)

Every pass takes a range of cells and adds into arrays of its own, so that ranges can run in threads (`over_cells`).
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any, Protocol

import numba
import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.games.compiled_loops import lasting
from halfpoint.games.processors import processors
from halfpoint.games.table import Floats
from halfpoint.inference.laplace.target import Target


@dataclass(frozen=True, eq=False)
class Curvature:
    """A target's local shape.

    Parameters
    ----------
    target : Target
        The log posterior.
    value : float
        Log posterior without the priors' normalising constants.
    log_likelihood : float
        Its weighted log likelihood part.
    gradient : array of float, shape (parameter,)
    cell : array of float, shape (cell,)
        Curvature of each cell in d.
    white, black : array of float, shape (player + 1,)
        Curvature summed by seat.
    cross : array of float, shape (body, border)
        B of the Hessian.
    corner : array of float, shape (border, border)
        C of the Hessian, priors included.
    """

    target: Target
    value: float
    log_likelihood: float
    gradient: Floats
    cell: Floats
    white: Floats
    black: Floats
    cross: Floats
    corner: Floats

    @property
    def precision(self) -> Floats:
        """Prior precisions of the body, shape (body,)."""
        return np.asarray(self.target.prior_sd[: self.target.body] ** -2.0)

    def diagonal(self) -> Floats:
        """Return the diagonal of K, shape (body,)."""
        count = self.target.players.size
        both = (self.white + self.black)[:count]
        return self.precision + (np.concatenate([both, both]) if self.target.advantage == "player" else both)

    def times(self, vectors: Floats) -> Floats:
        """Return K times vectors of shape (body, column), without forming K."""
        target = self.target
        p, q = target.seats(vectors)
        same = p is q

        def work(start: int, stop: int) -> tuple[Floats, Floats]:
            out_p = np.zeros_like(p)
            out_q = out_p if same else np.zeros_like(p)
            apply(start, stop, target.white, target.black, self.cell, p, q, out_p, out_q)
            return out_p, out_q

        parts = over_cells(work, target.white.size)
        out_p = sum_of([part[0] for part in parts])
        count = target.players.size
        body = out_p[:count] if same else target.gather(out_p, sum_of([part[1] for part in parts]))
        return np.asarray(body + self.precision[:, None] * vectors)

    def matrix(self) -> sparse.csc_array:
        """Return K as a sparse matrix, shape (body, body)."""
        target, count = self.target, self.target.players.size
        inside = (target.white < count) & (target.black < count)
        pairs = (target.white[inside], target.black[inside])
        met = sparse.coo_array((self.cell[inside], pairs), shape=(count, count)).tocsc()
        white, black = (sparse.diags_array(seat[:count]) for seat in (self.white, self.black))
        level = white + black - (met + met.T)
        if target.advantage == "player":
            mixed = white - black + met - met.T
            level = sparse.block_array([[level, mixed], [mixed.T, white + black + met + met.T]])
        return sparse.csc_array(level + sparse.diags_array(self.precision))

    def coarse_matrix(self, group: npt.NDArray[np.int64], groups: int) -> Floats:
        """Return R' K R, dense, R the sums over groups of players (twice as many with an advantage per player).

        Parameters
        ----------
        group : array of int64, shape (player,)
            Group of each player.
        groups : int
            Number of groups.
        """
        target, count = self.target, self.target.players.size
        wide = np.append(group, groups)  # anchored opponents: one more group, dropped below
        pair = wide[target.white] * (groups + 1) + wide[target.black]
        met = np.bincount(pair, weights=self.cell, minlength=(groups + 1) ** 2)
        met = met.reshape(groups + 1, groups + 1)[:groups, :groups]
        white, black, first, second = (
            np.diag(np.bincount(group, weights=value, minlength=groups))
            for value in (self.white[:count], self.black[:count], self.precision[:count], self.precision[-count:])
        )
        level = white + black - (met + met.T) + first
        if target.advantage != "player":
            return np.asarray(level)
        mixed = white - black + met - met.T
        return np.block([[level, mixed], [mixed.T, white + black + met + met.T + second]])


def sum_of(arrays: list[Floats]) -> Floats:
    """Return the sum of arrays, in place of the first."""
    total = arrays[0]
    for array in arrays[1:]:
        total += array
    return total


def curvature(target: Target, position: Floats) -> Curvature:
    """Return value, gradient and Hessian of a target in one pass over its cells.

    Parameters
    ----------
    target : Target
        The log posterior.
    position : array of float, shape (parameter,)
        Where.

    Returns
    -------
    Curvature
    """
    body, border = position[: target.body], position[target.body :]
    p, q = target.seats(body, border)
    lam = target.log_draw(border)
    cell = np.empty(target.white.size)
    size = target.players.size + 1

    def work(start: int, stop: int) -> Floats:
        sums = np.zeros((7, max(size, 5)))
        curve(
            start, stop, target.draws, target.white, target.black, target.known, target.weight, p, q, lam, cell,
            sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6],
        )  # fmt: skip
        return sums

    sums = sum_of(over_cells(work, target.white.size))
    gp, gq, dp, dq, bp, bq = (row[:size] for row in sums[:6])
    totals = sums[6]
    columns, slopes = [], []
    corner = np.diag(target.prior_sd[target.body :] ** -2.0)
    if target.advantage == "common":
        columns.append(target.gather(dp, -dq))
        slopes.append(gp.sum())
        corner[0, 0] += totals[4]
    if target.draws:
        columns.append(target.gather(bp, bq))
        slopes.append(totals[1])
        corner[-1, -1] += totals[2]
        if target.advantage == "common":
            corner[0, 1] = corner[1, 0] = totals[3]
    scaled = (position - target.prior_mean) / target.prior_sd
    gradient = np.concatenate([target.gather(gp, gq), slopes]) - scaled / target.prior_sd
    cross = np.stack(columns, axis=1) if columns else np.zeros((target.body, 0))
    log_likelihood = float(totals[0])
    value = log_likelihood - 0.5 * float(scaled @ scaled)
    return Curvature(target, value, log_likelihood, gradient, cell, dp, dq, cross, corner)


class Factor(Protocol):
    """What an arrow needs from a solver of its body K."""

    name: str

    def solve(self, right: Floats) -> Floats:
        """Return K^-1 times right, shape (body, column)."""

    def variances(self, drawn: Floats) -> Floats:
        """Return the diagonal of K^-1, shape (body,); draws from N(0, K^-1) serve where it is not computed exactly."""

    def draws(self, count: int, chance: np.random.Generator) -> Floats:
        """Return draws from N(0, K^-1), shape (body, count)."""

    def log_determinant(self) -> float:
        """Return log det K, NaN where unknown."""


class Arrow:
    """Inverse of a curvature's Hessian.

    Parameters
    ----------
    curvature : Curvature
        The Hessian.
    factor : Factor
        A solver of its body.
    """

    def __init__(self, curvature: Curvature, factor: Factor) -> None:
        self.curvature = curvature
        self.factor = factor
        self.border = curvature.cross.shape[1]
        right = np.concatenate([curvature.cross, curvature.gradient[: curvature.target.body, None]], axis=1)
        solved = factor.solve(right)
        self.reach = solved[:, : self.border]
        self.body_step = solved[:, self.border]
        self.rest = curvature.corner - curvature.cross.T @ self.reach
        self.rest_inverse = np.linalg.inv(self.rest) if self.border else self.rest

    def newton_step(self) -> Floats:
        """Return H^-1 times the gradient of the curvature, shape (parameter,)."""
        return self.join(self.body_step, self.curvature.gradient[self.curvature.target.body :])

    def times(self, vector: Floats) -> Floats:
        """Return H^-1 times a vector, shape (parameter,)."""
        body = self.curvature.target.body
        return self.join(self.factor.solve(vector[:body, None])[:, 0], vector[body:])

    def join(self, body: Floats, border: Floats) -> Floats:
        """Return H^-1 times (K body, border): block elimination."""
        shared = self.rest_inverse @ (border - self.curvature.cross.T @ body)
        return np.concatenate([body - self.reach @ shared, shared])

    def variances(self, drawn: Floats) -> Floats:
        """Return the diagonal of H^-1, shape (parameter,); draws from N(0, K^-1) serve an iterative factor."""
        added = np.einsum("ij,jk,ik->i", self.reach, self.rest_inverse, self.reach)
        return np.concatenate([self.factor.variances(drawn) + added, np.diag(self.rest_inverse)])

    def draws(self, count: int, chance: np.random.Generator, body: Floats | None = None) -> Floats:
        """Return draws from N(0, H^-1), shape (parameter, count), from draws of N(0, K^-1) if there are some."""
        body = self.factor.draws(count, chance) if body is None else body
        if not self.border:
            return body
        shared = np.linalg.cholesky(self.rest_inverse) @ chance.standard_normal((self.border, count))
        return np.concatenate([body - self.reach @ shared, shared])

    def log_determinant(self) -> float:
        """Return log det H, NaN where the factor has none."""
        corner = float(np.linalg.slogdet(self.rest)[1]) if self.border else 0.0
        return self.factor.log_determinant() + corner


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
    available = threads or int(os.environ.get("NUMBA_NUM_THREADS", 0)) or processors()
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
