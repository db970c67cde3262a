r"""Kappa-Elo: Elo updates for Davidson's model with draws, game by game.

    P(win) : P(draw) : P(loss) = 10^(z/2) : kappa : 10^(-z/2),   z = (R_i - R_j + h) / s
    F(z) = P(win) + P(draw) / 2 = (10^(z/2) + kappa/2) / (10^(z/2) + 10^(-z/2) + kappa)
    R_i <- R_i + K (y - F(z)),   R_j <- R_j - K (y - F(z))

y is the score 0, 1/2 or 1, h White's advantage and s the scale in Elo points. The step is a stochastic gradient step on
Davidson's log likelihood. kappa = 0 is Elo; kappa = 2 is Elo with twice the scale, so Elo implicitly assumes that half
of the games between equals are drawn. s = 800 / (2 + kappa), so that for all kappa F has Elo's slope between equals and
rating points mean the same as in Elo's curve.

Szczecinski and Djebbi (2020) Understanding draws in Elo rating algorithm, Journal of Quantitative Analysis in Sports
16(3), sections 3 and 4. The share of draws between equals is kappa / (2 + kappa).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Forecast
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.elo import Elo

_LARGEST_EXPONENT = 150.0  # of 10^(z/2), far beyond any probability that differs from 1 as a float


def outcome_of_difference(difference_elo: Floats, kappa: float) -> Floats:
    """Probabilities of loss, draw and win for a player's lead, shape (game, 3).

    Examples
    --------
    >>> outcome_of_difference(np.array([0.0]), 2.0).tolist()
    [[0.25, 0.5, 0.25]]
    """
    half = np.clip(np.asarray(difference_elo) * (2.0 + kappa) / 1600.0, -_LARGEST_EXPONENT, _LARGEST_EXPONENT)
    parts = np.stack([10.0**-half, np.full(half.shape, float(kappa)), 10.0**half], axis=-1)
    return np.asarray(parts / parts.sum(axis=-1, keepdims=True))


@dataclass
class KappaElo(Elo):
    """Elo with Davidson's draws: `Elo` by period with another curve; a side is rated as a unit."""

    kappa: float = 1.0  #: draw parameter; kappa / (2 + kappa) of the games between equals are drawn
    rates_people: ClassVar[bool] = False

    def __post_init__(self) -> None:
        if not 0.0 <= self.kappa < np.inf:
            raise RatingSystemError("kappa-Elo", "kappa >= 0", str(self.kappa))

    def curve_numbers(self, games: GameTable) -> tuple[bool, bool, float, float]:
        """Parameters of the curve for the loop."""
        return False, False, 1.0, float(self.kappa)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores and the probabilities of loss, draw and win."""
        return Forecast.of_outcomes(outcome_of_difference(self.lead(games) + self.advantage_elo, self.kappa))
