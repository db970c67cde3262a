"""Games between simulated sides: slopes of expected scores, moments of margins, and pairings."""

import numpy as np
import pytest
from scipy.stats import norm, t

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.simulate import Truth, outcome_probabilities
from halfpoint.models.games.simulate_sides import MarginTruth, elo_per_unit, meetings, simulate_margins, simulate_sides

NAMES = np.array(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
STRENGTH = np.array([0.6, -0.3, 0.1, 0.4, -0.7, 0.0])


@pytest.mark.parametrize(("tails", "law"), [("normal", norm), ("t", t(4))])
@pytest.mark.parametrize("width", [0.4, 1.6, 9.0])
def test_a_unit_of_margin_is_the_slope_of_the_expected_score(tails, law, width):
    def expected(gap):
        """Wins plus half of the draws: margins that round to 0."""
        return law.sf((0.5 - gap) / width) / 2.0 + law.sf((-0.5 - gap) / width) / 2.0

    slope = (expected(1e-4) - expected(-1e-4)) / 2e-4
    assert elo_per_unit(width, tails) == pytest.approx(4.0 * 400.0 / np.log(10.0) * slope, rel=1e-6)


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("steady", [False, True])
def test_nobody_plays_against_or_beside_themselves(size, steady):
    white, black = meetings(6, 500, 1, size, steady)
    assert white.shape == black.shape == (500, size)
    assert all(len({*first, *second}) == 2 * size for first, second in zip(white.tolist(), black.tolist(), strict=True))
    assert set(white.ravel()) == set(black.ravel()) == set(range(6))
    partners = {tuple(sorted(side)) for side in white.tolist()}
    assert len(partners) == (6 // size if steady else {1: 6, 2: 15, 3: 20}[size])


@pytest.mark.parametrize("numbers", [(3, 10, 2), (6, 0, 2), (6, 10, 0)])
def test_too_few_people_or_games_are_refused(numbers):
    people, games, size = numbers
    with pytest.raises(GameTableError):
        meetings(people, games, 1, size)


def test_scores_of_sides_have_the_probabilities_of_their_means():
    count = 20_000
    white, black = np.tile([0, 1], (count, 1)).astype(np.int32), np.tile([2, 4], (count, 1)).astype(np.int32)
    games = simulate_sides(Truth(NAMES, STRENGTH, 0.2, 0.3), white, black, 3)
    gap = (0.6 - 0.3) / 2.0 - (0.1 - 0.7) / 2.0 + 0.2
    chance = outcome_probabilities(np.array([gap]), 0.3)[0]
    share = np.array([(games.score == score).mean() for score in (0.0, 0.5, 1.0)])
    assert share == pytest.approx(chance, abs=4.0 * np.sqrt(0.25 / count))
    assert games.players.tolist() == ["Ann + Bo", "Cy + Ed"]
    assert games.simulated


@pytest.mark.parametrize(("tails", "variance"), [("normal", 1.0), ("t", 2.0)])
def test_margins_have_the_mean_and_the_variance_of_their_law(tails, variance):
    count = 20_000
    white, black = np.zeros((count, 1), dtype=np.int32), np.ones((count, 1), dtype=np.int32)
    for whole in (False, True):
        truth = MarginTruth(NAMES, 4.0 * STRENGTH, 3.0, 0.5, whole, tails)
        games = simulate_margins(truth, white, black, 5)
        margin = games.covariates["margin"]
        sd = 3.0 * np.sqrt(variance)
        assert margin.mean() == pytest.approx(4.0 * 0.9 + 0.5, abs=4.0 * sd / np.sqrt(count))
        inside = (t(4) if tails == "t" else norm).cdf(1.0) - (t(4) if tails == "t" else norm).cdf(-1.0)
        if not whole:
            share = (np.abs(margin - 4.1) < 3.0).mean()
            assert share == pytest.approx(inside, abs=4.0 * np.sqrt(0.25 / count))
        assert (margin == np.rint(margin)).all() == whole
        assert (games.score == (1.0 + np.sign(margin)) / 2.0).all()
