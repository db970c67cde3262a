r"""Adjusted plus-minus: the contribution of each player to the points of a possession, given all players on the floor.

    y = m + sum over the offence of o_i - sum over the defence of d_j + e,   e ~ N(0, v / possessions)
    o, d ~ N(0, v / l),   m flat,   p(v) = 1 / v,   l^(-1/2) ~ HalfNormal(RATIO)

y  points per possession of a stint;  o, d  a player's points per possession added on offence and prevented on defence.
For given l this is ridge regression, with the penalty l times the squares of o and d. Unlike the network of line-ups it
accounts for opponents. l is estimated: with Q diag(q) Q' the weighted squares of the centred design, c = Q' X'W y,

    b(l) = Q c / (q + l),   S(l) = y'W y - sum c^2 / (q + l),   E v = S(l) / (n - 3)
    log p(y | l) = P log(l) / 2 - sum log(q + l) / 2 - (n - 1) log S(l) / 2 + a constant

in closed form, so that l is represented by weighted nodes, and estimates and standard deviations are means over them:
uncertainty of l widens the intervals.

Lindley & Smith (1972) JRSSB 34:1. It is also a model of margins for sides of several people (docs/several-people.md).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from halfpoint.apps.fields.lineups.system import incidence
from halfpoint.apps.fields.lineups.table import LineupTable
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats

GRID = (30.0, 100.0, 300.0, 1000.0, 3000.0, 10_000.0, 30_000.0, 100_000.0)
_FOLDS = 5
_LARGEST_INVERSE = 4000
_RATIO = 0.2  # of a player's contribution to the spread of a possession: a wide guess, most are 0.02 to 0.05
_NODES = np.geomspace(1e-3, 1.0, 80)  # of that ratio


@dataclass(frozen=True, eq=False)
class PlusMinus:
    """Ridge estimates."""

    offence: Floats  #: (player,), o and d, points a possession
    defence: Floats
    offence_sd: Floats  #: (player,), posterior, and of the sum; NaN with more than 2,000 players
    defence_sd: Floats
    total_sd: Floats
    level: float  #: m
    ridge: float  #: median of l, or l where it was given
    left_out_rmse: float  #: of points a possession in games left out, and of the mean alone; NaN where l is given
    mean_rmse: float


def plus_minus(table: LineupTable, ridge: float | None = None, seed: int = 1) -> PlusMinus:
    """Adjusted plus-minus of every player."""
    if ridge is not None and not (ridge > 0.0 and np.isfinite(ridge)):
        raise RatingSystemError("--ridge", "a number above 0", repr(ridge))
    design, y, weight = design_of(table), table.points / table.possessions, table.possessions
    count = table.players.size
    if 2 * count > _LARGEST_INVERSE:
        chosen, left_out, alone = left_out_errors(table, seed, GRID if ridge is None else (ridge,))
        level, effects = _solve(design, y, weight, chosen)
        sd = np.full((3, count), np.nan)
    else:
        level, effects, sd, chosen = integrate_ridge(design, y, weight, ridge)
        _, left_out, alone = left_out_errors(table, seed, (chosen,))
    if ridge is not None:
        left_out, alone = np.nan, np.nan
    return PlusMinus(effects[:count], effects[count:], sd[0], sd[1], sd[2], level, chosen, left_out, alone)


def integrate_ridge(
    design: sparse.csr_array, y: Floats, weight: Floats, ridge: float | None
) -> tuple[float, Floats, Floats, float]:
    """Level, effects (2 player,), deviations of offence, defence and their sum (3, player), and the median l."""
    size, total = design.shape[1], weight.sum()
    middle, mean = (design.T @ weight) / total, float(weight @ y / total)
    squares = (design.T @ sparse.diags_array(weight) @ design).toarray() - total * np.outer(middle, middle)
    moment = design.T @ (weight * (y - mean))
    q, turned = np.linalg.eigh(squares)
    c, q = turned.T @ moment, np.maximum(q, 0.0)
    ratio = _NODES if ridge is None else np.array([ridge**-0.5])
    pull = ratio**-2.0
    residual = float(weight @ (y - mean) ** 2) - (c**2 / (q + pull[:, None])).sum(axis=1)
    log_p = 0.5 * (size * np.log(pull) - np.log(q + pull[:, None]).sum(axis=1) - (y.size - 1) * np.log(residual))
    log_p += np.log(ratio) - 0.5 * (ratio / _RATIO) ** 2  # half-normal, nodes even in the logarithm
    share = np.exp(log_p - log_p.max())
    share /= share.sum()
    by_ridge = (c / (q + pull[:, None])) @ turned.T
    effects = share @ by_ridge
    spread = (share * residual / max(y.size - 3, 1)) @ (1.0 / (q + pull[:, None]))
    away, half = np.sqrt(share)[:, None] * (by_ridge - effects), size // 2
    variance = (turned**2) @ spread + (away**2).sum(axis=0)
    joint = (turned[:half] * turned[half:]) @ spread + (away[:, :half] * away[:, half:]).sum(axis=0)
    offence, defence = variance[:half], variance[half:]
    order = np.argsort(pull)
    median = float(pull[order][np.searchsorted(np.cumsum(share[order]), 0.5)])
    return mean - float(middle @ effects), effects, np.sqrt([offence, defence, offence + defence + 2.0 * joint]), median


def design_of(table: LineupTable) -> sparse.csr_array:
    """Indicators, shape (stint, 2 player): 1 for the offence, -1 for the defence."""
    offence, defence = (incidence(side, table.players.size) for side in (table.offence, table.defence))
    return sparse.csr_array(sparse.hstack([offence, -defence]))


def _solve(design: sparse.csr_array, y: Floats, weight: Floats, ridge: float) -> tuple[float, Floats]:
    """Level and effects that minimise the weighted squares and the ridge, which leaves the level free."""
    size = design.shape[1]
    wide = sparse.hstack([design, np.ones((design.shape[0], 1))]).tocsr()
    matrix = wide.T @ sparse.diags_array(weight) @ wide + sparse.diags_array(np.append(np.full(size, ridge), 0.0))
    solution = splu(sparse.csc_array(matrix)).solve(wide.T @ (weight * y))
    return float(solution[-1]), np.asarray(solution[:-1])


def left_out_errors(table: LineupTable, seed: int, grid: tuple[float, ...]) -> tuple[float, float, float]:
    """Ridge l with the least error on held-out games, that error, and the error of the mean."""
    design, y, weight = design_of(table), table.points / table.possessions, table.possessions
    games, code = np.unique(table.game, return_inverse=True)
    code = code if games.size >= _FOLDS else np.arange(len(table))
    fold = np.random.default_rng(seed).permutation(code.max() + 1)[code] % _FOLDS
    error = np.zeros(len(grid))
    alone = 0.0
    for out in range(_FOLDS):
        inside, outside = fold != out, fold == out
        if not inside.any() or not outside.any():
            continue
        mean = np.average(y[inside], weights=weight[inside])
        alone += float((weight[outside] * (y[outside] - mean) ** 2).sum())
        for place, ridge in enumerate(grid):
            level, effects = _solve(design[inside], y[inside], weight[inside], ridge)
            error[place] += float((weight[outside] * (y[outside] - level - design[outside] @ effects) ** 2).sum())
    best, total = int(np.argmin(error)), weight.sum()
    return grid[best], float(np.sqrt(error[best] / total)), float(np.sqrt(alone / total))
