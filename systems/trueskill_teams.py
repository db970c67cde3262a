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
        actual = f"{beta}, {tau}, {draw_probability}"
        raise RatingSystemError("TrueSkill", "positive beta, tau >= 0, a draw probability from 0 to below 1", actual)
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
    mean: Floats, variance: Floats, leaders: Integers, followers: Integers, margin: Floats, level: Floats
) -> tuple[Floats, Floats]:
    """Means and variances of performances given the outcomes of pairs, shape (side,) each.

    Arguments: mean and variance before the match, (side,); for each pair, (pair,), the sides ahead and behind,
    `leaders` and `followers`, eps, `margin`, and `level`, 1 for a draw, else 0.
    """
    count = mean.size
    after, spread, natural, column = np.zeros(count), np.zeros((count, count)), np.zeros(count), np.zeros(count)
    for side in range(count):
        after[side], spread[side, side], natural[side] = mean[side], variance[side], mean[side] / variance[side]
    precision, weight = np.zeros(leaders.size), np.zeros(leaders.size)
    for _ in range(_SWEEPS):
        moved = 0.0
        for pair in range(leaders.size):
            leader, follower = leaders[pair], followers[pair]
            for side in range(count):
                column[side] = spread[side, leader] - spread[side, follower]
            of_difference = column[leader] - column[follower]
            lead = after[leader] - after[follower]
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
            shrunk = gained / (1.0 + gained * of_difference)
            for side in range(count):
                for other_side in range(count):
                    spread[side, other_side] -= column[side] * column[other_side] * shrunk
            natural[leader] += new_weight - weight[pair]
            natural[follower] -= new_weight - weight[pair]
            precision[pair], weight[pair] = new_precision, new_weight
            for side in range(count):
                after[side] = 0.0
                for other_side in range(count):
                    after[side] += spread[side, other_side] * natural[other_side]
        if moved < _TOLERANCE or leaders.size == 1:
            break
    remaining = np.zeros(count)
    for side in range(count):
        remaining[side] = spread[side, side]
    return after, remaining


@compile_lazily
def _pairs_of(rank: Floats) -> tuple[Integers, Integers]:
    """Pairs of places that drew or have consecutive ranks, from rising ranks (side,), shape (pair,)."""
    most, pairs = rank.size * (rank.size - 1) // 2, 0
    leaders, followers = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    for place in range(rank.size):
        next_rank = rank[place]
        for follower in range(place + 1, rank.size):
            if rank[follower] > next_rank:
                if next_rank > rank[place]:
                    break
                next_rank = rank[follower]
            leaders[pairs], followers[pairs] = place, follower
            pairs += 1
    return leaders[:pairs], followers[:pairs]


@compile_lazily
def _move_teams(
    seats: Seats, mean: Floats, deviation: Floats, numbers: tuple[float, float, float, float], often: Floats
) -> None:
    """Update means and deviations in place, match by match, by beta, tau, quantile of a draw and advantage."""
    member, share, side_start, rank, match_start = seats
    beta, tau, quantile, advantage = numbers
    for match in range(match_start.size - 1):
        first, end = match_start[match], match_start[match + 1]
        count = end - first
        order, ranks, m, v = np.empty(count, dtype=np.int64), np.zeros(count), np.zeros(count), np.zeros(count)
        for side in range(first, end):  # sorted by rank, equal ranks as they come
            place = side - first
            while place > 0 and ranks[place - 1] > rank[side]:
                order[place], ranks[place] = order[place - 1], ranks[place - 1]
                place -= 1
            order[place], ranks[place] = side, rank[side]
        for place in range(count):
            side = order[place]
            if side == first:
                m[place] = advantage
            for seat in range(side_start[side], side_start[side + 1]):
                player = member[seat]
                m[place] += share[seat] * mean[player]
                v[place] += share[seat] ** 2 * (deviation[player] ** 2 + tau**2 + beta**2)
        leaders, followers = _pairs_of(ranks)
        margin, level = np.zeros(leaders.size), np.zeros(leaders.size)
        for pair in range(leaders.size):
            leader, follower = order[leaders[pair]], order[followers[pair]]
            people = side_start[leader + 1] - side_start[leader] + side_start[follower + 1] - side_start[follower]
            margin[pair] = quantile * math.sqrt(people) * beta
            level[pair] = 1.0 if rank[leader] == rank[follower] else 0.0
        after, remaining = ranked_moments(m, v, leaders, followers, margin, level)
        for place in range(count):
            side = order[place]
            for seat in range(side_start[side], side_start[side + 1]):
                player = member[seat]
                prior_variance = deviation[player] ** 2 + tau**2
                lever = share[seat] * prior_variance / v[place]
                moved = mean[player] + lever * (after[place] - m[place])
                variance = max(prior_variance - lever**2 * (v[place] - remaining[place]), 1e-12 * prior_variance)
                mean[player], deviation[player] = _weighted(mean[player], prior_variance, moved, variance, often[match])


@compile_lazily
def _weighted(before: float, prior_variance: float, moved: float, variance: float, times: float) -> tuple[float, float]:
    """Mean and deviation after a match of a given weight, from the moments before it and after it at weight 1."""
    if times != 1.0:
        precision = 1.0 / prior_variance + times * (1.0 / variance - 1.0 / prior_variance)
        pull = before / prior_variance + times * (moved / variance - before / prior_variance)
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
        leader, follower = (white[game], black[game]) if white_first else (black[game], white[game])
        m_leader, m_follower = mean[leader], mean[follower]
        if white_first:
            m_leader += advantage
        else:
            m_follower += advantage
        prior_leader, prior_follower = deviation[leader] ** 2 + tau**2, deviation[follower] ** 2 + tau**2
        v_leader, v_follower = prior_leader + beta**2, prior_follower + beta**2
        of_difference = v_leader + v_follower
        without = 1.0 / of_difference
        centre = (m_leader - m_follower) / of_difference / without
        c = math.sqrt(1.0 / without)
        if drawn:
            v, w = draw_moments(centre / c, margin / c)
        else:
            v, w = decisive_moments(centre / c - margin / c)
        cut = max(1.0 - w, 1e-12) / without
        precision = 1.0 / cut - without
        weight = (centre + c * v) / cut - centre * without
        shrunk = precision / (1.0 + precision * of_difference)
        left_leader, left_follower = (
            v_leader - v_leader * v_leader * shrunk,
            v_follower - v_follower * v_follower * shrunk,
        )
        shared = v_leader * v_follower * shrunk
        pull_leader, pull_follower = m_leader / v_leader + weight, m_follower / v_follower - weight
        after_leader = left_leader * pull_leader + shared * pull_follower
        after_follower = shared * pull_leader + left_follower * pull_follower
        for player, prior_variance, m, v_before, after, remaining in (
            (leader, prior_leader, m_leader, v_leader, after_leader, left_leader),
            (follower, prior_follower, m_follower, v_follower, after_follower, left_follower),
        ):
            lever = prior_variance / v_before
            moved = mean[player] + lever * (after - m)
            variance = max(prior_variance - lever**2 * (v_before - remaining), 1e-12 * prior_variance)
            mean[player], deviation[player] = _weighted(mean[player], prior_variance, moved, variance, often[game])
