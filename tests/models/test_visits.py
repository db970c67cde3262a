"""Days on which players have a state, by hand."""

import numpy as np
import pytest

from halfpoint.models.errors import ModelError
from halfpoint.models.rows.days import FIRST, TICKS, Visits, clock_of, visits_in


def visits():
    """Player 0 on days 0 and 2, player 1 on day 1; both at the end, on day 3."""
    return Visits.of(np.array([1, 0, 0, 0]), np.array([1, 0, 2, 2]) * TICKS, 2, 3 * TICKS)


def test_visits_are_sorted_and_know_the_one_before():
    found = visits()
    assert found.player.tolist() == [0, 0, 0, 1, 1]
    assert (found.tick // TICKS).tolist() == [0, 2, 3, 1, 3]
    assert found.before.tolist() == [-1, 0, 1, -1, 3]
    assert found.days.tolist() == [FIRST, 2.0, 1.0, FIRST, 2.0]
    assert found.last.tolist() == [2, 4]
    again = Visits.from_trace(found.player, found.tick, 2, 3 * TICKS)
    for name in ("player", "tick", "before", "days", "last"):
        np.testing.assert_array_equal(getattr(again, name), getattr(found, name))


def test_a_visit_is_found_by_player_and_time():
    found = visits()
    assert found.at(np.array([1, 0]), np.array([TICKS, 2 * TICKS])).tolist() == [3, 1]
    assert found.at(np.array([1, -1]), np.array([3 * TICKS, 7]))[0] == 4
    assert found.at(np.array([1]), np.array([9 * TICKS]), strict=False).shape == (1,)
    for time in (0, 2 * TICKS, 9 * TICKS):
        with pytest.raises(ModelError, match="a state of each player on each day"):
            found.at(np.array([1]), np.array([time]))


def test_one_visit_or_none():
    one = Visits.of(np.zeros(0, dtype=int), np.zeros(0, dtype=int), 1, 5)
    assert len(one) == 1
    assert one.at(np.array([0]), np.array([5])).tolist() == [0]
    assert one.at(np.array([0]), np.array([8]), strict=False).tolist() == [0]
    none = Visits(*(np.zeros(0, dtype=int),) * 3, np.zeros(0), np.zeros(0, dtype=int))
    assert none.at(np.array([3, 2]), np.array([8, 1])).tolist() == [0, 0]


def test_further_visits_come_last():
    found = visits()
    assert found.including(np.array([1]), np.array([TICKS]), 2, 3 * TICKS) is found
    wider = found.including(np.array([1, 0, 0]), np.array([2, 2, 1]) * TICKS, 3, 3 * TICKS)
    assert wider.player.tolist() == [*found.player, 0, 1, 2]
    assert (wider.tick // TICKS).tolist() == [0, 2, 3, 1, 3, 1, 2, 3]
    assert wider.before[5:].tolist() == [-1, -1, -1]
    assert wider.days[5:].tolist() == [FIRST] * 3
    assert wider.last.tolist() == [2, 4, 7]


def test_visits_of_a_trace_are_whole():
    constant = {"visit_player": np.array([0, 0, 1]), "visit_tick": np.array([10, 30, 30])}
    found, first, span = visits_in(constant, 2, 3)
    assert (first, span, found.tick.tolist()) == (10, 21, [0, 20, 20])
    wrong = [
        (constant, 2, 4),
        (constant, 3, 3),
        (constant | {"visit_player": np.array([0, 0, 2])}, 2, 3),
        (constant | {"visit_player": np.array([0, 0, -1])}, 2, 3),
        (constant | {"visit_tick": np.array([10, 30, 29])}, 2, 3),
        (constant | {"visit_tick": np.array([10.0, 30.0, 30.0])}, 2, 3),
        ({}, 2, 0),
    ]
    for data, players, count in wrong:
        with pytest.raises(ModelError, match="the last day of each player"):
            visits_in(data, players, count)


@pytest.mark.parametrize(
    ("names", "every", "clock"),
    [
        (("period", "date"), -1, "date"), (("period", "lost"), -1, "period"), (("period", "date"), 1, "period"),
        (("date",), 1, "date"), (("lost",), -1, "date"), ((), 1, None),
    ],
)  # fmt: skip
def test_the_clock_of_games(names, every, clock):
    from halfpoint.models.rows.days import DAYS

    days = np.array(["2024-01-01", "2024-01-02"], dtype="datetime64[D]")
    data = {"period": np.array([1, 2]), "date": days, "lost": np.array(["2024-01-01", "NaT"], days.dtype)}
    constant = {"date" if name == "lost" else name: data[name] for name in names}
    assert clock_of(constant, DAYS if every < 0 else every) == clock
