r"""Baselines for any system: shares of the past, and the printed rating with a fitted draw rate.

    base rates    P = (shares of loss, draw, win among all past games, one game of each added)
    FIDE rating   E = 1 / (1 + 10^(-(R_w - R_b + h) / 400)), split into loss, draw and win by the draw curve
                  (draw_curve.py); h and ln nu are maximum likelihood estimates from all past games
    margins       y ~ N(m, s^2), m the mean of the margins of all past games and s^2 = n / (n - 1) their mean square
                  around it; on neutral ground m is 0. P(loss, draw, win) = P(y < -1/2), P(|y| <= 1/2), P(y > 1/2)

R  FIDE rating on the day in Elo points (a game without two ratings counts as one between equals);  h  advantage of
White in Elo points;  nu  draw parameter. The draw curve keeps E: rating differences inserted directly into Davidson's
formula would give expected scores far too near to a half, since FIDE's scale is based on Elo's curve. The CRPS of a
normal forecast: Gneiting & Raftery (2007) JASA 102:359, eq. 21.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.draw_curve import LOG_DRAW_RANGE, outcome_of
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.rating_system import Forecast, MarginForecast, Periodic, weights_of
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.models.games.units import to_natural

_optimize, _special = LazyModule("scipy.optimize"), LazyModule("scipy.special")


@dataclass
class BaseRates(Periodic):
    """Shares of loss, draw and win so far, the same for every game."""

    learned = ("counts",)

    def __post_init__(self) -> None:
        self.counts = np.ones(3)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Count the outcomes of one period."""
        self.counts += np.bincount(games.outcome, weights_of(games), minlength=3)

    def forecast(self, games: GameTable) -> Forecast:
        """The shares so far for each game."""
        outcome = np.tile(self.counts / self.counts.sum(), (len(games), 1))
        return Forecast.of_outcomes(outcome)


def rating_difference(games: GameTable) -> Floats:
    """White's lead in printed ratings, shape (game,), natural units; 0 where a rating is unknown."""
    if games.white_rating_elo is None or games.black_rating_elo is None:
        return np.zeros(len(games))
    return to_natural(np.nan_to_num(games.white_rating_elo - games.black_rating_elo, nan=0.0))


def _probabilities(difference: Floats, advantage: float, log_draw: float) -> Floats:
    """Loss, draw, win, shape (game, 3), from White's lead and advantage in natural units."""
    return outcome_of(np.asarray(_special.expit(difference + advantage)), log_draw)


@dataclass
class PrintedRating(Periodic):
    """The rating on the day, with an advantage of White and a draw parameter fitted to the past."""

    learned = ("difference", "outcome", "weight", "parameters")

    def __post_init__(self) -> None:
        self.difference = np.empty(0)
        self.outcome, self.weight = np.empty(0, dtype=np.int64), np.empty(0)
        self.parameters = np.zeros(2)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Add one period and refit the two parameters."""
        self.difference = np.concatenate([self.difference, rating_difference(games)])
        self.outcome = np.concatenate([self.outcome, games.outcome])
        self.weight = np.concatenate([self.weight, weights_of(games)])
        happened = np.arange(self.outcome.size), self.outcome

        def loss(parameters: Floats) -> float:
            p = _probabilities(self.difference, float(parameters[0]), float(parameters[1]))
            return float(-(self.weight * np.log(p[happened])).sum() / self.weight.size)

        bounds = [(-5.0, 5.0), LOG_DRAW_RANGE]
        self.parameters = np.asarray(_optimize.minimize(loss, self.parameters, method="L-BFGS-B", bounds=bounds).x)

    def forecast(self, games: GameTable) -> Forecast:
        """The probabilities of loss, draw and win."""
        outcome = _probabilities(rating_difference(games), float(self.parameters[0]), float(self.parameters[1]))
        return Forecast.of_outcomes(outcome)


_LOG_ROOT_TWO_PI = 0.5 * np.log(2.0 * np.pi)
_FEWEST_MARGINS = 10  # before which nothing is forecast


def crps_normal(y: Floats | float, mean: Floats | float, spread: Floats | float) -> Any:
    """The CRPS of normal forecasts, in the unit of y, broadcast.

    Examples
    --------
    >>> round(float(crps_normal(0.0, 0.0, 1.0)), 6)
    0.233695
    """
    z = (y - np.asarray(mean)) / spread
    density = np.exp(-0.5 * z**2 - _LOG_ROOT_TWO_PI)
    return spread * (z * (2.0 * _special.ndtr(z) - 1.0) + 2.0 * density - 1.0 / np.sqrt(np.pi))


@dataclass
class MarginRates(Periodic):
    """Mean and spread of the margins so far, the same for every game with seats."""

    weighs: ClassVar[bool] = False
    learned = ("margin", "seated")

    def __post_init__(self) -> None:
        self.margin = np.empty(0)
        self.seated = np.empty(0, dtype=np.bool_)

    def learn_period(self, games: GameTable, period: int) -> None:
        """Note the margins of one period."""
        has_margin = np.isfinite(games.margin)
        self.margin = np.concatenate([self.margin, games.margin[has_margin]])
        self.seated = np.concatenate([self.seated, seats_differ(games)[has_margin]])

    def forecast(self, games: GameTable) -> Forecast:
        """One normal distribution for all games; before ten known margins thirds, without margins."""
        nothing = Forecast(np.full(len(games), 0.5), np.full((len(games), 3), 1.0 / 3.0))
        if self.margin.size < _FEWEST_MARGINS or not self.margin.any():
            return nothing
        mean = float(self.margin[self.seated].mean()) if self.seated.any() else 0.0
        around = self.margin - np.where(self.seated, mean, 0.0)
        spread = float(np.sqrt((around**2).sum() / (around.size - 1)))
        if spread == 0.0:
            return nothing
        centre = np.where(seats_differ(games), mean, 0.0)
        loss, win = _special.ndtr((-0.5 - centre) / spread), _special.ndtr((centre - 0.5) / spread)
        outcome = np.stack([loss, 1.0 - loss - win, win], axis=1)

        def score_margins(margin: Floats, half: float) -> Floats:
            z = (margin - centre) / spread
            log_score = 0.5 * z**2 + np.log(spread) + _LOG_ROOT_TWO_PI
            below, up_to = (_special.ndtr((margin + side - centre) / spread) for side in (-half, half))
            return np.stack([log_score, crps_normal(margin, centre, spread), centre, below, up_to], axis=1)

        margin_forecast = MarginForecast(len(games), np.arange(len(games)), score_margins)
        return Forecast.of_outcomes(outcome, margin_forecast)


def seats_differ(games: GameTable) -> npt.NDArray[np.bool_]:
    """True for games on non-neutral ground, shape (game,)."""
    neutral = games.covariates.get("neutral")
    return np.ones(len(games), dtype=np.bool_) if neutral is None else np.asarray(neutral, dtype=np.float64) == 0.0
