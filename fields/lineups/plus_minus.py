r"""Adjusted plus-minus: what each player adds to the points of a possession, with everybody on the floor counted.

    y = m + sum over the offence of o_i - sum over the defence of d_j + e,   e ~ N(0, v / possessions)

y  points a possession of a stint;  o, d  what a player adds on offence and takes off on defence, points a possession.
Ridge regression: o and d are pulled to 0 by l times their squares, which is the mode of o, d ~ N(0, v / l). The network
of line-ups has no opponents; this has. l is the one of a grid with the least squared error of games that were left out.

This is the closed form of a row of the models: margins of sides of several people, weighted by possessions, whose mode
it is (`halfpoint.fields.lineups.plus_minus_row`).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from halfpoint.fields.lineups.table import LineupTable
from halfpoint.games.table import Floats
from halfpoint.systems.errors import RatingSystemError

GRID = (30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0, 30_000.0, 100_000.0)
FOLDS = 5
LARGEST_INVERSE = 4000


@dataclass(frozen=True, eq=False)
class PlusMinus:
    """Ridge estimates.

    Parameters
    ----------
    offence, defence : array of float, shape (player,)
        o and d, points a possession.
    offence_sd, defence_sd, total_sd : array of float, shape (player,)
        Their posterior standard deviations, and of the sum; NaN with more than 2,000 players.
    level : float
        m.
    ridge : float
        l.
    left_out_rmse, mean_rmse : float
        Root mean squared error of points a possession in games that were left out, and of the mean alone; NaN where l
        was given.
    """

    offence: Floats
    defence: Floats
    offence_sd: Floats
    defence_sd: Floats
    total_sd: Floats
    level: float
    ridge: float
    left_out_rmse: float
    mean_rmse: float


def plus_minus(table: LineupTable, ridge: float | None = None, seed: int = 1) -> PlusMinus:
    """Return adjusted plus-minus of every player.

    Parameters
    ----------
    table : LineupTable
        Stints.
    ridge : float, optional
        l, above 0; chosen by games that are left out if not given.
    seed : int
        Of the division into folds.

    Raises
    ------
    RatingSystemError
        If l is not above 0.
    """
    if ridge is not None and not (ridge > 0.0 and np.isfinite(ridge)):
        raise RatingSystemError("--ridge", "a number above 0", repr(ridge))
    design, y, weight = design_of(table), table.points / table.possessions, table.possessions
    chosen, left_out, alone = (ridge, np.nan, np.nan) if ridge is not None else choose(table, design, y, weight, seed)
    assert chosen is not None
    level, effects = solve(design, y, weight, chosen)
    residual = y - level - design @ effects
    variance = float((weight * residual**2).sum() / weight.size)
    count = table.players.size
    nothing = np.full(count, np.nan)
    o_sd, d_sd, t_sd = nothing, nothing, nothing
    if 2 * count <= LARGEST_INVERSE:
        precision = (design.T @ sparse.diags_array(weight) @ design).toarray()
        summed = design.T @ weight
        precision += chosen * np.eye(2 * count) - np.outer(summed, summed) / weight.sum()
        covariance = variance * np.linalg.inv(precision)
        own = np.diag(covariance)
        o_sd, d_sd = np.sqrt(own[:count]), np.sqrt(own[count:])
        t_sd = np.sqrt(own[:count] + own[count:] + 2.0 * np.diag(covariance, count)[:count])
    return PlusMinus(effects[:count], effects[count:], o_sd, d_sd, t_sd, level, chosen, left_out, alone)


def design_of(table: LineupTable) -> sparse.csr_array:
    """Return the indicators, shape (stint, 2 player): 1 for the offence, -1 for the defence."""
    count = table.players.size
    rows, columns, values = [], [], []
    for side, begin, sign in ((table.offence, 0, 1.0), (table.defence, count, -1.0)):
        rows.append(np.repeat(np.arange(len(table)), side.shape[1]))
        columns.append(begin + side.ravel())
        values.append(np.full(side.size, sign))
    where = np.concatenate(rows), np.concatenate(columns)
    return sparse.csr_array((np.concatenate(values), where), shape=(len(table), 2 * count))


def solve(design: sparse.csr_array, y: Floats, weight: Floats, ridge: float) -> tuple[float, Floats]:
    """Return level and effects that minimise the weighted squares and the ridge; the level is not pulled."""
    size = design.shape[1]
    wide = sparse.hstack([design, np.ones((design.shape[0], 1))]).tocsr()
    left = wide.T @ sparse.diags_array(weight) @ wide + sparse.diags_array(np.append(np.full(size, ridge), 0.0))
    found = splu(sparse.csc_array(left)).solve(wide.T @ (weight * y))
    return float(found[-1]), np.asarray(found[:-1])


def choose(
    table: LineupTable, design: sparse.csr_array, y: Floats, weight: Floats, seed: int
) -> tuple[float, float, float]:
    """Return the l with the least error of games left out, that error and the error of the mean."""
    games, code = np.unique(table.game, return_inverse=True)
    code = code if games.size >= FOLDS else np.arange(len(table))
    fold = np.random.default_rng(seed).permutation(code.max() + 1)[code] % FOLDS
    error = np.zeros(len(GRID))
    alone = 0.0
    for out in range(FOLDS):
        inside, outside = fold != out, fold == out
        if not inside.any() or not outside.any():
            continue
        mean = np.average(y[inside], weights=weight[inside])
        alone += float((weight[outside] * (y[outside] - mean) ** 2).sum())
        for place, ridge in enumerate(GRID):
            level, effects = solve(design[inside], y[inside], weight[inside], ridge)
            error[place] += float((weight[outside] * (y[outside] - level - design[outside] @ effects) ** 2).sum())
    best = int(np.argmin(error))
    total = weight.sum()
    return GRID[best], float(np.sqrt(error[best] / total)), float(np.sqrt(alone / total))
