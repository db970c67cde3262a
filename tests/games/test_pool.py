"""Players with few games share a name; nobody else's games change."""

import numpy as np
import pytest

from halfpoint.games.errors import GameTableError
from halfpoint.games.pool import pool
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
    assert found.dropped == 1
    assert found.shared.tolist() == ["pooled"]
    assert dict(found.shared_of) == {"Clara": "pooled", "David": "pooled", "Emil": "pooled"}


def test_groups_have_a_shared_player_each():
    found = pool(table(ROWS), 3, {"Clara": "Berne", "David": "Basle", "Anna": "Berne"})
    assert found.dropped == 0
    assert found.shared.tolist() == ["pooled", "pooled Basle", "pooled Berne"]
    assert found.games.white_names[5] == "pooled Berne"
    assert found.games.black_names[5] == "pooled Basle"


def test_nothing_changes_where_everybody_has_enough_games():
    games = table(ROWS)
    found = pool(games, 1)
    np.testing.assert_array_equal(found.games.white_names, games.white_names)
    np.testing.assert_array_equal(found.games.score, games.score)
    assert found.shared.size == found.dropped == 0


def test_mistakes_are_told():
    with pytest.raises(GameTableError, match="at_least: expected a number of games, 1 or more"):
        pool(table(ROWS), 0)
    with pytest.raises(GameTableError, match="not pooled together, found none"):
        pool(table(ROWS), 100)
    with pytest.raises(GameTableError, match="expected names no player has, found 'pooled'"):
        pool(table([*ROWS, *[("pooled", "Anna", 1)] * 3]), 3)
