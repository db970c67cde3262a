"""Ratings by pairs of players for a model whose log odds are differences of its variables."""

import numpy as np
import pymc as pm
import pytest
import xarray as xr
from rating_games import simulated

from halfpoint.models import davidson
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


def own_sharpness(games):
    """A difference of strengths times the sharpness of both players, half of it on each side."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 15.0, 1.0, dims="player")
        sharpness = pm.Gamma("sharpness", 3.0, 3.0, dims="player")
        gap = games.white(sharpness) * games.black(sharpness) * (games.white(strength) - games.black(strength))
        davidson(games, gap / 2.0, -gap / 2.0, pm.Normal("log_draw", 0.0, 1.0))
    return model


def test_sides_that_depend_on_both_players_are_rated_by_expected_scores_over_all_pairs():
    players, draws, rng = 6, 5, np.random.default_rng(4)
    games, _ = simulated(48, players=players, games=100, periods=1)
    declared = declare(own_sharpness, select(games, games.players))
    strength, lam = 15.0 + rng.normal(size=(1, draws, players)), rng.normal(size=(1, draws))
    sharpness = rng.gamma(3.0, 1.0 / 3.0, size=(1, draws, players))
    by_player = {
        name: (("chain", "draw", "player"), value) for name, value in (("strength", strength), ("sharpness", sharpness))
    }
    posterior = xr.Dataset(
        {**by_player, "log_draw": (("chain", "draw"), lam)}, coords={"player": declared.coords["player"]}
    )
    first, second = np.triu_indices(players, 1)
    gap = (strength[..., first] - strength[..., second]) * sharpness[..., first] * sharpness[..., second]
    weights = np.exp(np.stack([-gap / 2.0, np.broadcast_to(lam[..., None], gap.shape), gap / 2.0]))
    score = (weights[2] + weights[1] / 2.0) / weights.sum(axis=0)
    incidence = np.eye(players)[first] - np.eye(players)[second]
    odds = 400.0 * np.log10(score / (1.0 - score))
    expected = np.linalg.lstsq(incidence, odds[0].T)[0].T
    ratings = ratings_in_elo(declared, posterior)["rating_elo"].to_numpy()[0]
    np.testing.assert_allclose(ratings - ratings.mean(axis=1, keepdims=True), expected, atol=1e-5)
    scale = ELO_PER_NATURAL * 2.0 / (2.0 + np.exp(lam[0]))  # of Davidson's formula between equals
    level = 15.0 * ELO_PER_NATURAL + scale * (strength[0].mean(axis=1) - 15.0)
    np.testing.assert_allclose(ratings.mean(axis=1), level, rtol=1e-6)


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
