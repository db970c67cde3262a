"""Weights of games in rating systems: weight 1 has no effect, weight 2 is two games where supported."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from rating_games import simulated

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.readers.read import read
from halfpoint.systems.catalogue import SYSTEMS, system

BATCHES = ("elo", "elo-normal", "kappa-elo", "glicko", "colley", "massey", "park-newman", "base-rates")


def weighing():
    return [name for name in SYSTEMS if getattr(built(name), "weighs", False)]


def built(name):
    spec = system(name)
    return spec.build(spec.start)


@pytest.fixture(scope="module")
def games():
    return replace(simulated(41, players=6, games=90, periods=1)[0], period=None, date=None)


@pytest.mark.parametrize("name", weighing())
def test_a_weight_of_one_is_no_weight_and_zero_is_no_game(name, games):
    usual, same = built(name), built(name)
    usual.learn(games)
    same.learn(replace(games, weight=np.ones(len(games))))
    for key, value in usual.state().items():
        np.testing.assert_array_equal(same.state()[key], value)
    heavy = built(name)
    heavy.learn(replace(games, weight=np.where(games.score == 0.0, 0.2, 1.0)))
    moved = [not np.array_equal(heavy.state()[key], value) for key, value in usual.state().items()]
    assert any(moved)


@pytest.mark.parametrize("name", [name for name in BATCHES if name in SYSTEMS])
def test_a_weight_of_two_is_two_games_of_one_batch(name, games):
    spec = system(name)
    heavy, double = (spec.build(spec.start) for _ in range(2))
    for one in (heavy, double):
        if hasattr(one, "update"):
            one.update = "period"
    weight = np.where(np.arange(len(games)) % 3 == 0, 2.0, 1.0)
    heavy.learn(replace(games, weight=weight))
    double.learn(games.take(np.repeat(np.arange(len(games)), weight.astype(int))))
    for key in ("player_rating", "counts"):
        if key in heavy.state():
            np.testing.assert_allclose(heavy.state()[key], double.state()[key], rtol=1e-9)


def test_a_heavier_game_moves_trueskill_and_weng_lin_more():
    rows = {"white": ["a"], "black": ["b"], "score": [1.0]}
    moved = {}
    for name in ("trueskill", "weng-lin-full"):
        for weight in (0.5, 1.0, 2.0):
            made = built(name)
            made.learn(read(pd.DataFrame(rows | {"weight": [weight]})))
            state = made.state()
            moved[weight] = state["player_rating"][0] - state["player_rating"][1], state["player_deviation"][0]
        assert 0.0 < moved[0.5][0] < moved[1.0][0] < moved[2.0][0]
        assert moved[0.5][1] > moved[1.0][1] > moved[2.0][1]


@pytest.mark.parametrize("name", ["fide", "dwz", "chessmetrics"])
def test_regulations_without_weights_refuse_them(name, games):
    with pytest.raises(RatingSystemError, match="weigh"):
        built(name).learn(replace(games, weight=np.full(len(games), 0.5)))
