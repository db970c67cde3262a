r"""The printed list with fitted scale and draws: a stronger reference than a single draw curve.

    E      = 1 / (1 + exp(-u)),    u = kappa D + h
    ln nu  = l0 + lM (M - 2600) / 100 + lA |D| / 100 + lD D'

D      White's lead in printed ratings, natural units in u and D', Elo points in |D|;  M the mean of the two ratings
kappa  scale of the list, N(1, 1);  h, lM, lA, lD  N(0, 1);  l0 ~ N(1, 5^2)

The six parameters are refitted to all games so far before each period, at the posterior mode; win, draw and loss follow
from the draw curve that keeps E (`models.games.draw_curve`). The model uses only the ratings of players. A game without
both ratings counts as a game between equals, as for `fide-rating`.

Davidson (1970) JASA 65:317, with the difference that keeps E; Fisher scoring with closed-form derivatives.
"""

from typing import ClassVar

import numpy as np
from scipy.special import expit

from halfpoint.models.games.draw_curve import outcome_of
from halfpoint.models.games.rating_system import Forecast, Periodic
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.units import to_elo
from halfpoint.systems.baselines import rating_difference

NAMES = ("kappa", "advantage", "log_draw", "mean", "gap", "signed_gap")
MEAN, SD = np.array([1.0, 0.0, 1.0, 0.0, 0.0, 0.0]), np.array([1.0, 1.0, 5.0, 1.0, 1.0, 1.0])
_CENTRE_ELO, _STEP_ELO = 2600.0, 100.0
_STEPS, NEAR, _LONGEST, _FARTHEST = 50, 1e-9, 1.0, 30.0


def designs(games: GameTable) -> tuple[Floats, Floats]:
    """Terms of u and ln nu, shapes (game, 2) and (game, 4)."""
    lead, count = rating_difference(games), len(games)
    ratings = [rating for rating in (games.white_rating_elo, games.black_rating_elo) if rating is not None]
    mean = np.zeros(count)
    for rating in ratings:
        other_rating = ratings[-1] if rating is ratings[0] else ratings[0]
        mean += np.nan_to_num(np.where(np.isnan(rating), other_rating, rating), nan=_CENTRE_ELO) / len(ratings)
    mean = (mean - _CENTRE_ELO) / _STEP_ELO if ratings else mean
    far = np.abs(to_elo(lead)) / _STEP_ELO
    return np.column_stack([lead, np.ones(count)]), np.column_stack([np.ones(count), mean, far, lead])


class FittedList(Periodic):
    """Printed rating with six numbers fitted to the past."""

    weighs: ClassVar[bool] = False
    learned = ("past", "outcome", "parameters")

    def __init__(self) -> None:
        self.past = np.empty((0, 6))
        self.outcome = np.empty(0, dtype=np.int64)
        self.parameters = MEAN.copy()

    def learn_period(self, games: GameTable, period: int) -> None:
        """Add one period and refit the parameters."""
        self.past = np.concatenate([self.past, np.hstack(designs(games))])
        self.outcome = np.concatenate([self.outcome, games.outcome])
        self.fit()

    def probabilities(self, past: Floats) -> Floats:
        """Loss, draw and win, shape (game, 3)."""
        return outcome_of(np.asarray(expit(past[:, :2] @ self.parameters[:2])), past[:, 2:] @ self.parameters[2:])

    def fit(self) -> None:
        """Go to the mode by Fisher scoring."""
        u_of, lam_of = self.past[:, :2], self.past[:, 2:]
        for _ in range(_STEPS):
            u, lam = u_of @ self.parameters[:2], lam_of @ self.parameters[2:]
            half, q = np.clip(u / 2.0, -_FARTHEST, _FARTHEST), np.exp(np.clip(lam, -_FARTHEST, _FARTHEST)) / 2.0
            bent = np.sqrt(1.0 + (q * np.sinh(half)) ** 2)
            by_u, by_lam = (1.0 + q * np.cosh(half) / bent) / 2.0, q * np.sinh(half) / bent
            p = self.probabilities(self.past)
            ahead = np.array([-1.0, 0.0, 1.0]) - (p[:, 2] - p[:, 0])[:, None]  # slope of each log share by log w
            drawn = np.array([0.0, 1.0, 0.0]) - p[:, 1:2]
            slopes = np.stack([ahead * by_u[:, None], ahead * by_lam[:, None] + drawn])  # by u and lam, (2, game, 3)
            score = np.take_along_axis(slopes, self.outcome[None, :, None], axis=2)[:, :, 0]
            gradient = np.concatenate([u_of.T @ score[0], lam_of.T @ score[1]]) - (self.parameters - MEAN) / SD**2
            weight = np.einsum("gy,agy,bgy->abg", p, slopes, slopes)
            parts = [[u_of.T @ (weight[0, 0][:, None] * u_of), u_of.T @ (weight[0, 1][:, None] * lam_of)]]
            parts.append([parts[0][1].T, lam_of.T @ (weight[1, 1][:, None] * lam_of)])
            step = np.linalg.solve(np.block(parts) + np.diag(SD**-2.0), gradient)
            self.parameters = self.parameters + step * min(1.0, _LONGEST / max(float(np.abs(step).max()), 1e-300))
            if gradient @ step < NEAR:
                return

    def forecast(self, games: GameTable) -> Forecast:
        """The probabilities of loss, draw and win."""
        outcome = self.probabilities(np.hstack(designs(games)))
        return Forecast.of_outcomes(outcome)
