"""Value of goals: the filter compared with conditional normals, no use of a day's own games, simulated leagues."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from halfpoint.evaluation import worth_of_goals as module
from halfpoint.evaluation.worth_of_goals import Played, worth_of_goals
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.margin import GOALS, OF_GOALS

CLUBS = 12


def league(seasons=3, spread=0.7, seed=1):
    """Poisson goals of clubs with known strengths, one round a week."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, spread, CLUBS)
    pairs = np.array([(one, other) for one in range(CLUBS) for other in range(CLUBS) if one != other] * seasons)
    white, black = rng.permutation(pairs).T
    apart = 0.35 + strength[white] - strength[black]
    goals = rng.poisson(1.25 * np.exp(np.stack([apart, -apart]) / 2.0))
    margin = (goals[0] - goals[1]).astype(np.float64)
    day = 7.0 * (np.arange(white.size) // (CLUBS // 2))
    return Played(white, black, (np.sign(margin) + 1.0) / 2.0, margin, day, np.ones(white.size))


def test_the_filter_of_goals_is_conditioning_of_normals():
    played, numbers = league(1), module._of_goals(league(1).margin)
    found = np.exp(module._forecast(played, numbers, GOALS, played.margin))
    games, days, rows = played.day.size, played.day, np.arange(played.day.size)
    design = np.zeros((games, CLUBS + 1))
    design[rows, played.white], design[rows, played.black], design[:, -1] = 1.0, -1.0, 1.0
    together = numbers.spread**2 + numbers.walk**2 * np.minimum.outer(days, days) / 365.25  # of one club on two days
    prior = (design[:, :-1] @ design[:, :-1].T) * together + numbers.advantage[1] ** 2
    noise = np.exp(2.0 * numbers.lam)
    for game in (6, 60, games - 1):
        before = np.flatnonzero(days < days[game])
        observed = prior[np.ix_(before, before)] + noise * np.eye(before.size)
        gain = np.linalg.solve(observed, prior[before, game])
        mean = numbers.advantage[0] + gain @ (played.margin[before] - numbers.advantage[0])
        wide = np.sqrt(prior[game, game] - gain @ prior[before, game] + noise)
        won, lost = stats.norm.sf((OF_GOALS.half - mean) / wide), stats.norm.cdf((-OF_GOALS.half - mean) / wide)
        np.testing.assert_allclose(found[game], [lost, 1.0 - won - lost, won], atol=1e-5)


@pytest.mark.parametrize("of_goals", [False, True])
def test_a_day_is_forecast_from_earlier_days_alone(of_goals):
    played = league(1)
    numbers = module._of_goals(played.margin) if of_goals else module._of_results(0.25)
    later = played.day >= played.day[90]
    turned = replace(
        played, score=np.where(later, 1.0 - played.score, played.score),
        margin=np.where(later, -played.margin, played.margin),
    )  # fmt: skip
    law = GOALS if of_goals else DAVIDSON
    one, other = (
        module._forecast(games, numbers, law, games.margin if of_goals else games.score) for games in (played, turned)
    )
    first_after = int(np.flatnonzero(played.day > played.day[90])[0])
    np.testing.assert_array_equal(one[:first_after], other[:first_after])
    assert np.abs(one[first_after:] - other[first_after:]).max() > 0.01


@pytest.mark.further
def test_goals_of_poisson_leagues_are_used_and_goals_that_say_nothing_are_not():
    """Permuted goals of winners carry no information: at most two of ten leagues use them."""
    used = empty = 0
    for seed in range(10):
        played, rng = league(4, seed=seed), np.random.default_rng(seed)
        margin = played.margin.copy()
        for score in (0.0, 1.0):
            games = np.flatnonzero(played.score == score)
            margin[games] = rng.permutation(margin[games])
        worth, _ = worth_of_goals(played)
        assert worth.games == played.day.size - 50
        used += worth.used
        empty += worth_of_goals(replace(played, margin=margin))[0].used
    assert used >= 7
    assert empty <= 2


@pytest.mark.further
def test_shots_that_measure_strengths_are_used_beside_goals_and_noise_is_not():
    """Leads in shots are the sides' difference with a third of the noise of goals; permuted ones say nothing."""
    used = empty = 0
    for seed in range(10):
        played, rng = league(4, 0.45, seed), np.random.default_rng([seed, 1])
        strength = np.random.default_rng(seed).normal(0.0, 0.45, CLUBS)
        apart = 0.35 + strength[played.white] - strength[played.black]
        index = 1.25 * apart + 0.5 * rng.standard_normal(apart.size)
        (_, shots), (_, noise) = (
            worth_of_goals(replace(played, index=values)) for values in (index, rng.permutation(index))
        )
        used += shots.used
        empty += noise.used
    assert used >= 7
    assert empty <= 2


def test_the_weight_is_that_of_the_best_pool():
    rng = np.random.default_rng(2)
    by_results, by_goals = (np.log(rng.dirichlet([3.0, 2.0, 4.0], 2_000)) for _ in range(2))
    outcome = (rng.random(2_000)[:, None] > np.exp(by_goals).cumsum(axis=1)).sum(axis=1)
    index = np.arange(2_000), outcome
    weight, error = module.pool_weight(by_results, by_goals, index)
    assert abs(weight - 1.0) < 4.0 * error

    def likelihood(w):
        pooled = by_results + w * (by_goals - by_results)
        return float((pooled[index] - np.log(np.exp(pooled).sum(axis=1))).sum())

    assert likelihood(weight) >= max(likelihood(weight - 0.01), likelihood(weight + 0.01))
    rise = likelihood(weight + 1e-3) - 2.0 * likelihood(weight) + likelihood(weight - 1e-3)
    assert error == pytest.approx((-rise / 1e-6) ** -0.5, rel=1e-3)
