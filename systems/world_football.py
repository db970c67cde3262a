r"""World Football Elo ratings: K by the match's importance, more for wide margins, 100 points for playing at home.

    R_new = R + K G (W - W_e),   W_e = 1 / (1 + 10^(-(R - R_j + h) / 400)),   h = 100 at home, 0 on neutral ground
    G = 1 for a draw or a margin of one goal,  3/2 for two,  (11 + N) / 8 for N >= 3

K is 60 for World Cup finals, 50 for continental finals, 40 for qualifiers, 30 for other tournaments, 20 for friendlies.
Games are rated one by one.

World Football Elo Ratings, eloratings.net/about (Runyan 1997). Margins come from goals in the file (the covariate
`goal_difference`), K from a covariate `importance`, and are 1 and one common K if these are missing.
"""

from dataclasses import dataclass, field

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.baselines import seats_differ
from halfpoint.systems.elo import Elo, Update
from halfpoint.systems.k_factor import KRule, constant

_FRIENDLY_K = 20.0
_IMPORTANCE = "importance"
_GOAL_DIFFERENCE = "goal_difference"


def goal_index(goal_difference: Floats) -> Floats:
    """Factor G of K, same shape; 1 for an unknown margin.

    Examples
    --------
    >>> goal_index(np.array([0.0, 1.0, -2.0, 3.0, 7.0])).tolist()
    [1.0, 1.0, 1.5, 1.75, 2.25]
    """
    margin = np.abs(np.nan_to_num(np.asarray(goal_difference, dtype=np.float64)))
    return np.asarray(np.where(margin >= 3.0, (11.0 + margin) / 8.0, np.where(margin > 1.0, 1.5, 1.0)))


@dataclass
class WorldFootball(Elo):
    """World Football Elo ratings: `Elo` by game, with 100 points for the home side by default."""

    k: KRule = field(default_factory=lambda: constant(_FRIENDLY_K))
    update: Update = "game"
    advantage_elo: float = 100.0

    def k_multiplier(self, games: GameTable) -> Floats:
        """Factor G, times the match's own K over the constant one if the games have it, shape (game,)."""
        margin = games.covariates.get(_GOAL_DIFFERENCE)
        index = np.ones(len(games)) if margin is None else goal_index(margin)
        importance = games.covariates.get(_IMPORTANCE)
        if importance is None:
            return index
        if importance.dtype.kind not in "fi" or not (importance >= 0).all():
            raise RatingSystemError(games.source, "a K >= 0 in column importance", "other values", "Give 20 to 60.")
        return np.asarray(index * importance / self.k.low)

    def advantage_of(self, games: GameTable) -> Floats:
        """The home advantage in each game, 0 on neutral ground, shape (game,)."""
        return super().advantage_of(games) * seats_differ(games)
