"""The simulated list: its games agree with its true parameters."""

import numpy as np
import pytest

from halfpoint.readers.datasets.simulated_list import simulated_list


def test_the_same_seed_gives_the_same_games_and_another_seed_others():
    first, second, other = (simulated_list(500, seed=seed)[0] for seed in (1, 1, 2))
    assert np.array_equal(first.score, second.score)
    assert not np.array_equal(first.score, other.score)
    assert first.simulated


def test_who_is_inclined_to_draw_draws_and_white_is_40_points_ahead():
    games, truth = simulated_list(40_000, players=60)
    drawn = games.outcome == 1
    played = np.bincount(games.white, minlength=60) + np.bincount(games.black, minlength=60)
    share = (np.bincount(games.white, drawn, 60) + np.bincount(games.black, drawn, 60)) / played
    assert np.corrcoef(share, truth["inclination"])[0, 1] > 0.75  # who is far from the others draws less too
    expected = 1.0 / (1.0 + 10.0 ** (-(games.white_rating_elo - games.black_rating_elo + 40.0) / 400.0))
    # ratings err, so that the expected score is a little nearer to a half; on the mean it is White's 40 points
    assert games.score.mean() == pytest.approx(expected.mean(), abs=4 * 0.37 / np.sqrt(40_000))


def test_ratings_err_from_month_to_month():
    games, _ = simulated_list(5000, players=20, months=12)
    here = games.white == 0
    assert np.unique(games.white_rating_elo[here]).size > 6
    assert games.white_rating_elo[here].std() == pytest.approx(25.0, rel=0.6)
