"""Matrix of meetings compared with its formula on small graphs."""

import time

import numpy as np
import pandas as pd
from scipy.sparse import csr_array

from halfpoint.models.games import select
from halfpoint.models.games.meetings import LEAK, chain_matrix, is_chain, meetings, opponents_matrix
from halfpoint.models.games.select import merge
from halfpoint.readers import read


def table(pairs, scores=None, **columns):
    """Games of pairs of player numbers."""
    white, black = ([f"P{one:02d}" for one in side] for side in zip(*pairs, strict=True))
    return read(pd.DataFrame({"white": white, "black": black, "score": scores or [1.0] * len(pairs), **columns}))


def matrix(games, rated=False):
    return opponents_matrix(meetings(merge(select(games, games.players))), rated).toarray()


def test_a_ring_has_the_covariance_of_its_waves():
    """Of twelve in a ring wave k has P's eigenvalue cos(2 pi k / 12); all play two games."""
    count = 12
    found = matrix(table([(k, (k + 1) % count) for k in range(count)]))
    k = np.arange(count)
    scale = (1.0 + LEAK - np.cos(2.0 * np.pi * k / count)) ** -2.0
    apart = np.subtract.outer(k, k)
    expected = sum(s * np.cos(2.0 * np.pi * one * apart / count) / count for one, s in zip(k, scale, strict=True))
    np.testing.assert_allclose(np.linalg.inv(found.T @ found), expected, rtol=1e-9)


def test_a_row_is_a_strength_less_the_mean_of_opponents():
    games = table([(0, 1), (0, 1), (1, 0), (0, 2), (2, 1), (2, 3)])
    met = meetings(merge(select(games, games.players))).toarray()
    np.testing.assert_array_equal(met, [[0, 3, 1, 0], [3, 0, 1, 0], [1, 1, 0, 1], [0, 0, 1, 0]])
    v, played = np.array([0.3, -1.0, 2.0, 0.7]), met.sum(axis=1)
    u = (1.0 + LEAK) * v - met @ v / played
    np.testing.assert_allclose(matrix(games) @ v, u / np.sqrt(played.mean() / played), rtol=1e-12)


def test_anchored_opponents_are_no_neighbours():
    games = read(pd.DataFrame({
        "white": ["A", "A", "B"], "black": ["B", "X", "X"], "score": [1.0, 0.5, 0.0],
        "white_rating_elo": 1500.0, "black_rating_elo": [1500.0, 1700.0, 1700.0],
    }))  # fmt: skip
    met = meetings(merge(select(games, ["A", "B"], "any")))
    np.testing.assert_array_equal(met.toarray(), [[0, 1], [1, 0]])


def test_two_leagues_that_hardly_meet_may_differ_far_more_than_players_of_one():
    league = [(i, j) for i in range(6) for j in range(6) if i != j]
    games = table([*league, *((i + 6, j + 6) for i, j in league), (0, 6), (3, 9)])
    found = matrix(games)
    covariance = np.linalg.inv(found.T @ found)
    across, within = np.repeat([1.0, -1.0], 6) / 6.0, np.eye(12)[1] - np.eye(12)[2]
    assert across @ covariance @ across > 20.0 * (within @ covariance @ within)


def test_deviations_from_ratings_have_a_level_of_one_standard_deviation_at_most():
    for count in (9, 200):
        found = matrix(table([(k, (k + 1) % count) for k in range(count)]), rated=True)
        mean = np.linalg.solve(found, np.eye(count)).mean(axis=0)
        np.testing.assert_allclose(np.sqrt(mean @ mean), min(10.0 / count**0.5, 1.0), rtol=1e-9)


def ring(count):
    """Meetings of players with their two neighbours."""
    games = table([(k, (k + 1) % count) for k in range(count)])
    return meetings(merge(select(games, games.players)))


def test_a_chain_has_contrasts_of_spread_one_whatever_its_length():
    for count in (60, 90):
        matrix_of_ring = chain_matrix(ring(count)).toarray()
        gap = 1.0 - np.cos(2.0 * np.pi * np.arange(count) / count)
        wave = np.linalg.inv(matrix_of_ring.T @ matrix_of_ring)[0] @ np.cos(
            2.0 * np.pi * np.outer(np.arange(count), np.arange(count)) / count
        )
        np.testing.assert_allclose(wave / wave[1], ((1.1 * gap[1]) / (gap + 0.1 * gap[1])) ** 2, rtol=1e-6)
        assert abs(wave[1:].mean() * (count - 1) / count - 1.0) < 0.02  # the mean variance about the mean player


def joined(*pairs):
    """Meetings from arrays of pairs of player numbers."""
    games = table([(int(a), int(b)) for a, b in np.concatenate(pairs)])
    return meetings(merge(select(games, games.players)))


def leagues(count, size, rng):
    """Random games within leagues, and nine between each league and the next."""
    first = rng.integers(0, size, (count, 10 * size))
    second = (first + rng.integers(1, size, first.shape)) % size
    start = size * np.arange(count)[:, None]
    pairs = np.stack([(first + start).ravel(), (second + start).ravel()], axis=1)
    guests = rng.integers(0, size, (count - 1, 9, 2)) + start[:-1, :, None] + [0, size]
    return pairs, guests.reshape(-1, 2)


def test_chains_are_rings_and_lines_but_not_small_circles_leagues_or_lots():
    rng = np.random.default_rng(0)
    lots = rng.integers(0, 50, (900, 2)) + np.array([0, 50])
    assert is_chain(ring(60))
    assert is_chain(joined(np.stack([np.arange(99), np.arange(1, 100)], axis=1)))
    assert not any(is_chain(who) for who in (ring(20), ring(40)))  # 1 - cos(2 pi / 40) is 0.012
    assert not any(is_chain(joined(*pairs)) for pairs in ([lots], leagues(2, 40, rng), leagues(3, 40, rng)))
    assert not is_chain(joined(leagues(2, 40, rng)[0]))  # leagues that have not met


def test_a_large_pool_by_lot_is_no_chain_at_once():
    pairs = np.random.default_rng(1).integers(0, 40_000, (300_000, 2))
    met = csr_array((np.ones(len(pairs)), pairs.T), shape=(40_000, 40_000))
    begun = time.process_time()
    assert not is_chain(csr_array(met + met.T))
    assert time.process_time() - begun < 5.0
