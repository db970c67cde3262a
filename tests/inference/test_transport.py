"""The cubic map of normal noise: its determinant is that of its differences, and its mean is nothing."""

import numpy as np
import pytest
from test_gaussian_draws import league

from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.transport import _CubicTransport
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare


@pytest.mark.parametrize("name", ["davidson-common", "davidson-population"])
def test_the_determinant_is_that_of_the_differences(name):
    nested = HyperparameterGrid(VariationalProblem(declare(name, league(5, 40))))
    bend = _CubicTransport(nested.problem, nested.nodes[0])
    rng = np.random.default_rng(3)
    for noise in 0.5 * rng.standard_normal((4, nested.problem.size)):
        moved, log_determinant = bend(noise)
        steps = 1e-5 * np.eye(noise.size)
        differences = np.array([(bend(noise + step)[0] - bend(noise - step)[0]) / 2e-5 for step in steps])
        assert log_determinant == pytest.approx(np.linalg.slogdet(differences)[1], abs=1e-8)
        assert abs(log_determinant) > 1e-4  # it is not the identity
        assert not np.allclose(moved, noise, atol=1e-4)


def test_its_mean_is_that_of_the_noise():
    """Exactly by moments: squares of normal noise have mean one, so that those of all signs of a basis add to it."""
    nested = HyperparameterGrid(VariationalProblem(declare("davidson-common", league(5, 40))))
    bend, size = _CubicTransport(nested.problem, nested.nodes[0]), nested.problem.size
    noise = np.sqrt(size) * np.concatenate([np.eye(size), -np.eye(size)])
    np.testing.assert_allclose(np.mean([bend(one)[0] for one in noise], axis=0), 0.0, atol=1e-10)
