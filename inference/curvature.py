r"""Value, gradient and Hessian of a target at a point, the Hessian as an arrow: sparse body, dense border.

    H = [ K   B ]    K  (body, body)      per-player parameters: sums over cells plus prior precisions
        [ B'  C ]    B  (body, border), C (border, border)

H is minus the second derivative of the log posterior: positive definite.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sparse

from halfpoint.games.table import Floats
from halfpoint.inference.cell_kernels import apply, curve, over_cells
from halfpoint.inference.target import Target


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
