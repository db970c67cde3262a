r"""Meetings of players: distance of a player's strength from their opponents', as a matrix; a test of Swiss pairings.

With A_ij the games between two players, D the sums of its rows and d their mean over the players,

    u_i = (1 + e) v_i - sum_j A_ij v_j / D_i,     u_i ~ N(0, w^2 d / D_i),     e = 0.01

is a simultaneous autoregression (SAR; Whittle 1954, Biometrika 41:434): v_i is about the mean of v over the opponents,
game by game. Written B v ~ N(0, w^2), B = (d D)^(-1/2) ((1 + e) D - A), which has two entries per pair of players who
met, and one per player. Its covariance (B' B)^-1 w^2 is large for contrasts that pairings hardly mix, leagues that
seldom meet or the two ends of a chain of neighbours: with P = D^-1 A and eigenvalue l of P the standard deviation of a
contrast is w / (1 + e - l) times that of a player. With random pairings l is near 0 and v is nearly independent. A
pairing that is a function of the points so far (Swiss) adds no information to the points.
"""

from typing import Any

import numpy as np

from halfpoint.games.lazy_import import LazyModule
from halfpoint.games.select import Cells
from halfpoint.games.table import GameTable

_sparse = LazyModule("scipy.sparse")
LOTS = 0.5  # second largest eigenvalue of P below which pairings mix players as lots do
LEAK = 0.01  # e: bounds a contrast without any game between its sides
_FUNCTIONS = 0.3  # squared difference of points of opponents, as a share of that of random pairs, below which Swiss


def meetings(cells: Cells) -> Any:
    """Matrix A of games between players, CSR, shape (player, player); games of sides count in parts."""
    count, games = cells.players.size, cells.weight_of_games.sum(axis=1)
    (white, share), (black, part) = cells.seats(cells.white), cells.seats(cells.black)
    first, second = (np.repeat(white, black.shape[1], axis=1), np.tile(black, (1, white.shape[1])))
    weight = np.repeat(share, part.shape[1], axis=1) * np.tile(part, (1, share.shape[1])) * games[:, None]
    here = (first >= 0) & (second >= 0) & (weight > 0.0)
    met = _sparse.coo_array((weight[here], (first[here], second[here])), shape=(count, count)).tocsr()
    return _sparse.csr_array(met + met.T)


def opponents_matrix(met: Any) -> Any:
    """Matrix B of games between players, CSR, shape (player, player); without opponents, a row's own entry only."""
    games = np.asarray(met.sum(axis=1)).ravel()
    games = np.where(games > 0.0, games, 1.0)
    own = _sparse.diags_array((1.0 + LEAK) * games)
    return _sparse.csr_array(_sparse.diags_array((games.mean() * games) ** -0.5) @ (own - met))


def pairs_by_points(games: GameTable) -> bool:
    """True if opponents have nearly the same points before each day or round, so that pairings depend on results.

    Points are counted by event if the games have events. False without days, rounds, or points that differ;
    True of a knockout, in which no player loses twice, whether or not its rounds are known.
    """
    losers = np.concatenate([games.white[games.score == 0.0], games.black[games.score == 1.0]])
    if games.people.size > 2 and np.bincount(losers, minlength=1).max(initial=0) < 2 and not (games.score == 0.5).any():
        return True
    when = games.date if games.date is not None else games.period
    if when is None or games.sides is not None or (games.date is not None and np.isnat(games.date).any()):
        return False
    names = games.covariates.get("event", np.zeros(len(games), dtype=np.int64)) if games.event is None else games.event
    event = np.unique(names, return_inverse=True)[1].astype(np.int64)
    day = np.unique(when, return_inverse=True)[1]
    places = np.stack([event * games.people.size + side for side in (games.white, games.black)])
    known, place = np.unique(places, return_inverse=True)
    place, belongs = place.reshape(2, -1), known // games.people.size
    points, size = np.zeros(known.size), np.bincount(belongs, minlength=event.max(initial=0) + 1)
    total, squares = np.zeros(size.size), np.zeros(size.size)  # of the points of an event
    apart = alike = 0.0
    order = np.argsort(day, kind="stable")
    for here in np.split(order, np.flatnonzero(np.diff(day[order])) + 1):
        mean = total[event[here]] / size[event[here]]
        spread = np.maximum(squares[event[here]] / size[event[here]] - mean**2, 0.0)
        apart += float(np.square(points[place[0, here]] - points[place[1, here]])[spread > 0.0].sum())
        alike += float(2.0 * spread.sum())
        moved = np.unique(place[:, here])
        np.add.at(squares, belongs[moved], -(points[moved] ** 2))
        np.add.at(points, place[0, here], games.score[here])
        np.add.at(points, place[1, here], 1.0 - games.score[here])
        np.add.at(squares, belongs[moved], points[moved] ** 2)
        np.add.at(total, event[here], 1.0)
    return alike > 0.0 and apart / alike < _FUNCTIONS
