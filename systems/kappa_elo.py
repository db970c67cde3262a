r"""Kappa-Elo: Elo whose model has draws, Davidson's, learned game by game.

    P(win) : P(draw) : P(loss) = 10^(z/2) : kappa : 10^(-z/2),   z = (R_i - R_j + h) / s
    F(z) = P(win) + P(draw) / 2 = (10^(z/2) + kappa/2) / (10^(z/2) + 10^(-z/2) + kappa)
    R_i <- R_i + K (y - F(z)),   R_j <- R_j - K (y - F(z))

y is the score 0, 1/2 or 1, h White's advantage and s the scale in Elo points. The step is a stochastic gradient step on
Davidson's log likelihood. kappa = 0 is Elo; kappa = 2 is Elo with twice the scale, which is why Elo serves games with
draws at all: it takes every second game between equals for drawn. s = 800 / (2 + kappa), so that F has Elo's slope
between equals and a point of rating means what it means in Elo's curve, whatever kappa.

Szczecinski and Djebbi (2020) Understanding draws in Elo rating algorithm, Journal of Quantitative Analysis in Sports
16(3), sections 3 and 4. The share of draws between equals is kappa / (2 + kappa).
"""

from dataclasses import dataclass, field

import numpy as np

from halfpoint.games.table import Floats, GameTable
from halfpoint.systems.elo import Update, batches, move_people
from halfpoint.systems.errors import RatingSystemError
from halfpoint.systems.k_factor import FOREVER, constant
from halfpoint.systems.matches import seats_of
from halfpoint.systems.system import Forecast, GameLog, LedgerSystem, Newcomer

_LARGEST_EXPONENT = 150.0  # of 10^(z/2), far beyond any probability that a float can tell from 1


def outcome_of_difference(difference_elo: Floats, kappa: float) -> Floats:
    """The probabilities of loss, draw and win of the player who is so far ahead, shape (game, 3).

    Examples
    --------
    >>> outcome_of_difference(np.array([0.0]), 2.0).tolist()
    [[0.25, 0.5, 0.25]]
    """
    half = np.clip(np.asarray(difference_elo) * (2.0 + kappa) / 1600.0, -_LARGEST_EXPONENT, _LARGEST_EXPONENT)
    parts = np.stack([10.0**-half, np.full(half.shape, float(kappa)), 10.0**half], axis=-1)
    return np.asarray(parts / parts.sum(axis=-1, keepdims=True))


@dataclass
class KappaElo(LedgerSystem):
    """Elo with Davidson's draws."""

    k: float = 20.0  #: K in Elo points
    kappa: float = 1.0  #: draw parameter; kappa / (2 + kappa) of the games between equals are drawn
    advantage_elo: float = 0.0  #: what the first move is worth to White, in Elo points
    update: Update = "period"  #: when ratings move
    newcomer: Newcomer = field(default_factory=Newcomer)  #: where new players start

    def __post_init__(self) -> None:
        if not (self.k >= 0.0 and 0.0 <= self.kappa < np.inf):
            raise RatingSystemError("kappa-Elo", "K >= 0 and kappa >= 0", f"K {self.k}, kappa {self.kappa}")
        if self.update not in ("game", "event", "period"):
            raise RatingSystemError("update", "game, event or period", repr(self.update))

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period."""
        order, bounds = batches(games, self.update)
        seat, share = seats_of(self, self.ledger, games)
        count = len(games)
        age, advantage = np.full((count, 2), FOREVER), np.full(count, float(self.advantage_elo))
        played = seat[order], share[order], age, games.score[order], np.ones(count), advantage
        rating, kept = self.ledger["rating"], np.empty((count, 5))
        people, rules = (rating, self.ledger["games"], rating.copy()), (False, False, 1.0, float(self.kappa))
        move_people(played, bounds, people, constant(self.k).numbers(), rules, kept)
        self.log = GameLog(*kept[np.argsort(order)].T)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores and the probabilities of loss, draw and win."""
        return Forecast.of_outcomes(outcome_of_difference(self.lead(games) + self.advantage_elo, self.kappa))
