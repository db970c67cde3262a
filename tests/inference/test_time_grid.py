"""The calendar of a backtest: which games are learned, matched in any order, and weighted by hand."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.time_grid import Calendar, _first_month, seats_of
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games.table import GameTable
from halfpoint.readers.read import read

PLAYERS = np.array(["a", "b", "c"])


def table(**columns):
    """Six games in periods 1, 1, 1, 2, 2 and 3; the first two are alike in players."""
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 0, 1, 2, 0, 1], [1, 1, 2, 0, 1, 0]))
    score = np.array([1.0, 0.0, 0.5, 1.0, 0.5, 0.0])
    return GameTable(PLAYERS, white, black, score, **({"period": np.array([1, 1, 1, 2, 2, 3])} | columns))


def calendar(games, model="davidson-common", **settings):
    """Calendar of a model on games."""
    return Calendar(find(model), games, **settings)


def test_seats_of_known_players():
    games = table()
    white, black = seats_of(games, np.array(["c", "a", "b"]), np.array([True, True, False]))
    assert white.tolist() == [1, 1, -1, 0, 1, -1]
    assert black.tolist() == [-1, -1, 0, 1, -1, 1]


def test_the_first_month_counts_where_periods_are_shorter_than_months():
    days = np.array(["2024-02-03", "2024-02-10", "2024-02-17", "2024-03-01", "2024-03-09", "2024-04-01"], "M8[D]")
    weekly = table(period=np.arange(6), date=days)
    assert _first_month(weekly) == np.datetime64("2024-02")
    assert _first_month(table(period=np.array([1, 1, 1, 2, 2, 3]), date=days)) is None
    assert _first_month(table()) is None
    unknown = np.where(np.arange(6) == 4, np.datetime64("NaT", "D"), days)
    assert _first_month(table(period=np.arange(6), date=unknown)) is None
    walk = calendar(weekly, "davidson-walk")
    assert walk.by_month(walk.games).period.tolist() == [1, 1, 1, 2, 2, 3]
    constant = calendar(weekly)
    assert constant.begin is None
    assert constant.by_month(weekly) is weekly


def test_games_are_learned_period_by_period_in_any_order():
    grid = calendar(table())
    assert grid.weight.tolist() == [0.0] * 6
    assert set(grid.schedule.games.score.tolist()) == {0.5}
    first = grid.games.take(np.array([2, 1, 0]))
    assert grid.rows_of(first, 1).tolist() == [2, 0, 1]  # alike games in the order of the file
    grid.learn(first)
    assert grid.score.tolist() == [0.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    assert grid.past.tolist() == [True, True, True, False, False, False]
    assert grid.weight.tolist() == [1.0, 1.0, 1.0, 0.0, 0.0, 0.0]
    grid.learn(grid.games.take(np.array([3, 4])))
    assert grid.score.tolist() == [0.0, 1.0, 0.5, 1.0, 0.5, 0.5]
    assert grid.clock == 2


def test_games_are_matched_by_columns_that_both_have():
    event = np.array(["x", "y", "x", "x", "x", "x"])
    site = np.array(["u", "v", "w", "w", "w", "w"])
    grid = calendar(table(event=event, covariates={"margin": np.array([1, 1, 0, 1, 0, -1])}))
    swapped = grid.games.take(np.array([1, 0, 2]))
    assert grid.rows_of(swapped, 1).tolist() == [1, 0, 2]
    assert grid.rows_of(replace(swapped, event=None), 1).tolist() == [0, 1, 2]
    known = calendar(table(covariates={"site": site}))
    turned = known.games.take(np.array([1, 0, 2]))
    assert known.rows_of(turned, 1).tolist() == [1, 0, 2]
    assert known.rows_of(replace(turned, covariates={}), 1).tolist() == [0, 1, 2]
    more = replace(turned, covariates={**turned.covariates, "wind": np.arange(3)})
    assert known.rows_of(more, 1).tolist() == [1, 0, 2]


def test_margins_do_not_distinguish_games():
    grid = calendar(table(covariates={"margin": np.array([1.0, -1.0, 0.0, 1.0, 0.0, -1.0])}), "margin-normal")
    assert grid.of_margins
    games = grid.games.take(np.array([0, 1, 2]))
    other = replace(games, covariates={"margin": np.array([5.0, -3.0, 2.0])})
    assert grid.rows_of(other, 1).tolist() == [0, 1, 2]
    grid.learn(games)
    assert grid.margin.tolist() == [1.0, -1.0, 0.0, 0.0, 0.0, 0.0]
    assert set(grid.state()) == {"clock", "past", "score", "margin"}
    assert set(calendar(table()).state()) == {"clock", "past", "score"}


@pytest.mark.parametrize("rows", [[0, 1], [0, 2, 3], [0, 2, 2]])
def test_games_outside_the_calendar_are_refused(rows):
    grid = calendar(table())
    with pytest.raises(InferenceError, match=rf"expected the 3 games of the calendar, found {len(rows)} in period 1"):
        grid.rows_of(table().take(np.array(rows)), 1)


def test_games_of_monitored_players_are_learned():
    rated = table(white_rating_elo=np.full(6, 1500.0), black_rating_elo=np.full(6, 1600.0))
    effort = Effort(draws=4, tune=4, chains=1, seed=1)
    grid = calendar(rated, monitored=np.array(["c"]), effort=effort)
    assert grid.learned_by(rated).tolist() == [False, False, True, True, False, False]
    assert len(grid.games) == 2
    grid.learn(rated.take(np.array([0, 1, 2])))
    assert grid.past.tolist() == [True, False]
    with pytest.raises(InferenceError, match="an approximated model needs all players monitored"):
        calendar(rated, monitored=np.array(["c"]))
    with pytest.raises(InferenceError, match="expected games of monitored players with periods, found none"):
        calendar(rated, monitored=np.array(["d"]), effort=effort)
    with pytest.raises(InferenceError, match="expected games of monitored players with periods, found none"):
        calendar(replace(rated, period=None, date=np.array(["2024-01-01"] * 6, "M8[D]")))


def test_weights_by_age_follow_the_games_learned():
    """Recency weighs the games learned so far, whatever comes later."""
    grid = calendar(table(), "davidson-weighted")
    assert grid.without_weights.weighting == "equal"
    grid.learn(grid.games.take(np.array([0, 1, 2])))
    assert len(set(grid.weight[:3].tolist())) == 1
    assert grid.weight[3:].tolist() == [0.0, 0.0, 0.0]
    grid.learn(grid.games.take(np.array([3, 4])))
    np.testing.assert_allclose(grid.weight[:5], find("davidson-weighted").weights(grid.games.take(np.arange(5))))
    assert grid.weight[4] > grid.weight[0] > 0.0


def test_games_of_line_ups_are_learned_if_all_their_people_are_monitored():
    frame = pd.DataFrame({"white": ["Ada + Bo", "Bo + Cy", "Cy"], "black": ["Cy", "Di", "Bo + Di"], "score": [1, 0, 1]})
    games = read(frame, sides="+")
    assert games.people[0] == "Ada"
    for monitored, learned in ((["Bo", "Cy", "Di"], [False, True, True]), (["Ada", "Bo", "Cy"], [True, False, False])):
        calendar = SimpleNamespace(players=np.array(monitored), monitored=np.array(monitored))
        assert Calendar.learned_by(calendar, games).tolist() == learned
    single = read(frame.assign(white=["Ada", "Bo", "Cy"], black=["Cy", "Di", "Ada"]))
    calendar = SimpleNamespace(players=np.array(["Di"]), monitored=np.array(["Di"]))
    assert Calendar.learned_by(calendar, single).tolist() == [False, True, False]  # one of the two is enough
    everyone = SimpleNamespace(players=np.array(["Ada", "Cy"]), monitored=None)
    assert Calendar.learned_by(everyone, single).tolist() == [True, False, True]
