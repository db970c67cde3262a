r"""TrueSkill for two players, or two sides of several people, with draws.

Skill s ~ N(mu, sigma^2), performance p ~ N(s, beta^2); White wins if p_w - p_b + h > eps, a draw if within eps.
Before each game sigma^2 grows by tau^2. With c^2 = 2 beta^2 + sigma_w^2 + sigma_b^2, t and e = eps / c:

    winner i, loser j:  t = (mu_i - mu_j +- h) / c,  v = phi(t - e) / Phi(t - e),  w = v (v + t - e)
    draw:               v = (phi(-e - t) - phi(e - t)) / D,  D = Phi(e - t) - Phi(-e - t),
                        w = v^2 + ((e - t) phi(e - t) + (e + t) phi(e + t)) / D
    mu_i <- mu_i + sigma_i^2 v / c,  mu_j <- mu_j - sigma_j^2 v / c,  sigma^2 <- sigma^2 (1 - sigma^2 w / c^2)

eps = sqrt(2) beta Phi^(-1)((P + 1) / 2), P the probability of a draw between equals. Units are arbitrary: 25, 25/3,
25/6 in the paper, Elo points (beta = 200 is one class) if ratings start from printed ratings.

Herbrich, Minka & Graepel (2007) NIPS 19:569; Krajowski-Kukiel (2011), eq. 2.9 to 2.11.
"""

import math
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
from scipy.special import ndtr, ndtri

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer, weights_of
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.elo import batches
from halfpoint.systems.matches import matches_in_order, rates_people, side_sums, who_is_rated
from halfpoint.systems.trueskill_teams import update_pairs, update_teams


@dataclass
class TrueSkill(LedgerSystem):
    """TrueSkill ratings."""

    deviation: float = 25.0 / 3.0  #: standard deviation sigma of a new player's skill
    beta: float = 25.0 / 6.0  #: standard deviation of one performance
    tau: float = 25.0 / 300.0  #: growth of the deviation before each game
    draw_probability: float = 0.1  #: probability of a draw between equals, from 0 to below 1
    advantage: float = 0.0  #: addition of the first move to White's performance
    #: where the mean of a new player starts, in the same unit as the rest
    newcomer: Newcomer = field(default_factory=lambda: Newcomer(25.0, from_day=False))
    rates_people: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if not (self.deviation > 0.0 and self.beta > 0.0 and self.tau >= 0.0):
            actual = f"{self.deviation}, {self.beta}, {self.tau}"
            raise RatingSystemError("TrueSkill", "positive deviation and beta, tau >= 0", actual)
        if not 0.0 <= self.draw_probability < 1.0:
            raise RatingSystemError("TrueSkill", "a draw probability from 0 to below 1", str(self.draw_probability))
        self.margin = float(math.sqrt(2.0) * self.beta * ndtri((self.draw_probability + 1.0) / 2.0))

    def _start(self, day_elo: Floats) -> Columns:
        return {"rating": self.newcomer.ratings(day_elo), "deviation": np.full(day_elo.shape, self.deviation)}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period one by one."""
        order, _ = batches(games, "game")
        often, numbers = weights_of(games)[order], (self.beta, self.tau, self.draw_probability, self.advantage)
        if rates_people(self, games):
            matches = matches_in_order(self, self.ledger, games, order)
            update_teams(matches, self.ledger["rating"], self.ledger["deviation"], *numbers, often)
            return
        white, black = self.ledger.enter(games)
        skill, deviation = self.ledger["rating"], self.ledger["deviation"]
        update_pairs(white[order], black[order], games.outcome[order], skill, deviation, *numbers, often)

    def forecast(self, games: GameTable) -> Forecast:
        """The probabilities of loss, draw and win."""
        columns = self.ledger.peek_names(*who_is_rated(self, games))
        white, black = side_sums(self, games, columns["rating"])
        variances = side_sums(self, games, columns["deviation"] ** 2 + self.tau**2 + self.beta**2, 2)
        people = side_sums(self, games, np.ones(columns["rating"].size), 0)
        spread, ahead = np.sqrt(variances[0] + variances[1]), white - black + self.advantage
        margin = self.margin * np.sqrt((people[0] + people[1]) / 2.0)
        loss, win = ndtr((-ahead - margin) / spread), ndtr((ahead - margin) / spread)
        outcome = np.stack([loss, np.maximum(1.0 - loss - win, 0.0), win], axis=1)
        return Forecast(np.clip(win + outcome[:, 1] / 2.0, 0.0, 1.0), outcome)
