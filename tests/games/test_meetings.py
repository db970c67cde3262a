"""Matrix of opponents against its formula on small graphs, and pairings that follow from results."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.games import read, select
from halfpoint.games.meetings import LEAK, meetings, opponents_matrix, pairs_by_points
from halfpoint.games.select import merge


def table(pairs, scores=None, **columns):
    """Games of pairs of numbers."""
    white, black = ([f"P{one:02d}" for one in side] for side in zip(*pairs, strict=True))
    return read(pd.DataFrame({"white": white, "black": black, "score": scores or [1.0] * len(pairs), **columns}))


def matrix(games):
    return opponents_matrix(meetings(merge(select(games, games.players)))).toarray()


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


def swiss(rng, by_points, players=40, rounds=7):
    """Rounds in which neighbours in points, or by lot, meet."""
    points, pairs, scores, dates = np.zeros(players), [], [], []
    for turn in range(rounds):
        order = np.lexsort((rng.random(players), -points if by_points else rng.random(players)))
        for one, other in order.reshape(-1, 2):
            score = float(rng.choice([0.0, 0.5, 1.0]))
            points[one] += score
            points[other] += 1.0 - score
            pairs.append((one, other))
            scores.append(score)
            dates.append(f"2024-03-{turn + 1:02d}")
    return pairs, scores, dates


@pytest.mark.parametrize("seed", range(5))
def test_swiss_pairings_follow_points_and_lots_do_not(seed):
    rng = np.random.default_rng(seed)
    for by_points in (True, False):
        pairs, scores, dates = swiss(rng, by_points)
        assert pairs_by_points(table(pairs, scores, date=dates)) == by_points
    assert not pairs_by_points(table(pairs, scores))  # without days nothing is known of an order


def test_a_knockout_follows_results_without_days():
    pairs = [(0, 1), (2, 3), (4, 5), (6, 7), (0, 2), (4, 6), (0, 4)]
    assert pairs_by_points(table(pairs))
    assert not pairs_by_points(table([*pairs, (7, 3), (7, 5)], [1.0] * 7 + [0.0, 0.0]))


def test_points_are_those_of_the_event():
    rng, whole = np.random.default_rng(8), []
    for event in range(4):
        pairs, scores, dates = swiss(rng, True, players=16, rounds=5)
        names = rng.permutation(30)
        rows = zip(pairs, scores, dates, strict=True)
        whole += [(names[a], names[b], s, f"2024-{event + 1:02d}{d[-3:]}", f"event {event}") for (a, b), s, d in rows]
    a, b, scores, dates, events = map(list, zip(*whole, strict=True))
    games = pd.DataFrame({
        "white": [f"P{k:02d}" for k in a], "black": [f"P{k:02d}" for k in b], "score": scores, "date": dates,
        "event": events,
    })  # fmt: skip
    assert pairs_by_points(read(games, covariates=("event",)))
    assert pairs_by_points(read(games))
    assert not pairs_by_points(read(games.drop(columns="event")))
