"""Matches and leagues of teams, compared with a sum over all results of all boards."""

from dataclasses import dataclass
from functools import reduce
from itertools import combinations, product

import numpy as np
import pytest

from halfpoint.evaluation.team_matches import TeamMatch, team_league_of, team_match_of

TEAMS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))


def chances_of(white, black):
    """Chances of loss, draw and win of White, different for each pair and colour, under two draws."""
    rng = np.random.default_rng([int(white), int(black)])
    return rng.dirichlet([2.0, 3.0, 4.0], size=2)


@dataclass(frozen=True)
class Fixed:
    """Reader of a posterior of two draws with the chances of `chances_of`."""

    p = {"strength": np.zeros((2, 9))}  # noqa: RUF012

    def thin(self, draws):
        """Keep all draws in order."""
        assert sorted(draws) == [0, 1]
        return self

    def pairing(self, white, black):
        """Chances of games, shape (draw, game, outcome)."""
        return np.stack([chances_of(*pair) for pair in zip(white, black, strict=True)], axis=1)


def by_hand(first, second):
    """Chances of a lost, drawn and won match of the first team, and its board points, (draw, 4)."""
    found = np.zeros((2, 4))
    boards = [
        chances_of(a, b) if k % 2 == 0 else chances_of(b, a)[:, ::-1]
        for k, (a, b) in enumerate(zip(first, second, strict=True))
    ]
    for results in product(range(3), repeat=len(boards)):
        chance = np.prod([board[:, result] for board, result in zip(boards, results, strict=True)], axis=0)
        score = sum(results) / 2.0
        found[:, 0 if score < len(boards) / 2 else 1 if score == len(boards) / 2 else 2] += chance
        found[:, 3] += chance * score
    return found


@pytest.mark.parametrize("boards", [2, 3])
def test_a_match_is_the_sum_over_all_results_of_boards(boards):
    first, second = TEAMS[0][:boards], TEAMS[1][:boards]
    match = team_match_of(Fixed(), first, second, np.arange(boards) % 2 == 0)
    expected = by_hand(first, second)
    assert match.results == pytest.approx(expected[:, :3], abs=1e-12)
    assert match.board_points == pytest.approx(expected[:, 3], abs=1e-12)


def test_scores_of_five_boards_are_the_convolution_of_their_games():
    chances = np.random.default_rng(1).dirichlet([2.0, 3.0, 4.0], (2, 5))
    match = TeamMatch(chances)
    for draw in range(2):
        score = reduce(np.convolve, chances[draw])
        assert match.results[draw] == pytest.approx([score[:5].sum(), score[5], score[6:].sum()], abs=1e-12)


def test_one_board_is_its_game():
    chances = np.array([[[0.2, 0.5, 0.3]]])
    match = TeamMatch(chances)
    assert match.results == pytest.approx(chances[:, 0], abs=1e-12)
    assert match.board_points == pytest.approx([0.55])


@pytest.mark.parametrize("double", [False, True])
def test_a_league_has_the_sums_of_its_matches(double):
    table = team_league_of(Fixed(), TEAMS, double, 1, 4000)
    points = np.zeros((3, 2))
    for pair in combinations(range(3), 2):
        home = pair if sum(pair) % 2 else pair[::-1]
        for first, second in (home, home[::-1]) if double else (home,):
            match = by_hand(TEAMS[first], TEAMS[second]).mean(axis=0)
            points[first] += [match[1] + 2.0 * match[2], match[3]]
            points[second] += [match[1] + 2.0 * match[0], 3.0 - match[3]]
    assert table[["match_points", "board_points"]].to_numpy() == pytest.approx(points, abs=1e-12)
    assert table["title_percent"].sum() == pytest.approx(100.0)
    assert (table["table_low"] <= table["match_points"]).all()
    assert (table["match_points"] <= table["table_high"]).all()


def test_titles_are_those_of_all_results_of_a_league():
    titles = np.zeros(3)
    pairs = [pair if sum(pair) % 2 else pair[::-1] for pair in combinations(range(3), 2)]
    for draw in range(2):
        matches = [by_hand(TEAMS[first], TEAMS[second])[draw] for first, second in pairs]
        for results in product(range(3), repeat=3):
            points = np.zeros(3)
            for (first, second), result in zip(pairs, results, strict=True):
                points[first] += result
                points[second] += 2 - result
            leaders = points == points.max()
            titles += np.prod([m[r] for m, r in zip(matches, results, strict=True)]) * leaders / leaders.sum() / 2.0
    table = team_league_of(Fixed(), TEAMS, False, 1, 4000)
    assert table["title_percent"].to_numpy() / 100.0 == pytest.approx(titles, abs=4.0 * np.sqrt(0.25 / 4000))
