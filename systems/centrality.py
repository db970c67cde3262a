r"""Eigenvector centrality with restarts: a walk from losers to winners.

    x = d P x + (1 - d) / n,        P_ij = (points of i over j) / (points j lost)

x    share of the walk's time at each player;  n  number of players;  d  probability to continue,
     1 - d to restart at a random player. A player who lost no point restarts the walk.

The rating is ln(n x). Keener (1993) SIAM Review 35:80 rates by the leading eigenvector of such a matrix; the restarts
are as in PageRank (Brin & Page 1998) and of the basketball network of Krajowski-Kukiel (2011), section 2.5. The walk is
solved as a sparse linear system, not by steps. `centrality` takes any matrix without negative entries, such as the
matrix of players who shared a line-up (lineup_network.py).
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats
from halfpoint.systems.network import Network


def centrality(beaten: sparse.csr_array, going_on: float) -> Floats:
    """Stationary share of the random walk at each player, shape (player,), which sums to 1.

    Parameters
    ----------
    beaten : scipy.sparse.csr_array, shape (player, player)
        Entry (i, j), not negative, is the number of points of player j over player i: the walk goes from i to j.
    going_on : float
        d, from 0 to below 1.

    Raises
    ------
    RatingSystemError
        If d is out of its range, or the matrix is not square or has a negative entry.
    """
    if not 0.0 <= going_on < 1.0:
        raise RatingSystemError("centrality", "a probability of continuing from 0 to below 1", str(going_on))
    size = beaten.shape[0]
    if beaten.shape != (size, size) or (beaten.data < 0.0).any() or not np.isfinite(beaten.data).all():
        raise RatingSystemError("centrality", "a square matrix of numbers >= 0", f"shape {beaten.shape}")
    lost = np.asarray(beaten.sum(axis=1))
    scale = np.where(lost > 0.0, 1.0 / np.where(lost > 0.0, lost, 1.0), 0.0)
    walk = (sparse.diags_array(scale) @ beaten).T
    # Restarts of unbeaten players return evenly, as all restarts do, so they only rescale the solution.
    system = splu(sparse.csc_array(sparse.eye_array(size) - going_on * walk))
    share = system.solve(np.full(size, (1.0 - going_on) / size))
    return np.asarray(share / share.sum())


@dataclass
class Centrality(Network):
    """Ratings by eigenvector centrality with restarts."""

    going_on: float = 0.85  # d, the probability that the walk continues

    def __post_init__(self) -> None:
        if not 0.0 <= self.going_on < 1.0:
            raise RatingSystemError("centrality", "a probability of continuing from 0 to below 1", str(self.going_on))
        super().__post_init__()

    def unknown(self) -> float:
        """Score of a player without wins: the walk reaches them by restarts alone."""
        return float(np.log(1.0 - self.going_on))

    def solve(self, beaten: sparse.csr_array) -> Floats:
        """ln(n x), shape (player,)."""
        return np.asarray(np.log(beaten.shape[0] * centrality(beaten, self.going_on)))
