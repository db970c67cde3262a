r"""Performance ratings: the rating implied by the results of one event.

    quantile        R_p = R_m + D_p,  D_p the quantile of the curve at the share of points    Pires (2014), eq. 7
    fide            R_p = R_m + d_p,  d_p from FIDE's table, by its steps                      FIDE regulations 8.1a
    400             the mean of (opponent's rating + 400 for a win, - 400 for a loss)         "algorithm of 400"
    harkness        R_p = R_m + 10 for each percent above a half, - 10 below                   Harkness 1967
    bcf             as "400", opponents at most 320 from the player, 8 per grade             Clarke 1958

R_m  mean rating of the opponents in Elo points. A perfect or a zero score has no quantile; it counts as 800 points,
as in FIDE's table. Ratings are not shrunk: after a few games they are far too extreme for a forecast, and a player who
won all games is 800 points ahead.
"""

from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.curves import Curve, expected_score, quantile_elo
from halfpoint.systems.fide_table import difference_by_steps

Method = Literal["quantile", "fide", "400", "harkness", "bcf"]
_PERFECT_ELO, _BCF_ELO = 800.0, 320.0


def difference(share: Floats, method: Method, curve: Curve = "logistic") -> Floats:
    """The rating difference in Elo points for a share of the points, same shape."""
    if method == "quantile":
        return np.clip(quantile_elo(share, curve), -_PERFECT_ELO, _PERFECT_ELO)
    if method == "fide":
        return difference_by_steps(share)
    if method in ("400", "harkness", "bcf"):
        return np.asarray((1000.0 if method == "harkness" else 800.0) * (share - 0.5))
    raise RatingSystemError("performance rating", "quantile, fide, 400, harkness or bcf", repr(method))


def performance(opponents_elo: Floats, score: Floats, method: Method = "fide") -> float:
    """Performance rating of one player in one event, in Elo points.

    Opponents' ratings in Elo points and the player's scores (0, 0.5 or 1) have shape (game,); the module lists the
    methods. `RatingSystemError` if there is no game, or the shapes differ.

    Examples
    --------
    >>> performance(np.array([2400.0, 2550.0, 2600.0, 2650.0]), np.array([1.0, 0.0, 0.5, 0.5]))
    2550.0
    """
    if opponents_elo.shape != score.shape or score.size == 0:
        actual = f"shapes {opponents_elo.shape} and {score.shape}"
        raise RatingSystemError("performance rating", "as many opponents as scores, at least one", actual)
    share = np.array([np.mean(score)])
    return float(np.mean(opponents_elo) + difference(share, method)[0])


@dataclass
class Performance(LedgerSystem):
    """Performance in the last periods, used as a rating."""

    weighs: ClassVar[bool] = False
    method: Method = "fide"  # how results become a rating
    periods: int = 12  # number of past periods whose games count
    advantage_elo: float = 0.0  # first-move advantage of White in a forecast, in Elo points
    # rating of players without a game in these periods and without an earlier performance
    newcomer: Newcomer = field(default_factory=Newcomer)
    learned = ("ledger", "past")

    def __post_init__(self) -> None:
        difference(np.array([0.5]), self.method)
        if self.periods < 1:
            raise RatingSystemError("performance rating", "at least one period", str(self.periods))
        self.past = np.empty((0, 4))

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": self.newcomer.ratings(day_elo)}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn one period; opponents have their printed ratings, else their own performance."""
        white, black = self.ledger.enter(games)
        rating = self.ledger["rating"]
        rows = [self.past[self.past[:, 3] > period - self.periods]]
        printed, score = (games.black_rating_elo, games.white_rating_elo), (games.score, 1.0 - games.score)
        for players, opponents, printed_rating, points in zip(
            (white, black), (black, white), printed, score, strict=True
        ):
            faced = (
                rating[opponents]
                if printed_rating is None
                else np.where(np.isnan(printed_rating), rating[opponents], printed_rating)
            )
            if self.method == "bcf":
                faced = np.clip(faced, rating[players] - _BCF_ELO, rating[players] + _BCF_ELO)
            rows.append(np.column_stack([players, faced, points, np.full(len(games), period)]))
        self.past = np.concatenate(rows)
        player = self.past[:, 0].astype(np.int64)
        count = np.bincount(player, minlength=rating.size)
        played = count > 0
        faced, share = (np.bincount(player, self.past[:, k], rating.size)[played] / count[played] for k in (1, 2))
        rating[played] = faced + difference(share, self.method)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; a performance rating defines no draw probability."""
        return Forecast(expected_score(self.lead(games) + self.advantage_elo))
