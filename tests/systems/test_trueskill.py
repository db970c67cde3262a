"""TrueSkill against its published two-player example, and against the integrals it approximates."""

import numpy as np
import pytest
from rating_games import put, simulated, table
from scipy.integrate import quad
from scipy.stats import norm

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.trueskill import TrueSkill
from halfpoint.systems.trueskill_teams import decisive_moments, draw_moments


@pytest.mark.parametrize(
    ("score", "means", "deviation"),
    # Two new players, draws one in ten: the figures of Moser (2010) and of Microsoft's own calculator.
    [(1.0, (29.396, 20.604), 7.171), (0.0, (20.604, 29.396), 7.171), (0.5, (25.0, 25.0), 6.458)],
)
def test_published_two_player_example(score, means, deviation):
    system = TrueSkill()
    system.learn(table(["a"], ["b"], [score]))
    assert [system.ledger.rating(name) for name in "ab"] == pytest.approx(means, abs=5e-4)
    assert system.ledger["deviation"] == pytest.approx([deviation] * 2, abs=5e-4)


def test_published_upset_drawn():
    # A new player draws with N(50, 12.5^2): (31.662, 7.137) and (35.010, 7.910), same source.
    games = table(["a"], ["b"], [0.5])
    system = TrueSkill()
    put(system, games, rating={"b": 50.0}, deviation={"b": 12.5})
    system.learn(games)
    assert system.ledger["rating"] == pytest.approx([31.662, 35.010], abs=1e-3)
    assert system.ledger["deviation"] == pytest.approx([7.137, 7.910], abs=5e-4)


@pytest.mark.parametrize(("t", "e"), [(0.3, 0.5), (-1.2, 0.5), (2.5, 0.1), (0.0, 0.8)])
def test_v_and_w_are_moments_of_a_cut_normal(t, e):
    # v is the mean and 1 - w the variance of a standard normal around t, cut to a win (above e) or a draw (within e).
    for (low, high), (v, w) in (((e, np.inf), decisive_moments(t - e)), ((-e, e), draw_moments(t, e))):
        mass = quad(lambda x: norm.pdf(x - t), low, high)[0]
        mean = quad(lambda x: x * norm.pdf(x - t), low, high)[0] / mass
        variance = quad(lambda x, m=mean: (x - m) ** 2 * norm.pdf(x - t), low, high)[0] / mass
        assert mean - t == pytest.approx(v, abs=1e-7)
        assert variance == pytest.approx(1.0 - w, abs=1e-7)


def test_far_tails_stay_finite():
    assert decisive_moments(-60.0) == (60.0, 1.0)
    v, w = draw_moments(60.0, 0.5)
    assert (v, w) == (-59.5, 1.0)
    assert draw_moments(-60.0, 0.5)[0] == 59.5


def test_forecast_is_the_model_simulated():
    games = table(["a"], ["b"], [1.0])
    system = TrueSkill(60.0, 200.0, 0.0, 0.4, 35.0, Newcomer(2500.0, from_day=False))
    put(system, games, rating={"a": 2580.0}, deviation={"a": 80.0})
    forecast = system.forecast(games)
    rng = np.random.default_rng(6)
    draws = 400_000
    white = rng.normal(2580.0, 80.0, draws) + rng.normal(0.0, 200.0, draws)
    black = rng.normal(2500.0, 60.0, draws) + rng.normal(0.0, 200.0, draws)
    ahead = white - black + 35.0
    shares = np.array([np.mean(ahead < -system.margin), np.mean(np.abs(ahead) <= system.margin)])
    # 5 Monte Carlo errors of a share are at most 5 * 0.5 / sqrt(draws) = 0.004
    assert forecast.outcome[0, :2] == pytest.approx(shares, abs=0.004)
    assert forecast.outcome.sum() == pytest.approx(1.0, abs=1e-12)
    assert forecast.expected_score[0] == pytest.approx(forecast.outcome[0] @ [0.0, 0.5, 1.0], abs=1e-12)


def test_equals_without_doubt_draw_as_often_as_said():
    games = table(["a"], ["b"], [0.5])
    system = TrueSkill(deviation=1e-6, tau=0.0, draw_probability=0.37)
    assert system.forecast(games).outcome[0, 1] == pytest.approx(0.37, abs=1e-9)


def test_strengths_are_found():
    games, strength = simulated(12, players=20, games=4000, periods=1, rated=False)
    system = TrueSkill(150.0, 200.0, 0.0, 0.4, 35.0, Newcomer(2500.0, from_day=False))
    system.learn(games)
    found = np.array([system.ledger.rating(name) for name in games.players])
    assert np.corrcoef(found, strength)[0, 1] > 0.95


def test_bad_settings_are_named():
    with pytest.raises(RatingSystemError, match="draw probability from 0 to below 1"):
        TrueSkill(draw_probability=1.0)
    with pytest.raises(RatingSystemError, match="positive deviation"):
        TrueSkill(beta=0.0)
