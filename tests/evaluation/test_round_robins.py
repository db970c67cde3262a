"""Round robins under certain results by hand, and places that are shared in equal parts."""

import numpy as np
import pytest

from halfpoint.evaluation.round_robins import meet_all, ordered_pairs, tournaments


def test_every_player_is_white_against_every_other():
    white, black = ordered_pairs(4)
    assert sorted(zip(white.tolist(), black.tolist(), strict=True)) == [
        (i, j) for i in range(4) for j in range(4) if i != j
    ]


def certain(outcomes):
    """Limits under which games end as said: 0 for a loss of White, 1 for a draw, 2 for a win."""
    return np.array([[(1.0, 1.0), (0.0, 1.0), (0.0, 0.0)][outcome] for outcome in outcomes])


@pytest.mark.parametrize(("tie_break", "further"), [(0, [0.0, 0.0, 0.0]), (1, [1.5, 2.5, 2.0]), (2, [1.25, 0.75, 0.5])])
def test_points_and_tie_breaks_by_hand(tie_break, further):
    """0 beats 2, 1 draws with 0, 2 beats 1 (played): points 1.5, 0.5 and 1; opponents' points, and the won ones."""
    white, black = np.array([0, 1]), np.array([2, 0])
    played = np.array([[1.0, 2.0, 0.0]])
    rng = np.random.default_rng(1)
    ((points, key),) = tournaments(certain([2, 1]), (white, black, 3), played, tie_break, 4, rng)
    assert points.tolist() == [[1.5, 0.5, 1.0]] * 4
    np.testing.assert_allclose(key - 1e6 * points, [further] * 4, atol=1e-6)


def test_points_of_a_win_may_be_three():
    worth = np.array([0.0, 1.0, 3.0])
    ((points, _),) = tournaments(
        certain([2, 1]),
        (np.array([0, 1]), np.array([1, 2]), 3),
        np.zeros((0, 3)),
        0,
        2,
        np.random.default_rng(1),
        worth,
    )
    assert points.tolist() == [[3.0, 1.0, 1.0]] * 2


def test_outcomes_are_drawn_with_their_chances():
    limits = np.array([[0.2, 0.7]])
    parts = list(tournaments(limits, (np.array([0]), np.array([1]), 2), np.zeros((0, 3)), 0, 20_000,
                             np.random.default_rng(2)))  # fmt: skip
    points = np.concatenate([part for part, _ in parts])
    assert len(points) == 20_000
    shares = [(points[:, 0] == score).mean() for score in (0.0, 0.5, 1.0)]
    np.testing.assert_allclose(shares, [0.2, 0.5, 0.3], atol=4 * np.sqrt(0.25 / 20_000))
    np.testing.assert_allclose(points.sum(axis=1), 1.0)


def test_shared_places_count_in_equal_parts():
    points = np.array([[3.0, 2.0, 2.0, 1.0], [2.0, 2.0, 2.0, 0.0], [1.0, 2.0, 3.0, 4.0]])
    places = np.zeros((4, 4))
    titles, shared = meet_all(points, points.copy(), places)
    np.testing.assert_allclose(titles, [1.0 + 1 / 3, 1 / 3, 1 / 3, 1.0])
    np.testing.assert_array_equal(shared, [1, 1, 1, 0])
    np.testing.assert_allclose(places[0], [1 + 1 / 3, 1 / 3, 1 / 3, 1.0])
    np.testing.assert_allclose(places[1], [1 / 3, 0.5 + 1 / 3, 0.5 + 1 / 3 + 1.0, 0.0])
    np.testing.assert_allclose(places[3], [1.0, 0.0, 0.0, 2.0])
    np.testing.assert_allclose(places.sum(axis=0), 3.0)
    np.testing.assert_allclose(places.sum(axis=1), 3.0)


def test_a_tie_break_decides_the_title_but_not_who_shares_the_points():
    points = np.array([[2.0, 2.0, 1.0]])
    titles, shared = meet_all(points, points * 1e6 + np.array([[0.5, 1.0, 9.0]]), np.zeros((3, 3)))
    assert titles.tolist() == [0.0, 1.0, 0.0]
    assert shared.tolist() == [1, 1, 0]
