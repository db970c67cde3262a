"""Logs, starts and ledgers of rating systems by hand."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.rating_system import (
    Forecast,
    GameLog,
    LedgerSystem,
    Newcomer,
    day_ratings,
    ledger_of,
    period_of,
)
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


class Counting(LedgerSystem):
    """A system whose ratings rise by 10 points a game, and whose log says so."""

    newcomer = Newcomer(1500.0)

    def learn_period(self, games, period):
        white, black = self.ledger.enter(games)
        for side in (white, black):
            np.add.at(self.ledger["rating"], side, 10.0)
            np.add.at(self.ledger["games"], side, 1.0)
        share = np.full(len(games), 0.5)
        self.log = GameLog(share, share, share, 10.0 + 0.0 * share, 10.0 + 0.0 * share)

    def forecast(self, games):
        return Forecast(np.full(len(games), 0.5))


def test_a_ledger_enters_players_at_their_start_and_forgets_nothing():
    system = Counting()
    assert system.lead(games()).tolist() == [-100.0, 100.0, 0.0]  # 1500, 1600 and 1500 before any game
    assert len(system.ledger) == 0
    system.learn(games())
    ledger = system.ledger
    assert (ledger.names, system.clock) == (["a", "b", "c"], -(2**31) + 1)
    assert ledger["rating"].tolist() == [1520.0, 1620.0, 1520.0]
    assert ledger["games"].tolist() == [32.0, 32.0, 2.0]  # 30 of players with a printed rating
    assert ledger.places(np.array(["c", "d", "a"])).tolist() == [2, -1, 0]
    start = ledger.peek_names(np.array(["d", "b"]), np.array([1999.0, 1.0]))
    assert (start["rating"].tolist(), start["games"].tolist()) == ([1999.0, 1620.0], [30.0, 32.0])
    assert (ledger.rating("b"), ledger.rating("c", "games")) == (1620.0, 2.0)
    with pytest.raises(HalfpointError, match="player: expected a player with games, found 'd'"):
        ledger.rating("d")
    assert ledger.add(np.array(["e", "a"]), np.array([np.nan, np.nan])).tolist() == [3, 0]
    assert ledger["rating"].tolist() == [1520.0, 1620.0, 1520.0, 1500.0]
    again = Counting()
    again.load(system.state())
    assert again.state().keys() == system.state().keys() == {"clock", "player_rating", "player_games", "names"}
    assert all(np.array_equal(value, again.state()[name]) for name, value in system.state().items())
    assert again.ledger.position == {"a": 0, "b": 1, "c": 2, "e": 3}
    with pytest.raises(HalfpointError, match="state: expected the arrays clock"):
        again.load({"clock": np.array(1)})


@pytest.mark.parametrize(("whole", "times"), [(True, [2, 0, 1]), (True, [0, 0, 0]), (False, [0.5, 1.0, 1.0])])
def test_a_weight_is_a_number_of_games(whole, times):
    system = Counting()
    system.weighs = not whole
    system.learn(replace(games(np.array([3, 3, 3])), weight=np.array(times, dtype=float)))
    assert system.clock == 3
    if not any(times):
        assert (len(system.ledger), system.log) == (0, None)
        return
    played = np.array([times[0] + times[2], times[0] + times[1], times[1] + times[2]]) if whole else np.full(3, 2.0)
    assert (system.ledger["rating"] - [1500.0, 1600.0, 1500.0]).tolist() == (10.0 * played).tolist()
    change = [20.0, 0.0, 10.0] if whole else [10.0, 10.0, 10.0]
    np.testing.assert_array_equal(system.log.white_change_elo, [x if x else np.nan for x in change])


@pytest.mark.parametrize(("weight", "row", "shown"), [([1.0, 0.5, 2.0], 2, "0.5"), ([1.0, 2.0, 6e7], 3, "6e+07")])
def test_weights_that_are_no_number_of_games_are_refused(weight, row, shown):
    system = Counting()
    system.weighs = False
    with pytest.raises(HalfpointError) as refused:
        system.learn(replace(games(), weight=np.array(weight)))
    expected = f"a game of weight 2 is two games), 50,000,000 games at most, found {shown}"
    assert expected in str(refused.value)
    assert str(refused.value).startswith(games().place(row - 1))


def test_a_system_without_ratings_has_no_ledger():
    system = Counting()
    assert ledger_of(system, "list") is system.ledger
    with pytest.raises(HalfpointError, match="list: expected a system that keeps ratings, found object"):
        ledger_of(object(), "list")
