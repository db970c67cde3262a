"""Tables of games of sides contain known people only, with a share each."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import GameTable, code_players


def played(members, share, people=("Ann", "Bo", "Cy")):
    """A game between two sides."""
    sides = Sides(np.array(people), np.array(members, dtype=np.int32), np.array(share, dtype=float))
    first, second = np.array([0], dtype=np.int32), np.array([1], dtype=np.int32)
    return GameTable(np.array(["A", "B"]), first, second, np.array([1.0]), sides=sides)


def test_sides_of_known_people_are_a_table():
    assert len(played([[0, 1], [2, -1]], [[0.5, 0.5], [1.0, 0.0]])) == 1


@pytest.mark.parametrize(
    ("members", "share", "message"),
    [
        ([[0, 3], [2, -1]], [[0.5, 0.5], [1.0, 0.0]], "an empty side or an unknown person"),  # of three people
        ([[0, 1], [-1, -1]], [[0.5, 0.5], [0.0, 0.0]], "an empty side or an unknown person"),
        ([[0, 1], [2, -1]], [[0.5, 0.0], [1.0, 0.0]], "a share of 0 or less"),
        ([[0, 1], [2, -1]], [[0.5, -0.5], [1.0, 0.0]], "a share of 0 or less"),
        ([[0, 1], [2, -1]], [[0.5, np.nan], [1.0, 0.0]], "a share of 0 or less"),
    ],
)
def test_unknown_people_and_shares_of_nothing_are_refused(members, share, message):
    with pytest.raises(GameTableError, match=message):
        played(members, share)


def games(**more):
    """Four games of three players in two periods."""
    white, black = (np.array(codes, dtype=np.int32) for codes in ([0, 1, 2, 0], [1, 2, 0, 2]))
    columns = {
        "period": np.array([1, 1, 2, 2]),
        "covariates": {"neutral": np.array([0.0, 1.0, 1.0, 0.0]), "margin": np.array([2.0, 0.0, -1.0, 3.0])},
        "white_rating_elo": np.array([1500.0, np.nan, 1700.0, 1510.0]),
        "line": np.array([2, 3, 5, 6]),
    } | more  # fmt: skip
    return GameTable(np.array(["a", "b", "c"]), white, black, np.array([1.0, 0.5, 0.0, 1.0]), name="club", **columns)


def test_columns_are_those_of_the_players():
    table = games()
    assert table.white_names.tolist() == ["a", "b", "c", "a"]
    assert table.black_names.tolist() == ["b", "c", "a", "c"]
    assert table.outcome.tolist() == [2, 1, 0, 2]
    assert table.margin.tolist() == [2.0, 0.0, -1.0, 3.0]
    assert table.has_margins
    assert not table.all_neutral
    assert table.games_of_people.tolist() == [3, 2, 3]
    assert table.everyone.tolist() == [[0, 1], [1, 2], [2, 0], [0, 2]]
    assert table.time.tolist() == [1.0, 1.0, 2.0, 2.0]
    assert table.place(2) == "games, line 5"
    assert games(line=None).place(2) == "games, game 3"
    assert table.head(2)["margin"].tolist() == [2.0, 0.0]


def test_margins_and_grades_of_other_columns_are_unknown():
    assert np.isnan(games(covariates={}).margin).all()
    assert np.isnan(games(covariates={"margin": np.array(list("abcd"))}).margin).all()
    assert not games(covariates={"margin": np.array([1.0, 0.0, np.nan, 1.0])}).has_margins
    graded = games(covariates={"verdict_grade": np.array([3.0, 2.0, 1.0, np.nan])})
    assert graded.grade.tolist() == [3, 0, 1, 0]  # the second game is a tie
    assert games(covariates={"verdict_grade": np.array([3.0, -1.0, 1.0, 2.0])}).grade.tolist() == [0] * 4
    assert games(covariates={"neutral": np.ones(4)}).all_neutral
    assert not games(covariates={}).all_neutral


def test_the_time_of_a_game_is_its_period_or_its_day():
    days = np.array(["2024-01-01", "2024-01-03", "2024-01-03", "2024-02-01"], dtype="datetime64[s]")
    dated = games(period=None, date=days)
    assert np.diff(dated.time).tolist() == [2.0, 0.0, 29.0]
    assert dated.date.dtype == np.dtype("datetime64[D]")
    days[2] = "NaT"
    with pytest.raises(GameTableError, match=r"games, line 5: expected a complete date, found 1 games"):
        assert games(period=None, date=days).time.size
    with pytest.raises(GameTableError, match="a period or a date"):
        assert games(period=None).time.size


def test_games_are_taken_with_their_players():
    part = games().take(np.array([False, True, True, False]))
    assert part.players.tolist() == ["a", "b", "c"]
    one = games().take(np.array([3]))
    assert one.players.tolist() == ["a", "c"]
    assert (one.white.tolist(), one.black.tolist(), one.margin.tolist(), one.line.tolist()) == ([0], [1], [3.0], [6])
    table = games()
    assert table.take(np.ones(4, dtype=bool)) is table
    assert table.take(np.arange(4)) is not table
    with pytest.raises(GameTableError, match="at least one game"):
        table.take(np.zeros(4, dtype=bool))


def test_renamed_players_are_merged():
    renamed = games().take(np.array([0, 1])).renaming({"c": "a"})
    assert renamed.players.tolist() == ["a", "b"]
    assert (renamed.white.tolist(), renamed.black.tolist()) == ([0, 1], [1, 0])


def test_a_table_comes_back_from_bytes_and_cannot_be_changed():
    table = pickle.loads(pickle.dumps(games()))
    assert table.covariates["margin"].tolist() == [2.0, 0.0, -1.0, 3.0]
    for change in (lambda: table.score.__setitem__(0, 0.0), lambda: table.covariates.update(x=1)):
        with pytest.raises((ValueError, AttributeError)):
            change()


def test_a_table_describes_itself():
    assert repr(games(notes=("one", "two"))).split("\n") == [
        "club: 4 games among 3 players, periods 1 to 2",
        "White's score 62.5%: 2 wins, 1 draws, 1 losses",
        "columns: white, black, score, period, white_rating_elo, neutral, margin",
        "ratings on the day in 75% of the games",
        "note: one (and 1 more notes)",
    ]
    dated = games(period=None, date=np.array(["2024-01-01", "NaT", "2024-01-03", "2024-02-01"], "datetime64[D]"))
    assert repr(dated).split("\n")[0] == "club: 4 games among 3 players, 2024-01-01 to 2024-02-01"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"score": np.array([1.0, 0.5, 0.25, 1.0])}, r"line 5, column score: expected White's score 0, 0.5 or 1"),
        ({"score": np.array([1.0, 0.5])}, "values, one a game"),
        ({"period": np.array([1, 2])}, "column period: expected 4 values, one a game, found shape"),
        ({"white": np.array([0, 1, 3, 0])}, "player codes from 0 to 2"),
        ({"black": np.array([1, 2, -1, 2])}, "player codes from 0 to 2"),
        ({"black": np.array([1, 2, 2, 2])}, r"line 5, column black: expected two different players, found 'c'"),
        ({"players": np.array(["a", "b", "a"])}, "every player once"),
        ({"players": np.array(["a", "b", " "])}, r"line 3, column white or black: expected a player's name"),
        ({"white_rating_elo": np.array([1500.0, 1500.0, 1500.0, 1e9])}, r"line 6, column white_rating_elo"),
        ({"black_rating_elo": np.array([-1e9, 1500.0, 1500.0, 1500.0])}, r"line 2, column black_rating_elo"),
        ({"weight": np.array([1.0, -1.0, 1.0, 1.0])}, r"line 3, column weight: expected a weight"),
        ({"weight": np.array([1.0, np.nan, 1.0, 1.0])}, r"line 3, column weight: expected a weight"),
    ],
)
def test_a_broken_rule_is_named_with_its_first_line(change, message):
    with pytest.raises(GameTableError, match=message):
        replace(games(), **change)


@pytest.mark.parametrize("count", [10, 50_001])
def test_players_are_coded_in_order_for_small_and_large_tables(count):
    rng = np.random.default_rng(1)
    names = np.array(["Zoe", "Ann", "Bo", "Cy"])
    white, black = rng.integers(0, 4, (2, count))
    players, first, second = code_players(names[white], names[black])
    assert players.tolist() == sorted(set(names[white]) | set(names[black]))
    np.testing.assert_array_equal(players[first], names[white])
    np.testing.assert_array_equal(players[second], names[black])
    assert first.dtype == second.dtype == np.int32
