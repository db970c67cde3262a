r"""Pi ratings of football: a home rating and an away rating, updated by the error of the expected goals.

    g(R)  = sign(R) (10^(|R| / 3) - 1)                                expected goals ahead of the average side
    e     = goals ahead - (g(R_home of the first) - g(R_away of the second)),   psi = 3 log10(1 + |e|) sign(e)
    R_home += lambda psi,   R_away += gamma lambda psi                of the first
    R_away -= lambda psi,   R_home -= gamma lambda psi                of the second

All ratings begin at 0. Games are rated one by one. The paper takes probabilities from games with a similar difference;
here they come from the curve of `halfpoint.systems.network`. With unknown margins a win counts 1.

Constantinou and Fenton (2013) J. Quant. Anal. Sports 9:37, eq. 1 to 7; lambda 0.035, gamma 0.7, base 10 and 3 theirs.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.rating_system import Columns, weights_of
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.elo import batches
from halfpoint.systems.network import Network, margins_of

_SCALE = 3.0


def expected_goals(rating: Floats) -> Floats:
    """Expected lead in goals over the average side for a rating, same shape.

    Examples
    --------
    >>> expected_goals(np.array([1.6, -1.2])).round(3).tolist()
    [2.415, -1.512]
    """
    return np.asarray(np.sign(rating) * np.expm1(np.abs(rating) * (np.log(10.0) / _SCALE)))


@dataclass
class PiRatings(Network):
    """Pi ratings; the column `rating` is the mean of the two."""

    rate: float = 0.035  # lambda
    share: float = 0.7  # gamma

    def _start(self, day_elo: Floats) -> Columns:
        return {name: np.zeros(day_elo.shape) for name in ("rating", "home", "away")}

    def lead(self, games: GameTable) -> Floats:
        """Expected lead of the first side in goals, shape (game,)."""
        columns = self.ledger.peek(games)
        return expected_goals(columns["home"][games.white]) - expected_goals(columns["away"][games.black])

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period one by one."""
        self.learn_curve(games)
        white, black = self.ledger.enter(games)
        home, away = self.ledger["home"], self.ledger["away"]
        margin, weight = margins_of(games), weights_of(games)
        for game in batches(games, "game")[0]:
            i, j = white[game], black[game]
            error = margin[game] - float(expected_goals(home[i]) - expected_goals(away[j]))
            step = weight[game] * self.rate * _SCALE * np.log10(1.0 + abs(error)) * np.sign(error)
            home[i] += step
            away[i] += self.share * step
            away[j] -= step
            home[j] -= self.share * step
        self.ledger["rating"][:] = (home + away) / 2.0
