r"""Glicko-2: Glicko with a volatility for each player.

On the scale mu = (r - 1500) / 173.7178, phi = RD / 173.7178, with +-h the advantage of White on that scale:

    v     = ( sum_j g(phi_j)^2 E_j (1 - E_j) )^(-1),   E_j = 1 / (1 + exp(-g(phi_j) (mu - mu_j +- h)))
    Delta = v sum_j g(phi_j) (s_j - E_j),              g(phi) = 1 / sqrt(1 + 3 phi^2 / pi^2)
    sigma' = exp(A / 2), A the zero of
        f(x) = e^x (Delta^2 - phi^2 - v - e^x) / (2 (phi^2 + v + e^x)^2) - (x - ln sigma^2) / tau^2
    phi*  = sqrt(phi^2 + sigma'^2),   phi' = (1/phi*^2 + 1/v)^(-1/2),   mu' = mu + phi'^2 sum_j g(phi_j) (s_j - E_j)

An idle period adds sigma^2 to phi^2. The zero is found by the Illinois variant of regula falsi.

Glickman (2001) Journal of Applied Statistics 28:673; "Example of the Glicko-2 system" (2013), steps 1 to 8.
"""

import math
from dataclasses import dataclass, field

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer, period_of, weights_of
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL, to_natural
from halfpoint.systems.glicko import (
    LARGEST_DEVIATION_ELO,
    after_rest,
    forecast_score,
    grow_deviations,
    information_from_games,
)


@dataclass
class GlickoTwo(LedgerSystem):
    """Glicko-2 ratings."""

    tau: float = 0.5  #: how fast volatility may change; 0.3 to 1.2
    volatility: float = 0.06  #: volatility of a new player, natural units a period
    deviation_elo: float = LARGEST_DEVIATION_ELO  #: deviation of a new player in Elo points
    advantage_elo: float = 0.0  #: first-move advantage of White, in Elo points
    newcomer: Newcomer = field(default_factory=Newcomer)  #: where new players start

    def __post_init__(self) -> None:
        if not (self.tau > 0.0 and self.volatility > 0.0 and 0.0 < self.deviation_elo <= LARGEST_DEVIATION_ELO):
            actual = f"tau {self.tau}, volatility {self.volatility}, deviation {self.deviation_elo}"
            raise RatingSystemError("Glicko-2", "positive tau, volatility and deviation", actual)

    def _start(self, day_elo: Floats) -> Columns:
        start = {"deviation": self.deviation_elo, "volatility": self.volatility, "last": np.nan}
        return {"rating": self.newcomer.ratings(day_elo)} | {k: np.full(day_elo.shape, v) for k, v in start.items()}

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one rating period."""
        played = (*self.ledger.enter(games), games.score, weights_of(games))
        people = tuple(self.ledger[name] for name in ("rating", "deviation", "volatility", "last"))
        numbers = float(self.tau), to_natural(LARGEST_DEVIATION_ELO), float(self.advantage_elo), ELO_PER_NATURAL
        _update_period(played, people, float(period), numbers)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; Glicko-2 defines no draw probability."""
        columns = self.ledger.peek(games)
        volatility_elo = columns["volatility"] * ELO_PER_NATURAL
        grown = grow_deviations(columns, period_of(games, self.clock), volatility_elo)
        return Forecast(forecast_score(grown, games, self.advantage_elo))


@compile_lazily
def slope(x: float, delta: float, phi: float, v: float, start: float, tau: float) -> float:
    """Function f(x) of step 5."""
    grown = math.exp(x)
    total = phi**2 + v + grown
    return grown * (delta**2 - total) / (2.0 * total**2) - (x - start) / tau**2


@compile_lazily
def new_volatility(delta: float, phi: float, v: float, volatility: float, tau: float) -> float:
    """Volatility after a period (step 5), to a relative 5e-7."""
    start = math.log(volatility**2)
    a = start
    if delta**2 > phi**2 + v:
        b = math.log(delta**2 - phi**2 - v)
    else:
        b = start - tau
        while slope(b, delta, phi, v, start, tau) < 0.0:
            b -= tau
    at_a, at_b = slope(a, delta, phi, v, start, tau), slope(b, delta, phi, v, start, tau)
    for _ in range(200):
        if abs(b - a) <= 1e-6 or at_a == at_b:
            break
        c = a + (a - b) * at_a / (at_b - at_a)
        at_c = slope(c, delta, phi, v, start, tau)
        if at_c * at_b <= 0.0:
            a, at_a = b, at_b
        else:
            at_a /= 2.0
        b, at_b = c, at_c
    return math.exp(a / 2.0)


@compile_lazily
def _update_period(
    played: tuple[Codes, Codes, Floats, Floats], people: tuple[Floats, ...], period: float, numbers: tuple[float, ...]
) -> None:
    """Update ratings, deviations (Elo) and volatilities (natural) in place; idle periods first."""
    white, black, _, _ = played
    rating, deviation, volatility, last = people
    tau, largest, advantage, scale = numbers
    growth = (volatility * scale) ** 2
    count = after_rest((white, black), (deviation, last), period - 1.0, growth)
    gain, information, _ = information_from_games(played, (rating, deviation), advantage)
    for player in range(rating.size):
        if count[player] > 0.0 and information[player] > 0.0:
            phi, v = deviation[player] / scale, 1.0 / information[player]
            sigma = new_volatility(v * gain[player], phi, v, volatility[player], tau)
            volatility[player] = min(sigma, largest)
            variance = 1.0 / (1.0 / (phi**2 + volatility[player] ** 2) + information[player])
            rating[player] += scale * variance * gain[player]
            deviation[player] = min(math.sqrt(variance), largest) * scale
            last[player] = period
