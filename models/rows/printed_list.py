"""Printed ratings as a model reads them: each side's rating on the day, and the mean of its ratings so far."""

import numpy as np

from halfpoint.models.games.rating_history import running_ratings
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.units import to_natural

COLUMN = "listed"  # of rows: White's and Black's rating, and how far the mean so far is above either, natural units
MEANS = ("white_rating_mean_elo", "black_rating_mean_elo")  # of games, where more is known than the table says
_MIDDLE = to_natural(2705.0)


def columns_of(rating_elo: Floats, mean_elo: Floats) -> Floats:
    """The columns of games from White's and Black's ratings and means so far, shape (2, game) each, NaN unknown.

    Natural units; shape (game, 4). A game in which one rating is unknown counts as a game between equals, as in
    `fide-rating`.
    """
    above = to_natural(np.nan_to_num(mean_elo - rating_elo, nan=0.0))
    rating = to_natural(rating_elo)
    rating = np.where(np.isnan(rating), rating[::-1], rating)
    return np.stack([*np.nan_to_num(rating, nan=_MIDDLE), *above], axis=1)


def printed_ratings(games: GameTable) -> Floats:
    """White's and Black's rating, and their mean ratings so far less these, (game, 4)."""
    rating, mean = running_ratings(games)[0]
    if all(name in games.covariates for name in MEANS):
        mean = np.stack([np.asarray(games.covariates[name], dtype=np.float64) for name in MEANS])
    return columns_of(rating, mean)
