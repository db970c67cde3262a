r"""Colley's and Massey's ratings: linear equations of all games so far.

    Colley   (2 + n_i) r_i - sum_j n_ij r_j = 1 + (w_i - l_i) / 2        wins and losses alone; 1/2 without a game
    Massey   n_i r_i - sum_j n_ij r_j = sum of the margins of i          least squares of r_i - r_j = margin; mean 0

n_ij games of i against j, n_i all games of i; a draw is half a win and half a loss. With unknown margins a win counts
1. Groups that never met each have mean 0 (Massey). Both rank sides without probabilities: forecasts come from the curve
of `halfpoint.systems.network`.

Colley (2002), Colley's bias free college football ranking method, eq. 19 and 20; Massey (1997), Statistical models
applied to the rating of sports teams, honors thesis, Bluefield College; both in Langville and Meyer (2012), Who's #1?
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.linalg import spsolve

from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.network import Network, margins_of

_RIDGE = 1e-9  # of a game, which sets the mean of each group to 0


@dataclass
class Colley(Network):
    """Colley's ratings."""

    def unknown(self) -> float:
        """Rating of a side without a game."""
        return 0.5

    def solve(self, beaten: sparse.csr_array) -> Floats:
        """The ratings, shape (player,)."""
        met = sparse.csc_array(beaten + beaten.T)
        count, won = np.asarray(met.sum(axis=1)), np.asarray(beaten.sum(axis=0))
        return np.asarray(spsolve(sparse.csc_array(sparse.diags_array(2.0 + count) - met), 1.0 + won - count / 2.0))


@dataclass
class Massey(Network):
    """Massey's ratings, in the unit of the margins."""

    def worth(self, games: GameTable) -> Floats:
        """Margins, shape (game,)."""
        return margins_of(games)

    def solve_games(
        self, first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], worth: Floats, weight: Floats
    ) -> Floats:
        """The ratings, shape (player,)."""
        size, row = len(self.ledger), np.arange(first.size)
        side = np.repeat([1.0, -1.0], first.size)
        places = np.tile(row, 2), np.concatenate([first, second])
        design = sparse.csc_array((side, places), shape=(first.size, size))
        weighed = sparse.csc_array(design.T * weight)
        normal = weighed @ design + _RIDGE * sparse.eye_array(size)
        return np.asarray(spsolve(sparse.csc_array(normal), weighed @ worth))
