"""Times of games by hand: moments, periods of months, weeks and days, joined files."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import (
    CLOCK,
    about_joined,
    clock_of,
    concatenate,
    concatenate_tables,
    earliest_month,
    moments,
    oldest_first,
    period_at,
    with_periods,
)
from halfpoint.models.games.table import GameTable


def table(days=None, period=None, clock=None, score=None, name="games", **more):
    """Games of A against B, one a day or period."""
    count = len(next(column for column in (days, period, score) if column is not None))
    zero = np.zeros(count, dtype=np.int32)
    result = np.resize([1.0, 0.5, 0.0], count) if score is None else np.array(score)
    more.setdefault("covariates", {} if clock is None else {CLOCK: np.array(clock, dtype=np.float64)})
    return GameTable(
        np.array(["A", "B"]), zero, zero + 1, result, name=name, source=name,
        date=None if days is None else np.array(days, dtype="datetime64[D]"),
        period=None if period is None else np.array(period), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("0:00", 0), ("9:05", 32_700), ("23:59:59", 86_399), ("2024-01-01 07:08:09", 25_689), ("T01:00", 3600)],
)
def test_a_time_of_day_is_seconds_since_midnight(text, seconds):
    assert clock_of(text) == seconds


@pytest.mark.parametrize("text", ["24:00", "12:60", "noon", "12:345", ""])
def test_other_texts_are_no_time_of_day(text):
    assert np.isnan(clock_of(text))


def test_moments_rise_with_period_day_and_clock():
    days = ["2024-03-02", "2024-03-01", "2024-03-01", "2024-03-02"]
    assert moments(table(days)).tolist() == [1, 0, 0, 1]
    assert moments(table(days, clock=[10, 20, 10, 10])).tolist() == [2, 1, 0, 2]
    assert moments(table(days, clock=[10, 20, np.nan, 5])).tolist() == [2, 0, 0, 1]  # a day with an unknown time
    assert moments(table(days, period=[1, 2, 2, 1])).tolist() == [0, 1, 1, 0]
    assert moments(table(period=[4, 2, 9])).tolist() == [4, 2, 9]
    assert moments(table(score=[1.0, 0.0])).tolist() == [0, 0]


def test_the_order_of_a_moment_is_that_of_the_file_or_its_reverse():
    newest_first = table(["2024-03-02", "2024-03-02", "2024-03-01"], score=[1.0, 0.5, 0.0])
    assert oldest_first(newest_first).score.tolist() == [0.0, 0.5, 1.0]
    mixed = table(["2024-03-02", "2024-03-01", "2024-03-02"], score=[1.0, 0.5, 0.0])
    assert oldest_first(mixed).score.tolist() == [0.5, 1.0, 0.0]
    in_order = table(["2024-03-01", "2024-03-01", "2024-03-02"])
    assert oldest_first(in_order) is in_order


DAYS = ["2024-01-31", "2024-02-01", "2024-02-09", "2025-01-01"]


@pytest.mark.parametrize(
    ("every", "first", "period"),
    [
        ("month", None, [1, 2, 2, 13]),
        ("month", "2023-12", [2, 3, 3, 14]),
        ("week", None, [5, 5, 6, 53]),  # from 1 January 2024: days 30, 31, 39 and 366
        ("day", None, [31, 32, 40, 367]),
        (10, None, [4, 4, 4, 37]),
    ],
)
def test_periods_are_counted_from_the_first_month(every, first, period):
    assert with_periods(table(DAYS), every, first).period.tolist() == period


def test_numbered_periods_stay_and_are_sorted():
    assert with_periods(table(period=[3, 1, 2])).period.tolist() == [1, 2, 3]


@pytest.mark.parametrize("every", ["year", 0, 36_526, 1.5])
def test_other_lengths_are_refused(every):
    with pytest.raises(GameTableError, match="a number of days from 1 to 36,525"):
        with_periods(table(DAYS), every)


def test_the_longest_period_is_a_century():
    assert with_periods(table(DAYS), 36_525).period.tolist() == [1, 1, 1, 1]
    with pytest.raises(GameTableError, match="YYYY-MM"):
        with_periods(table(DAYS), "month", "first")


def test_the_earliest_month_of_tables():
    assert earliest_month(table(DAYS), table(["2023-05-07", "NaT"])) == "2023-05"
    assert earliest_month(table(period=[1]), table(["NaT"])) is None


def test_a_period_at_a_day():
    games = with_periods(table(DAYS))
    assert period_at("2024-02", games, "month") == 2
    assert period_at("2024-02-05", games, "month") == 2  # the month of the day
    assert period_at("2024-02-10", games, "day") == 13
    for day, message in (("soon", "a period, a month"), ("2025-02", "a day up to 2025-01-01")):
        with pytest.raises(GameTableError, match=message):
            period_at(day, games, "month")
    with pytest.raises(GameTableError, match="the games have no dates"):
        period_at("2024-02", table(period=[1, 2]), "month")


def test_tables_in_turn_must_not_overlap():
    joined = concatenate(table(period=[1, 2]), table(period=[3, 3]))
    assert joined.period.tolist() == [1, 2, 3, 3]
    with pytest.raises(GameTableError, match="periods after 2"):
        concatenate(table(period=[1, 2]), table(period=[2, 3]))
    with pytest.raises(GameTableError, match="a period for each game"):
        concatenate(table(period=[1]), table(score=[1.0]))


def test_names_and_hashes_are_joined():
    assert about_joined([("a", None), ("b", "12")]) == ("a and b", None)
    name, sha256 = about_joined([("a", "1"), ("b", "2")])
    assert (name, len(sha256)) == ("a and b", 64)
    assert about_joined([("a", "2"), ("b", "1")])[1] != sha256


def test_a_column_that_a_file_lacks_is_unknown():
    one = replace(table(["2024-01-01"]), white_rating_elo=np.array([1500.0]), covariates={"neutral": np.ones(1)})
    two = replace(table(["2024-01-02"]), weight=np.array([2.0]), covariates={"goals": np.array([3.0])}, name="two")
    joined = concatenate_tables([one, two])
    np.testing.assert_array_equal(joined.white_rating_elo, [1500.0, np.nan])
    assert joined.weight.tolist() == [1.0, 2.0]
    assert joined.covariates["neutral"].tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(joined.covariates["goals"], [np.nan, 3.0])
    assert joined.name == "games and two"
    assert concatenate_tables([one]) is one


def test_files_without_dates_are_periods_in_turn():
    joined = concatenate_tables([table(score=[1.0, 0.0], name="a"), table(score=[0.5], name="b")])
    assert joined.period.tolist() == [1, 1, 2]
    assert joined.notes == ("no game has a date: each file is a period, in the order given",)


def test_rounds_that_restart_are_numbered_on():
    first, second = table(period=[1, 2, 3], name="a"), table(period=[1, 2], name="b", score=[0.0, 1.0])
    joined = concatenate_tables([first, second])
    assert joined.period.tolist() == [1, 2, 3, 4, 5]
    assert joined.notes == ("b: rounds restart and are numbered after 3",)
    copy = concatenate_tables([first, replace(first, name="copy")])  # the same games: a copy, not a season
    assert copy.period.tolist() == [1, 2, 3, 1, 2, 3]


@pytest.mark.parametrize("seats", [("first", "first"), ("none", "none"), ("first", "none")])
def test_seats_mean_the_same_in_all_files_or_the_first_is_first(seats):
    tables = [replace(table([f"2024-01-0{k + 1}"]), seats=seat) for k, seat in enumerate(seats)]
    assert concatenate_tables(tables).seats == (seats[0] if seats[0] == seats[1] else "first")


def test_files_with_and_without_periods_do_not_join():
    with pytest.raises(GameTableError, match="no periods, as in a"):
        concatenate_tables([table(["2024-01-01"], name="a"), table(period=[1], name="b")])


def test_a_joined_table_is_simulated_if_a_part_is():
    one, two = table(["2024-01-01"]), replace(table(["2024-01-02"]), simulated=True)
    assert concatenate_tables([one, two]).simulated
    assert not concatenate_tables([one, one]).simulated
