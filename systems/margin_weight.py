r"""What a game counts by its margin, for any system that learns game by game: the wider, the more.

    G = max(|m|, 1)^lambda

m       goals or points by which a game was won; G is 1 for a draw, a margin of one, and a margin that is not known
lambda  0: results alone; 1/2: ClubElo's, by the square root of the goals between the sides (Schiefler 2012,
        clubelo.com, Adjustment for Goal Difference); tuned here

Elo multiplies K by G. Glicko counts a game G times: its sum of surprises and its information 1/d^2. Weng and Lin's step
of the mean is taken G times, and the variance shrinks by its ratio to the power G. A loss is worth as many points to
one side as a win to the other, whatever G, so that Elo's sum stays. Goals and points need different lambda: tune it.
"""

import numpy as np

from halfpoint.games.table import Floats, GameTable
from halfpoint.systems.errors import RatingSystemError


def margin_weight(games: GameTable, exponent: float) -> Floats:
    """Return G, shape (game,).

    Parameters
    ----------
    games : GameTable
        The games; margins from their column `margin` or `goal_difference`.
    exponent : float
        lambda, at least 0.

    Raises
    ------
    RatingSystemError
        If lambda is negative or no number.
    """
    if not 0.0 <= exponent < np.inf:
        raise RatingSystemError("margin exponent", "a number >= 0", repr(exponent))
    return np.asarray(np.maximum(np.abs(np.nan_to_num(games.margin)), 1.0) ** exponent)
