"""Contract of forecasters, sampled or approximated: results belong to games, in any order of the rows."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.errors import RatingSystemError

SMALL = Effort(draws=100, tune=150, chains=2, cores=1)


@pytest.fixture(scope="module")
def games():
    """Three periods of 12 players; pairs that meet twice in one are told apart by a column."""
    made, _ = simulated(82, players=12, games=400, periods=3, draw=0.3)
    return replace(made, covariates={"board": np.arange(len(made)) * 1.0})


def forecaster(kind, games):
    if kind == "approximated":
        return Forecaster(find("davidson-population"), games)
    return Forecaster(find("davidson-common"), games, games.players[: 12 if kind == "sampled" else 8], SMALL)


def of_period(games, period, order=None):
    rows = np.flatnonzero(games.period == period)
    return games.take(rows if order is None else rows[order.permutation(rows.size)])


@pytest.mark.cases(2)
@pytest.mark.parametrize("kind", ["sampled", "some monitored", "approximated"])
def test_rows_in_another_order_are_the_same_games(kind, games):
    rng = np.random.default_rng(1)
    one, other = forecaster(kind, games), forecaster(kind, games)
    for period in (1, 2):
        one.learn(of_period(games, period))
        other.learn(of_period(games, period, rng))
    first, second = one.state(), other.state()
    assert first["past"].sum() > 100
    np.testing.assert_array_equal(first["past"], second["past"])
    np.testing.assert_array_equal(first["score"], second["score"])
    known = games.take(one.learned_by(games))
    np.testing.assert_array_equal(first["score"][first["past"]], known.score[first["past"]])
    turn = rng.permutation(int((games.period == 3).sum()))
    told = one.forecast(of_period(games, 3))
    again = other.forecast(of_period(games, 3).take(turn))
    np.testing.assert_allclose(again.outcome, told.outcome[turn], rtol=1e-9)


@pytest.mark.parametrize("kind", ["sampled", "approximated"])
def test_games_that_are_not_those_of_the_calendar_are_refused(kind, games):
    now = of_period(games, 1)
    wrong = {
        "one missing": now.take(np.arange(1, len(now))),
        "one twice": now.take(np.append(np.arange(len(now) - 1), 0)),
        "colours turned": replace(now, white=now.black, black=now.white),
        "another column": replace(now, covariates={"board": 1.0 + now.covariates["board"]}),
    }
    for what, table in wrong.items():
        built = forecaster(kind, games)
        with pytest.raises(InferenceError, match=r"expected the \d+ games of the calendar"):
            built.learn(table)
        assert not built.past.any(), what


def test_games_among_strangers_are_nobodys(games):
    built = forecaster("some monitored", games)
    mine = built.learned_by(of_period(games, 1))
    assert not mine.all()
    built.learn(of_period(games, 1))
    assert built.past.sum() == mine.sum()


@pytest.mark.parametrize("kind", ["sampled", "approximated"])
def test_a_period_is_learned_once(kind, games):
    built = forecaster(kind, games)
    built.learn(of_period(games, 1))
    with pytest.raises((InferenceError, RatingSystemError), match="period"):
        built.learn(of_period(games, 1))


def test_an_approximation_for_some_players_is_refused(games):
    with pytest.raises(InferenceError, match="needs all players monitored"):
        Forecaster(find("davidson-population"), games, games.players[:8])
