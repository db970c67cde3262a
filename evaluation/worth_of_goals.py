r"""Value of goal differences, and of shots, in addition to results for forecasts, tested on the file's earlier games.

Two filters of strengths that walk from day to day forecast the result of each game from all days before it: one learns
the results (Davidson's formula), the other the goal differences (`models.formulas.margin.GOALS`). Strengths are normal,
and a game moves them by one step of Newton's method, which for goal differences is exact.

    gain    mean of log q_k - log p_k, p by results, q by goals, k the result: nats a game, and its standard error
    weight  w of the pool p^(1 - w) q^w / sum, by maximum likelihood: 0 if goals add nothing to results, 1 if results
            add nothing to goals

If w is more than two standard errors above 0, goals have information on future results that results lack. This is
sharper than the same rule on the gain: where goals are worth g nats a game, the gain of n games is above 0 by
sqrt(n g / 2) errors and w by sqrt(2 n g).

The index of goals and shots (`football_index.SHOTS`) is tried likewise, beside goals if these are used, else beside
results.

The parameters of all filters were estimated from English football; for each file the best of three scales of strength
is used.

Harvey, Leybourne & Newbold (1998) J. Bus. Econ. Stat. 16:254 for forecasts that encompass others; Genest & Zidek (1986)
Stat. Sci. 1:114 for logarithmic pools.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.football_index import SHOTS
from halfpoint.models.formulas.margin import GOALS, POINTS
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.table import Booleans, Codes, Floats, Integers

FEWEST, MOST = 300, 2_000  # games that are tried; of more, the latest
MOST_PLAYERS = 300
_FIRST = 50  # games that are learned only
_YEAR_DAYS, _LATE_DAYS = 365.25, 200.0
_SCALES = (0.6, 1.0, 1.6)
_NODES = 7  # of Gauss and Hermite's rule, over the difference of the sides
_ERRORS = 2.0
_INDEX_WIDTH = 1.25  # of the index in goals, as 1.58 of goal differences
_ROUNDS = 30


@dataclass(frozen=True)
class Worth:
    """Worth of goals on held-out games."""

    games: int  # that were forecast
    gain: float  # nats a game
    gain_error: float
    weight: float  # of goals beside results
    weight_error: float

    @property
    def used(self) -> bool:
        """True if goals forecast better, and add information to results."""
        return self.gain > 0.0 and self.weight > _ERRORS * self.weight_error


@dataclass(frozen=True)
class _Numbers:
    """Priors of a filter, in the unit of its strengths."""

    spread: float  # standard deviation of strengths
    late: tuple[float, float]  # mean and standard deviation of those that enter later
    walk: float  # standard deviation of a year's walk
    advantage: tuple[float, float]
    lam: float  # draw parameter, or logarithm of the standard deviation of a goal difference

    def scaled(self, scale: float) -> "_Numbers":
        """Priors with strengths and walk multiplied by a factor."""
        mean, sd = self.late
        return _Numbers(scale * self.spread, (scale * mean, scale * sd), scale * self.walk, self.advantage, self.lam)


def _of_results(drawn: float) -> _Numbers:
    """Numbers of the filter of results; `drawn` is the share of draws."""
    return _Numbers(0.72, (-0.67, 0.46), 0.33, (0.5, 0.3), float(np.log(2.0 * drawn / (1.0 - drawn))))


def _share_of_draws(score: Floats) -> float:
    """Share of draws, half a game added to draws and half to other games."""
    return float((np.sum(score == 0.5) + 0.5) / (score.size + 1.0))


def _of_goals(margin: Floats, width: float = 1.58) -> _Numbers:
    """Numbers of the filter of goal differences, (game,), whose unit is their own spread, or of an index in goals."""
    unit = float(margin.std()) / 1.76
    late, advantage = (-0.51 * unit, 0.36 * unit), (0.38 * unit, 0.3 * unit)
    return _Numbers(0.56 * unit, late, 0.31 * unit, advantage, float(np.log(width * unit)))


@dataclass(frozen=True, eq=False)
class Played:
    """Games in the order of days."""

    white: Codes  # (game,): players, from 0
    black: Codes
    score: Floats  # (game,): of White
    margin: Floats  # (game,): White's goals less Black's
    day: Floats  # (game,): never less than before; equal for games that are forecast together
    seated: Floats  # (game,): 1, or 0 on neutral ground
    index: Floats | None = None  # (game,): of goals and shots, in goals

    @property
    def late(self) -> Booleans:
        """Mask of players whose first game is long after the first game of the file, (player,)."""
        first = np.full(int(max(self.white.max(), self.black.max())) + 1, np.inf)
        for side in (self.white, self.black):
            np.minimum.at(first, side, self.day)
        return np.asarray(first > self.day[0] + _LATE_DAYS)


def worth_of_goals(played: Played) -> tuple[Worth, Worth | None]:
    """Worth of goal differences beside results, and of shots beside the better, on the games after the first ones."""
    outcome = np.rint(2.0 * played.score).astype(np.int64)[_FIRST:]
    of_margins = GOALS if (played.score == 0.5).any() else POINTS  # without draws a margin near 0 is none
    by_results = _best(played, _of_results(_share_of_draws(played.score)), DAVIDSON, played.score, outcome)
    by_goals = _best(played, _of_goals(played.margin), of_margins, played.margin, outcome)
    goals = _worth(by_results, by_goals, outcome)
    if played.index is None:
        return goals, None
    by_index = _best(played, _of_goals(played.margin, _INDEX_WIDTH), SHOTS, played.index, outcome)
    return goals, _worth(by_goals if goals.used else by_results, by_index, outcome)


def _best(played: Played, numbers: _Numbers, law: Outcome, observed: Floats, outcome: Integers) -> Floats:
    """Log probabilities (game, 3) of the games after the first ones, by the best scale of strengths."""
    index = np.arange(outcome.size), outcome
    tries = [_forecast(played, numbers.scaled(scale), law, observed)[_FIRST:] for scale in _SCALES]
    return max(tries, key=lambda logs: float(logs[index].sum()))


def _worth(before: Floats, after: Floats, outcome: Integers) -> Worth:
    """Worth of the second log probabilities (game, 3) beside the first."""
    index = np.arange(outcome.size), outcome
    gains = (after - before)[index]
    weight, error = pool_weight(before, after, index)
    return Worth(gains.size, float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(gains.size)), weight, error)


def _forecast(played: Played, numbers: _Numbers, law: Outcome, observed: Floats) -> Floats:
    """Log probabilities of loss, draw and win of each game from all days before, shape (game, 3)."""
    late, count = played.late, played.late.size
    mean, covariance = np.zeros(count + 1), np.zeros((count + 1, count + 1))  # of strengths, and of the advantage
    mean[:-1], mean[-1] = np.where(late, numbers.late[0], 0.0), numbers.advantage[0]
    spread = np.append(np.where(late, numbers.late[1], numbers.spread), numbers.advantage[1])
    np.fill_diagonal(covariance, spread**2)
    strengths = np.arange(count)
    node, share = np.polynomial.hermite_e.hermegauss(_NODES)
    share /= share.sum()
    logs = np.empty((played.day.size, 3))
    bounds = np.append(np.flatnonzero(np.diff(played.day, prepend=-np.inf)), played.day.size)
    before = played.day[0]
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        covariance[strengths, strengths] += numbers.walk**2 * (played.day[begin] - before) / _YEAR_DAYS
        before = played.day[begin]
        white, black, seated = (column[begin:end] for column in (played.white, played.black, played.seated))
        row = np.arange(end - begin)
        rows = covariance[white] - covariance[black] + seated[:, None] * covariance[-1]
        variance = rows[row, white] - rows[row, black] + seated * rows[:, -1]
        gap = (mean[white] - mean[black] + seated * mean[-1])[:, None] + np.sqrt(variance)[:, None] * node
        chances = np.exp(law.log_probability(gap, 0.0 * gap, np.full(gap.shape, numbers.lam)))
        logs[begin:end] = np.log(np.einsum("gnk,n->gk", chances, share))
        for game in range(begin, end):
            first, second, seat = played.white[game], played.black[game], played.seated[game]
            moved = covariance[first] - covariance[second] + seat * covariance[-1]
            apart = mean[first] - mean[second] + seat * mean[-1]
            if law is DAVIDSON:
                slope, information = _of_davidson(apart, numbers.lam, observed[game])
            else:
                information = np.exp(-2.0 * numbers.lam)
                slope = (observed[game] - apart) * information
            step = moved / (1.0 + information * (moved[first] - moved[second] + seat * moved[-1]))
            mean += step * slope
            covariance -= np.outer(step, information * moved)
    return logs


def _of_davidson(gap: float, lam: float, score: float) -> tuple[float, float]:
    """Slope of the log probability of a score by the difference of the sides, and its expected information."""
    win, loss, draw = np.exp(gap / 2.0), np.exp(-gap / 2.0), np.exp(lam)
    total = win + loss + draw
    expected = (win - loss) / (2.0 * total)
    return score - 0.5 - expected, (win + loss) / (4.0 * total) - expected**2


def pool_weight(by_results: Floats, by_goals: Floats, index: tuple[Integers, Integers]) -> tuple[float, float]:
    """Weight of the second log probabilities (game, 3) in the best logarithmic pool, and its standard error."""
    apart, weight, curvature = by_goals - by_results, 1.0, 1e-300
    for _ in range(_ROUNDS):
        pooled = by_results + weight * apart
        chances = np.exp(pooled - pooled.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        expected = (chances * apart).sum(axis=1)
        slope = float((apart[index] - expected).sum())
        curvature = max(float(((chances * apart**2).sum(axis=1) - expected**2).sum()), 1e-300)
        step = float(np.clip(slope / curvature, -1.0, 1.0))
        weight += step
        if abs(step) < 1e-6:
            break
    return weight, curvature**-0.5
