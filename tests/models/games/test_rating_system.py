"""Logs, starts and ledgers of rating systems by hand."""

import numpy as np
import pytest

from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.rating_system import Forecast, GameLog, Newcomer, day_ratings, period_of
from halfpoint.models.games.table import GameTable


def test_repeated_games_sum_their_changes_and_share_the_rest():
    columns = {name: np.array(values) for name, values in {
        "expected_score": [0.5, 0.6, 0.7], "white_k": [20.0, 10.0, 30.0], "black_k": [40.0, 40.0, 40.0],
        "white_change_elo": [1.0, 2.0, 4.0], "black_change_elo": [-1.0, -2.0, -4.0],
    }.items()}  # fmt: skip
    log = GameLog(**columns).of_repeated(np.array([2, 0, 1]))
    np.testing.assert_allclose(log.expected_score, [0.55, np.nan, 0.7])
    np.testing.assert_allclose(log.white_k, [15.0, np.nan, 30.0])
    np.testing.assert_allclose(log.white_change_elo, [3.0, np.nan, 4.0])
    np.testing.assert_allclose(log.black_change_elo, [-3.0, np.nan, -4.0])


def test_forecasts_are_checked():
    forecast = Forecast.of_outcomes(np.array([[0.2, 0.3, 0.5], [0.0, 1.0, 0.0]]))
    np.testing.assert_allclose(forecast.expected_score, [0.65, 0.5])
    assert Forecast(np.array([0.0, 1.0, np.nan])).outcome is None
    for wrong, outcome in (([0.5, 1.1], None), ([-0.1], None), ([0.5], np.ones((1, 2)))):
        with pytest.raises(HalfpointError, match="forecast"):
            Forecast(np.array(wrong), outcome)
    with pytest.raises(HalfpointError, match=r"1\.1 at game 2"):
        Forecast(np.array([0.5, 1.1]))


def test_newcomers_begin_at_the_rating_of_their_day():
    day = np.array([np.nan, 1800.0])
    assert Newcomer(1500.0).ratings(day).tolist() == [1500.0, 1800.0]
    assert Newcomer(1500.0).games(day).tolist() == [0.0, 30.0]
    assert Newcomer(1500.0, from_day=False).ratings(day).tolist() == [1500.0, 1500.0]
    assert Newcomer(1500.0, from_day=False).games(day).tolist() == [0.0, 0.0]


def games(period=None):
    """Three games of three players, ratings printed with some."""
    white, black = np.array([0, 1, 2], dtype=np.int32), np.array([1, 2, 0], dtype=np.int32)
    return GameTable(
        np.array(["a", "b", "c"]), white, black, np.array([1.0, 0.5, 0.0]), period=period,
        white_rating_elo=np.array([1500.0, 1610.0, np.nan]), black_rating_elo=np.array([1600.0, np.nan, 1510.0]),
    )  # fmt: skip


def test_the_first_or_last_printed_rating_of_each_player():
    np.testing.assert_array_equal(day_ratings(games()), [1500.0, 1600.0, np.nan])
    np.testing.assert_array_equal(day_ratings(games(), last=True), [1510.0, 1610.0, np.nan])


def test_periods_rise():
    assert period_of(games(), 4) == 5
    assert period_of(games(np.array([7, 7, 7])), 4) == 7
    assert period_of(games(np.array([5, 5, 5])), 4) == 5
    for period, message in (([7, 7, 8], "the games of one period"), ([4, 4, 4], "a period after 4")):
        with pytest.raises(HalfpointError, match=message):
            period_of(games(np.array(period)), 4)
