r"""Chessmetrics: a weighted, padded, simultaneous performance rating over four years.

    P_i = A_i + 850 (share of the points - 1/2)                     performance, A_i the opponents' mean rating
    R_i = (P_i n_i + 4 A_i + 3 x 2300) / (n_i + 7) + 43             four draws with such opponents, three with 2300

Games count w = (48 - months ago) / 48 in share, mean and n_i = sum of w. The opponents' ratings come from the same
list: all equations are solved together by iteration, and after each iteration the list is shifted to its level, which
the equations do not identify. Inactive players above 2300 approach 2300 as their games age. Expected score: 1/2 + (R_i
- R_j) / 850, from 0 to 1.

Sonas (2005), chessmetrics.com, "Formulas". There the level makes the best players of two centuries comparable; here the
mean of the rated players is 2300, the rating of the three draws, and printed ratings are not used.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem
from halfpoint.models.games.table import Floats, GameTable

_SLOPE_ELO = 850.0
_OPPONENT_DRAWS, _POOL_DRAWS = 4.0, 3.0
_POOL_ELO, _SHIFT_ELO = 2300.0, 43.0
_SPAN = 48
_TOLERANCE_ELO, _ROUNDS = 1e-7, 100_000


def padded_rating[N: (float, Floats)](performance_elo: N, games: N, opponents_elo: N) -> N:
    """Padded rating of a performance, or of several.

    Arguments: the opponents' mean plus 850 (share - 1/2), the number of games or sum of their weights, and the
    opponents' mean.

    Examples
    --------
    >>> round(padded_rating(2733.0 + 850.0 * (8 / 12 - 0.5), 12, 2733.0))
    2797
    """
    total = performance_elo * games + opponents_elo * _OPPONENT_DRAWS + _POOL_ELO * _POOL_DRAWS
    return total / (games + _OPPONENT_DRAWS + _POOL_DRAWS) + _SHIFT_ELO


@dataclass
class Chessmetrics(LedgerSystem):
    """Chessmetrics ratings."""

    weighs: ClassVar[bool] = False
    span: int = _SPAN  #: periods after which a game no longer counts
    advantage_elo: float = 0.0  #: first-move advantage of White in a forecast, in Elo points
    learned = ("ledger", "past")

    def __post_init__(self) -> None:
        if self.span < 1:
            raise RatingSystemError("Chessmetrics", "a span of one period or more", str(self.span))
        self.past = np.empty((0, 4))

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": np.full(day_elo.shape, _POOL_ELO)}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn one period: solve for all ratings again."""
        white, black = self.ledger.enter(games)
        rows = np.column_stack([white, black, games.score, np.full(len(games), float(period))])
        self.past = np.concatenate([self.past[self.past[:, 3] > period - self.span], rows])
        weight = (self.span - (period - self.past[:, 3])) / self.span
        first, second = self.past[:, 0].astype(np.int64), self.past[:, 1].astype(np.int64)
        player, opponent = np.concatenate([first, second]), np.concatenate([second, first])
        weights, surplus = (
            np.concatenate([weight, weight]),
            np.concatenate([self.past[:, 2], 1.0 - self.past[:, 2]]) - 0.5,
        )
        rating = self.ledger["rating"]
        count = np.bincount(player, weights, rating.size)
        played = count > 0.0
        divisor = np.where(played, count, 1.0)
        gained = _SLOPE_ELO * np.bincount(player, weights * surplus, rating.size) / divisor
        for _ in range(_ROUNDS):
            mean = np.bincount(player, weights * rating[opponent], rating.size) / divisor
            new = padded_rating(mean + gained, count, mean)
            new = np.where(played, new - new[played].mean() + _POOL_ELO, _POOL_ELO)
            moved = float(np.abs(new - rating).max())
            rating[:] = new
            if moved < _TOLERANCE_ELO:
                break

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; Chessmetrics defines no draw probability."""
        return Forecast(np.clip(0.5 + (self.lead(games) + self.advantage_elo) / _SLOPE_ELO, 0.0, 1.0))
