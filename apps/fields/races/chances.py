r"""Probabilities of orders and places, by strengths of Plackett-Luce or by normal performances.

Plackett-Luce, over draws of the strengths: the probability of a win is the mean of a_i / sum a_k, and of an order the
mean of its product of choices, both exact for given draws. Ties are excluded: with Davidson-Luce these are
probabilities given no tie.

Normal performances x_i ~ N(mu_i, s_i^2), as of TrueSkill and Weng-Lin, s^2 = sigma^2 + beta^2: from the last place on,
with F and f the distribution and density of the competitor next ahead,

    A_0(x) = product of F over unplaced competitors,    A_k(x) = integral of A_(k-1)(y) f_k(y) dy up to x

and the probability of the order is A_n at infinity; the probability of a win is the integral of f_i times the F of all
other competitors. For two competitors it is Phi((mu_i - mu_j) / sqrt(s_i^2 + s_j^2)).

An order with ties counts as all orders consistent with it. Places are simulated: strengths plus Gumbel noise, largest
first, follow Plackett-Luce exactly (Yellott 1977, J. Math. Psychol. 15:109).
"""

from dataclasses import dataclass
from itertools import islice, pairwise, permutations, product

import numpy as np
from scipy.integrate import cumulative_simpson
from scipy.special import log_ndtr, logsumexp, ndtr

from halfpoint.apps.fields.races.plackett_luce import choices_of, log_likelihood
from halfpoint.apps.fields.races.table import LAST, RaceTable
from halfpoint.models.games.table import Codes, Floats

_MOST_ORDERS = 720  # that an event with ties leaves open; chances of more are not summed
_POINTS, _BEYOND = 2001, 9.0  # of the grid of performances, and how many deviations it reaches
_SIMULATED_AT_ONCE = 4_000_000  # noises


@dataclass(frozen=True, eq=False)
class Strengths:
    """Draws of Plackett-Luce strengths g."""

    strength: Floats  # (draw, competitor), natural units

    def win(self, who: Codes) -> Floats:
        """Probability of first place for each of a field, shape (competitor of the field,)."""
        g = self.strength[:, who]
        a = np.exp(g - g.max(axis=1, keepdims=True))
        return np.asarray((a / a.sum(axis=1, keepdims=True)).mean(axis=0))

    def order(self, table: RaceTable) -> Floats:
        """Log chance of each event's order, without ties, shape (event,)."""
        log_chances = log_likelihood(self.strength, None, choices_of(table, 1))
        return np.asarray(logsumexp(log_chances, axis=0) - np.log(len(log_chances)))

    def performances(self, who: Codes, count: int, rng: np.random.Generator) -> Floats:
        """Simulated performances of a field, the largest first, shape (count, competitor of the field)."""
        drawn = self.strength[rng.integers(len(self.strength), size=count)][:, who]
        return np.asarray(drawn + rng.gumbel(size=drawn.shape))


@dataclass(frozen=True, eq=False)
class Performances:
    """Normal performances."""

    mean: Floats  # (competitor,), mu and s
    spread: Floats

    def grid(self, who: Codes) -> tuple[Floats, Floats, Floats]:
        """Integration points, and log distribution and density of each competitor there, shape (competitor, point)."""
        mean, spread = self.mean[who][:, None], self.spread[who][:, None]
        x = np.linspace((mean - _BEYOND * spread).min(), (mean + _BEYOND * spread).max(), _POINTS)
        z = (x - mean) / spread
        return x, log_ndtr(z), np.exp(-0.5 * z * z) / (spread * np.sqrt(2.0 * np.pi))

    def win(self, who: Codes) -> Floats:
        """See `Strengths`."""
        if len(who) == 2:
            z = float(self.mean[who[0]] - self.mean[who[1]]) / np.hypot(*self.spread[who])
            return np.array([ndtr(z), ndtr(-z)])
        x, log_below, density = self.grid(who)
        chances = np.trapezoid(density * np.exp(log_below.sum(axis=0) - log_below), x, axis=1)
        return np.asarray(chances / chances.sum())

    def order(self, table: RaceTable) -> Floats:
        """See `Strengths`."""
        logs = np.empty(len(table))
        for event, (start, end) in enumerate(pairwise(table.start.tolist())):
            who, placed = table.who[start:end], table.has_place[start:end]
            x, log_below, density = self.grid(who)
            reached, scale = np.exp(log_below[~placed].sum(axis=0)), 0.0
            for row in np.flatnonzero(placed)[::-1]:
                reached = np.asarray(cumulative_simpson(reached * density[row], x=x, initial=0.0)).clip(0.0)
                top = max(float(reached[-1]), np.finfo(float).tiny)
                reached, scale = reached / top, scale + np.log(top)
            logs[event] = scale
        return logs

    def performances(self, who: Codes, count: int, rng: np.random.Generator) -> Floats:
        """See `Strengths`."""
        return np.asarray(self.mean[who] + self.spread[who] * rng.standard_normal((count, len(who))))


type Chances = Strengths | Performances  # a forecaster's knowledge of competitors


def log_order(chances: Chances, table: RaceTable) -> Floats:
    """Log chance of each event's order, ties in any order, shape (event,); NaN for too many orders."""
    open_ = [_orders_of(table, event) for event in range(len(table))]
    feasible = [event for event, orders in enumerate(open_) if len(orders) <= _MOST_ORDERS]
    rows = [order for event in feasible for order in open_[event]]
    logs = np.full(len(table), np.nan)
    if not rows:
        return logs
    sizes = np.array([len(row[0]) for row in rows])
    start = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    who, group = (np.concatenate(column).astype(np.int32) for column in zip(*rows, strict=True))
    order_logs = chances.order(RaceTable(table.competitors, np.arange(len(rows)).astype(str), start, who, group))
    first = np.cumsum([0, *(len(open_[event]) for event in feasible)])
    logs[feasible] = [logsumexp(order_logs[a:b]) for a, b in pairwise(first.tolist())]
    return logs


def _orders_of(table: RaceTable, event: int) -> list[tuple[Codes, Codes]]:
    """Orders without ties that an event allows, who and group; at most one above the limit."""
    rows = slice(int(table.start[event]), int(table.start[event + 1]))
    who, group = table.who[rows], table.group[rows]
    placed = group != LAST
    sets = [who[group == number].tolist() for number in np.unique(group[placed])]
    unplaced = who[~placed]
    orders = []
    for parts in islice(product(*(permutations(members) for members in sets)), _MOST_ORDERS + 1):
        order = np.array([name for part in parts for name in part] + unplaced.tolist())
        orders.append((order, np.where(placed, np.arange(order.size), LAST)))
    return orders


def log_winner(chances: Chances, table: RaceTable) -> Floats:
    """Log probability of each event's winner, or of any of a shared first place, shape (event,)."""
    logs = np.empty(len(table))
    for event, (start, end) in enumerate(pairwise(table.start.tolist())):
        with np.errstate(divide="ignore"):
            logs[event] = np.log(chances.win(table.who[start:end])[table.group[start:end] == 0].sum())
    return logs


def places(chances: Chances, who: Codes, simulations: int, seed: int) -> Floats:
    """Frequency of each place in simulated events, shape (competitor of the field, place)."""
    rng, count = np.random.default_rng(seed), len(who)
    counts = np.zeros((count, count))
    step = max(_SIMULATED_AT_ONCE // count, 1)
    for first in range(0, simulations, step):
        order = np.argsort(-chances.performances(who, min(step, simulations - first), rng), axis=1)
        for place in range(count):
            counts[:, place] += np.bincount(order[:, place], minlength=count)
    return counts / simulations
