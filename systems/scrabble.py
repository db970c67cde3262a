r"""Scrabble in North America: NSA's rule until 2008, NASPA's since, both by tournament.

    R' = R + K sum_i (S_i - E(R - R_i))
    E(d) = Phi(d / (400 / sqrt 2))              until 2008
    E(d) = 1 / (1 + exp(-0.0031879 d))          since 2009: 722 points are odds of 10 to 1

K is 20 below 1800, 16 from 1800 and 10 from 2000; 30, 24 and 15 for the first 50 games (`k_factor.RULES`).

Until 2008: Chew, How the NSA Ratings System Works, math.utoronto.ca/~jjchew/scrabble/ratings/how.html, "obsolete as of
2009-01-01". Since: NASPA, Rating system overview, scrabbleplayers.org/wiki; it gives the curve and K of 20, 16 and 10,
but no number for the higher K of the first 50 games: the numbers before 2009 are used. Left out: the first rating of a
player, replaced by the rating printed in the file, and NSA's additional points in some tournaments, since no numbers
were found. WESPA's curve was not found either.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from halfpoint.models.games.rating_system import Newcomer
from halfpoint.models.games.table import GameTable
from halfpoint.systems.curves import Curve
from halfpoint.systems.elo import Elo, Update
from halfpoint.systems.k_factor import RULES, KRule

_CURVES: tuple[tuple[str, Curve, float], ...] = (  # since when, which curve, its scale in points
    ("0001-01-01", "normal", 400.0),
    ("2009-01-01", "logistic", math.log(10.0) / 0.0031879),
)


@dataclass
class Scrabble(Elo):
    """Ratings of Scrabble in North America, with the numbers of `Elo`; games without a date count as today's."""

    k: KRule = field(default_factory=lambda: RULES["scrabble"])
    update: Update = "tournament"
    newcomer: Newcomer = field(default_factory=lambda: Newcomer(games_if_rated=50))

    def curve_of(self, games: GameTable) -> tuple[Curve, float]:
        """The curve and scale in force on the last day of these games."""
        day = None if games.date is None or np.isnat(games.date).all() else games.date[~np.isnat(games.date)].max()
        in_force = [row for row in _CURVES if day is None or np.datetime64(row[0]) <= day]
        return in_force[-1][1:]
