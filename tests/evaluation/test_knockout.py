"""Knockouts and matches against sums over all results."""

from itertools import product

import numpy as np
import pytest

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.knockout import bracket, knockout, match_chances, rounds_of, with_results
from halfpoint.evaluation.matches import fourier_transform, scores_of


def chances(count, seed=1):
    """Chances of loss, draw and win of White i against Black j."""
    return np.random.default_rng(seed).dirichlet([2.0, 3.0, 4.0], (count, count))


@pytest.mark.parametrize(("count", "rounds"), [(2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4)])
def test_rounds_and_byes(count, rounds):
    assert rounds_of(count) == rounds
    lines = bracket(count)
    assert lines.size == 2**rounds
    assert sorted(lines[lines >= 0].tolist()) == list(range(count))
    pairs = lines.reshape(-1, 2)
    assert set(pairs[(pairs < 0).any(axis=1)].max(axis=1).tolist()) == set(range(2**rounds - count))  # the best seeds


@pytest.mark.parametrize("games", [1, 2, 3])
@pytest.mark.parametrize("decider", ["replay", "armageddon", "coin"])
def test_a_match_is_the_sum_over_all_results(games, decider):
    chance, expected = chances(2), 0.0
    seats = {(games + 1) // 2, games // 2}
    for whites in seats:
        boards = [chance[0, 1]] * whites + [chance[1, 0][::-1]] * (games - whites)
        won = drawn = 0.0
        for results in product(range(3), repeat=games):
            probability = np.prod([board[result] for board, result in zip(boards, results, strict=True)])
            won += probability * (sum(results) > games)
            drawn += probability * (sum(results) == games)
        white, black = chance[0, 1], chance[1, 0]
        replay = (white[2] + black[0]) / (white[0] + white[2] + black[0] + black[2])
        armageddon = (white[2] + black[0] + black[1]) / 2.0
        expected += (won + drawn * {"replay": replay, "armageddon": armageddon, "coin": 0.5}[decider]) / len(seats)
    beats = match_chances(chance, games, decider)
    assert beats[0, 1] == pytest.approx(expected, abs=1e-12)
    assert beats[0, 1] + beats[1, 0] == pytest.approx(1.0)
    assert np.diag(beats).tolist() == [0.0, 0.0]


def test_games_that_are_always_drawn_are_decided_evenly():
    drawn = np.broadcast_to([0.0, 1.0, 0.0], (2, 2, 3))
    assert match_chances(drawn, 2, "replay")[0, 1] == pytest.approx(0.5)


@pytest.mark.parametrize("count", [4, 5, 6])
def test_chances_of_the_rounds_are_those_of_all_results(count):
    beats = match_chances(chances(count, 3), 1, "coin")
    order = np.random.default_rng(4).permutation(count)
    reach = knockout(beats, order)
    expected = np.zeros_like(reach)
    lines = bracket(count)
    first = [order[line] if line >= 0 else -1 for line in lines]

    def play(alive, probability, number):
        for player in alive:
            if player >= 0:
                expected[player, number] += probability
        if len(alive) == 1:
            return
        pairs = list(zip(alive[::2], alive[1::2], strict=True))
        for winners in product(range(2), repeat=len(pairs)):
            chance = probability
            for (one, other), second in zip(pairs, winners, strict=True):
                if one < 0 or other < 0:
                    chance *= float((other if second else one) >= 0)
                else:
                    chance *= beats[other, one] if second else beats[one, other]
            if chance > 0.0:
                play([pair[winner] for pair, winner in zip(pairs, winners, strict=True)], chance, number + 1)

    play(first, 1.0, 0)
    np.testing.assert_allclose(reach, expected, atol=1e-12)
    assert reach[:, -1].sum() == pytest.approx(1.0)


def test_finished_matches_are_decided():
    beats = np.full((3, 3), 0.5)
    decided = with_results(beats, np.array([[0, 1, 0.5], [1, 0, 0.0], [2, 0, 1.0], [0, 2, 0.0]]), 2)
    assert (decided[0, 1], decided[1, 0]) == (1.0, 0.0)
    assert (decided[2, 0], decided[0, 2]) == (1.0, 0.0)
    assert decided[1, 2] == 0.5
    assert with_results(beats, np.zeros((0, 3)), 2) is beats
    early = with_results(beats, np.array([[0, 1, 1.0], [1, 0, 0.0]]), 3)  # two of three are enough
    assert early[0, 1] == 1.0
    for rows in ([[0, 1, 1.0]], [[0, 1, 0.5], [1, 0, 0.5]]):
        with pytest.raises(EvaluationError, match="finished matches, each with a winner"):
            with_results(beats, np.array(rows), 2)


def test_the_transform_of_a_match_is_the_convolution_of_its_games():
    one, other = chances(2)[0]
    spread = scores_of(fourier_transform(one, 3) ** 2 * fourier_transform(other, 3))
    np.testing.assert_allclose(spread, np.convolve(np.convolve(one, one), other), atol=1e-14)
