"""Swiss events under certain results, as Python: standings by hand, and chances by the law of large numbers."""

import numpy as np
import pytest
from plain_loops import run_as_python

from halfpoint.evaluation import pairing, played_rounds


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_as_python(monkeypatch, played_rounds, pairing)
    monkeypatch.setattr(played_rounds, "swiss_pairs", pairing.swiss_pairs)


def stronger_wins(count):
    """Bounds under which the player with the lower number always wins."""
    number = np.arange(count)
    loses = (number[:, None] > number).astype(float)
    return np.stack([loses, loses], axis=-1)


def none_before(count):
    return np.arange(count), np.zeros((0, 3)), np.zeros(count, dtype=np.int64)


def test_a_game_is_recorded_for_both_players():
    standing = played_rounds.initial_standing(3)
    played_rounds.record_game(0, 2, 1.0, standing)
    played_rounds.record_game(2, 1, 0.5, standing)
    points, met, scores, colour, last = standing
    assert points.tolist() == [1.0, 0.5, 0.5]
    assert met.tolist() == [[0, 0, 1], [0, 0, 1], [1, 1, 0]]
    assert scores.tolist() == [[0.0, 0.0, 1.0], [0.0, 0.0, 0.5], [0.0, 0.5, 0.0]]
    assert colour.tolist() == [1, -1, 0]
    assert last.tolist() == [1, -1, 1]


@pytest.mark.parametrize(("tie_break", "further"), [(0, [0, 0, 0, 0]), (1, [2, 2, 2, 2]), (2, [2, 0, 0, 0])])
def test_two_rounds_of_four_by_hand(tie_break, further):
    """0 beats 2 and 1, 1 beats 3, 2 beats 3: points 2, 1, 1, 0, to which those of opponents or of beaten ones add."""
    totals, keys = played_rounds.play_many(
        stronger_wins(4), (2, tie_break), none_before(4), 3, np.random.default_rng(1)
    )
    assert totals.tolist() == [[2.0, 1.0, 1.0, 0.0]] * 3
    assert (keys - 1e6 * totals).tolist() == [further] * 3


def test_games_and_byes_before_count():
    order, byes = np.arange(3), np.array([0, 0, 1])
    played = np.array([[0.0, 1.0, 0.5]])
    totals, _ = played_rounds.play_many(stronger_wins(3), (1, 0), (order, played, byes), 1, np.random.default_rng(1))
    assert totals.tolist() == [[1.5, 1.5, 1.0]]  # 0 beats 2, and 1, the last without a bye, gets one


def test_chances_are_those_of_the_bounds():
    bounds, rng = np.array([[[0.0, 0.0], [0.2, 0.7]]]), np.random.default_rng(2)
    scores = np.array([played_rounds._outcome_of(bounds, 0, 1, rng) for _ in range(4000)])
    shares = np.array([(scores == value).mean() for value in (0.0, 0.5, 1.0)])
    assert np.abs(shares - [0.2, 0.5, 0.3]).max() < 4 * np.sqrt(0.25 / 4000)
