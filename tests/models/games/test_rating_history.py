"""Printed ratings so far, compared with counts game by game by the definitions in the module's docstring."""

import numpy as np
import pytest

from halfpoint.models.games.rating_history import RatingHistory, running_ratings, time_of
from halfpoint.models.games.table import GameTable, code_players

NAMES = np.array(["Ann", "Bo", "Cy", "Di"])


def played(seed=1, count=60):
    """Games of four players on different days of eight months, in random order; a third of the ratings is unknown."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, 4, count)
    black = (white + rng.integers(1, 4, count)) % 4
    date = np.datetime64("2020-01-01") + rng.choice(240, count, replace=False).astype("timedelta64[D]")
    ratings = np.where(rng.random((2, count)) < 1 / 3, np.nan, rng.integers(1800, 2400, (2, count)).astype(float))
    players, white, black = code_players(NAMES[white], NAMES[black])
    return GameTable(
        players, white, black, np.full(count, 0.5), date=date, white_rating_elo=ratings[0], black_rating_elo=ratings[1]
    )


def by_hand(games, player, until):
    """Last rating, mean of the first ratings of each month, and number of months of a player, up to a day."""
    last, first = np.nan, {}
    for game in np.argsort(games.date):
        if games.date[game] > until:
            break
        for seat, ratings in ((games.white, games.white_rating_elo), (games.black, games.black_rating_elo)):
            if seat[game] == player and not np.isnan(ratings[game]):
                last = ratings[game]
                first.setdefault(games.date[game].astype("datetime64[M]"), last)
    return last, np.mean([*first.values()]) if first else np.nan, len(first)


@pytest.mark.parametrize("seed", [1, 2])
def test_each_game_has_the_last_rating_and_the_mean_of_months_so_far(seed):
    games = played(seed)
    (rating, mean), (players, *final) = running_ratings(games)
    for seat, codes in enumerate((games.white, games.black)):
        expected = np.array([by_hand(games, player, day) for player, day in zip(codes, games.date, strict=True)])
        np.testing.assert_allclose(rating[seat], expected[:, 0])
        np.testing.assert_allclose(mean[seat], expected[:, 1])
    assert players.tolist() == NAMES.tolist()
    np.testing.assert_allclose(final, np.transpose([by_hand(games, k, games.date.max()) for k in range(4)]))


def test_a_history_looks_up_names_in_any_order_and_adds_the_ratings_of_today():
    history = RatingHistory(
        NAMES, np.array([2000.0, 2100.0, np.nan, 2300.0]), np.array([1990.0, 2110.0, np.nan, 2280.0]),
        np.array([3.0, 1.0, 0.0, 4.0]),
    )  # fmt: skip
    names = np.array(["Di", "Aaron", "Bo", "Zoe", "Cy", "Bob"])
    last, mean = history.at(names)
    np.testing.assert_array_equal(last, [2300.0, np.nan, 2100.0, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(mean, [2280.0, np.nan, 2110.0, np.nan, np.nan, np.nan])
    last, mean = history.at(names, np.array([2400.0, 1500.0, np.nan, np.nan, 1900.0, np.nan]))
    np.testing.assert_array_equal(last, [2400.0, 1500.0, 2100.0, np.nan, 1900.0, np.nan])
    np.testing.assert_allclose(mean, [(4 * 2280 + 2400) / 5, 1500.0, 2110.0, np.nan, 1900.0, np.nan])


def test_a_history_of_nothing_knows_today_alone():
    for history in (RatingHistory.nothing(NAMES[::-1]), RatingHistory.nothing(NAMES[:0])):
        last, mean = history.at(np.array(["Bo", "Cy"]), np.array([2200.0, np.nan]))
        np.testing.assert_array_equal([last, mean], [[2200.0, np.nan]] * 2)


def test_months_are_those_of_periods_then_of_days():
    games = played()
    assert (time_of(games) == games.date.astype("datetime64[M]").astype(int)).all()
    players, white, black = code_players(NAMES[:2], NAMES[1:3])
    numbered = GameTable(players, white, black, np.ones(2), period=np.array([7, 3]))
    assert time_of(numbered).tolist() == [7, 3]
    assert np.unique(time_of(GameTable(players, white, black, np.ones(2)))).size == 1
