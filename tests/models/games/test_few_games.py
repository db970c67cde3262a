"""Players with few games are pooled under one name; games of other players are unchanged."""

import numpy as np
import pytest

from halfpoint.models.games.components import POOL, pool_into_one
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable, code_players


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
    found = pool_into_one(table(ROWS), 3)
    kept = [
        (w, b, s) for w, b, s in zip(found.games.white_names, found.games.black_names, found.games.score, strict=True)
    ]
    assert kept == [
        ("Anna", "Boris", 1),
        ("Boris", "Anna", 0.5),
        ("Anna", POOL, 1),
        (POOL, "Boris", 0),
        (POOL, "Anna", 0),
        ("Boris", POOL, 1),
    ]
    assert found.left_out == 1
    assert found.players.tolist() == ["Clara", "David", "Emil"]


def test_nothing_changes_where_everybody_has_enough_games():
    games = table(ROWS)
    found = pool_into_one(games, 1)
    np.testing.assert_array_equal(found.games.white_names, games.white_names)
    np.testing.assert_array_equal(found.games.score, games.score)
    assert found.players.size == found.left_out == 0


def test_mistakes_are_told():
    with pytest.raises(GameTableError, match="smallest number of games: expected a whole number from 1"):
        pool_into_one(table(ROWS), 0)
    with pytest.raises(GameTableError, match="expected a free name"):
        pool_into_one(table([*ROWS, *[(POOL, "Anna", 1)] * 3]), 3)
