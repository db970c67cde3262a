"""Elo++: its gradient by finite differences, its steps, its learning rate."""

import numpy as np
import pytest
from rating_games import periods_of, simulated
from scipy.optimize import approx_fprime
from scipy.special import expit

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.models.games.units import to_natural
from halfpoint.systems.elo_plus_plus import EloPlusPlus, descend, opponents_mean

START = Newcomer(0.0, from_day=False)


def gradient(rating, white, black, score, weight, pull, advantage, mean):
    """Gradient of equation 10, with constant means of the neighbours."""
    p = expit(rating[white] - rating[black] + advantage)
    each = 2.0 * weight * (p - score) * p * (1.0 - p)
    slope = np.bincount(white, each, rating.size) - np.bincount(black, each, rating.size)
    return slope + 2.0 * pull * (rating - mean)


def test_one_step_is_half_the_gradient_of_one_game():
    # With one game, a step is -eta/2 times the gradient of equation 10 (neighbours held still): eq. 13, 14 corrected.
    rating = np.array([0.4, -0.3])
    one = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32), np.array([0.0]), np.array([0.6])
    mean = np.array([0.1, 0.2])

    def loss(rating):
        p = expit(rating[0] - rating[1] + 0.2)
        return 0.6 * p**2 + 0.77 * np.sum((rating - mean) ** 2)

    slope = gradient(rating, *one, 0.77, 0.2, mean)
    assert slope == pytest.approx(approx_fprime(rating, loss, 1e-6), abs=2e-5)
    moved = rating.copy()
    descend(one, moved, mean, np.ones(2), (0.5, 0.77, 0.2))
    # the second player's step is taken with the first player's old rating: only p is shared, so the two agree
    assert moved == pytest.approx(rating - 0.25 * slope, abs=1e-12)


def test_opponents_mean_is_equation_11():
    white, black = np.array([0, 0, 2], dtype=np.int32), np.array([1, 2, 1], dtype=np.int32)
    weight, rating = np.array([1.0, 3.0, 2.0]), np.array([1.0, 5.0, 9.0, 4.0])
    mean = opponents_mean(rating, white, black, weight)
    assert mean.tolist() == [(5.0 + 3 * 9.0) / 4.0, (1.0 + 2 * 9.0) / 3.0, (3 * 1.0 + 2 * 5.0) / 5.0, 4.0]


def test_fifty_iterations_come_near_the_minimum():
    # A full-gradient descent of the same loss (neighbours still within an iteration) ends where the other does.
    table, _ = simulated(32, players=12, games=600, periods=1, rated=False)
    system = EloPlusPlus(0.4, 35.0, newcomer=START)
    system.learn(table)
    found = to_natural(np.array([system.ledger.rating(name) for name in table.players]))
    rating, weight = np.zeros(12), np.ones(len(table))
    count = np.bincount(table.white, minlength=12) + np.bincount(table.black, minlength=12)
    data = table.white, table.black, table.score, weight
    for _ in range(4000):
        mean = opponents_mean(rating, *data[:2], weight)
        rating = rating - 0.01 * gradient(rating, *data, 0.4, to_natural(35.0), mean)
    # stochastic steps of size eta(50) = 0.27 leave noise near 0.27 * 0.06 * sqrt(few); both are centred alike
    assert np.corrcoef(found - found.mean(), rating - rating.mean())[0, 1] > 0.9
    assert count.sum() == 2 * len(table)


def test_old_games_weigh_less():
    games, _ = simulated(33, players=10, games=300, periods=10, rated=False)
    system = EloPlusPlus(newcomer=START, iterations=5)
    for period in periods_of(games):
        system.learn(period)
    assert system.past.shape == (300, 4)
    repeated = EloPlusPlus(newcomer=START, iterations=5)
    for period in periods_of(games):
        repeated.learn(period)
    assert repeated.ledger["rating"].tolist() == system.ledger["rating"].tolist()  # seeded


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match="a pull >= 0"):
        EloPlusPlus(pull=-1.0)
