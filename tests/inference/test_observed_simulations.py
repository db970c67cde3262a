"""Simulated goals of PyMC likelihoods, and observed variables that are no columns."""

from dataclasses import replace

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from monte_carlo import LIMIT
from rating_games import simulated

from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.simulation_based_calibration import calibrate
from halfpoint.models.declaration.catalogue import resolve
from halfpoint.models.games.select import select


def goals(games, change=lambda value: value):
    """Poisson goals with rates of attack and defence."""
    with pm.Model(coords=games.coords) as model:
        attack = pm.Normal("attack", 0.0, 0.3, dims="player")
        for name, gap in (
            ("home", games.white(attack) - games.black(attack)),
            ("away", games.black(attack) - games.white(attack)),
        ):
            pm.Poisson(f"{name}_goals", pt.exp(0.5 + gap), observed=change(games.observed(name)))
    return model


def goals_in_columns(games):
    """Goals of both sides as two columns of one variable."""
    with pm.Model(coords=games.coords) as model:
        attack = pm.Normal("attack", 0.0, 0.3, dims="player")
        gap = games.white(attack) - games.black(attack)
        seen = np.column_stack([games.observed(name) for name in ("home", "away")])
        pm.Poisson("goals", pt.exp(0.5 + pt.stack([gap, -gap], axis=1)), observed=seen)
    return model


def goals_more(games):
    """Observed goals that are not a column: one more than the column."""
    return goals(games, lambda value: value + 1)


def design():
    """400 games with goals."""
    games, _ = simulated(47, players=6, games=400, periods=1, draw=0.3)
    home, away = 1.0 + (games.score == 1.0), 1.0 + (games.score == 0.0)
    return select(replace(games, covariates={"home": home, "away": away}), games.players)


@pytest.mark.parametrize("function", [goals, goals_in_columns])
def test_simulated_goals_have_the_rates_of_their_truth(function):
    chosen = experiment(resolve(function), design=design())
    truth, declared = chosen.simulations.one(np.random.default_rng(3))
    games = declared.selection.games
    attack = dict(zip(declared.coords["player"], truth["attack"], strict=True))
    gap = np.array(
        [attack[white] - attack[black] for white, black in zip(games.white_names, games.black_names, strict=True)]
    )
    home, away = games.covariates["home"], games.covariates["away"]
    np.testing.assert_array_equal(games.score, (1 + np.sign(home - away)) / 2)
    rate = np.exp(0.5 + np.concatenate([gap, -gap]))
    error = (np.concatenate([home, away]) - rate) / np.sqrt(rate)
    assert abs(error.mean()) < LIMIT / np.sqrt(error.size)
    assert abs(error.var() - 1) < LIMIT * np.sqrt(4.0 / error.size)


def test_a_variable_that_is_no_column_is_named():
    with pytest.raises(InferenceError, match="home_goals of model goals-more observes no unchanged column"):
        experiment(resolve(goals_more), design=design())


@pytest.mark.slow
def test_goals_are_calibrated():
    few = Effort(draws=100, tune=200, chains=2)
    found = calibrate(experiment(resolve(goals), design=design()), 10, seed=7, effort=few)
    assert len(found.rank) == 6
    assert set(found.outside(0.9995).values()) == {0.0}
