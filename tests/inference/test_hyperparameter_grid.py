"""Mode of theta and its axes for densities with known mode and covariance."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from test_gaussian_draws import league

from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid, climb, distances
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare

COVARIANCE = np.array([[0.5, 0.3, 0.0], [0.3, 0.4, -0.1], [0.0, -0.1, 0.2]])
MODE = np.array([1.0, -2.0, 0.5])


@dataclass(frozen=True)
class Node:
    """Point with the log density of a normal distribution and its gradient."""

    x: np.ndarray
    marginal: float
    slope: np.ndarray


def normal(x, _near=None):
    """Node at a point."""
    pull = np.linalg.solve(COVARIANCE, x - MODE)
    return Node(x, -0.5 * float((x - MODE) @ pull), -pull)


@pytest.mark.parametrize("units", [np.ones(3), np.array([0.3, 0.5, 0.2])])
def test_a_climb_ends_at_the_mode_with_axes_of_the_covariance(units):
    node, axes = climb(normal, normal(np.zeros(3)), units)
    assert -node.marginal < 0.05  # the rise at which it ends
    assert axes.T @ axes == pytest.approx(COVARIANCE, rel=1e-9)
    precision = np.linalg.inv(COVARIANCE)
    assert axes @ precision @ axes.T == pytest.approx(np.eye(3), abs=1e-9)  # one standard deviation each, uncorrelated


def test_a_step_that_falls_is_shortened():
    def steep(x, _near=None):
        return Node(x, -float(np.cosh(3.0 * (x - 1.0)).sum()), -3.0 * np.sinh(3.0 * (x - 1.0)))

    node, axes = climb(steep, steep(np.zeros(1)), np.ones(1))
    assert node.x == pytest.approx([1.0], abs=0.2)
    assert axes.shape == (1, 1)
    assert axes[0, 0] < 1.0 / 3.0  # that at the mode, where it is the least curved


def test_distances_are_those_of_scipy():
    rng = np.random.default_rng(1)
    left, right = rng.normal(size=(5, 3)), rng.normal(size=(4, 3))
    assert distances(left, right) == pytest.approx(cdist(left, right), rel=1e-9)


def test_nodes_are_added_at_great_weights_and_apart():
    grid = HyperparameterGrid(VariationalProblem(declare("davidson-population", league(10, 200))))
    before = len(grid.nodes)
    places = np.repeat([[-1.6], [0.4], [2.1]], 50, axis=0)
    weights = np.repeat([1.0, 2.0, 3.0], 50) - np.tile(np.arange(50) / 100.0, 3)
    grid.refine(places, weights)
    assert [float(point[0]) for point in grid.points[before:]] == [2.1, 0.4, -1.6]
    assert grid.shares(np.array([[0.4]])).argmax() == before + 1  # the interpolant has the node's own value there
    assert grid.marginal(np.array([[0.4]]))[0] == pytest.approx(grid.marginals[before + 1], abs=1e-6)
