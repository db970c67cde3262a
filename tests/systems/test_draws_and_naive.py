"""Common draw curve, and baselines that any system must beat."""

import numpy as np
import pytest
from rating_games import periods_of, simulated, table

from halfpoint.models.games.draw_curve import fit_log_draw, outcome_of
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.baselines import BaseRates, PrintedRating

POINTS = np.array([0.0, 0.5, 1.0])


@pytest.mark.parametrize("log_draw", [-8.0, -1.0, 0.0, 1.1, 6.0])
def test_draw_curve_keeps_the_expected_score(log_draw):
    expected = np.linspace(0.001, 0.999, 101)
    outcome = outcome_of(expected, log_draw)
    assert outcome @ POINTS == pytest.approx(expected, abs=1e-9)
    assert outcome.sum(axis=1) == pytest.approx(1.0)
    assert outcome.min() > 0.0
    assert outcome[:, ::-1] == pytest.approx(outcome_of(1.0 - expected, log_draw), abs=1e-9)  # colours swapped


def test_draw_curve_is_davidsons():
    # Davidson (1970): P(win) : P(draw) : P(loss) = a : nu sqrt(ab) : b.
    a, b, nu = 3.0, 1.2, 1.7
    shares = np.array([b, nu * np.sqrt(a * b), a])
    shares = shares / shares.sum()
    assert outcome_of(np.array([shares @ POINTS]), np.log(nu))[0] == pytest.approx(shares, abs=1e-12)


def test_log_draw_of_equals():
    # With 235 draws in 411 games between equals, nu / (nu + 2) is the share of draws.
    outcome = np.repeat([0, 1, 2], [88, 235, 88])
    log_draw = fit_log_draw(np.full(411, 0.5), outcome)
    assert np.exp(log_draw) / (np.exp(log_draw) + 2.0) == pytest.approx(235 / 411, abs=1e-5)


def test_no_games_to_fit():
    with pytest.raises(RatingSystemError, match="games of the training months"):
        fit_log_draw(np.empty(0), np.empty(0, dtype=np.int64))


def test_base_rates_are_the_shares_of_the_past():
    system = BaseRates()
    assert system.forecast(table(["a"], ["b"], [1])).outcome[0] == pytest.approx([1 / 3] * 3)
    system.learn(table(["a", "b", "a"], ["b", "a", "c"], [1, 1, 0.5]))
    assert system.forecast(table(["a"], ["b"], [1])).outcome[0] == pytest.approx([1 / 6, 2 / 6, 3 / 6])


def test_printed_rating_finds_the_advantage_and_the_draws():
    rng = np.random.default_rng(51)
    size, advantage, log_draw = 20_000, 0.2, 0.9
    rating = rng.uniform(2500.0, 2800.0, (size, 2)).round()
    expected = 1.0 / (1.0 + 10.0 ** ((rating[:, 1] - rating[:, 0]) / 400.0) * np.exp(-advantage))
    cut = np.cumsum(outcome_of(expected, log_draw), axis=1)
    score = (rng.random(size)[:, None] > cut).sum(axis=1) / 2.0
    names = np.array([f"player {n}" for n in range(40)])
    white = rng.integers(0, 40, size)
    black = (white + rng.integers(1, 40, size)) % 40
    ratings = {"white_rating_elo": rating[:, 0], "black_rating_elo": rating[:, 1]}
    system = PrintedRating()
    system.learn(table(names[white], names[black], score, **ratings))
    # standard errors: 1 / sqrt(size * 0.1) = 0.02 for the advantage, 2 / sqrt(size * 0.25) = 0.03 for ln nu
    assert system.parameters == pytest.approx([advantage, log_draw], abs=0.1)
    one = table(["a"], ["b"], [1], white_rating_elo=2600, black_rating_elo=2500)
    assert system.forecast(one).expected_score[0] == pytest.approx(
        1.0 / (1.0 + 10.0**-0.25 * np.exp(-system.parameters[0])), abs=1e-9
    )


def test_printed_rating_without_ratings_takes_all_for_equals():
    games, _ = simulated(52, rated=False)
    system = PrintedRating()
    for period in periods_of(games):
        forecast = system.forecast(period)
        assert np.ptp(forecast.expected_score) == 0.0
        system.learn(period)
