r"""The margin index: one strength per side, updated by the margin as well as the result.

    mu    = s_w + q_w - s_b - q_b + h            h = 0 on neutral ground
    P(win) = 1 / (1 + exp(c - mu)),  P(loss) = 1 / (1 + exp(c + mu)),  P(draw) = the rest           (ordered logit)
    I     = w (sum_k a_k d_k / r_k) / (sum_k a_k)            over the known columns
    e     = I - mu;   s_w += g e,  s_b -= g e;   q_w += f e,  q_b -= f e;   h += max(v, 1 / games so far) e
    q decays by exp(-t) a year;   a side that enters, or comes back after `absence_days`, starts at the mean + n

s slow and q fast strength, h the first seat's advantage, all in units of the logit. d_k is White's lead in column k:
the margin, shots on target, shots; r_k its root mean square so far (half-life 200 games), so that goals, points and
counts of any kind are in one unit and a change in how they are counted does no harm. a is 1 for the margin. Games
without any margin count by their result. All games of a day are forecast, then learned; without dates a period is 30
days. Before the first `absence_days` of a file all players enter at the mean.

Ordered logit of a difference of ratings updated by goals: Hvattum & Arntzen (2010) Int. J. Forecasting 26:460. Ratings
updated by shots: Wheatcroft (2020) Int. J. Forecasting 36:916. Defaults are tuned on English football from 2003 to
2012, the seasons before those used in the documentation; these seasons do not identify v, and 0.0015 is a memory of two
seasons.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.lead_index import day_bounds, days_of, index_of, leads, no_spread
from halfpoint.models.games.rating_system import Columns, Forecast, Ledger, Periodic
from halfpoint.models.games.table import Codes, Floats, GameTable
from halfpoint.systems.baselines import seats_differ

_YEAR_DAYS = 365.25
type _Places = npt.NDArray[np.int64]
type Strengths = tuple[Floats, Floats, Floats]  # slow, fast, last day


@dataclass
class MarginIndex(Periodic):
    """The margin index with one speed, or two where `fast_gain` is not 0."""

    weighs: ClassVar[bool] = False
    gain: float = 0.034  # g and f: steps of the two strengths in a game
    fast_gain: float = 0.0  # likewise
    weight: float = 1.7  # w: the index of a game whose leads are all one root mean square
    shots_on_target: float = 0.3  # a: weights beside the margin's 1; unused where the games have no such columns
    shots: float = 0.2  # likewise
    cut: float = 0.64  # c: half the width of a draw in the logit; 0 for games that are never drawn
    # n: start of a side that enters later than the others, against the mean of the present sides
    newcomer: float = -0.55
    drift: float = 0.0015  # v: step of the first seat's advantage in a game
    decay: float = 0.0  # t: rate a year at which the fast strength goes back to 0
    # who has not played for so long enters anew: longer than a summer, shorter than a season
    absence_days: float = 200.0
    learned = ("sides", "league", "spread")

    def __post_init__(self) -> None:
        numbers = {name: value for name, value in vars(self).items() if name != "newcomer"}
        wrong = next((name for name, value in numbers.items() if not 0.0 <= value < np.inf), None)
        if wrong is not None:
            raise RatingSystemError("margin index", f"{wrong} >= 0", str(numbers[wrong]))
        self.sides = Ledger(_start)
        self.league = np.array([0.0, 0.0, np.nan])  # advantage, games, first day
        self.spread = no_spread()

    @property
    def numbers(self) -> tuple[float, ...]:
        """Parameters for the loops: n, absence, t a day, g, f, v."""
        start = float(self.newcomer), float(self.absence_days), self.decay / _YEAR_DAYS
        return (*start, float(self.gain), float(self.fast_gain), float(self.drift))

    @property
    def strengths(self) -> Strengths:
        """Slow and fast strength and last day of each side."""
        return self.sides["slow"], self.sides["fast"], self.sides["day"]

    def learn_period(self, games: GameTable, period: int) -> None:
        """Learn the games of one period, day by day."""
        day, lead, seated = days_of(games), leads(games), seats_differ(games).astype(np.float64)
        white, black = self.sides.enter(games)
        if np.isnan(self.league[2]):
            self.league[2] = day.min()
        order = np.argsort(day, kind="stable")
        bounds = day_bounds(day[order])
        index = index_of(lead[order], bounds, np.array([1.0, self.shots_on_target, self.shots]), self.spread)
        played = day[order], white[order], black[order], self.weight * index, seated[order]
        _move_sides(played, bounds, self.numbers, self.strengths, self.league)

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores and the probabilities of loss, draw and win."""
        place, seated = self.sides.places(games.players), seats_differ(games).astype(np.float64)
        playing = days_of(games), place[games.white], place[games.black], seated
        ahead = _ahead_of(playing, self.numbers, self.strengths, self.league)
        loss, win = expit(-ahead - self.cut), expit(ahead - self.cut)
        outcome = np.stack([loss, np.maximum(1.0 - loss - win, 0.0), win], axis=1)
        return Forecast.of_outcomes(outcome)


def _start(day_elo: Floats) -> Columns:
    """Columns of sides that have not played; their start is known on the day of their first game."""
    return {"slow": np.zeros(day_elo.size), "fast": np.zeros(day_elo.size), "day": np.full(day_elo.size, np.nan)}


@compile_lazily
def _level_at(today: float, numbers: tuple[float, ...], slow: Floats, last: Floats, league: Floats) -> float:
    """Starting level of a side that enters on a day."""
    total, count = 0.0, 0
    for side in range(slow.size):
        if today - last[side] <= numbers[1]:
            total += slow[side]
            count += 1
    return total / max(count, 1) + (numbers[0] if today - league[2] > numbers[1] else 0.0)


@compile_lazily
def _ahead_of(
    playing: tuple[Floats, _Places, _Places, Floats], numbers: tuple[float, ...], strengths: Strengths, league: Floats
) -> Floats:
    """Expected margin mu of each game from known strengths, shape (game,); sides are -1 before their first game."""
    day, white, black, seated = playing
    slow, fast, last = strengths
    level = _level_at(day.min(), numbers, slow, last, league)
    ahead: Floats = league[0] * seated
    for game in range(day.size):
        for side, sign in ((white[game], 1.0), (black[game], -1.0)):
            if side >= 0 and day[game] - last[side] <= numbers[1]:
                idle = max(day[game] - last[side], 0.0)
                ahead[game] += sign * (slow[side] + fast[side] * np.exp(-numbers[2] * idle))
            else:
                ahead[game] += sign * level
    return ahead


@compile_lazily
def _move_sides(
    played: tuple[Floats, Codes, Codes, Floats, Floats], bounds: _Places, numbers: tuple[float, ...],
    strengths: Strengths, league: Floats,
) -> None:  # fmt: skip
    """Move strengths, last days and the advantage in place, day after day."""
    day, white, black, index, seated = played
    slow, fast, last = strengths
    absence, decay, gain, fast_gain, drift = numbers[1:]
    error = np.zeros(day.size)
    for batch in range(bounds.size - 1):
        begin, end = bounds[batch], bounds[batch + 1]
        today = day[begin]
        level = _level_at(today, numbers, slow, last, league)
        for game in range(begin, end):
            for side in (white[game], black[game]):
                if not today - last[side] <= absence:
                    slow[side], fast[side] = level, 0.0
                else:
                    fast[side] *= np.exp(-decay * (today - last[side]))
                last[side] = today
        for game in range(begin, end):
            i, j = white[game], black[game]
            expected = slow[i] + fast[i] - slow[j] - fast[j] + league[0] * seated[game]
            error[game] = index[game] - expected if np.isfinite(index[game]) else 0.0
        league[1] += seated[begin:end].sum()
        step = max(drift, 1.0 / max(league[1], 1.0))
        for game in range(begin, end):
            slow[white[game]] += gain * error[game]
            slow[black[game]] -= gain * error[game]
            fast[white[game]] += fast_gain * error[game]
            fast[black[game]] -= fast_gain * error[game]
            league[0] += step * seated[game] * error[game]
