r"""Meetings of players: distance of a player's strength from their opponents', as a matrix.

With A_ij the games between two players, D the sums of its rows and d their mean over the players,

    u_i = (1 + e) v_i - sum_j A_ij v_j / D_i,     u_i ~ N(0, w^2 d / D_i),     e = 0.01

is a simultaneous autoregression (SAR; Whittle 1954, Biometrika 41:434): v_i is about the mean of v over the opponents,
game by game. Written B v ~ N(0, w^2), B = (d D)^(-1/2) ((1 + e) D - A), which has two entries per pair of players who
met, and one per player. Its covariance (B' B)^-1 w^2 is large for contrasts that pairings hardly mix, leagues that
seldom meet or the two ends of a chain of neighbours: with P = D^-1 A and eigenvalue l of P the standard deviation of a
contrast is w / (1 + e - l) times that of a player. With random pairings l is near 0 and v is nearly independent.

Chains. Where players meet near ones only, 1 - l of the slowest contrast is below e, so that e alone bounds the
contrasts of far players, by far too little if w is learned from near ones. `chain_matrix` has e a tenth of that 1 - l,
and B times the standard deviation over the players that w = 1 gives, so that w is the spread of the players, as
intrinsic fields are scaled (Sorbye & Rue 2014, Spatial Statistics 8:39). Its prior then says what the games cannot: how
far apart the ends of the chain are.

Games whose pairings follow from results (`halfpoint.models.games.pairings`) are no part of A.
"""

from typing import TYPE_CHECKING

import numpy as np

from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.select import Cells
from halfpoint.models.games.table import Floats

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_sparse, _arpack = LazyModule("scipy.sparse"), LazyModule("scipy.sparse.linalg")
_graphs = LazyModule("scipy.sparse.csgraph")
LOTS = 0.5  # second largest eigenvalue of P below which pairings mix players as lots do
LEAK = 0.01  # e: bounds a contrast without any game between its sides
# e of deviations from ratings, which know most of a contrast: errors of ratings are alike among near opponents only
RATED_LEAK = 0.1
_CHAIN_LEAK = 0.1  # e of a chain over 1 - l of its slowest contrast
_SLOWEST, _PROBES = 24, 64  # contrasts that have most of the variance of a chain; random signs for the rest
_LEAST_LENGTH = 9  # games between the two ends of a chain, at least
_WIDEST = 5e7  # sum of the squares of the numbers of players at a distance from an end: bounds the factor's length
_GROWTH, _SLOW = 40.0, 0.2  # of 1 - l of the fifth contrast: over that of the first, and at most


def meetings(cells: Cells) -> "csr_array":
    """Matrix A of games between players, CSR, shape (player, player); games of sides count in parts."""
    count, games = cells.players.size, cells.weight_of_games.sum(axis=1)
    (white, share), (black, part) = cells.seats(cells.white), cells.seats(cells.black)
    first, second = (np.repeat(white, black.shape[1], axis=1), np.tile(black, (1, white.shape[1])))
    weight = np.repeat(share, part.shape[1], axis=1) * np.tile(part, (1, share.shape[1])) * games[:, None]
    here = (first >= 0) & (second >= 0) & (weight > 0.0)
    met = _sparse.coo_array((weight[here], (first[here], second[here])), shape=(count, count)).tocsr()
    return _sparse.csr_array(met + met.T)


def opponents_matrix(met: "csr_array", rated: bool = False) -> "csr_array":
    """Matrix B of games between players, CSR, shape (player, player); without opponents, a row's own entry only.

    With `rated` of deviations from ratings, whose common level, which no game identifies, varies by w at most: the
    standard deviation of the mean of n players is w / (e sqrt n).
    """
    leak = max(RATED_LEAK, met.shape[0] ** -0.5) if rated else LEAK
    games = np.asarray(met.sum(axis=1)).ravel()
    games = np.where(games > 0.0, games, 1.0)
    own = _sparse.diags_array((1.0 + leak) * games)
    return _sparse.csr_array(_sparse.diags_array((games.mean() * games) ** -0.5) @ (own - met))


def is_chain(met: "csr_array") -> bool:
    """True if players meet only near players, along a line or a ring: the slowest contrasts are bounded by e.

    1 - l of a chain grows with the square of a contrast's number, the fifth 9 (ring) to 25 (line) times the first. A
    few leagues that hardly meet have one slow contrast fewer than leagues, and the next are fast.
    """
    count = met.shape[0]
    if count <= _SLOWEST:
        return False
    far = int(_graphs.dijkstra(met, unweighted=True, indices=0).argmax())
    distance = _graphs.dijkstra(met, unweighted=True, indices=far)
    if not np.isfinite(distance).all():
        return False
    at_distance = np.bincount(distance.astype(np.int64))
    if at_distance.size <= _LEAST_LENGTH or (at_distance.astype(np.float64) ** 2).sum() > _WIDEST:
        return False
    first, fifth = _slowest(met, 6)[0][[1, 5]]
    return bool(0.0 < first < LEAK and fifth < min(_GROWTH * first, _SLOW))


def chain_matrix(met: "csr_array") -> "csr_array":
    """Matrix B of a chain of players (`is_chain`), CSR, (player, player), so that w is the spread of the players."""
    gaps, vectors = _slowest(met, _SLOWEST)
    leak = _CHAIN_LEAK * gaps[1]
    games = np.asarray(met.sum(axis=1)).ravel()
    weight = games.mean() / games  # of the squares of D^1/2 v
    variance = weight @ np.square(vectors[:, 1:] / (gaps[1:] + leak)).sum(axis=1)
    root = _sparse.diags_array(games**-0.5)
    solve = _arpack.factorized(((1.0 + leak) * _sparse.eye_array(games.size) - root @ met @ root).tocsc())
    signs = np.random.default_rng(0).choice([-1.0, 1.0], (games.size, _PROBES))
    rest = solve(signs - vectors @ (vectors.T @ signs))
    variance += (weight @ np.square(rest)).mean()
    matrix = _sparse.diags_array((games.mean() * games) ** -0.5) @ (_sparse.diags_array((1.0 + leak) * games) - met)
    return _sparse.csr_array(matrix * np.sqrt(variance / games.size))


def _slowest(met: "csr_array", count: int) -> tuple[Floats, Floats]:
    """The smallest 1 - l of P, ascending, and the eigenvectors of D^-1/2 A D^-1/2, (player, number)."""
    games = np.asarray(met.sum(axis=1)).ravel()
    root = _sparse.diags_array(games**-0.5)
    laplacian = (_sparse.eye_array(games.size) - root @ met @ root).tocsc()
    start = np.random.default_rng(0).normal(size=games.size)
    gaps, vectors = _arpack.eigsh(laplacian, k=count, sigma=-1e-7, v0=start)
    order = np.argsort(gaps)
    return np.maximum(gaps[order], 0.0), vectors[:, order]
