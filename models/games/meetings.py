r"""Meetings of players: distance of a player's strength from their opponents', as a matrix.

With A_ij the games between two players, D the sums of its rows and d their mean over the players,

    u_i = (1 + e) v_i - sum_j A_ij v_j / D_i,     u_i ~ N(0, w^2 d / D_i),     e = 0.01

is a simultaneous autoregression (SAR; Whittle 1954, Biometrika 41:434): v_i is about the mean of v over the opponents,
game by game. Written B v ~ N(0, w^2), B = (d D)^(-1/2) ((1 + e) D - A), which has two entries per pair of players who
met, and one per player. Its covariance (B' B)^-1 w^2 is large for contrasts that pairings hardly mix, leagues that
seldom meet or the two ends of a chain of neighbours: with P = D^-1 A and eigenvalue l of P the standard deviation of a
contrast is w / (1 + e - l) times that of a player. With random pairings l is near 0 and v is nearly independent. Games
whose pairings follow from results (`halfpoint.models.games.pairings`) are no part of A.
"""

from typing import Any

import numpy as np

from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.select import Cells

_sparse = LazyModule("scipy.sparse")
LOTS = 0.5  # second largest eigenvalue of P below which pairings mix players as lots do
LEAK = 0.01  # e: bounds a contrast without any game between its sides
# e of deviations from ratings, which know most of a contrast: errors of ratings are alike among near opponents only
RATED_LEAK = 0.1


def meetings(cells: Cells) -> Any:
    """Matrix A of games between players, CSR, shape (player, player); games of sides count in parts."""
    count, games = cells.players.size, cells.weight_of_games.sum(axis=1)
    (white, share), (black, part) = cells.seats(cells.white), cells.seats(cells.black)
    first, second = (np.repeat(white, black.shape[1], axis=1), np.tile(black, (1, white.shape[1])))
    weight = np.repeat(share, part.shape[1], axis=1) * np.tile(part, (1, share.shape[1])) * games[:, None]
    here = (first >= 0) & (second >= 0) & (weight > 0.0)
    met = _sparse.coo_array((weight[here], (first[here], second[here])), shape=(count, count)).tocsr()
    return _sparse.csr_array(met + met.T)


def opponents_matrix(met: Any, rated: bool = False) -> Any:
    """Matrix B of games between players, CSR, shape (player, player); without opponents, a row's own entry only.

    With `rated` of deviations from ratings, whose common level, which no game identifies, varies by w at most: the
    standard deviation of the mean of n players is w / (e sqrt n).
    """
    leak = max(RATED_LEAK, met.shape[0] ** -0.5) if rated else LEAK
    games = np.asarray(met.sum(axis=1)).ravel()
    games = np.where(games > 0.0, games, 1.0)
    own = _sparse.diags_array((1.0 + leak) * games)
    return _sparse.csr_array(_sparse.diags_array((games.mean() * games) ** -0.5) @ (own - met))
