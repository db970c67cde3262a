"""Simulation-based calibration of every family of models, and a planted wrong sign that it must catch."""

import pytest

from halfpoint.inference.calibrate import calibrate
from halfpoint.inference.calibration_designs import calibratable, experiment


def test_davidson_is_calibrated_and_a_wrong_sign_is_not() -> None:
    """The 99.9 percent bands hold for every parameter; with the sign of the advantage planted wrong they must not."""
    right = calibrate(experiment("davidson-common"), simulations=40, seed=3).outside(0.999)
    assert {name: by for name, by in right.items() if by > 0} == {}
    wrong = calibrate(experiment("davidson-common", wrong_sign=True), simulations=30, seed=3).outside(0.999)
    assert wrong["advantage"] > 0.05


@pytest.mark.slow
@pytest.mark.parametrize("name", calibratable())
def test_every_model_is_calibrated(name: str) -> None:
    found = calibrate(experiment(name), simulations=200, seed=7).outside(0.9998)
    assert {label: by for label, by in found.items() if by > 0} == {}


@pytest.mark.slow
def test_a_wrong_sign_is_caught_beyond_the_study() -> None:
    wrong = calibrate(experiment("davidson-all-draws", wrong_sign=True), simulations=100, seed=9)
    assert wrong.outside(0.999)["advantage"] > 0.05
