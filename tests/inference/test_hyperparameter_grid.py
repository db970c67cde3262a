"""Mode of theta and its axes for densities with known mode and covariance."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.stats import multivariate_t
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


@pytest.fixture(scope="module")
def grid():
    return HyperparameterGrid(VariationalProblem(declare("davidson-population", league(10, 200))))


def test_nodes_are_on_both_sides_and_the_interpolant_is_theirs(grid):
    assert grid.unreached == []
    assert grid.grid[:, 0].min() < -1.0
    assert grid.grid[:, 0].max() > 1.0
    assert len(grid.nodes) == len(grid.points) == len(grid.grid)
    falls = np.array([node.marginal - grid.nodes[0].marginal for node in grid.nodes])
    assert falls.max() < 0.3  # the middle is the mode
    near = falls > -10.0
    np.testing.assert_allclose(grid.marginals[near], falls[near])
    np.testing.assert_allclose(grid.shares(grid.grid), np.eye(len(grid.grid)), atol=1e-6)
    np.testing.assert_allclose(grid.shares(np.array([[0.31], [-0.8]])).sum(axis=1), 1.0)
    plane = grid.shares(np.array([[0.31], [-0.8]])) @ grid.grid
    np.testing.assert_allclose(plane, [[0.31], [-0.8]], atol=1e-9)  # planes are kept
    np.testing.assert_allclose(grid.thetas(grid.grid), [node.x for node in grid.nodes], atol=1e-9)


def test_beyond_all_nodes_there_is_no_density(grid):
    outermost = float(np.abs(grid.grid).max())
    assert np.isneginf(grid.marginal(np.array([[outermost + 30.0], [-outermost - 30.0]]))).all()
    assert np.isfinite(grid.marginal(grid.grid)).all()


def test_kernels_are_t_densities_about_the_nodes(grid):
    u = np.array([[-0.7], [0.2], [1.9]])
    exact = np.array(
        [multivariate_t.pdf(u, node, [[width**2]], 6.0) for node, width in zip(grid.grid, grid.widths, strict=True)]
    ).T
    ratio = grid.kernels(u) / exact
    np.testing.assert_allclose(ratio, ratio[0, 0])
    np.testing.assert_allclose(np.exp(grid.mixed(u)), grid.kernels(u) @ grid.parts)
    assert grid.parts.sum() == pytest.approx(1.0)
    drawn = grid.proposed(20_000, np.random.default_rng(1))
    mean = grid.parts @ grid.grid[:, 0]
    variance = grid.parts @ (grid.widths**2 * 6.0 / 4.0 + grid.grid[:, 0] ** 2) - mean**2
    assert drawn.mean() == pytest.approx(mean, abs=4.0 * np.sqrt(variance / 20_000))
    assert drawn.var() == pytest.approx(variance, rel=0.1)


def test_places_have_the_density_that_is_said(grid):
    """Shares of places in bins are those of exp(log density), summed on a fine grid."""
    places, log = grid.places(20_000, np.random.default_rng(2))
    np.testing.assert_allclose(log, grid.log_proposal(places))
    fine = np.linspace(-30.0, 30.0, 60_001)
    density = np.exp(grid.log_proposal(fine[:, None]))
    cumulated = np.cumsum(density) / density.sum()
    edges = np.interp([0.1, 0.3, 0.5, 0.7, 0.9], cumulated, fine)
    shares = (places[:, 0][:, None] < edges).mean(axis=0)
    np.testing.assert_allclose(shares, [0.1, 0.3, 0.5, 0.7, 0.9], atol=4.0 * np.sqrt(0.25 / 20_000))
