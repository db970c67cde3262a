"""Strengths around ratings in the file: near them with few games, corrected by many; players without a rating."""

import numpy as np
import pytest

from halfpoint.evaluation.rating_list import summaries
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.errors import ModelError
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable, code_players

TRUTH = np.concatenate([np.linspace(1550.0, 2450.0, 16), [1700.0, 2200.0]])  # the last two have no rating
LISTED = TRUTH + np.random.default_rng(3).normal(0.0, 50.0, TRUTH.size)
LISTED[4] = TRUTH[4] - 400.0  # one rating is far out; their games must correct it
NAMES = np.array([f"p{number:02d}" for number in range(TRUTH.size)])
DRAW = 0.3  # share of draws between equals


def selection(games=700, seed=5, rated=True):
    """Games mostly between players of similar strength, by Davidson's formula on the scale of scores."""
    rng = np.random.default_rng(seed)
    white = rng.integers(0, TRUTH.size, games)
    near = np.exp(-0.5 * ((TRUTH - TRUTH[white][:, None]) / 250.0) ** 2)
    near[np.arange(games), white] = 0.0
    black = np.array([rng.choice(TRUTH.size, p=row / row.sum()) for row in near])
    white[white == 4], black[black == 4] = 4, 4
    odds = 2.0 * DRAW / (1.0 - DRAW)
    x = np.log(10) / 400 * (TRUTH[white] - TRUTH[black] + 30.0) * (2.0 + odds) / 2.0
    p = np.stack([np.exp(-x / 2), np.full_like(x, odds), np.exp(x / 2)], axis=1)
    outcome = (rng.random(games)[:, None] >= (p / p.sum(1, keepdims=True)).cumsum(1)[:, :2]).sum(1)
    names, first, second = code_players(NAMES[white], NAMES[black])
    listed = np.concatenate([LISTED[:16], [np.nan, np.nan]])
    elo = {"white_rating_elo": listed[white], "black_rating_elo": listed[black]} if rated else {}
    table = GameTable(names, first, second, outcome / 2.0, **elo)
    return select(table, NAMES)


@pytest.fixture(scope="module")
def tree():
    return sample(declare("davidson-rated", selection()), seed=1)


@pytest.mark.draws
def test_it_converges_and_the_level_is_that_of_the_ratings(tree):
    assert tree.attrs["verdict"] == "converged", tree.attrs["sampling"]
    rating = tree["posterior"]["rating_elo"].mean(("chain", "draw")).to_numpy()
    assert rating[:16].mean() == pytest.approx(LISTED[:16].mean(), abs=15)


@pytest.mark.draws
def test_the_list_is_the_truth_within_its_errors_and_better_than_the_ratings(tree):
    listed = summaries(tree["posterior"]["rating_elo"]).set_index("player").loc[NAMES]
    truth = TRUTH + (LISTED[:16] - TRUTH[:16]).mean()  # a level that all ratings share is nobody's error
    error = listed["mean"].to_numpy() - truth
    assert ((listed["low"] <= truth) & (truth <= listed["high"])).sum() >= 15  # of 18 intervals of 95%: 1 in 400
    rated = np.arange(16)
    assert np.sqrt((error[rated] ** 2).mean()) < np.sqrt(((LISTED - truth)[rated] ** 2).mean())
    assert abs(error[4]) < 250  # listed 400 too low
    assert np.abs(error[16:]).max() < 200


@pytest.mark.draws
@pytest.mark.slow
def test_games_that_do_not_meet_do_not_stretch_the_list(tree):
    free = sample(declare("davidson-population", selection(rated=False)), seed=1)
    ends = [0, 15]

    def error(tree):
        mean = tree["posterior"]["rating_elo"].mean(("chain", "draw")).to_numpy()
        return np.abs((mean - mean.mean() - (TRUTH - TRUTH.mean()))[ends]).max()

    def sd(tree):
        rating = tree["posterior"]["rating_elo"]
        return float((rating - rating.mean("player")).std(("chain", "draw"))[ends].max())

    assert sd(tree) < sd(free)
    assert error(tree) < error(free) + 3 * sd(tree)


def test_without_any_rating_the_mistake_is_told():
    with pytest.raises(ModelError, match="expected games with ratings of the players, found none"):
        declare("davidson-rated", selection(games=50, rated=False))
