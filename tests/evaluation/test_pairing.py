"""Swiss rounds: two rounds paired by hand by the rules of the module, and invariants of every round."""

import numpy as np
import pytest
from plain_loops import run_as_python

from halfpoint.evaluation import pairing


@pytest.fixture(autouse=True, params=["compiled", "as Python"])
def loops(request, monkeypatch):
    if request.param == "as Python":
        run_as_python(monkeypatch, pairing)


class Event:
    """Points, meetings and colours of an event, paired round by round."""

    def __init__(self, count):
        self.seeds, self.points = np.arange(count), np.zeros(count)
        self.met, self.number = np.zeros((count, count), dtype=np.int64), 0
        self.colour, self.last, self.byes = np.zeros((3, count), dtype=np.int64)

    def play(self, score):
        """Pair a round, score it by `score(white, black)` and return it."""
        white, black, bye = pairing.swiss_pairs(
            self.points, self.seeds, self.met, self.colour, self.last, self.byes, self.number
        )
        for first, second in zip(white, black, strict=True):
            result = score(first, second)
            self.points[first] += result
            self.points[second] += 1.0 - result
            self.met[first, second] += 1
            self.met[second, first] += 1
        self.colour[white] += 1
        self.colour[black] -= 1
        self.last[white], self.last[black] = 1, -1
        if bye >= 0:
            self.byes[bye] += 1
            self.points[bye] += 1.0
        self.number += 1
        return list(zip(white.tolist(), black.tolist(), strict=True)), int(bye)


def test_two_rounds_of_six_by_hand():
    event = Event(6)
    assert event.play(lambda white, black: 1.0) == ([(0, 3), (4, 1), (2, 5)], -1)
    # winners 0, 2, 4: 0 meets 2; 4 floats to 1, 3, 5 and meets 3, the first of the lower half; 3 had fewer Whites
    assert event.play(lambda white, black: 0.5) == ([(2, 0), (3, 4), (5, 1)], -1)


def test_an_earlier_opponent_is_passed_over():
    event = Event(4)
    event.met[0, 2] = event.met[2, 0] = 1
    assert event.play(lambda white, black: 1.0)[0] == [(0, 3), (2, 1)]


def test_a_pair_is_split_where_the_last_group_has_met():
    event = Event(4)
    event.points[:] = [1.0, 1.0, 0.0, 0.0]
    event.met[2, 3] = event.met[3, 2] = 1
    pairs, _ = event.play(lambda white, black: 1.0)
    assert {frozenset(pair) for pair in pairs} == {frozenset({0, 2}), frozenset({1, 3})}


@pytest.mark.parametrize("count", [5, 8, 13])
def test_every_round_has_every_player_once_and_byes_go_round(count):
    rng, event = np.random.default_rng(count), Event(count)
    for _ in range(count // 2):
        points, byes = event.points.copy(), event.byes.copy()
        pairs, bye = event.play(lambda white, black: rng.choice([0.0, 0.5, 1.0]) if white < black else 0.5)
        seated = [player for pair in pairs for player in pair] + [bye] * (count % 2)
        assert sorted(seated) == list(range(count))
        if count % 2:
            others = [player for player in range(count) if byes[player] == 0]
            assert bye == max(others, key=lambda player: (-points[player], player))
    assert event.byes.max() <= 1
    assert np.abs(event.colour).max() <= 3


def test_colours_by_fewer_whites_then_the_last_colour_then_the_board():
    colour, last = np.array([1, 0, 0, 0]), np.array([1, 1, -1, -1])
    assert not pairing.has_white(0, 1, colour, last, True)
    assert pairing.has_white(2, 1, colour, last, False)
    assert pairing.has_white(2, 3, colour, last, True)
    assert not pairing.has_white(2, 3, colour, last, False)


def test_players_are_ordered_by_points_then_by_seed():
    assert pairing.order_of(np.array([1.0, 2.0, 1.0, 2.0]), np.array([2, 3, 0, 1])).tolist() == [3, 1, 2, 0]


def test_the_last_pairs_are_split_either_way():
    """2 and 3 have met; of the pair of 0 and 1 the first that fits is split, crosswise if 0 has met 2."""
    event = Event(4)
    event.points[:] = [1.0, 1.0, 0.0, 0.0]
    for a, b in ((2, 3), (0, 2)):
        event.met[a, b] = event.met[b, a] = 1
    pairs, _ = event.play(lambda white, black: 1.0)
    assert {frozenset(pair) for pair in pairs} == {frozenset({0, 3}), frozenset({1, 2})}


def test_a_second_meeting_is_the_last_resort():
    event = Event(2)
    event.met[0, 1] = event.met[1, 0] = 1
    assert event.play(lambda white, black: 1.0)[0] == [(0, 1)]
