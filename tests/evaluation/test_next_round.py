"""Pairing of a round: optimal pairings, information of games, and forbidden pairs."""

from itertools import combinations

import numpy as np
import pytest

from halfpoint.evaluation.knockout import match_chances
from halfpoint.evaluation.next_round import matching, round_of, worths

POINTS = np.array([0.0, 0.5, 1.0])


def pairings(players):
    """Yield all pairings of an even number of players."""
    if not players:
        yield []
        return
    first, *rest = players
    for other in rest:
        for more in pairings([one for one in rest if one != other]):
            yield [(first, other), *more]


def chances(strength, draw=0.3):
    """Davidson probabilities for White i against Black j, shape (draw, i, j, outcome)."""
    gap = strength[:, :, None] - strength[:, None, :]
    weights = np.stack([np.exp(-gap / 2), np.full(gap.shape, draw), np.exp(gap / 2)], axis=-1)
    return weights / weights.sum(axis=-1, keepdims=True)


@pytest.mark.parametrize("seed", range(6))
def test_no_pairing_is_worth_more_nor_repeats_less(seed):
    rng = np.random.default_rng(seed)
    worth = rng.random((8, 8)) * 10.0 ** rng.integers(-4, 3)
    met = np.triu(rng.integers(0, 2, (8, 8)), 1)
    met += met.T

    def value(pairs, of):
        return sum(of[one, two] for one, two in pairs)

    every = list(pairings(list(range(8))))
    assert len(every) == 105
    assert value(matching(worth).tolist(), worth) == pytest.approx(max(value(pairs, worth) for pairs in every))
    best = max(every, key=lambda pairs: (-value(pairs, met), value(pairs, worth)))
    assert matching(worth, met).tolist() == sorted(map(list, best))


def test_what_a_game_tells_of_the_best_and_of_all():
    strength = np.array([[90.0, 40.0, 0.0], [90.0, 0.0, 40.0]])
    chance = chances(strength, draw=0.0)
    top, every = worths(chance, strength, "top"), worths(chance, strength, "all")
    assert np.abs(top).max() < 1e-12
    assert every == pytest.approx(np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]]), abs=1e-9)
    turned = np.array([[40.0, 0.0], [0.0, 40.0]])
    assert worths(chances(turned, 0.0), turned, "top")[0, 1] == pytest.approx(1.0)


def test_the_best_is_told_by_the_strengths_so_that_a_game_tells_no_more_of_them():
    strength = np.random.default_rng(3).normal(0, 1, (400, 7))
    chance = chances(strength)
    top, every = worths(chance, strength, "top"), worths(chance, strength, "all")
    assert (top <= every + 1e-12).all()
    assert (top[~np.eye(7, dtype=bool)] > 0).all()


def test_equals_are_worth_most_to_even_games():
    strength = np.array([[0.0, 0.1, 2.0, 2.2]])
    even = worths(chances(strength), strength, "even")
    assert matching(even).tolist() == [[0, 1], [2, 3]]
    assert even.max() <= 0.25


@pytest.mark.parametrize("players", [8, 6])
def test_a_knockout_round_keeps_the_best_with_the_sum_of_its_worths(players):
    strength = np.random.default_rng(4).normal(0, 0.7, (60, players))
    chance = chances(strength)
    worth = worths(chance, strength, "knockout", games=2, decider="armageddon")
    found = round_of(worth, chance.mean(axis=0) @ POINTS, strength.mean(axis=0), np.empty((0, 3)), cup=True)
    assert len(found.boards) == players - 4
    goes_on = np.zeros(60)
    for draw in range(60):
        best = int(strength[draw].argmax())
        beats = match_chances(chance[draw], 2, "armageddon")
        opponent = {one: two for board in found.boards.tolist() for one, two in (board, board[::-1])}
        goes_on[draw] = beats[best, opponent[best]] if best in opponent else 1.0
    assert found.total(found.boards) == pytest.approx(goes_on.mean())
    assert found.total(found.boards) >= found.total(found.plain) - 1e-9


@pytest.mark.parametrize("players", [6, 5])
def test_everybody_meets_everybody_once_and_byes_and_colours_go_round(players):
    rng = np.random.default_rng(5)
    worth = rng.random((players, players))
    worth = worth + worth.T
    np.fill_diagonal(worth, 0.0)
    played, byes = np.empty((0, 3)), []
    for _ in range(3):
        found = round_of(worth, np.full((players, players), 0.5), rng.normal(size=players), played)
        scores = rng.choice(POINTS, len(found.boards))
        played = np.concatenate([played, np.column_stack([found.boards, scores])])
        byes += found.byes.tolist()
    met = [frozenset(pair) for pair in played[:, :2].astype(int).tolist()]
    assert len(set(met)) == len(met) == 3 * (players // 2)
    assert len(set(byes)) == len(byes) == 3 * (players % 2)
    white, black = (np.bincount(side.astype(int), minlength=players) for side in played[:, :2].T)
    assert np.abs(white - black).max() < 3  # nobody has one colour throughout
    again = round_of(worth, np.full((2, 2), 0.5), np.zeros(players), all_games(players))
    assert len(again.boards) == players // 2  # all have met: they meet again


def all_games(players):
    return np.array([(one, two, 0.5) for one, two in combinations(range(players), 2)])
