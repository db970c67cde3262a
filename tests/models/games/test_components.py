"""Groups of players by hand, players without a bound, walks on graphs of known eigenvalues, pools."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.models.games.components import (
    POOL,
    components,
    largest_by_far,
    pool_into_one,
    require_comparable,
    slowest_walk,
    split,
    unbounded_players,
)
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.select import merge, select
from halfpoint.readers.read import read


def games(*rows):
    """A table of games: White, Black, score."""
    return read(pd.DataFrame(rows, columns=["white", "black", "score"]))


def draws(*pairs):
    """Drawn games of pairs of names of one letter."""
    return games(*((white, black, 0.5) for white, black in pairs))


TWO = draws("xy", "ab", "bc")


def test_groups_are_numbered_by_size():
    groups = components(TWO)
    assert dict(zip(groups.players.tolist(), groups.component.tolist(), strict=True)) == {
        "a": 0, "b": 0, "c": 0, "x": 1, "y": 1,
    }  # fmt: skip
    assert groups.sizes.tolist() == [3, 2]
    assert not groups.comparable
    assert groups.anchored.tolist() == [False, False]
    heading, *rows = groups.describe().split("\n")
    assert heading == "2 groups of players who never meet one another"
    assert rows == ["  3 players: a, b, c", "  2 players: x, y"]
    assert components(draws("ab", "bc")).describe() == "all 3 players are joined by games"


def test_a_report_shows_some_groups_and_four_players_of_each():
    text = components(draws("ab", "bc", "cd", "de", "xy", "pq")).describe(shown=2)
    assert text.split("\n") == [
        "3 groups of players who never meet one another", "  5 players: a, b, c, d, ...", "  2 players: p, q", "  ...",
    ]  # fmt: skip


def test_tables_are_split_by_group():
    assert [len(part) for part in split(TWO)] == [2, 1]
    with pytest.raises(GameTableError, match="players connected by games"):
        require_comparable(TWO)
    require_comparable(TWO, among=np.array(["a", "c"]))
    require_comparable(draws("ab", "bc"))


@pytest.mark.parametrize(("share", "left"), [(0.5, 2), (0.7, 3)])
def test_a_few_games_apart_are_left_out(share, left):
    remaining, note = largest_by_far(TWO, share)
    assert len(remaining) == left
    expected = "2 players who never meet the others, and their 1 game, are left out; --groups apart rates them"
    assert note == (expected if left == 2 else "")


@pytest.mark.parametrize(
    ("rows", "unbounded"),
    [
        ([("a", "b", 1.0), ("b", "c", 1.0), ("c", "a", 1.0)], ""),  # a circle of wins
        ([("a", "b", 1.0), ("b", "c", 1.0), ("c", "b", 1.0)], "a"),  # lost nothing
        ([("a", "b", 0.0), ("b", "c", 1.0), ("c", "b", 1.0)], "a"),  # took nothing
        ([("a", "b", 0.5), ("b", "c", 0.5)], ""),
        ([("a", "b", 0.5), ("b", "c", 1.0)], "c"),
        ([("a", "b", 0.5), ("c", "d", 0.5), ("d", "e", 0.5), ("b", "d", 0.0)], "ab"),
    ],
)
def test_players_are_bounded_if_points_go_both_ways(rows, unbounded):
    cells = merge(select(table := games(*rows), table.players, "both"))
    assert "".join(cells.players[unbounded_players(cells)].tolist()) == unbounded


def ring(count):
    """Each player meets the two neighbours."""
    names = [f"P{k:02}" for k in range(count)]
    return [(names[k], names[(k + 1) % count], 0.5) for k in range(count)]


@pytest.mark.parametrize(
    ("rows", "eigenvalue"),
    [
        (ring(8), np.cos(2.0 * np.pi / 8.0)),
        ([(a, b, 0.5) for a in "abcde" for b in "abcde" if a < b], -0.25),  # all meet all
        (ring(3), 0.0),  # too few
        ([*ring(8), ("x", "y", 0.5)], np.cos(2.0 * np.pi / 8.0)),  # the largest group alone
    ],
)
def test_the_slowest_walk_is_the_second_eigenvalue(rows, eigenvalue):
    table = games(*rows)
    assert slowest_walk(select(table, table.players)) == pytest.approx(eigenvalue, abs=1e-3)


def test_players_with_few_games_can_be_left_out_of_the_walk():
    rows = [*ring(8), *((f"P{k:02}", "rare", 0.5) for k in (0, 4))]
    table = games(*rows)
    selection = select(table, table.players)
    assert slowest_walk(selection, 3) == 0.0  # P00 and P04 alone


def test_players_with_few_games_share_a_name():
    few = pool_into_one(draws("ab", "ab", "ac", "cd", "bd"), 3)
    assert few.players.tolist() == ["c", "d"]
    assert few.left_out == 1  # c against d
    assert set(few.games.people.tolist()) == {"a", "b", POOL}
    assert len(few.games) == 4
    spared = pool_into_one(draws("ab", "ab", "ac", "cd", "bd"), 3, kept=["c"])
    assert spared.players.tolist() == ["d"]
    assert spared.left_out == 0
    assert pool_into_one(draws("ab"), 1).players.size == 0


@pytest.mark.parametrize(
    ("rows", "least", "message"),
    [
        ([("a", "b", 0.5)], 2, "a player with at least 2 games"),
        ([("a", "b", 0.5)], 0, "smallest number of games"),
        ([("a", POOL, 0.5), ("a", POOL, 0.5), ("a", "c", 0.5)], 2, "a free name"),
    ],
)
def test_pools_that_cannot_be(rows, least, message):
    with pytest.raises(GameTableError, match=message):
        pool_into_one(games(*rows), least)


@pytest.mark.parametrize(("apart", "left_out"), [(1, True), (2, False)])
def test_nine_in_ten_games_are_enough_by_default(apart, left_out):
    table = draws(*[("a", "b")] * 9, *[("c", "d")] * apart)
    rest, note = largest_by_far(table)
    assert len(rest) == (9 if left_out else 9 + apart)
    assert bool(note) == left_out
