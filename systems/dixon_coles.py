r"""Dixon and Coles' model of the goals of both sides, for scores and totals as well as results.

    x ~ Poisson(l),  log l = c + h + a_w - d_b;      y ~ Poisson(m),  log m = c + a_b - d_w
    P(x, y) = t(x, y) Poisson(x; l) Poisson(y; m)                                                     eq. 4.2
    t(0, 0) = 1 - l m r,  t(0, 1) = 1 + l r,  t(1, 0) = 1 + m r,  t(1, 1) = 1 - r,  else 1
    a, d ~ N(n / 2 of a side that enters later, else 0; s^2),   r ~ N(0, s^2)
    maximised: the sum of e^(-f t) log P over the games so far, t their age, and the prior              eq. 4.9

a attack, d defence, c the league's level, h the first seat's advantage (0 on neutral ground), r the correction of low
scores, f the decay a year; a negative t(x, y) is set to 0. Dixon and Coles have no prior (s infinite) and a mean attack
of 1 instead; with a prior a side that never played has a forecast. Sides that enter 200 days after the first games or
later count as later entrants. Games without goals count as 1-0, 0-0 and 0-1.

Dixon & Coles (1997) Appl. Stat. 46:265.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.special import gammaln

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.lead_index import days_of
from halfpoint.models.games.rating_system import Columns, Forecast, Ledger, Periodic
from halfpoint.models.games.table import Floats, GameTable
from halfpoint.systems.baselines import seats_differ

_YEAR_DAYS, _LATE_DAYS = 365.25, 200.0
_MOST = 15  # goals of a side
LEAGUE = 3  # c, h and r come before attacks and defences
_ROUNDS, _STILL, _FARTHEST = 200, 1e-9, 2.0
_NEAR = 0.1  # step, log goals, below which the curvature is kept
_LEAST = 1e-3  # least weight of a game that is used


def _goals_of(games: GameTable) -> Floats:
    """Goals of both seats, shape (game, 2); 1-0, 0-0 and 0-1 if unknown."""
    result = np.stack([games.score > 0.5, games.score < 0.5], axis=1).astype(np.float64)
    if not {"white_goals", "black_goals"} <= set(games.covariates):
        return result
    goals = np.stack([np.asarray(games.covariates[f"{side}_goals"], np.float64) for side in ("white", "black")], axis=1)
    return np.where(np.isfinite(goals).all(axis=1, keepdims=True), goals, result)


def _corrections(goals: Floats, rate: Floats, r: float) -> tuple[Floats, Floats, Floats]:
    """Factor t, shape (game,), its log's slopes by the logarithms of both rates, (game, 2), and by r, (game,)."""
    (x, y), (first, second) = goals.T, rate.T
    ones = np.ones_like(first)
    low = [(x == 0) & (y == 0), (x == 0) & (y == 1), (x == 1) & (y == 0), (x == 1) & (y == 1)]
    by_r = np.select(low, [-first * second, first, second, -ones], 0.0)
    t = 1.0 + r * by_r
    by_first = np.select(low[:2], [-first * second * r, first * r], 0.0) / t
    by_second = np.select([low[0], low[2]], [-first * second * r, second * r], 0.0) / t
    return t, np.stack([by_first, by_second], axis=1), by_r / t


def score_chances(rate: Floats, r: float) -> Floats:
    """Chances of each score, shape (game, goals of White, goals of Black), up to `_MOST` goals a side."""
    count = np.arange(_MOST + 1)
    poisson = np.exp(count * np.log(rate[..., None]) - rate[..., None] - gammaln(count + 1.0))
    chances = poisson[:, 0, :, None] * poisson[:, 1, None, :]
    for x, y in ((0, 0), (0, 1), (1, 0), (1, 1)):
        t, *_ = _corrections(np.full((len(rate), 2), (x, y), dtype=np.float64), rate, r)
        chances[:, x, y] *= np.maximum(t, 0.0)
    return np.asarray(chances / chances.sum(axis=(1, 2), keepdims=True))


@dataclass
class DixonColes(Periodic):
    """Attack and defence of every side, fitted to the goals of the games so far."""

    weighs: ClassVar[bool] = False
    spread: float = 0.35  # s, of log goals; infinite for none
    forgets: float = 0.6  # f: rate a year at which games lose weight
    newcomer: float = -0.4  # n: worth of a side that enters later, in log goals, attack and defence together
    learned = ("sides", "played", "begin")

    def __post_init__(self) -> None:
        if not (self.spread > 0.0 and 0.0 <= self.forgets < np.inf and np.isfinite(self.newcomer)):
            actual = f"{self.spread}, {self.forgets}, {self.newcomer}"
            raise RatingSystemError("Dixon-Coles", "spread > 0, forgets >= 0 and newcomer a number", actual)
        self.sides = Ledger(_new_side_columns)
        self.played = np.empty((0, 6))  # day, white, black, goals of both, and whether the seats differ
        self.at, self.fitted = np.zeros(LEAGUE), self.played  # the mode, and of which games
        self.begin = self.at  # the mode before the last period, where one was asked for, from which the climb goes

    def learn_period(self, games: GameTable, period: int) -> None:
        """Add the games of one period."""
        self.begin = self.at if self.fitted is self.played else self.begin
        white, black = self.sides.enter(games)
        day, goals = days_of(games), _goals_of(games)
        rows = np.column_stack([day, white, black, goals, seats_differ(games)])
        self.played = np.concatenate([self.played, rows])
        entered = self.sides["entered"]
        for side in (white, black):
            np.minimum.at(entered, side, day)

    @property
    def middle(self) -> Floats:
        """Prior means of attacks, or of defences, shape (side,)."""
        late = self.sides["entered"] > self.played[:, 0].min(initial=np.inf) + _LATE_DAYS
        return np.where(late, self.newcomer / 2.0, 0.0)

    def fit(self) -> Floats:
        """Mode of c, h, r, attacks and defences for the games so far, searched from the previous mode."""
        if self.fitted is not self.played:
            sides, previous = np.tile(self.middle, (2, 1)), self.begin[LEAGUE:].reshape(2, -1)
            sides[:, : previous.shape[1]] = previous
            self.at = self.climb(np.append(self.begin[:LEAGUE], sides))
            self.fitted = self.played
        return self.at

    def climb(self, point: Floats) -> Floats:
        """Find the mode by Newton's steps with the curvature of the Poisson part, halved until they rise."""
        target = Target.of(self)
        top, curvature = target.height(point), None
        if not np.isfinite(top.value):  # r of earlier games makes a score impossible that came since; without r none is
            point = np.concatenate([point[:2], [0.0], point[3:]])
            top = target.height(point)
        for _ in range(_ROUNDS):
            if curvature is None:
                curvature = cho_factor(target.curvature(top), check_finite=False)
            step = cho_solve(curvature, top.slope, check_finite=False)
            length = _FARTHEST / max(float(np.abs(step).max()), _FARTHEST)
            while not (better := target.height(point + length * step)).value >= top.value - 1e-11 * abs(top.value):
                length /= 2.0
                if length < 1e-9:
                    return point
            point, top, farthest = point + length * step, better, float(np.abs(length * step).max())
            if farthest < _STILL:
                break
            curvature = curvature if farthest < _NEAR else None
        return point

    def rates(self, games: GameTable) -> tuple[Floats, float]:
        """The expected goals of both seats before the correction, shape (game, 2), and r."""
        mode, size, played = self.fit(), len(self.sides), self.played[:, 0]
        late = played.size > 0 and days_of(games).min() > played.min() + _LATE_DAYS
        new, place = self.newcomer / 2.0 if late else 0.0, self.sides.places(games.players)
        parts = mode[LEAGUE : LEAGUE + size], mode[LEAGUE + size :]
        attack, defence = (np.where(place >= 0, np.append(part, new)[place], new) for part in parts)
        home = mode[0] + mode[1] * seats_differ(games) + attack[games.white] - defence[games.black]
        away = mode[0] + attack[games.black] - defence[games.white]
        return np.exp(np.stack([home, away], axis=1)), float(mode[2])

    def scores(self, games: GameTable) -> Floats:
        """Probabilities of each score of games, shape (game, goals of White, goals of Black)."""
        return score_chances(*self.rates(games))

    def forecast(self, games: GameTable) -> Forecast:
        """White's expected scores and the probabilities of loss, draw and win."""
        chances = self.scores(games)
        x, y = np.indices(chances.shape[1:])
        outcome = np.stack([chances[:, part].sum(axis=1) for part in (x < y, x == y, x > y)], axis=1)
        return Forecast.of_outcomes(outcome)


@dataclass(frozen=True)
class Height:
    """Log posterior at a point: value, slopes, rates of goals (game, 2), and the curvature by r."""

    value: float
    slope: Floats
    rate: Floats
    by_r: float


@dataclass(frozen=True, eq=False)
class Target:
    """Log posterior of c, h, r, attacks and defences."""

    goals: Floats  # (game, 2)
    weight: Floats  # (game,)
    place: npt.NDArray[np.int64]  # (game, 2, 4): which numbers each log rate is a sum of, and with what factors
    factor: Floats  # likewise
    middle: Floats  # (number - 2,): prior means of r, attacks and defences
    precision: float  # their prior precision

    @classmethod
    def of(cls, model: DixonColes) -> "Target":
        """Objective of a model's games, without games of negligible weight."""
        day = model.played[:, 0]
        weight = np.exp(-model.forgets / _YEAR_DAYS * (day.max() - day))
        is_counted = weight > _LEAST
        played, size = model.played[is_counted], len(model.sides)
        white, black = played[:, 1].astype(np.int64), played[:, 2].astype(np.int64)
        none, seat = np.zeros_like(white), np.ones_like(white)
        home = np.stack([none, seat, LEAGUE + white, LEAGUE + size + black], axis=1)
        away = np.stack([none, seat, LEAGUE + black, LEAGUE + size + white], axis=1)
        factor = np.ones((white.size, 2, 4))
        factor[:, 0, 1], factor[:, 1, 1], factor[:, :, 3] = played[:, 5], 0.0, -1.0
        middle = np.append(0.0, np.tile(model.middle, 2))
        return cls(
            played[:, 3:5], weight[is_counted], np.stack([home, away], axis=1), factor, middle, model.spread**-2.0
        )

    def height(self, point: Floats) -> Height:
        """The log posterior at c, h, r, attacks and defences."""
        rate = np.exp((point[self.place] * self.factor).sum(axis=2))
        t, by_rate, by_r = _corrections(self.goals, rate, point[2])
        if not (t > 0.0).all():
            return Height(-np.inf, point, rate, 1.0)
        away, goals, weight = point[2:] - self.middle, self.goals, self.weight
        value = weight @ ((goals * np.log(rate) - rate).sum(axis=1) + np.log(t)) - 0.5 * self.precision * away @ away
        slope = np.zeros(point.size)
        np.add.at(slope, self.place, self.factor * (weight[:, None] * (goals - rate + by_rate))[..., None])
        slope[2] = weight @ by_r
        slope[2:] -= self.precision * away
        return Height(float(value), slope, rate, float(weight @ by_r**2))

    def curvature(self, height: Height) -> Floats:
        """Minus the second derivatives, of low scores by r alone."""
        size = height.slope.size
        pair = self.place[..., :, None] * size + self.place[..., None, :]
        products = self.factor[..., :, None] * self.factor[..., None, :]
        share = (self.weight[:, None] * height.rate)[..., None, None] * products
        h = np.bincount(pair.ravel(), share.ravel(), size**2).reshape(size, size)
        h[np.diag_indices(size)] += np.append([1e-9, 1e-9], np.full(size - 2, self.precision + 1e-9))
        h[2, 2] += max(height.by_r, 1e-6)
        return h


def _new_side_columns(day_elo: Floats) -> Columns:
    """Columns of sides that have not played: the day of entry."""
    return {"entered": np.full(day_elo.size, np.inf)}
