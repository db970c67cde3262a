r"""Value of leads in sets, surfaces, ages and printed rankings for forecasts, tested on the earlier games of the file.

Filters forecast each game from all days before it. All have the numbers of the row `sets` (`models.margin_models`), in
percent of the games of all sets; one learns results, the others leads, with strengths by surface and with rankings as
measurements too; effects of ages are common to all. Players are independent in a filter, each with a normal state
(strength, then one of each surface):

    lead     y ~ N(gap, w^2),    gap = h_i m_i - h_j m_j,    h = (1, indicator of the surface)
    result   P(win) = Phi(gap / w)

Both move means by V h times a slope and variances by V h h' V times a curvature; for results these match the moments of
the exact posterior. A fact is used if it passes the rule of `worth_of_goals` beside those before it.

Minka (2001) UAI 17:362 for assumed densities.
"""

from dataclasses import dataclass, replace
from inspect import signature

import numpy as np

from halfpoint.evaluation.worth_of_goals import Worth, pool_weight
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.margin_models import sets

_special = LazyModule("scipy.special")
MOST = 4_000  # games that are tried: the latest
_FIRST = 50  # games that are learned only
_OF_ROW = {name: parameter.default for name, parameter in signature(sets).parameters.items()}
_ENTRY, _STEP, _APART, _EFFECT = (_OF_ROW[name] for name in ("entry", "step", "apart", "effect"))
_LOG_WIDTH, _LONG, (_RANK_SLOPE, _RANK_SPREAD) = (_OF_ROW[name] for name in ("log_spread", "long", "rank"))
_NEWCOMER = -8.0  # of the seasons of choice; the row learns it
_PRIME = 28.0  # years; effects are of decades from it, and of their squares
_YEAR_DAYS, _LATE_DAYS, _LATEST_RANK = 365.25, 200.0, 340.0
SURFACES, AGES, RANKINGS = "surfaces", "ages", "rankings"
_LEAST = np.log(np.sqrt(2.0 * np.pi))


@dataclass(frozen=True, eq=False)
class PlayedSets:
    """Games in the order of days."""

    white: Integers  # (game,): players, from 0
    black: Integers
    won: Floats  # (game,): 1 if White won, 0 else
    lead: Floats  # (game,): White's, in percent of the games of all sets
    day: Floats  # (game,): never less than before; equal for games that are forecast together
    long: Floats  # (game,): pairs of sets beyond three, 1 for best of five
    surface: Integers | None = None  # (game,): from 0
    age: Floats | None = None  # (2, game): years of White and Black
    rank: Floats | None = None  # (2, game): logarithms of the rankings of White and Black, NaN where unknown


@dataclass(frozen=True)
class Facts:
    """Facts that are used, in words, and what they are worth together beside results."""

    names: tuple[str, ...]
    worth: Worth


def worth_of_leads(played: PlayedSets) -> Facts:
    """Leads, surfaces, rankings and ages that forecast later games better, and their worth; none if leads do not."""
    won = played.won[_FIRST:].astype(np.int64)
    plain = replace(played, surface=None, age=None, rank=None)
    by_results, best = _logs(plain, False), _logs(plain, True)
    worth = _worth(by_results, best, won)
    if not worth.used:
        return Facts((), worth)
    names, current = ["leads in sets"], plain
    for name, field in ((SURFACES, "surface"), (RANKINGS, "rank"), (AGES, "age")):
        if getattr(played, field) is None:
            continue
        further = replace(current, **{field: getattr(played, field)})
        logs = _logs(further, True)
        if _worth(best, logs, won).used:
            names, current, best = [*names, name], further, logs
    return Facts(tuple(names), _worth(by_results, best, won))


def _worth(one: Floats, other: Floats, won: Integers) -> Worth:
    """Worth of the second log probabilities (game, 2) beside the first."""
    index = np.arange(won.size), won
    gains = (other - one)[index]
    weight, error = pool_weight(one, other, index)
    return Worth(gains.size, float(gains.mean()), float(gains.std(ddof=1) / np.sqrt(gains.size)), weight, error)


def _logs(played: PlayedSets, of_leads: bool) -> Floats:
    """Log probabilities that Black and White win, of the games after the first ones, (game, 2)."""
    z = forecast_leads(played, of_leads)[_FIRST:]
    return np.stack([_special.log_ndtr(-z), _special.log_ndtr(z)], axis=1)


def forecast_leads(played: PlayedSets, of_leads: bool) -> Floats:
    """Probits of White's chance of each game from all days before, (game,)."""
    players, states = int(max(played.white.max(), played.black.max())) + 1, 1
    if played.surface is not None:
        states += int(played.surface.max()) + 1
    first = np.full(players, np.inf)
    for side in (played.white, played.black):
        np.minimum.at(first, side, played.day)
    mean, variance = np.zeros((players, states)), np.zeros((players, states, states))
    mean[:, 0] = np.where(first > played.day[0] + _LATE_DAYS, _NEWCOMER, 0.0)
    variance[:, np.arange(states), np.arange(states)] = [_ENTRY**2, *[_APART**2] * (states - 1)]
    seen, ranked = first.copy(), np.full(players, -np.inf)
    level, of_age = _level_of_ranks(played), np.zeros((played.day.size, 2))
    if played.age is not None:
        decades = (played.age - _PRIME) / 10.0
        of_age = np.stack([decades[0] - decades[1], decades[0] ** 2 - decades[1] ** 2], axis=1)
    effect, spread = np.zeros(2), np.eye(2) * _EFFECT**2
    z = np.empty(played.day.size)
    bounds = np.append(np.flatnonzero(np.diff(played.day, prepend=-np.inf)), played.day.size)
    for begin, end in zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True):
        today = played.day[begin]
        for step in (False, True):  # all games of a day are forecast, then learned
            for game in range(begin, end):
                sides = int(played.white[game]), int(played.black[game])
                place = np.array([0] if played.surface is None else [0, 1 + int(played.surface[game])])
                for player in sides if not step else ():
                    variance[player, 0, 0] += _STEP**2 * (today - seen[player]) / _YEAR_DAYS
                    seen[player] = today
                moved = [variance[player][:, place].sum(axis=1) for player in sides]
                gap = mean[sides[0], place].sum() - mean[sides[1], place].sum() + of_age[game] @ effect
                along = spread @ of_age[game]
                wide = np.exp(2.0 * (_LOG_WIDTH + _LONG * played.long[game])) + along @ of_age[game]
                wide += sum(v[place].sum() for v in moved)
                if not step:
                    z[game] = gap / np.sqrt(wide)
                    continue
                if of_leads:
                    slope, curvature = (played.lead[game] - gap) / wide, 1.0 / wide
                else:
                    slope, curvature = _of_result(gap / np.sqrt(wide), played.won[game], wide)
                effect += slope * along
                spread -= curvature * np.outer(along, along)
                for seat, player in enumerate(sides):
                    mean[player] += (1 - 2 * seat) * slope * moved[seat]
                    variance[player] -= curvature * np.outer(moved[seat], moved[seat])
                    rank = np.nan if played.rank is None else played.rank[seat, game]
                    if np.isfinite(rank) and today > ranked[player] + _LATEST_RANK:
                        ranked[player] = today
                        _measure(mean[player], variance[player], rank - level)
    return z


def _level_of_ranks(played: PlayedSets) -> float:
    """Logarithm of the ranking of a player of strength 0: the median of the rankings of those there from the first."""
    if played.rank is None or not np.isfinite(played.rank).any():
        return 0.0
    return float(np.nanmedian(played.rank))


def _of_result(z: float, won: float, wide: float) -> tuple[float, float]:
    """Slope and curvature of the log probability of a result by the gap, its variance included."""
    sign = 2.0 * won - 1.0
    ratio = np.exp(-0.5 * z * z - _LEAST - _special.log_ndtr(sign * z))
    return sign * ratio / np.sqrt(wide), ratio * (ratio + sign * z) / wide


def _measure(mean: Floats, variance: Floats, rank: float) -> None:
    """One player's state after a ranking, log ranking = level - slope strength + error, in place."""
    moved = variance[:, 0].copy()
    noise = (_RANK_SPREAD / _RANK_SLOPE) ** 2 + moved[0]
    mean += moved * (-rank / _RANK_SLOPE - mean[0]) / noise
    variance -= np.outer(moved, moved) / noise
