"""Columns that functions read: records, their limits, and columns of games by hand."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.errors import ModelError
from halfpoint.models.games.table import GRADE, GameTable
from halfpoint.models.games.units import to_natural
from halfpoint.models.language.games import OWN, PERIOD, SEATED, Recorder
from halfpoint.models.reading.reads import Reads, neutral_ground, own_column
from halfpoint.models.rows.days import DAYS
from halfpoint.models.rows.effects import Effects
from halfpoint.models.rows.printed_list import COLUMN

PLAIN = {"every": 3, "neutral": True, "columns": [], "effects": {}}


def table(**columns):
    """Three games between two players."""
    white, black = np.array([0, 1, 0], dtype=np.int32), np.array([1, 0, 1], dtype=np.int32)
    score = np.array([1.0, 0.5, 0.0])
    return GameTable(np.array(["Ann", "Bo"]), white, black, score, period=np.array([4, 6, 7]), covariates=columns)


def test_a_record_of_a_run_keeps_what_later_rows_need():
    recorder = Recorder(
        {PERIOD: 3, SEATED: 1, f"{OWN}temperature": 1, COLUMN: 1, GRADE: 1, "advantage": 1},
        {"advantage": "1 | site", "log_draw": ""}, {"b | x": 2.0, "a | x": 1.0}, None, {f"{OWN}y", f"{OWN}x"},
    )  # fmt: skip
    reads = Reads.of(recorder)
    assert (reads.every, reads.neutral) == (3, True)
    assert reads.columns == tuple(sorted([f"{OWN}temperature", COLUMN, GRADE]))
    assert reads.effects == Effects({"advantage": "1 | site"})
    assert list(reads.given.items()) == [("a | x", 1.0), ("b | x", 2.0)]
    assert reads.observed == (f"{OWN}x", f"{OWN}y")
    assert reads.reads_printed
    assert Reads.of(Recorder()) == Reads()
    assert not Reads().reads_printed


def test_a_union_has_the_columns_of_both():
    first, second = Reads(3, False, ("b", "a")), Reads(3, True, ("c", "a"))
    assert first.union(second) == replace(first, neutral=True, columns=("a", "b", "c"))
    assert not first.union(replace(second, neutral=False)).neutral
    assert second.union(first).neutral


def test_requested_columns_are_those_that_games_to_come_have():
    reads = Reads(means={f"{OWN}heat": 20.5, f"{OWN}goals": 2.0}, observed=(f"{OWN}goals",))
    assert reads.requested == {"heat": 20.5}


def test_records_come_back():
    reads = Reads(
        DAYS, True, ("column:heat",), Effects({"advantage": "1 | site"}), {"advantage | site": 0.5},
        means={"column:heat": 20.5}, observed=("column:goals",), span=(3, 12),
    )  # fmt: skip
    again = Reads.from_record(reads.as_record)
    assert again == reads
    assert (again.means, again.span) == (reads.means, (3, 12))
    assert set(Reads().as_record) == {"every", "neutral", "columns", "effects", "given"}
    earlier = Reads.from_record(PLAIN | {"given": ["advantage | site"]})
    assert earlier.given == {"advantage | site": 0.0}


@pytest.mark.parametrize(
    "change",
    [
        {"every": DAYS}, {"every": 0}, {"every": 1200}, {"columns": ["x" * 100]}, {"observed": ["x" * 100]},
        {"given": {"x" * 100: 0.0}}, {"given": {"x": 999_999.0}}, {"given": {"x": 2}}, {"span": [1, 2]}, {"span": []},
    ],
)  # fmt: skip
def test_records_at_their_limits_are_read(change):
    assert isinstance(Reads.from_record(PLAIN | change), Reads)


@pytest.mark.parametrize(
    "change",
    [
        {"every": DAYS - 1}, {"every": 1201}, {"every": True}, {"every": 3.0}, {"neutral": 1}, {"columns": ["x" * 101]},
        {"columns": [3]}, {"observed": ["x" * 101]}, {"given": {"x" * 101: 0.0}}, {"given": {"x": 1e6}},
        {"given": {"x": -0.1}}, {"given": {"x": "1"}}, {"span": [1]}, {"span": [1, 2, 3]},
    ],
)  # fmt: skip
def test_records_beyond_their_limits_are_refused(change):
    with pytest.raises(TypeError, match="a record of columns with values of wrong types"):
        Reads.from_record(PLAIN | change)


def test_means_are_finite():
    with pytest.raises(ValueError, match="means of columns that are not finite"):
        Reads.from_record(PLAIN | {"means": {"a": 1.0, "b": float("inf")}})


def test_rows_have_periods_seats_and_columns():
    games = table(heat=np.array([10, 20, 30]), neutral=np.array([0.0, 1.0, 0.5]))
    nothing = np.zeros(3)
    reads = Reads(3, True, (f"{OWN}heat", f"{OWN}goals"), observed=(f"{OWN}goals",))
    rows = reads.rows(games, games.white, games.black, (nothing, nothing), first_period=1)
    assert rows.period.tolist() == [1, 1, 2]  # months 4 and 6 are in quarter 2, month 7 in quarter 3
    assert rows.seated.tolist() == [1.0, 0.0, 0.5]
    assert rows.columns[f"{OWN}heat"].tolist() == [10.0, 20.0, 30.0]
    assert rows.columns[f"{OWN}goals"].tolist() == [0.0, 0.0, 0.0]
    assert rows.margin is None
    plain = Reads().rows(games, games.white, games.black, (nothing, nothing), first_period=1)
    assert plain.period.tolist() == [0, 0, 0]
    assert plain.seated.tolist() == [1.0, 1.0, 1.0]
    assert plain.columns == {}


def test_neutral_ground_is_known_with_its_column_alone():
    assert neutral_ground(table()) is None
    assert neutral_ground(table(neutral=np.array([1, 0, 1]))).tolist() == [0.0, 1.0, 0.0]


def test_columns_of_games():
    games = table(heat=np.array([10, 20, 30]), goal_difference=np.array([1, 0, -2]))
    assert own_column(games, GRADE, "m").tolist() == [0.0, 0.0, 0.0]
    assert own_column(games, f"{OWN}heat", "m").tolist() == [10.0, 20.0, 30.0]
    assert own_column(games, f"{OWN}margin", "m").tolist() == [1.0, 0.0, -2.0]
    both = table(margin=np.array([2, 0, -1]), goal_difference=np.array([1, 0, -2]))
    assert own_column(both, f"{OWN}margin", "m").tolist() == [2.0, 0.0, -1.0]
    rated = replace(
        games, white_rating_elo=np.array([1500.0, 1600.0, 1500.0]), black_rating_elo=np.array([1600.0, 1500.0, 1600.0])
    )
    expected = [[1500.0, 1600.0, 0.0, 0.0], [1600.0, 1500.0, 0.0, 0.0], [1500.0, 1600.0, 0.0, 0.0]]
    np.testing.assert_allclose(own_column(rated, COLUMN, "m"), to_natural(np.array(expected)), atol=1e-12)


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("wind", [1, 2, 3], r"model m: expected the column 'heat' of the games, found wind. Add it"),
        ("heat", list("abc"), r"model m: expected numbers in the column 'heat', found text. Read it as levels"),
        ("heat", [1.0, np.nan, 2.0], r"games, game 2: expected a number in the column 'heat', found none"),
        ("heat", [1.0, 5.0, np.inf], r"games, game 3: expected a number in the column 'heat', found none"),
    ],
)
def test_columns_that_cannot_be_read_are_named(column, values, message):
    with pytest.raises(ModelError, match=message):
        own_column(table(**{column: np.array(values)}), f"{OWN}heat", "m")


def test_a_column_that_the_reader_left_out_is_not_asked_for_again():
    games = replace(table(), notes=("columns left out: 'heat' (--columns FIELD=COLUMN selects a column)",))
    with pytest.raises(ModelError, match=r"found none\. The file has it without numbers in every game"):
        own_column(games, f"{OWN}heat", "m")


def test_without_any_column_the_message_says_none():
    with pytest.raises(ModelError, match="expected the column 'heat' of the games, found none"):
        own_column(table(), f"{OWN}heat", "m")
