"""Forecasts game by game, as Python, against integrals, and strengths that move or stay."""

import numpy as np
import pytest
from plain_loops import run_as_python
from scipy.integrate import quad
from scipy.stats import norm

from halfpoint.evaluation import movement


@pytest.fixture
def plain(monkeypatch):
    run_as_python(monkeypatch, movement)


def forecasts(seats, games, mean, covariance, tie=0.8, walk=0.0):
    nodes, share = np.polynomial.hermite_e.hermegauss(21)
    return movement._forecast_in_order(seats, games, mean, covariance, tie, walk, nodes, share / share.sum())


def chances(eta, tie=0.8):
    """Davidson's win, draw and loss."""
    win, loss = np.exp(eta / 2.0), np.exp(-eta / 2.0)
    return np.stack([win, tie + 0.0 * win, loss]) / (win + tie + loss)


def one_game(score):
    """Seats, games, mean and covariance of one game of two of three players."""
    seats = np.array([0]), np.array([2])
    return seats, (np.array([score]), np.zeros(1), np.ones(1)), np.array([0.3, 0.0, -0.4, 0.1])


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_one_game_by_integrals(score, plain):
    seats, games, mean = one_game(score)
    covariance = np.diag([0.5, 0.6, 0.7, 0.2])
    first = mean.copy()
    result = forecasts(seats, games, mean, covariance)[0]
    middle, sd = 0.8, np.sqrt(0.5 + 0.7 + 0.2)

    def average(function):
        return quad(lambda eta: function(eta) * norm.pdf(eta, middle, sd), middle - 9 * sd, middle + 9 * sd)[0]

    win, draw = (average(lambda eta, k=k: chances(eta)[k]) for k in (0, 1))
    which = {1.0: 0, 0.5: 1, 0.0: 2}[score]
    chance = average(lambda eta: chances(eta)[which])
    expected = win + draw / 2.0
    assert result == pytest.approx([expected, win + draw / 4.0 - expected**2, draw, chance], rel=1e-6)
    after = average(lambda eta: eta * chances(eta)[which]) / chance
    variance = average(lambda eta: (eta - after) ** 2 * chances(eta)[which]) / chance
    share = np.array([0.5, 0.0, -0.7, 0.2]) / sd**2
    np.testing.assert_allclose(mean - first, share * (after - middle), rtol=1e-5)
    left = np.diag([0.5, 0.6, 0.7, 0.2]) - np.outer(share, share) * (sd**2 - variance)
    np.testing.assert_allclose(covariance, left, rtol=1e-5, atol=1e-12)


def test_diagonals_alone_agree_in_the_first_game(plain):
    whole, diagonal = np.diag([0.5, 0.6, 0.7, 0.2]), np.array([[0.5], [0.6], [0.7], [0.2]])
    (seats, games, mean), other = one_game(1.0), one_game(1.0)[2]
    np.testing.assert_allclose(
        forecasts(seats, games, mean, whole), forecasts(seats, games, other, diagonal), rtol=1e-12
    )
    np.testing.assert_allclose(mean, other, rtol=1e-12)
    np.testing.assert_allclose(np.diag(whole), diagonal[:, 0], rtol=1e-12)


def test_a_walk_adds_its_variance_since_a_player_s_last_game(plain):
    """Player 1, who does not play first, gets nothing; a drawn game of 0 tells less after a walk."""
    seats = np.array([0, 0]), np.array([2, 1])
    games = np.array([0.5, 0.5]), np.array([0.0, 0.5]), np.zeros(2)
    walked, still = (np.diag([0.5, 0.6, 0.7, 0.2]) for _ in range(2))
    before = np.diag([0.5, 0.6, 0.7, 0.2])
    first = np.zeros(4)
    forecasts((seats[0][:1], seats[1][:1]), tuple(column[:1] for column in games), first, before, walk=2.0)
    before[0, 0] += 2.0 * 0.5
    second = first.copy()
    expected = forecasts((seats[0][1:], seats[1][1:]), tuple(column[1:] for column in games), second, before, walk=0.0)
    both = forecasts(seats, games, np.zeros(4), walked, walk=2.0)
    np.testing.assert_allclose(both[1], expected[0], rtol=1e-12)
    np.testing.assert_allclose(walked, before, rtol=1e-12)
    forecasts(seats, games, np.zeros(4), still)
    assert walked[0, 0] > still[0, 0]


def simulated(walk_elo, seed, players=6, games=600):
    """Games of players whose strengths are the same, or have moved by the end."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    days = np.arange(float(games))
    speed = rng.normal(size=players) * walk_elo * np.log(10) / 400.0
    strength = rng.normal(size=players)[:, None] * 0.5 + speed[:, None] * days / games
    win, draw, _ = chances(strength[white, np.arange(games)] - strength[black, np.arange(games)])
    u = rng.random(games)
    return white, black, np.where(u < win, 1.0, np.where(u < win + draw, 0.5, 0.0)), days, np.zeros(games)


def test_strengths_that_move_are_found_and_still_ones_are_not():
    p, walk, longest = movement.movement(*simulated(400.0, 1))
    assert p < 1e-6
    assert walk > 100.0
    assert longest >= walk
    still = [movement.movement(*simulated(0.0, seed, games=200)) for seed in range(2, 12)]
    assert sum(p < 0.05 for p, *_ in still) <= 2  # 98.8% of ten such tests
    assert sum(p > 0.5 for p, *_ in still) >= 1  # all but 0.1%
    assert np.median([walk for _, walk, _ in still]) < walk


def test_the_order_of_rows_is_that_of_days():
    white, black, score, days, neutral = simulated(400.0, 1, games=100)
    order = np.random.default_rng(3).permutation(100)
    rows = white[order], black[order], score[order], days[order], neutral[order]
    assert movement.movement(*rows) == pytest.approx(movement.movement(white, black, score, days, neutral), rel=1e-9)
