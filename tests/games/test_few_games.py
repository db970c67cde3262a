"""Players with few games share a name; nobody else's games change."""

import numpy as np
import pytest

from halfpoint.games.components import POOL, pool, pool_into_one
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable, code_players


def table(rows):
    white, black, score = zip(*rows, strict=True)
    players, first, second = code_players(white, black)
    return GameTable(players, first, second, np.array(score, dtype=float))


ROWS = [
    ("Anna", "Boris", 1),
    ("Boris", "Anna", 0.5),
    ("Anna", "Clara", 1),
    ("David", "Boris", 0),
    ("Emil", "Anna", 0),
    ("Clara", "David", 0.5),
    ("Boris", "Emil", 1),
]


def test_everybody_below_the_limit_shares_one_name():
    found = pool(table(ROWS), 3)
    kept = [
        (w, b, s) for w, b, s in zip(found.games.white_names, found.games.black_names, found.games.score, strict=True)
    ]
    assert kept == [
        ("Anna", "Boris", 1),
        ("Boris", "Anna", 0.5),
        ("Anna", "pooled", 1),
        ("pooled", "Boris", 0),
        ("pooled", "Anna", 0),
        ("Boris", "pooled", 1),
    ]
    assert found.left_out == 1
    assert found.shared.tolist() == ["pooled"]
    assert dict(found.shared_of) == {"Clara": "pooled", "David": "pooled", "Emil": "pooled"}


def test_groups_have_a_shared_player_each():
    found = pool(table(ROWS), 3, {"Clara": "Berne", "David": "Basle", "Anna": "Berne"})
    assert found.left_out == 0
    assert found.shared.tolist() == ["pooled", "pooled Basle", "pooled Berne"]
    assert found.games.white_names[5] == "pooled Berne"
    assert found.games.black_names[5] == "pooled Basle"


def test_nothing_changes_where_everybody_has_enough_games():
    games = table(ROWS)
    found = pool(games, 1)
    np.testing.assert_array_equal(found.games.white_names, games.white_names)
    np.testing.assert_array_equal(found.games.score, games.score)
    assert found.shared.size == found.left_out == 0


def test_mistakes_are_told():
    with pytest.raises(GameTableError, match="smallest number of games: expected a whole number from 1"):
        pool(table(ROWS), 0)
    with pytest.raises(GameTableError, match="expected names no player has"):
        pool_into_one(table([*ROWS, *[(POOL, "Anna", 1)] * 3]), 3)
    with pytest.raises(GameTableError, match="not pooled together, found none"):
        pool(table(ROWS), 100)
    with pytest.raises(GameTableError, match="expected names no player has, found 'pooled'"):
        pool(table([*ROWS, *[("pooled", "Anna", 1)] * 3]), 3)


def test_one_pool_is_the_pool_of_everybody_by_another_name():
    games = table(ROWS)
    one, grouped = pool_into_one(games, 3), pool(games, 3)
    assert one.shared.tolist() == [POOL]
    assert one.players.tolist() == grouped.players.tolist() == ["Clara", "David", "Emil"]
    assert one.left_out == grouped.left_out
    np.testing.assert_array_equal(
        np.where(one.games.white_names == POOL, "pooled", one.games.white_names), grouped.games.white_names
    )
    np.testing.assert_array_equal(one.games.score, grouped.games.score)
