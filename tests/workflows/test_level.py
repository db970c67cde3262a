"""Where the average player is put when games tell differences only."""

import numpy as np
import pytest
import xarray as xr

from halfpoint.games.select import select
from halfpoint.games.table import GameTable
from halfpoint.workflows.level import by_month, levelled, put_level

NAMES = np.array(["Ada", "Boris", "Chen"])


def games(white_elo, black_elo):
    """Ada plays six games, Boris and Chen three each."""
    white = np.array([0, 0, 0, 0, 0, 0], dtype=np.int32)
    black = np.array([1, 1, 1, 2, 2, 2], dtype=np.int32)
    table = GameTable(NAMES, white, black, np.full(6, 0.5), white_rating_elo=white_elo, black_rating_elo=black_elo)
    return select(table, NAMES, "both")


def tree_of(selection, ratings):
    draws = np.array(ratings) + np.random.default_rng(1).normal(0, 500, (2, 50, 1))  # a level that nothing fixes
    posterior = xr.Dataset({"rating_elo": (("chain", "draw", "player"), draws)}, {"player": NAMES.astype(object)})
    seats = xr.Dataset({"white": ("game", selection.white), "black": ("game", selection.black)})
    return xr.DataTree.from_dict({"posterior": posterior, "constant_data": seats})


def test_players_count_once_however_much_they_played():
    selection = games(np.full(6, 2400.0), np.array([2000.0, 2000, 2000, 1600, 1600, 1600]))
    np.testing.assert_allclose(selection.ratings_elo(), [2400.0, 2000.0, 1600.0])
    tree = tree_of(selection, [300.0, 0.0, -300.0])
    put_level(tree, selection)
    rating, words = levelled(tree)
    np.testing.assert_allclose(rating.mean(("chain", "draw")), [2300.0, 2000.0, 1700.0], atol=1e-9)  # games: 2100
    assert "2000" in words


def test_players_without_a_rating_do_not_move_those_with_one():
    selection = games(np.full(6, 2400.0), np.array([2000.0, 2000, 2000, np.nan, np.nan, np.nan]))
    tree = tree_of(selection, [200.0, -200.0, -900.0])
    put_level(tree, selection)
    rating, words = levelled(tree)
    np.testing.assert_allclose(rating.mean(("chain", "draw")), [2400.0, 2000.0, 1300.0], atol=1e-9)
    assert "2 players with ratings" in words


def test_without_ratings_the_average_is_a_convention():
    selection = games(None, None)
    tree = tree_of(selection, [200.0, 0.0, -200.0])
    put_level(tree, selection)
    rating, words = levelled(tree)
    assert float(rating.mean()) == pytest.approx(1500.0)
    assert "a convention" in words


def test_ratings_by_month_stand_on_the_level_of_the_list():
    selection = games(None, None)
    tree = tree_of(selection, [200.0, 0.0, -200.0])
    last = tree["posterior"]["rating_elo"]
    both = xr.concat([last - 30.0, last], "month").transpose("chain", "draw", "player", "month")
    tree["posterior"] = tree["posterior"].to_dataset().assign(rating_elo_by_month=both)
    put_level(tree, selection)
    moved = by_month(tree)["rating_elo_by_month"]
    np.testing.assert_allclose(moved.isel(month=1), levelled(tree)[0].transpose("chain", "draw", "player"))
    np.testing.assert_allclose(moved.std(("chain", "draw")), 0.0, atol=1e-9)  # the free level is no part of it
    np.testing.assert_allclose(moved.isel(month=0).mean(("chain", "draw")), [1670.0, 1470.0, 1270.0], atol=1e-9)
