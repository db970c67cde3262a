r"""The European Go Federation's rating (GoR), by the rule of 2021, with handicap stones.

    r'    = r + con (S - E) + bonus                     every game of a tournament with the ratings before it
    con   = ((3300 - r) / 200)^1.6,     bonus = ln(1 + exp((2300 - r) / 80)) / 5
    E     = 1 / (1 + exp(beta_2 - beta_1)),     beta = -7 ln(3300 - r - h)
    h     = 100 (H - 1/2) for a player who received H stones, else 0;     r' >= -900

r in points of which 100 are a grade: 2100 is 1 dan, 2000 1 kyu, 100 20 kyu. S is 1, 1/2 (jigo) or 0. H = 1 is Black's
first move without komi. The bonus counters deflation. E depends on the level: 100 points are 58% at 1300, 72% at 2600.

European Go Database, europeangodatabase.eu/EGD/EGF_rating_system.php: in force since 2021; all games since 1996 were
rated again by it, so that one rule applies to every date. The value of stones is not on this page; it is on the page of
the previous rule (EGF_rating_system_old.php), and programs that implement the federation's calculation use it. Left
out, as missing from tables of games: the lower weight of tournaments of classes B, C and D, and the grades from which
new players start, replaced by the ratings printed in the file. Stones are read from the column `handicap`: stones given
to Black, the second seat; a negative number is given to White.
"""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import expit

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Forecast, GameLog, LedgerSystem, Newcomer
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.elo import events

_HANDICAP = "handicap"
_CEILING = 3300.0
_LEAST = -900.0


def con(rating: Floats) -> Floats:
    """K of a rating, same shape.

    Examples
    --------
    >>> con(np.array([100.0, 2100.0, 2700.0])).round(2).tolist()
    [84.45, 17.58, 5.8]
    """
    return np.asarray((np.maximum(_CEILING - rating, 0.0) / 200.0) ** 1.6)


def _bonus(rating: Floats) -> Floats:
    """Bonus of every game, same shape."""
    return np.asarray(np.logaddexp(0.0, (2300.0 - rating) / 80.0) / 5.0)


def expected_score(rating: Floats, opponent: Floats, stones: Floats | float = 0.0) -> Floats:
    """Expected score of a player against an opponent with handicap stones, same shape.

    Examples
    --------
    >>> expected_score(np.array([1320.0]), np.array([1217.0])).round(2).tolist()
    [0.59]
    """
    handicap = np.asarray(stones, dtype=np.float64)
    worth = np.where(handicap == 0.0, 0.0, 100.0 * (np.abs(handicap) - 0.5))
    bonus, opponent_bonus = np.where(handicap < 0.0, worth, 0.0), np.where(handicap > 0.0, worth, 0.0)
    far, near = (np.log(np.maximum(_CEILING - level, 1.0)) for level in (opponent + opponent_bonus, rating + bonus))
    return np.asarray(expit(7.0 * (far - near)), dtype=np.float64)


@dataclass
class Egf(LedgerSystem):
    """Ratings of the European Go Federation, by tournament; by period if the games name none."""

    weighs: ClassVar[bool] = False
    #: where new players start: from the rating printed with their first game, else from a constant
    newcomer: Newcomer = field(default_factory=Newcomer)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period, each tournament from the ratings before it."""
        white, black = self.ledger.enter(games)
        stones, rating = _stones_of(games), self.ledger["rating"]
        log = np.empty((len(games), 5))
        for rows in events(games):
            sides = white[rows], black[rows]
            white_rating, black_rating = (rating[side] for side in sides)
            expected = expected_score(white_rating, black_rating, stones[rows])
            surprise = games.score[rows] - expected
            log[rows, 0], log[rows, 1], log[rows, 2] = expected, con(white_rating), con(black_rating)
            log[rows, 3] = con(white_rating) * surprise + _bonus(white_rating)
            log[rows, 4] = _bonus(black_rating) - con(black_rating) * surprise
            for side, change in zip(sides, (log[rows, 3], log[rows, 4]), strict=True):
                np.add.at(rating, side, change)
                np.add.at(self.ledger["games"], side, 1.0)
            np.maximum(rating, _LEAST, out=rating)
        self.log = GameLog(*log.T)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; the rule defines no probability of a jigo."""
        rating = self.ledger.peek(games)["rating"]
        return Forecast(expected_score(rating[games.white], rating[games.black], _stones_of(games)))


def _stones_of(games: GameTable) -> Floats:
    """Handicap stones of Black, shape (game,): 0 if unknown."""
    column = games.covariates.get(_HANDICAP)
    if column is None:
        return np.zeros(len(games))
    if column.dtype.kind not in "fiu" or (np.abs(np.nan_to_num(column)) > 9).any():
        raise RatingSystemError(games.source, "0 to 9 stones in column handicap", "other values", "Give whole numbers.")
    return np.nan_to_num(np.asarray(column, dtype=np.float64))
