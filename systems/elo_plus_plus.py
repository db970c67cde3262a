r"""Elo++: repeated fit to all past games, with lower weights for older games and each player shrunk to their opponents.

    p_ij = 1 / (1 + exp(R_j - R_i - h))                                              (9), natural units
    L    = sum_games w (p_ij - s)^2 + rho sum_players (R_i - a_i)^2                   (10)
    a_i  = weighted mean rating of i's opponents                                      (11)
    w    = ((1 + t - t_min) / (1 + t_max - t_min))^2                                  (12)
    R_i <- R_i - eta (w (p - s) p (1 - p) + rho / |N_i| (R_i - a_i))
    R_j <- R_j + eta (w (p - s) p (1 - p) - rho / |N_j| (R_j - a_j))                  (13, 14, corrected)
    eta  = (6 / (iteration + 5))^0.602                                                (15), 50 iterations

R  rating in natural units (400 / ln 10 = 173.7 Elo points);  s  White's score;  h  advantage of White;  |N_i|  games of
player i. The thesis prints equations 13 and 14 with the squared error and the same sign twice; a gradient step of
equation 10 has the first power times p (1 - p), and opposite signs. As in the paper, the factor 2 of the square is in
eta and the mean a_i is fixed within an iteration.

Sismanis (2010), "How I won the Chess Ratings: Elo vs the Rest of the World competition", arXiv:1012.4571; equation
numbers of Pires (2014), 2.1.1.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.models.games.units import to_elo, to_natural
from halfpoint.models.games.weights import weights
from halfpoint.systems.curves import expected_score


@dataclass
class EloPlusPlus(LedgerSystem):
    """Elo++ ratings."""

    weighs: ClassVar[bool] = False
    pull: float = 0.77  #: rho, the weight of the neighbours
    advantage_elo: float = 35.0  #: h, first-move advantage of White, in Elo points
    iterations: int = 50  #: passes over all past games
    #: where the descent starts for each player, and the forecast of players without a game
    newcomer: Newcomer = field(default_factory=Newcomer)
    seed: int = 20101  #: seed of the order of the games within each pass
    learned = ("ledger", "past")

    def __post_init__(self) -> None:
        if self.pull < 0.0 or self.iterations < 1:
            actual = f"{self.pull}, {self.iterations}"
            raise RatingSystemError("Elo++", "a pull >= 0 and at least one iteration", actual)
        self.past = np.empty((0, 4))

    def _start(self, day_elo: Floats) -> Columns:
        start = self.newcomer.ratings(day_elo)
        return {"rating": start, "start": start.copy()}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Add one period and refit all games."""
        white, black = self.ledger.enter(games)
        rows = np.column_stack([white, black, games.score, np.full(len(games), period)])
        self.past = np.concatenate([self.past, rows])
        i, j = self.past[:, 0].astype(np.int32), self.past[:, 1].astype(np.int32)
        weight = weights("sismanis", self.past[:, 3])
        rating = to_natural(self.ledger["start"].copy())
        generator = np.random.default_rng(self.seed)
        count = np.bincount(i, minlength=rating.size) + np.bincount(j, minlength=rating.size)
        for iteration in range(1, self.iterations + 1):
            eta = (6.0 / (iteration + 5.0)) ** 0.602
            mean = opponents_mean(rating, i, j, weight)
            order = generator.permutation(i.size)
            played = i[order], j[order], self.past[order, 2], weight[order]
            numbers = eta, float(self.pull), to_natural(self.advantage_elo)
            descend(played, rating, mean, count.astype(np.float64), numbers)
        self.ledger["rating"][:] = to_elo(rating)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores (eq. 9); Elo++ defines no draw probability."""
        return Forecast(expected_score(self.lead(games) + self.advantage_elo))


def opponents_mean(rating: Floats, white: Codes, black: Codes, weight: Floats) -> Floats:
    """a_i, shape (player,) (eq. 11); a player without a game is their own neighbour."""
    size = rating.size
    total = np.bincount(white, weight, size) + np.bincount(black, weight, size)
    faced = np.bincount(white, weight * rating[black], size) + np.bincount(black, weight * rating[white], size)
    return np.asarray(np.where(total > 0.0, faced / np.where(total > 0.0, total, 1.0), rating))


@compile_lazily
def descend(
    played: tuple[Codes, Codes, Floats, Floats], rating: Floats, mean: Floats, count: Floats,
    numbers: tuple[float, float, float],
) -> None:  # fmt: skip
    """Take one stochastic gradient step a game, in place (eq. 13 and 14, corrected)."""
    white, black, score, weight = played
    eta, pull, advantage = numbers
    for game in range(white.size):
        i, j = white[game], black[game]
        p = 1.0 / (1.0 + math.exp(rating[j] - rating[i] - advantage))
        step = weight[game] * (p - score[game]) * p * (1.0 - p)
        of_i, of_j = pull / count[i] * (rating[i] - mean[i]), pull / count[j] * (rating[j] - mean[j])
        rating[i] -= eta * (step + of_i)
        rating[j] += eta * (step - of_j)
