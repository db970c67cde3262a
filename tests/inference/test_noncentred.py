"""Thetas on the real line: densities, gradients and coordinates compared with closed forms and finite differences."""

import numpy as np
import pytest
from scipy.stats import beta, gamma, norm

from halfpoint.inference.gaussian.noncentred import _Line
from halfpoint.models.language.laws import Hyperparameter

W = np.array([-1.3, -0.2, 0.4, 1.1])
LINES = {
    "spread": (_Line(Hyperparameter("spread", 0.0, 0.7, 0.1), True), lambda w: norm.logpdf(w)),
    "number": (_Line(Hyperparameter("number", 1.5, 0.4, 0.1), False), lambda w: norm.logpdf(w, 1.5, 0.4)),
    "scale": (_Line(Hyperparameter("scale", -0.3, 0.6, 0.1), False), lambda w: norm.logpdf(w, -0.3, 0.6)),
    "log-normal": (
        _Line(Hyperparameter("positive", 0.0, 1.0, 0.1, lambda v: norm.logpdf(np.log(v), 0.2, 0.5) - np.log(v)), False),
        lambda w: norm.logpdf(w, 0.2, 0.5),
    ),
    "gamma": (
        _Line(Hyperparameter("positive", 0.0, 1.0, 0.1, lambda v: gamma.logpdf(v, 3.0)), False),
        lambda w: gamma.logpdf(np.exp(w), 3.0) + w,
    ),
    "beta": (
        _Line(Hyperparameter("bounded", 0.0, 1.0, 0.1, lambda v: beta.logpdf(v, 2.0, 5.0), (0.0, 1.0)), False),
        lambda w: beta.logpdf(1.0 / (1.0 + np.exp(-w)), 2.0, 5.0) - np.log1p(np.exp(-w)) - np.log1p(np.exp(w)),
    ),
}
VALUES = {
    "spread": lambda w: 0.7 * w,
    "number": lambda w: w,
    "beta": lambda w: 1.0 / (1.0 + np.exp(-w)),
}  # of the others e^w


def difference(function, w, step=1e-6):
    """Gradient of a function by central differences."""
    return (function(w + step) - function(w - step)) / (2.0 * step)


@pytest.mark.parametrize("name", LINES)
def test_density_slope_and_number_of_a_coordinate(name):
    line, log_density = LINES[name]
    value_of = VALUES.get(name, np.exp)
    density, slope, rate = line.density(W)
    assert np.ptp(density - log_density(W)) == pytest.approx(0.0, abs=1e-9)
    assert slope == pytest.approx(difference(log_density, W), abs=1e-6)
    assert line.value(W) == pytest.approx(value_of(W), rel=1e-12)
    assert np.broadcast_to(rate, W.shape) == pytest.approx(difference(value_of, W), rel=1e-6)


@pytest.mark.parametrize("name", LINES)
def test_a_coordinate_gives_the_number_of_its_theta_again(name):
    line, _ = LINES[name]
    assert line.law.value(line.back(np.abs(W))) == pytest.approx(line.value(np.abs(W)), rel=1e-12)
    assert line.back(line.of(W)) == pytest.approx(W, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "quadratic"), [("number", True), ("log-normal", True), ("gamma", False), ("beta", False)]
)
def test_densities_that_are_parabolas_are_found(name, quadratic):
    line, log_density = LINES[name]
    assert (line.parabola is not None) == quadratic
    if quadratic:
        assert np.polyval(line.parabola, 8.0) == pytest.approx(log_density(8.0), rel=1e-9)
