r"""Glicko: ratings with deviations, by rating periods.

    RD   <- min( sqrt(RD^2 + c^2 t), 350 )                                  t periods since the last period played
    E_j  = 1 / (1 + 10^(-g(RD_j) (r - r_j +- h) / 400)),   g(RD) = 1 / sqrt(1 + 3 q^2 RD^2 / pi^2)
    1/d^2 = q^2 sum_j g(RD_j)^2 E_j (1 - E_j)
    r'   = r + q / (1/RD^2 + 1/d^2) sum_j g(RD_j) (s_j - E_j)
    RD'  = (1/RD^2 + 1/d^2)^(-1/2)

r, RD  rating and its deviation in Elo points;  q = ln 10 / 400;  h  advantage of White in Elo points
Expected score of a future game: 1 / (1 + 10^(-g(sqrt(RD_i^2 + RD_j^2)) (r_i - r_j + h) / 400)).

Glickman (1999) Applied Statistics 48:377; Krajowski-Kukiel (2011), eq. 2.4 to 2.8. The growth c comes from the data, or
from the time after which an idle player is as uncertain as a new one (eq. 2.5): `growth`.
"""

import math
from dataclasses import dataclass, field

import numpy as np
from scipy.special import expit

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Columns, Forecast, LedgerSystem, Newcomer, period_of, weights_of
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.systems.k_factor import margin_weight

LARGEST_DEVIATION_ELO = 350.0
_NATURAL = 1.0 / ELO_PER_NATURAL  # q


def growth(typical_deviation_elo: float, periods: float, largest_elo: float = LARGEST_DEVIATION_ELO) -> float:
    """Constant c such that `periods` idle periods bring a typical deviation to the largest one (eq. 2.5).

    Examples
    --------
    >>> round(growth(50.0, 30.0), 1)
    63.2
    """
    return math.sqrt((largest_elo**2 - typical_deviation_elo**2) / periods)


def forecast_score(columns: Columns, games: GameTable, advantage_elo: float) -> Floats:
    """White's expected score from columns "rating" and "deviation", with both uncertainties."""
    rating, deviation = columns["rating"], columns["deviation"]
    spread = np.hypot(deviation[games.white], deviation[games.black])
    difference = rating[games.white] - rating[games.black] + advantage_elo
    damping = 1.0 / np.sqrt(1.0 + 3.0 * (spread / (ELO_PER_NATURAL * math.pi)) ** 2)  # g
    return np.asarray(expit(damping * difference / ELO_PER_NATURAL), dtype=np.float64)


@dataclass
class Glicko(LedgerSystem):
    """Glicko ratings."""

    growth_elo: float = 15.0  #: c, the growth of the deviation per period, in Elo points
    deviation_elo: float = LARGEST_DEVIATION_ELO  #: deviation of a new player
    advantage_elo: float = 0.0  #: first-move advantage of White, in Elo points
    newcomer: Newcomer = field(default_factory=Newcomer)  #: where new players start
    margin_exponent: float = 0.0  #: lambda of `halfpoint.systems.k_factor`: 0 for results alone

    def __post_init__(self) -> None:
        if not (self.growth_elo >= 0.0 and 0.0 < self.deviation_elo <= LARGEST_DEVIATION_ELO):
            actual = f"c = {self.growth_elo}, deviation {self.deviation_elo}"
            raise RatingSystemError("Glicko", f"c >= 0 and a deviation up to {LARGEST_DEVIATION_ELO}", actual)

    def _start(self, day_elo: Floats) -> Columns:
        start = {"deviation": self.deviation_elo, "last": np.nan}
        return {"rating": self.newcomer.ratings(day_elo)} | {k: np.full(day_elo.shape, v) for k, v in start.items()}

    @property
    def extra(self) -> tuple[float, float, float]:
        """Parameters of Stephenson's system: growth of the deviation a game, bonus and pull."""
        return 0.0, 0.0, 0.0

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one rating period."""
        played = (
            *self.ledger.enter(games),
            games.score,
            margin_weight(games, self.margin_exponent) * weights_of(games),
        )
        people = tuple(self.ledger[name] for name in ("rating", "deviation", "last"))
        numbers = float(self.growth_elo), float(self.advantage_elo), *self.extra
        _update_period(played, people, float(period), numbers)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores; Glicko defines no draw probability."""
        columns = grow_deviations(self.ledger.peek(games), period_of(games, self.clock), self.growth_elo)
        return Forecast(forecast_score(columns, games, self.advantage_elo))


def grow_deviations(columns: Columns, period: int, growth_elo: float | Floats) -> Columns:
    """Columns with the deviations at the start of a period; growth of all, or (player,)."""
    idle = np.nan_to_num(period - columns["last"], nan=0.0)
    deviation = np.minimum(np.sqrt(columns["deviation"] ** 2 + growth_elo**2 * idle), LARGEST_DEVIATION_ELO)
    return columns | {"deviation": deviation}


@compile_lazily
def information_from_games(
    played: tuple[Codes, Codes, Floats, Floats], people: tuple[Floats, Floats], advantage_elo: float, bonus: float = 0.0
) -> tuple[Floats, Floats, Floats]:
    """Sums over each player's games: g (s - e), g^2 e (1 - e), and the lead of opponents, Elo."""
    white, black, score, weight = played
    rating, deviation = people
    gain, information, distance = np.zeros(rating.size), np.zeros(rating.size), np.zeros(rating.size)
    for game in range(white.size):
        i, j = white[game], black[game]
        difference = rating[i] - rating[j] + advantage_elo
        for player, opponent, ahead, s in ((i, j, difference, score[game]), (j, i, -difference, 1.0 - score[game])):
            g = 1.0 / math.sqrt(1.0 + 3.0 * (_NATURAL * deviation[opponent] / math.pi) ** 2)
            e = 1.0 / (1.0 + math.exp(-_NATURAL * g * ahead))
            gain[player] += weight[game] * g * (s - e + bonus)
            information[player] += weight[game] * g**2 * e * (1.0 - e)
            distance[player] += rating[opponent] - rating[player]
    return gain, information, distance


@compile_lazily
def after_rest(played: tuple[Codes, Codes], people: tuple[Floats, Floats], period: float, growth: Floats) -> Floats:
    """Increase the variances of active players by each player's `growth` a period; return their numbers of games."""
    white, black = played
    deviation, last = people
    count = np.zeros(deviation.size)
    for game in range(white.size):
        for player in (white[game], black[game]):
            if count[player] == 0.0 and not math.isnan(last[player]):
                variance = deviation[player] ** 2 + growth[player] * (period - last[player])
                deviation[player] = min(math.sqrt(variance), LARGEST_DEVIATION_ELO)
            count[player] += 1.0
    return count


@compile_lazily
def _update_period(
    played: tuple[Codes, Codes, Floats, Floats], people: tuple[Floats, ...], period: float, numbers: tuple[float, ...]
) -> None:
    """Update rating, deviation and last period of `people` in place, by games, weights and numbers of the system."""
    white, black, _, _ = played
    rating, deviation, last = people
    growth_elo, advantage_elo, per_game_elo, bonus, pull = numbers
    count = after_rest((white, black), (deviation, last), period, np.full(rating.size, growth_elo**2))
    gain, information, distance = information_from_games(played, (rating, deviation), advantage_elo, bonus)
    for player in range(rating.size):
        if count[player] > 0.0:
            before = deviation[player] ** 2 + per_game_elo**2 * count[player]
            variance = 1.0 / (1.0 / before + _NATURAL**2 * information[player])
            rating[player] += _NATURAL * variance * gain[player] + pull * distance[player] / count[player]
            deviation[player] = math.sqrt(variance)
            last[player] = period
