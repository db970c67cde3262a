"""Simulation-based calibration of every family of models, and detection of a planted wrong sign."""

from dataclasses import replace

import numpy as np
import pymc as pm
import pytest
from bench_calibration import BRIEF, REFITS, SMALL, games_of, leaves, none, shrunk
from bench_calibration import PLAYERS as PEOPLE
from composed import DrawParameter, Model, Walk
from covering_rows import CALIBRATED
from monte_carlo import LIMIT
from scipy.stats import binom

from halfpoint.inference.calibration_designs import GAMES, PLAYERS, calibratable, experiment, meetings
from halfpoint.inference.simulation_based_calibration import Ranks, calibrate
from halfpoint.models import bernoulli
from halfpoint.models.declaration.catalogue import resolve
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.rows.effects import Effects


@pytest.mark.slow
@pytest.mark.draws
def test_davidson_is_calibrated_and_a_wrong_sign_is_not() -> None:
    right = calibrate(experiment("davidson-common"), simulations=20, seed=3).outside(0.999)
    assert {name: by for name, by in right.items() if by > 0} == {}
    wrong = calibrate(experiment("davidson-common", wrong_sign=True), simulations=40, seed=3).outside(0.999)
    assert wrong["advantage"] > 0.0


def test_one_of_a_hundred_uniform_ranks_leaves_the_band() -> None:
    rank = np.random.default_rng(5).integers(0, 100, (2000, 20))
    outside = Ranks({str(number): row for number, row in enumerate(rank)}, 99).outside()
    count = sum(by > 0.0 for by in outside.values())
    assert binom.ppf(1e-4, 2000, 0.01) <= count <= binom.isf(1e-4, 2000, 0.01)


@pytest.mark.parametrize("name", [name for name in calibratable() if "-matched" in name])
def test_rows_near_their_opponents_are_calibrated_with_that_part(name: str) -> None:
    drawn = {one.name: type(one.owner.op).__name__ for one in experiment(name).declared.model.free_RVs}
    assert "opponents_spread" in drawn
    assert drawn.get("strength_spread", "LogNormalRV") == "LogNormalRV"


@pytest.mark.slow
@pytest.mark.parametrize("name", CALIBRATED)
def test_all_that_rows_are_made_of_is_calibrated(name: str) -> None:
    found = calibrate(experiment(name), simulations=100, seed=7).outside(0.9998)
    assert {label: by for label, by in found.items() if by > 0} == {}


@pytest.mark.slow
def test_a_fault_of_strengths_is_found_where_no_rating_fixes_their_level() -> None:
    games = games_of(PEOPLE, SMALL, 7)
    assert leaves(calibrate(none(games), REFITS, 1, method="auto", effort=BRIEF)) == {}
    found = leaves(calibrate(shrunk(games), REFITS, 1, method="auto", effort=BRIEF))
    assert any(name.startswith("strength") for name in found)


@pytest.mark.slow
def test_a_wrong_sign_is_caught_beyond_the_study() -> None:
    wrong = calibrate(experiment("davidson-all-draws", wrong_sign=True), simulations=100, seed=9)
    assert wrong.outside(0.999)["advantage"] > 0.0


CODED = {
    "text": Model("text", DAVIDSON, draws=DrawParameter(), effects=Effects({"log_draw": "0 + kind"})),
    "spline": Model("spline", DAVIDSON, draws=DrawParameter(), effects=Effects({"advantage": "0 + bs(height, df=4)"})),
    "walk": Model("walk", DAVIDSON, Walk(), draws=DrawParameter(), effects=Effects({"advantage": "0 + kind"})),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", CODED)
def test_rows_whose_columns_are_coded_are_calibrated(name: str) -> None:
    rng, played = np.random.default_rng(6), meetings(GAMES, PLAYERS, 21, months=4, opponents=4)
    kind, height = np.array(["blitz", "rapid", "standard"])[rng.integers(0, 3, GAMES)], rng.uniform(10.0, 90.0, GAMES)
    games = replace(played.games, covariates={**played.games.covariates, "kind": kind, "height": height})
    calibrated = calibrate(experiment(CODED[name], design=replace(played, games=games)), simulations=100, seed=7)
    found = calibrated.outside(0.9998)
    assert any("_effect" in label for label in found)
    assert {label: by for label, by in found.items() if by > 0} == {}


def weighed(games):
    with pm.Model(coords=games.coords) as model:
        theta = pm.Normal("theta", 0.0, 1.0, dims="player")
        pm.Potential("ridge", -0.5 * (theta**2).sum())
        bernoulli(games, games.white(theta), games.black(theta))
    return model


def test_truths_come_from_the_prior_with_its_potentials():
    chosen = experiment(resolve(weighed), design=meetings(60, 5, 1))
    truths = np.array([chosen.truth(np.random.default_rng(seed))["theta"] for seed in range(400)])
    error = LIMIT * 0.5 * np.sqrt(2.0 / truths.size) * np.sqrt(2.0)  # of a variance; a truth may be drawn twice
    assert truths.var() == pytest.approx(0.5, abs=error)
