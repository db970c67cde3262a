"""Simulation-based calibration of every family of models, and a planted wrong sign that it must catch."""

import pytest

from halfpoint.inference.calibrate import calibrate
from halfpoint.inference.calibration_designs import extended_experiment, study_experiment
from halfpoint.models.beyond import EXTENDED

SLOW = [name for name, entry in EXTENDED.items() if not entry.formulas]


def test_davidson_is_calibrated_and_a_wrong_sign_is_not() -> None:
    """The 99.9 percent bands hold for every parameter; with the sign of the advantage planted wrong they must not."""
    right = calibrate(study_experiment("davidson", "common"), simulations=40, seed=3).outside(0.999)
    assert {name: by for name, by in right.items() if by > 0} == {}
    wrong = calibrate(study_experiment("davidson", "common", sign=-1.0), simulations=30, seed=3).outside(0.999)
    assert wrong["advantage"] > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("advantage", ["none", "common", "player"])
@pytest.mark.parametrize("family", ["bradley_terry", "davidson"])
def test_models_of_the_study_are_calibrated(family: str, advantage: str) -> None:
    found = calibrate(study_experiment(family, advantage), simulations=300, seed=5).outside(0.9995)  # type: ignore[arg-type]
    assert {name: by for name, by in found.items() if by > 0} == {}


@pytest.mark.slow
@pytest.mark.parametrize("name", SLOW)
def test_models_beyond_the_study_are_calibrated(name: str) -> None:
    found = calibrate(extended_experiment(EXTENDED[name]), simulations=200, seed=7).outside(0.9998)
    assert {label: by for label, by in found.items() if by > 0} == {}


@pytest.mark.slow
def test_a_wrong_sign_is_caught_beyond_the_study() -> None:
    wrong = calibrate(extended_experiment(EXTENDED["davidson-all-draws"], sign=-1.0), simulations=100, seed=9)
    assert wrong.outside(0.999)["advantage"] > 0.05
