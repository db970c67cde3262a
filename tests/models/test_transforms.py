"""Coordinates by their equations: there and back, and determinants by differences."""

import numpy as np
import pytensor.tensor as pt
import pytest

from halfpoint.models.pymc_import import interpreted
from halfpoint.models.reading.transforms import LogUnits, PartlyCentred, Shrunk, Units, reflect

CENTRE, UNIT = np.array([0.5, -1.0, 2.0]), np.array([0.5, 2.0, 1.5])
MEAN, SPREAD = 0.7, 0.4
X = np.array([0.3, 1.4, -0.6])
TRANSFORMS = {
    "units": Units(CENTRE, UNIT),
    "reflected": Units(CENTRE, UNIT, 1),
    "logarithm": LogUnits(0.25),
    "centred": PartlyCentred(CENTRE, UNIT, 1.0),
    "partly": PartlyCentred(0.5, UNIT, np.array([0.2, 0.5, 0.9])),
    "partly reflected": PartlyCentred(0.5, UNIT, np.array([0.2, 0.5, 0.9]), 2),
    "shrunk": Shrunk(CENTRE, UNIT, 0.0),
    "shrunk reflected": Shrunk(0.5, UNIT, 0.0, 0),
}


def number(node):
    """A graph without inputs as numbers."""
    return node.eval(mode=interpreted()) if hasattr(node, "eval") else np.asarray(node)


def population():
    return pt.constant(MEAN), pt.constant(SPREAD)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_there_and_back(name):
    transform, at = TRANSFORMS[name], np.abs(X)
    y = number(transform.forward(at, *population()))
    np.testing.assert_allclose(number(transform.backward(y, *population())), at, rtol=1e-12)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_determinant_is_that_of_differences(name):
    transform, steps = TRANSFORMS[name], 1e-6 * np.eye(3)
    above, below = (
        np.array([number(transform.backward(X + sign * h, *population())) for h in steps]) for sign in (1.0, -1.0)
    )
    log_determinant = number(transform.log_jac_det(X, *population())).sum()
    assert log_determinant == pytest.approx(np.linalg.slogdet((above - below) / 2e-6)[1], abs=1e-7)


def test_centred_coordinates_are_units_and_others_are_noise():
    """w = 1: x = c + u y; w = 0: x = m + s y; in between x = c + u (m' + (s / u)^(1 - w) (y - w m'))."""
    np.testing.assert_allclose(number(TRANSFORMS["centred"].backward(X, *population())), CENTRE + UNIT * X)
    apart = PartlyCentred(CENTRE, UNIT, 0.0)
    np.testing.assert_allclose(number(apart.backward(X, *population())), MEAN + SPREAD * X)
    w, middle = np.array([0.2, 0.5, 0.9]), (MEAN - 0.5) / UNIT
    expected = 0.5 + UNIT * (middle + (SPREAD / UNIT) ** (1.0 - w) * (X - w * middle))
    np.testing.assert_allclose(number(TRANSFORMS["partly"].backward(X, *population())), expected)


def test_shrunk_coordinates_have_the_posterior_mean_and_width():
    """x = c + u m' / (1 + s^2 / u^2) + y / sqrt(1 / s^2 + 1 / u^2)."""
    ratio = (SPREAD / UNIT) ** 2
    expected = CENTRE + (MEAN - CENTRE) / (1.0 + ratio) + X / np.sqrt(SPREAD**-2.0 + UNIT**-2.0)
    np.testing.assert_allclose(number(TRANSFORMS["shrunk"].backward(X, *population())), expected)


def test_a_reflection_is_orthonormal_and_maps_the_pivot_to_the_mean():
    turned = reflect(np.eye(4), 2, 4)
    np.testing.assert_allclose(turned @ turned.T, np.eye(4), atol=1e-15)
    np.testing.assert_allclose(turned, turned.T, atol=1e-15)
    np.testing.assert_allclose(turned[2], 0.5)
    np.testing.assert_array_equal(reflect(X, None, 3), X)
    assert reflect(np.array([3.0]), 0, 1).tolist() == [3.0]


def test_a_shared_mean_lies_on_the_pivot_s_axis():
    """The mean moves y of the pivot by sqrt(n) and no contrast."""
    transform = PartlyCentred(0.5, np.ones(3), 1.0, 2)
    coordinates = number(transform.forward(np.full(3, 0.5 + 2.0), *population()))
    np.testing.assert_allclose(coordinates, [0.0, 0.0, 2.0 * np.sqrt(3.0)], atol=1e-12)
