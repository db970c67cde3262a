"""Sides of rows: weighted sums by hand, and a single number for equal players with equal shares."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import GameTable
from halfpoint.models.rows.rows import Side, group_codes, meetings, months, periods, team_sides


def side(players, share, anchored=None):
    """Side of rows by seats."""
    share = np.array(share, dtype=float)
    anchored = np.zeros(len(share)) if anchored is None else np.array(anchored, dtype=float)
    return Side(np.array(players, dtype=np.int32), share, anchored, np.zeros(len(share)))


@pytest.mark.parametrize(
    ("made", "equal"),
    [
        (side([[0], [1], [0], [2]], [[1], [1], [1], [1]]), [(0, 2)]),
        (side([[0, 1], [0, 2], [0, 1], [0, 1]], [[0.5, 0.5], [0.5, 0.5], [0.5, 0.5], [0.7, 0.3]]), [(0, 2)]),
        (side([[3, 0], [3, 1], [2, 0]], [[1, 0], [1, 0], [1, 0]]), [(0, 1)]),  # who sits without a share is nobody
        (side([[1], [1], [1]], [[1], [1], [1]], [0, 1, 0]), [(0, 2)]),  # a known rating is another side
    ],
)
def test_equal_players_with_equal_shares_have_one_number(made, equal):
    number = made.seats()
    for one in range(len(number)):
        for other in range(one):
            assert (number[one] == number[other]) == ((other, one) in equal), (other, one)


def test_a_side_is_the_sum_of_its_players_by_their_shares():
    made = side([[0, 1], [2, 0]], [[0.5, 0.5], [1.0, 0.0]])
    assert made.of(np.array([[1.0, 3.0, 10.0], [2.0, 2.0, 5.0]])).tolist() == [[2.0, 10.0], [2.0, 5.0]]
    assert len(made.take(np.array([1]))) == 1
    assert made.take(np.array([1])).of(np.array([1.0, 3.0, 10.0])).tolist() == [10.0]


def test_known_ratings_take_the_place_of_players():
    rows = meetings(np.array([0, -1]), np.array([-1, 1]), np.array([9.0, 15.5]), np.array([14.0, 8.0]))
    strength = np.array([1.0, 3.0])
    assert rows.white.of(strength).tolist() == [1.0, 0.0]
    assert rows.black.of(strength).tolist() == [0.0, 3.0]
    assert (rows.white.anchored.tolist(), rows.black.anchored.tolist()) == ([0.0, 1.0], [1.0, 0.0])
    assert (rows.white.rating.tolist(), rows.black.rating.tolist()) == ([0.0, 15.5], [14.0, 0.0])
    assert (rows.period.tolist(), rows.seated.tolist(), rows.columns) == ([0, 0], [1.0, 1.0], {})
    plain = meetings(np.array([1, 0]), np.array([0, 1]), np.zeros(2), np.zeros(2))
    assert plain.white.of(strength).tolist() == [3.0, 1.0]
    assert not plain.white.anchored.any()
    assert not plain.white.rating.any()


def test_some_rows_have_all_their_columns():
    white, black = np.array([0, 1, 2]), np.array([1, 2, 0])
    column = {"advantage": np.array([[1.0], [2.0], [3.0]])}
    rows = meetings(white, black, np.zeros(3), np.zeros(3), np.array([4, 5, 6]), column, np.array([1.0, 0.0, 1.0]))
    rows = replace(rows, margin=np.array([7.0, 8.0, 9.0]), at_end=(white, rows.black))
    some = rows.take(np.array([2, 0]))
    assert len(some) == 2
    assert some.white.players.ravel().tolist() == [2, 0]
    assert some.black.players.ravel().tolist() == [0, 1]
    assert (some.period.tolist(), some.seated.tolist(), some.margin.tolist()) == ([6, 4], [1.0, 1.0], [9.0, 7.0])
    assert some.columns["advantage"].tolist() == [[3.0], [1.0]]
    assert some.at_end[0].tolist() == [2, 0]
    assert some.at_end[1].players.ravel().tolist() == [0, 1]
    assert replace(rows, margin=None, at_end=None).take(slice(0, 1)).at_end is None


def test_shares_of_a_side_sum_to_one():
    made = team_sides(np.array([[3, 1, -1], [2, -1, -1]]), np.array([[30.0, 60.0, 0.0], [5.0, 0.0, 0.0]]))
    assert made.players.tolist() == [[3, 1, 0], [2, 0, 0]]
    np.testing.assert_allclose(made.share, [[1 / 3, 2 / 3, 0.0], [1.0, 0.0, 0.0]])
    assert made.of(np.array([100.0, 3.0, 7.0, 9.0])).tolist() == pytest.approx([5.0, 7.0])


def test_numbers_of_groups_are_in_the_order_of_the_columns():
    assert group_codes([np.array([2, 1, 2, 1]), np.array(["b", "b", "a", "b"])]).tolist() == [2, 0, 1, 0]
    assert group_codes([np.array([5, 5]), np.array([np.nan, np.nan])]).tolist() == [0, 0]
    assert group_codes([np.array([4.0, 4.0, 4.0])]).tolist() == [0, 0, 0]
    assert group_codes([np.array([1, 1, 1]), np.array([0, 0, 7])]).tolist() == [0, 0, 1]


def table(**columns):
    """Four games of two players."""
    return GameTable(np.array(["a", "b"]), np.array([0, 1, 0, 1]), np.array([1, 0, 1, 0]), np.ones(4), **columns)


def test_periods_are_months_from_january_2010():
    dates = np.array(["2009-12-31", "2010-01-01", "2010-03-31", "2010-04-01"], dtype="datetime64[D]")
    dated, counted = table(date=dates), table(date=dates, period=np.array([1, 4, 7, 8]))
    assert months(dated).tolist() == [0, 1, 3, 4]
    assert periods(dated, 3).tolist() == [0, 1, 1, 2]
    assert periods(dated, 12).tolist() == [0, 1, 1, 1]
    assert months(counted).tolist() == [1, 4, 7, 8]
    assert periods(counted, 3).tolist() == [1, 2, 3, 3]
    assert months(counted, "period").tolist() == [1, 4, 7, 8]
    assert months(counted, "date").tolist() == [0, 1, 3, 4]


@pytest.mark.parametrize(
    ("columns", "clock", "says"),
    [
        (
            {"period": np.arange(1, 5)},
            "date",
            "expected a date for each game, .* calendar months, found a period alone",
        ),
        ({}, "period", "expected a period for each game, .* numbers of their periods, found neither period nor date"),
        ({}, None, "some games have neither a period nor a date"),
        ({"date": np.array(["2010-01-01", "NaT"] * 2, dtype="datetime64[D]")}, None, "some games have neither"),
    ],
)
def test_games_without_the_time_of_the_model_are_refused(columns, clock, says):
    with pytest.raises(ModelError, match=says):
        months(table(**columns), clock)
