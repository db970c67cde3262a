"""Bayesian models as forecasters: each period from its past only, resumed runs, accuracy near the truth."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from formulae import design_matrices
from rating_games import simulated

from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.forecaster import Forecaster
from halfpoint.models.declaration.catalogue import find, with_effects

SMALL = Effort(draws=150, tune=150, chains=2, cores=1)


def bayesian_games():
    """Games of 12 players, 8 of them monitored, in 5 periods, with their true strengths."""
    games, strength = simulated(82, players=12, games=900, periods=5, draw=0.0)
    return games, games.players[:8], strength


def forecasters(name, games, monitored):
    return Forecaster(find(name), games, monitored, SMALL)


@pytest.mark.parametrize(("name", "column"), [("sets", "lead_percent"), ("points-matched", "margin")])
def test_the_scale_of_leads_is_that_of_the_games_learned_so_far(name, column):
    games, _, _ = bayesian_games()
    size = np.random.default_rng(2).uniform(1.0, 9.0, len(games))
    lead, late = np.where(games.score == 1.0, size, -size), games.period >= 4
    chances = []
    for factor in (1.0, 10.0):
        table = replace(games, covariates={**games.covariates, column: np.where(late, factor * lead, lead)})
        chances.append(roll(table, Forecaster(find(name), table)).expected_score)
    early = games.period <= 4
    assert np.array_equal(chances[0][early], chances[1][early], equal_nan=True)
    assert not np.array_equal(chances[0][~early], chances[1][~early], equal_nan=True)


@pytest.mark.parametrize("name", [pytest.param("bt-common", marks=pytest.mark.slow), "davidson-common"])
def test_bayesian_forecasts_come_from_the_past_alone_and_resume(name, tmp_path):
    games, monitored, _ = bayesian_games()
    late = games.period >= 4
    turned = replace(games, score=np.where(late, 1.0 - games.score, games.score))
    whole = roll(games, forecasters(name, games, monitored), tmp_path / "run.npz", name)
    other = roll(turned, forecasters(name, turned, monitored))
    known = games.period <= 4
    assert np.array_equal(whole.expected_score[known], other.expected_score[known], equal_nan=True)
    assert not np.array_equal(whole.expected_score[~known], other.expected_score[~known], equal_nan=True)
    # stop after period 3, go on from the state: the same seeds, starts and games give the same forecasts
    stopped = forecasters(name, games, monitored)
    for period in (1, 2, 3):
        now = games.take(games.period == period)
        stopped.forecast(now)
        stopped.learn(now)
    again = forecasters(name, games, monitored)
    again.load(stopped.state())
    found = again.forecast(games.take(games.period == 4)).expected_score
    assert np.array_equal(found, whole.expected_score[games.period == 4], equal_nan=True)


def test_who_is_forecast():
    games, monitored, _ = bayesian_games()
    rolled = roll(games, forecasters("davidson-common", games, monitored))
    seen = np.isin(games.white_names, monitored) | np.isin(games.black_names, monitored)
    later = games.period > 1
    assert np.isnan(rolled.expected_score[~later]).all()  # nothing is known before the first period
    assert np.isnan(rolled.expected_score[later & ~seen]).all()
    assert not np.isnan(rolled.outcome[later & seen]).any()
    assert rolled.outcome[later & seen].sum(axis=1) == pytest.approx(1.0)


@pytest.mark.draws
def test_forecasts_of_bradley_terry_are_near_the_truth():
    games, monitored, strength = bayesian_games()
    rolled = roll(games, forecasters("bt-common", games, monitored))
    both = np.isin(games.white_names, monitored) & np.isin(games.black_names, monitored) & (games.period == 5)
    truth = 1.0 / (1.0 + 10.0 ** ((strength[games.black] - strength[games.white] - 35.0) / 400.0))
    # about 130 games a player: ratings have a standard error near 35 Elo, an expected score near 0.05
    off = rolled.expected_score[both] - truth[both]
    assert np.sqrt(np.mean(off**2)) < 0.1
    assert np.isnan(rolled.outcome).all()


@pytest.mark.slow
def test_a_model_beyond_the_study_sees_the_past_alone():
    games, monitored, _ = bayesian_games()
    games = replace(games, score=np.where(np.arange(len(games)) % 3 == 0, 0.5, games.score))
    late = games.period >= 4
    turned = replace(games, score=np.where(late, 1.0 - games.score, games.score))
    whole = roll(games, forecasters("davidson-scaled", games, monitored))
    other = roll(turned, forecasters("davidson-scaled", turned, monitored))
    known = games.period <= 4
    assert np.array_equal(whole.outcome[known], other.outcome[known], equal_nan=True)
    assert not np.array_equal(whole.outcome[~known], other.outcome[~known], equal_nan=True)


KINDS = np.array(["blitz", "rapid", "standard"])
BY_HAND = {
    "scale(height)": lambda frame: {"x": (frame.height - np.mean(frame.height)) / np.std(frame.height)},
    "bs(height, df=4)": lambda frame: dict(
        zip("xyzw", np.asarray(design_matrices("bs(height, df=4)", frame).common)[:, 1:].T, strict=True)
    ),
    "kind": lambda frame: {"x": 1.0 * (frame.kind == "rapid"), "y": 1.0 * (frame.kind == "standard")},
}


@pytest.mark.cases(1)
@pytest.mark.parametrize("formula", BY_HAND)
def test_backtests_with_coded_columns_equal_those_with_columns_prepared_by_hand(formula):
    games, monitored, _ = bayesian_games()
    kept = np.isin(games.white_names, monitored) | np.isin(games.black_names, monitored)
    games, rng = games.take(kept), np.random.default_rng(5)
    height = rng.uniform(10.0, 50.0, len(games)) + 5.0 * games.period
    kind = KINDS[np.minimum(rng.integers(0, 2, len(games)) + (games.period > 3), 2)]
    prepared = BY_HAND[formula](pd.DataFrame({"height": height, "kind": kind}))
    prepared = {name: np.asarray(value, dtype=np.float64) for name, value in prepared.items()}
    games = replace(games, covariates={"height": height, "kind": kind, **prepared})
    found = []
    for text in (formula, " + ".join(prepared)):
        model = with_effects(find("davidson-common"), [f"advantage ~ 0 + {text}"])
        system = Forecaster(model, games, monitored, SMALL)
        for period in (1, 2, 3, 4):
            system.learn(games.take(games.period == period))
        found.append(system.forecast(games.take(games.period == 5)).outcome)
    assert np.ptp(found[0][:, 2]) > 0.1
    np.testing.assert_allclose(found[0], found[1], rtol=1e-8)


def test_an_index_of_games_is_approximated_and_not_sampled():
    games, monitored, _ = bayesian_games()
    assert Forecaster(find("index-walk"), games, None, None).of_margins
    with pytest.raises(InferenceError, match="Add --method normal"):
        forecasters("index-walk", games, monitored)
