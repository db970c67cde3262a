"""Ratings by pairs of players for a model whose log odds are differences of its variables."""

import numpy as np
import pymc as pm
import pytest
import xarray as xr
from rating_games import simulated

from halfpoint.models.declaration import pair_ratings
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.elo_scale import ratings_in_elo
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL


def wins(games):
    """Win probability of a logistic curve, as a PyMC likelihood."""
    with pm.Model(coords=games.coords) as model:
        skill = pm.Normal("skill", 0.0, 1.0, dims="player")
        won = games.observed("result") == 2
        pm.Bernoulli("won", logit_p=games.white(skill) - games.black(skill) + 0.3, observed=won)
    return model


@pytest.mark.parametrize("most", [4, 40])
def test_ratings_are_the_log_odds_of_the_likelihood(most, monkeypatch):
    games, _ = simulated(47, players=9, games=200, periods=1, draw=0.0)
    declared = declare(wins, select(games, games.players))
    monkeypatch.setattr(pair_ratings, "_MOST_MET", most)
    skill = np.random.default_rng(2).normal(size=(1, 30, 9))
    posterior = xr.Dataset(
        {"skill": (("chain", "draw", "player"), skill)}, coords={"player": declared.coords["player"]}
    )
    ratings = ratings_in_elo(declared, posterior)
    expected = ELO_PER_NATURAL * (skill - skill.mean(axis=2, keepdims=True))
    np.testing.assert_allclose(ratings["rating_elo"], expected, atol=1e-6)
    np.testing.assert_allclose(ratings["advantage_elo"], 0.3 * ELO_PER_NATURAL, atol=1e-6)
