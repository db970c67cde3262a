"""Simulated results of the operator of games, its equality, and rows of sides."""

import numpy as np
import pytest

from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.margin import MARGIN_NORMAL
from halfpoint.models.reading.games_variable import GamesVariable

WHITE, BLACK = np.array([0.8, -0.3]), np.array([0.1, 0.2])


def drawn(operator, total, lam=0.4, seed=1):
    """Results of the operator."""
    rng = np.random.default_rng(seed)
    return operator.rng_fn(rng, WHITE, BLACK, np.full(2, lam), np.asarray(total), np.arange(3.0), None)


def test_counts_follow_the_formula():
    counts = drawn(GamesVariable(DAVIDSON, object(), True), [20_000.0, 40_000.0])
    assert counts.sum(axis=1).tolist() == [20_000.0, 40_000.0]
    chance = np.exp(DAVIDSON.log_probability(WHITE, BLACK, np.full(2, 0.4)))
    error = np.sqrt(0.25 / 20_000)
    np.testing.assert_allclose(counts / counts.sum(axis=1, keepdims=True), chance, atol=4 * error)


def test_half_points_have_no_draws():
    counts = drawn(GamesVariable(HALF_POINTS, object(), False), [5000.0, 5000.0])
    assert counts[:, 1].tolist() == [0.0, 0.0]
    expected = 1.0 / (1.0 + np.exp(BLACK - WHITE))
    np.testing.assert_allclose(counts[:, 2] / 5000.0, expected, atol=4 * np.sqrt(0.25 / 5000))


def test_weights_that_are_no_numbers_of_games_cannot_be_drawn():
    with pytest.raises(ModelError, match="weighted likelihood"):
        drawn(GamesVariable(DAVIDSON, object(), True), [2.0, 1.5])


def test_margins_are_about_the_difference():
    operator = GamesVariable(MARGIN_NORMAL, object(), True)
    margins = np.array([drawn(operator, [1.0, 1.0], np.log(1.5), seed) for seed in range(4000)])
    np.testing.assert_allclose(margins.mean(axis=0), WHITE - BLACK, atol=4 * 1.6 / np.sqrt(4000))
    np.testing.assert_allclose(margins.std(axis=0), 1.5, rtol=0.06)


def test_operators_are_equal_if_formula_and_games_are():
    games = object()
    one = GamesVariable(DAVIDSON, games, True)
    assert one == GamesVariable(DAVIDSON, games, True)
    assert hash(one) == hash(GamesVariable(DAVIDSON, games, True))
    for other in (
        GamesVariable(DAVIDSON, object(), True), GamesVariable(HALF_POINTS, games, True),
        GamesVariable(DAVIDSON, games, False), GamesVariable(DAVIDSON, games, True, ("skill",)), "games",
    ):  # fmt: skip
        assert one != other
