"""Seats that follow an order of the players, compared with random seats, alternating seats and one player against
others.
"""

import numpy as np
import pandas as pd
import pytest

from halfpoint.models.games.seat_order import order_of_seats, share_in_order
from halfpoint.readers import read


def table(white, black):
    """Games of pairs of player numbers; the first seat wins all but every third game."""
    names = ([f"P{one:02d}" for one in side] for side in (white, black))
    score = np.where(np.arange(len(white)) % 3, 1.0, 0.5)
    return read(pd.DataFrame(dict(zip(("white", "black"), names, strict=True)) | {"score": score}))


def by_lot(rng, players=30, games=300):
    """Random players and seats."""
    white = rng.integers(0, players, games)
    return white, (white + rng.integers(1, players, games)) % players


@pytest.mark.parametrize("noise", [0.0, 0.3])
def test_players_named_by_an_order_are_seen_whatever_the_order_is(noise):
    rng = np.random.default_rng(4)
    one, other = by_lot(rng)
    place = rng.permutation(30) + rng.normal(0.0, 30 * noise, 30)
    higher = place[one] > place[other]
    found = order_of_seats(table(np.where(higher, one, other), np.where(higher, other, one)))
    assert "the first player is also first in one order of all players" in found
    assert found.endswith("seats count as neutral ground")


def test_seats_by_lot_in_turn_or_of_one_player_against_the_others_follow_no_order():
    rng = np.random.default_rng(5)
    for _ in range(20):
        assert not order_of_seats(table(*by_lot(rng)))
        assert not order_of_seats(table(*by_lot(rng, 60, 90)))
    home = np.array([(i, j) for i in range(12) for j in range(12) if i != j]).T
    assert not order_of_seats(table(*home))
    champion = np.zeros(200, dtype=np.int64), rng.integers(1, 20, 200)
    assert not order_of_seats(table(*champion))  # no game tells the champion's strength from the first seat
    people, models = rng.integers(0, 20, 300), rng.integers(20, 40, 300)
    assert not order_of_seats(table(people, models))


def test_the_share_in_order_counts_the_other_games_of_each_player():
    """In a - b, a - c and b - c of 30 rounds players lead by their share of first seats in their other games."""
    white, black = np.tile([0, 0, 1], 30), np.tile([1, 2, 2], 30)
    games = table(white, black)
    first, second = (np.bincount(side, minlength=3) for side in (games.white, games.black))
    assert share_in_order(games, first, second) == 1.0
    turned = table(np.tile([0, 1], 45), np.tile([1, 0], 45))  # of the 44 of 89 other games: behind by one
    first, second = (np.bincount(side, minlength=2) for side in (turned.white, turned.black))
    assert share_in_order(turned, first, second) == 0.0
    assert share_in_order(games.take(np.arange(3)), np.array([2, 1, 0]), np.array([0, 1, 2])) == 0.0


def test_equal_shares_of_first_seats_count_half():
    """P00 and P01 are first in all their other games: their game is a tie, the other 60 games are in order."""
    white = np.array([0, 0] + [1] * 59)
    black = np.array([1, 2] + [2, 3] * 29 + [2])
    games = table(white, black)
    first, second = (np.bincount(side, minlength=4) for side in (games.white, games.black))
    assert share_in_order(games, first, second) == pytest.approx((60 + 0.5) / 61)
