"""Scores that agree with results: sums by result, independent counts, and the goals of a simulated league."""

import numpy as np
import pytest
from scipy import stats

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.score_markets import result_chances
from halfpoint.systems.scores_of_results import scores_of_results


def test_sums_by_result_are_the_given_chances_however_certain():
    results = np.array([[0.3, 0.25, 0.45], [1e-9, 1e-6, 1.0 - 1.001e-6], [0.98, 0.015, 0.005], [0.1, 0.8, 0.1]])
    for product in (0.3, 1.6, 9.0):
        chances = scores_of_results(results, product)
        np.testing.assert_allclose(result_chances(chances), results, rtol=1e-12)
        assert (chances >= 0.0).all()
    with pytest.raises(RatingSystemError, match=r"mean product of the goals of both sides: expected a number from"):
        scores_of_results(results, 6400.0)  # basketball


def test_independent_counts_are_found_again_by_their_results():
    count = np.arange(16)
    for ratio in (1.0, 1.7, 0.3):
        home, away = (stats.poisson(np.sqrt(1.6 * one)).pmf(count) for one in (ratio, 1.0 / ratio))
        grid = np.outer(home, away)
        results = np.array([[np.triu(grid, 1).sum(), np.trace(grid), np.tril(grid, -1).sum()]]) / grid.sum()
        np.testing.assert_allclose(scores_of_results(results, 1.6)[0], grid / grid.sum(), atol=2e-4)


def test_the_mean_product_needs_no_strengths():
    rng = np.random.default_rng(1)
    apart = rng.normal(0.3, 0.8, 20_000)
    product = np.prod(rng.poisson(1.25 * np.exp(np.stack([apart, -apart]) / 2.0)), axis=0)
    assert abs(product.mean() - 1.25**2) < 4.0 * product.std() / np.sqrt(product.size)
