r"""TrueSkill for sides of several players and for more than two sides.

Performances p_i ~ N(s_i, beta^2) of skills s_i ~ N(mu_i, sigma_i^2 + tau^2); a side performs t = sum of w_i p_i, with
shares of play w. With M and V the mean and variance of t, V = sum of w_i^2 (sigma_i^2 + tau^2 + beta^2),

    a side beats the next in rank if t - t' > eps, and draws if within eps;   eps = Phi^(-1)((P + 1) / 2) sqrt(n) beta
    mu_i <- mu_i + w_i (sigma_i^2 + tau^2) / V (M' - M)
    sigma_i^2 <- (sigma_i^2 + tau^2) - (w_i (sigma_i^2 + tau^2) / V)^2 (V - V')

n  players of the two sides;  P  probability of a draw between equals;  M', V'  moments of t given the ranks.

Two sides have these moments in closed form (trueskill.py). With more sides they come from expectation propagation: each
difference t - t' of two sides that drew, or that have consecutive ranks, is truncated at eps and replaced by the
Gaussian of the same moments, repeatedly until convergence. All pairs of a tie are truncated, so that the order of its
sides in a file has no effect; a chain of neighbours, as in the paper, would depend on it. For a normal variable of
deviation 1 and mean t, cut at e: v = E - t of the rest, 1 - w its variance.

Herbrich, Minka & Graepel (2007) NIPS 19:569; in Krajowski-Kukiel (2011) eq. 2.9 has tau for tau^2 and eq. 2.11 sums
skills for performances.
"""

import math

import numpy as np
from scipy.special import ndtri

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Codes, Floats, Integers
from halfpoint.systems.matches import Matches, Seats

_SWEEPS = 400
_TOLERANCE = 1e-12


def update_teams(
    matches: Matches, mean: Floats, deviation: Floats, beta: float = 25.0 / 6.0, tau: float = 25.0 / 300.0,
    draw_probability: float = 0.1, advantage: float = 0.0, weight: Floats | None = None,
) -> None:  # fmt: skip
    """Update means and deviations in place, match by match.

    Parameters
    ----------
    matches : Matches
        Sides and ranks.
    mean, deviation : array of float, shape (player,)
        mu and sigma.
    beta, tau, draw_probability : float
        As in `halfpoint.systems.trueskill.TrueSkill`.
    advantage : float
        Advantage added to the performance of the first side of a match.
    weight : array of float, shape (match,), optional
        Weight of a match: the change of each player's natural parameters is multiplied by it.

    Raises
    ------
    RatingSystemError
        If a number is out of its range, or a deviation is not positive.
    """
    if not (beta > 0.0 and tau >= 0.0 and 0.0 <= draw_probability < 1.0):
        found = f"{beta}, {tau}, {draw_probability}"
        raise RatingSystemError("TrueSkill", "positive beta, tau >= 0, a draw probability from 0 to below 1", found)
    if not (deviation > 0.0).all():
        raise RatingSystemError("TrueSkill", "positive deviations", f"{deviation.min()}")
    quantile = float(ndtri((draw_probability + 1.0) / 2.0))
    often = np.ones(len(matches)) if weight is None else np.asarray(weight, dtype=np.float64)
    _move_teams(matches.seats, mean, deviation, (float(beta), float(tau), quantile, float(advantage)), often)


def update_pairs(
    white: Codes, black: Codes, outcome: Codes, mean: Floats, deviation: Floats, beta: float, tau: float,
    draw_probability: float, advantage: float, weight: Floats,
) -> None:  # fmt: skip
    """Update means and deviations in place, game by game: `update_teams` for games of two players, to the last digit.

    Parameters
    ----------
    white, black : array of int, shape (game,)
        Places of the two players; White is the first side.
    outcome : array of int, shape (game,)
        0 if White lost, 1 for a draw, 2 if White won.
    mean, deviation : array of float, shape (player,)
        mu and sigma.
    beta, tau, draw_probability, advantage : float
        As in `update_teams`.
    weight : array of float, shape (game,)
        Weight of a game.
    """
    quantile = float(ndtri((draw_probability + 1.0) / 2.0))
    numbers = float(beta), float(tau), quantile, float(advantage)
    _move_pairs(white, black, outcome, mean, deviation, numbers, weight)


@compile_lazily
def density(x: float) -> float:
    """The standard normal density."""
    return math.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@compile_lazily
def _normal_cdf(x: float) -> float:
    """The standard normal distribution function."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


@compile_lazily
def decisive_moments(x: float) -> tuple[float, float]:
    """Moments v and w of a win at x = t - e; far in the tail the limits v = -x, w = 1."""
    chance = _normal_cdf(x)
    if chance < 1e-290:
        return -x, 1.0
    v = density(x) / chance
    return v, v * (v + x)


@compile_lazily
def draw_moments(t: float, e: float) -> tuple[float, float]:
    """Moments v and w of a draw; if the margin has no probability left, those at the nearer border."""
    side = 1.0
    if t < 0.0:
        t, side = -t, -1.0
    chance = _normal_cdf(e - t) - _normal_cdf(-e - t)
    if chance < 1e-290:
        return side * (e - t), 1.0
    v = (density(-e - t) - density(e - t)) / chance
    w = v * v + ((e - t) * density(e - t) + (e + t) * density(e + t)) / chance
    return side * v, w


@compile_lazily
def ranked_moments(
    mean: Floats, variance: Floats, ahead: Integers, behind: Integers, margin: Floats, level: Floats
) -> tuple[Floats, Floats]:
    """Means and variances of performances given the outcomes of pairs, shape (side,) each.

    Arguments: mean and variance before the match, (side,); for each pair, (pair,), the side ahead, the side behind,
    eps, `margin`, and `level`, 1 for a draw, else 0.
    """
    count = mean.size
    after, spread = mean.copy(), np.zeros((count, count))
    for side in range(count):
        spread[side, side] = variance[side]
    precision, weight = np.zeros(ahead.size), np.zeros(ahead.size)
    natural = mean / variance
    for _ in range(_SWEEPS):
        moved = 0.0
        for pair in range(ahead.size):
            one, other = ahead[pair], behind[pair]
            column = spread[:, one] - spread[:, other]
            of_difference = column[one] - column[other]
            lead = after[one] - after[other]
            without = 1.0 / of_difference - precision[pair]
            centre = (lead / of_difference - weight[pair]) / without
            c = math.sqrt(1.0 / without)
            t, e = centre / c, margin[pair] / c
            if level[pair] > 0.0:
                v, w = draw_moments(t, e)
            else:
                v, w = decisive_moments(t - e)
            cut = max(1.0 - w, 1e-12) / without
            new_precision = 1.0 / cut - without
            new_weight = (centre + c * v) / cut - centre * without
            gained = new_precision - precision[pair]
            moved = max(moved, abs(gained) * of_difference, abs(new_weight - weight[pair]) * math.sqrt(of_difference))
            spread -= np.outer(column, column) * (gained / (1.0 + gained * of_difference))
            natural[one] += new_weight - weight[pair]
            natural[other] -= new_weight - weight[pair]
            precision[pair], weight[pair] = new_precision, new_weight
            for side in range(count):
                after[side] = 0.0
                for beside in range(count):
                    after[side] += spread[side, beside] * natural[beside]
        if moved < _TOLERANCE or ahead.size == 1:
            break
    return after, np.diag(spread).copy()


@compile_lazily
def _pairs_of(rank: Floats) -> tuple[Integers, Integers]:
    """Pairs of places that drew or have consecutive ranks, from rising ranks (side,), shape (pair,)."""
    ahead, behind = [0 for _ in range(0)], [0 for _ in range(0)]
    for place in range(rank.size):
        following = rank[place]
        for other in range(place + 1, rank.size):
            if rank[other] > following:
                if following > rank[place]:
                    break
                following = rank[other]
            ahead.append(place)
            behind.append(other)
    return np.array(ahead), np.array(behind)


@compile_lazily
def _move_teams(
    seats: Seats, mean: Floats, deviation: Floats, numbers: tuple[float, float, float, float], often: Floats
) -> None:
    """Update means and deviations in place, match by match, by beta, tau, quantile of a draw and advantage."""
    member, share, side_start, rank, match_start = seats
    beta, tau, quantile, advantage = numbers
    for match in range(match_start.size - 1):
        first, end = match_start[match], match_start[match + 1]
        order = first + np.argsort(rank[first:end], kind="mergesort")
        count = end - first
        m, v = np.zeros(count), np.zeros(count)
        for place in range(count):
            side = order[place]
            if side == first:
                m[place] = advantage
            for seat in range(side_start[side], side_start[side + 1]):
                player = member[seat]
                m[place] += share[seat] * mean[player]
                v[place] += share[seat] ** 2 * (deviation[player] ** 2 + tau**2 + beta**2)
        ahead, behind = _pairs_of(rank[order])
        margin, level = np.zeros(ahead.size), np.zeros(ahead.size)
        for pair in range(ahead.size):
            one, other = order[ahead[pair]], order[behind[pair]]
            people = side_start[one + 1] - side_start[one] + side_start[other + 1] - side_start[other]
            margin[pair] = quantile * math.sqrt(people) * beta
            level[pair] = 1.0 if rank[one] == rank[other] else 0.0
        after, left = ranked_moments(m, v, ahead, behind, margin, level)
        for place in range(count):
            side = order[place]
            for seat in range(side_start[side], side_start[side + 1]):
                player = member[seat]
                own = deviation[player] ** 2 + tau**2
                lever = share[seat] * own / v[place]
                moved = mean[player] + lever * (after[place] - m[place])
                variance = max(own - lever**2 * (v[place] - left[place]), 1e-12 * own)
                mean[player], deviation[player] = _weighted(mean[player], own, moved, variance, often[match])


@compile_lazily
def _weighted(before: float, own: float, moved: float, variance: float, times: float) -> tuple[float, float]:
    """Mean and deviation after a match of a given weight, from the moments before it and after it at weight 1."""
    if times != 1.0:
        precision = 1.0 / own + times * (1.0 / variance - 1.0 / own)
        pull = before / own + times * (moved / variance - before / own)
        moved, variance = pull / precision, 1.0 / precision
    return moved, math.sqrt(variance)


@compile_lazily
def _move_pairs(
    white: Codes, black: Codes, outcome: Codes, mean: Floats, deviation: Floats,
    numbers: tuple[float, float, float, float], often: Floats,
) -> None:  # fmt: skip
    """`_move_teams` for games of two players: the same operations in the same order, without arrays."""
    beta, tau, quantile, advantage = numbers
    margin = quantile * math.sqrt(2) * beta
    for game in range(white.size):
        drawn, white_first = outcome[game] == 1, outcome[game] > 0
        one, other = (white[game], black[game]) if white_first else (black[game], white[game])
        m_one, m_other = mean[one], mean[other]
        if white_first:
            m_one += advantage
        else:
            m_other += advantage
        own_one, own_other = deviation[one] ** 2 + tau**2, deviation[other] ** 2 + tau**2
        v_one, v_other = own_one + beta**2, own_other + beta**2
        of_difference = v_one + v_other
        without = 1.0 / of_difference
        centre = (m_one - m_other) / of_difference / without
        c = math.sqrt(1.0 / without)
        if drawn:
            v, w = draw_moments(centre / c, margin / c)
        else:
            v, w = decisive_moments(centre / c - margin / c)
        cut = max(1.0 - w, 1e-12) / without
        precision = 1.0 / cut - without
        weight = (centre + c * v) / cut - centre * without
        shrunk = precision / (1.0 + precision * of_difference)
        left_one, left_other = v_one - v_one * v_one * shrunk, v_other - v_other * v_other * shrunk
        shared = v_one * v_other * shrunk
        pull_one, pull_other = m_one / v_one + weight, m_other / v_other - weight
        after_one = left_one * pull_one + shared * pull_other
        after_other = shared * pull_one + left_other * pull_other
        for player, own, m, v_before, after, left in (
            (one, own_one, m_one, v_one, after_one, left_one),
            (other, own_other, m_other, v_other, after_other, left_other),
        ):
            lever = own / v_before
            moved = mean[player] + lever * (after - m)
            variance = max(own - lever**2 * (v_before - left), 1e-12 * own)
            mean[player], deviation[player] = _weighted(mean[player], own, moved, variance, often[game])
