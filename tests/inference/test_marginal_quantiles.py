"""Quantiles of resampled draws: their distribution functions beside many draws, and their movement between seeds."""

import numpy as np
import pytest
from monte_carlo import LIMIT
from scipy.special import ndtr
from scipy.stats import kstwobign

from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.marginal_quantiles import _Marginals
from halfpoint.inference.gaussian.transport import draw_weighted
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, simulate

ENDS = [0.025, 0.975]


def league(players=10, games=200):
    rng = np.random.default_rng(1)
    names, strength = np.array([f"P{k:03d}" for k in range(players)]), 15.5 + 0.6 * rng.standard_normal(players)
    white = rng.integers(0, players, games).astype(np.int32)
    black = ((white + rng.integers(1, players, games)) % players).astype(np.int32)
    return select(simulate(Truth(names, strength, 0.2, 0.3), Schedule(white, black, np.ones(games, int)), 1), names)


@pytest.fixture(scope="module", params=["davidson-population", "davidson-matched"])
def nested(request):
    return HyperparameterGrid(VariationalProblem(declare(request.param, league())))


def elo(nested, v):
    """Ratings in Elo points less their mean, by Davidson's slope between equals, 2 / (2 + nu), (draw, player)."""
    parts = nested.problem.parts
    strength, log_draw = v[:, parts.of("strength")], v[:, parts.of("log_draw")]
    apart = strength - strength.mean(axis=1, keepdims=True)
    return apart * 400.0 / np.log(10.0) * 2.0 / (2.0 + np.exp(log_draw))


@pytest.mark.draws
def test_distribution_functions_are_those_of_many_draws(nested):
    """Kolmogorov's distance of 60,000 draws that are not weighted, each number of the model."""
    count = 60_000
    v, laws = draw_weighted(nested, count, 3).v, _Marginals(nested)
    z = v[:, laws.parts.z]
    for group in laws.groups:
        level, factor = laws.reading(group, z)
        places, levels = laws.tabulated(group, group.z)
        for k, one in enumerate(group.z):
            y = np.sort((z[:, one] - level) * factor)
            apart = ndtr(np.interp(y, places[k], levels[k])) - (np.arange(count) + 0.5) / count
            assert np.abs(apart).max() < kstwobign.isf(1e-5) / np.sqrt(count) + 1e-3


def test_ratings_in_elo_are_what_is_tabulated(nested):
    v, laws = draw_weighted(nested, 400, 1).v, _Marginals(nested)
    z, group = v[:, laws.parts.z], laws.groups[-1]
    level, factor = laws.reading(group, z)
    np.testing.assert_allclose((z[:, group.z] - level[:, None]) * factor[:, None], elo(nested, v), rtol=1e-4)


@pytest.mark.draws
@pytest.mark.parametrize("bend", [False, True])
def test_interval_ends_hardly_differ_from_seed_to_seed(nested, bend):
    """By less than half of what draws resampled plainly differ by, and about the same ends."""
    moved, plain = [], []
    for seed in range(10):
        found = draw_weighted(nested, 3000, seed, bend)
        moved.append(np.quantile(elo(nested, found.resampled(seed)[0]), ENDS, axis=0))
        plain.append(np.quantile(elo(nested, found.v[found.weights.resampled(3000, seed)]), ENDS, axis=0))
    by_seed, independent = (np.std(one, axis=0, ddof=1) for one in (moved, plain))
    assert np.sqrt(np.mean(by_seed**2)) < 0.5 * np.sqrt(np.mean(independent**2))
    apart = np.mean(moved, axis=0) - np.mean(plain, axis=0)
    assert (np.abs(apart) < LIMIT * np.hypot(by_seed, independent) / np.sqrt(10)).all()


@pytest.mark.draws
def test_dependence_between_players_stays(nested):
    """Correlations of ratings beside those of the same draws without the change of quantiles."""
    found = draw_weighted(nested, 6000, 2)
    values, kept = found.resampled(2)
    one, other = (np.corrcoef(elo(nested, v).T) for v in (values, found.v[kept]))
    assert np.abs(one - other).max() < 0.02
    assert np.unique(values[:, nested.problem.parts.of("strength")[0]]).size == len(values)  # none stands twice


def test_one_seed_gives_one_set_of_draws(nested):
    first, again = (draw_weighted(nested, 500, 4).resampled(4)[0] for _ in range(2))
    assert np.array_equal(first, again)


@pytest.mark.draws
@pytest.mark.parametrize("links", [0, 2])
def test_players_of_leagues_that_hardly_meet_stay_together(links):
    """Differences within each league of five: means and deviations beside those of plainly resampled draws."""
    rng, count = np.random.default_rng(5), 4000
    names, strength = np.array([f"P{k}" for k in range(10)]), 15.5 + 0.5 * rng.standard_normal(10)
    white = np.tile(rng.integers(0, 5, 150), 2) + np.repeat([0, 5], 150)
    black = white - white % 5 + (white % 5 + np.tile(rng.integers(1, 5, 150), 2)) % 5
    white, black = np.append(white, [1] * links), np.append(black, [7] * links)
    schedule = Schedule(white.astype(np.int32), black.astype(np.int32), np.ones(white.size, int))
    selection = select(simulate(Truth(names, strength, 0.2, 0.3), schedule, 1), names)
    nested = HyperparameterGrid(VariationalProblem(declare("davidson-common", selection)))
    found = draw_weighted(nested, count, 1)
    values, kept = found.resampled(1)
    here = nested.problem.parts.of("strength")
    moved, plain = (v[:, here[[0, 6]]] - v[:, here[[1, 8]]] for v in (values, found.v[kept]))
    assert (np.abs(moved.mean(axis=0) - plain.mean(axis=0)) < LIMIT * plain.std(axis=0) / np.sqrt(count)).all()
    assert np.abs(moved.std(axis=0) / plain.std(axis=0) - 1.0).max() < LIMIT / np.sqrt(2 * count)
