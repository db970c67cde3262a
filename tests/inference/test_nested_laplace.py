"""Nested Laplace approximation of densities with known modes, curvatures and marginals."""

from types import SimpleNamespace

import numpy as np
import pytest

from halfpoint.inference.nested_coordinates import _climb, _features, _half_width, _NestedLaplace, _root

PRECISION = np.array([[2.0, 0.3, -0.4], [0.3, 1.5, 0.2], [-0.4, 0.2, 3.0]])
MODE = np.array([0.5, -1.0, 2.0])
THETA = np.array([False, True, False])


def normal(point):
    """Log density and gradient of a normal distribution."""
    pull = PRECISION @ (point - MODE)
    return -0.5 * float((point - MODE) @ pull), -pull


@pytest.fixture
def laplace():
    return _NestedLaplace(normal, THETA)


def test_a_node_is_the_mode_and_curvature_given_theta(laplace):
    node = laplace.first(np.array([4.0, 0.2, -3.0]))
    rest = PRECISION[np.ix_(~THETA, ~THETA)]
    conditional = MODE[~THETA] - np.linalg.solve(rest, PRECISION[~THETA, 1] * (0.2 - MODE[1]))
    np.testing.assert_allclose(node.point[~THETA], conditional, atol=1e-6)
    assert node.point[1] == 0.2
    np.testing.assert_allclose(node.precision, rest, rtol=1e-6)
    np.testing.assert_allclose(node.root @ node.root.T, rest, rtol=1e-6)


def test_marginals_differ_as_the_marginal_density_does(laplace):
    covariance = np.linalg.inv(PRECISION)
    first = laplace.first(np.zeros(3))
    for x in (-2.0, 0.7):
        node = laplace.node(np.array([x]), first)
        exact = -0.5 * ((x - MODE[1]) ** 2 - MODE[1] ** 2) / covariance[1, 1]
        assert node.marginal - first.marginal == pytest.approx(exact, abs=1e-6)


def test_a_density_that_is_not_normal_has_its_mode_too():
    """log p = -cosh(x - theta) for each of two, and theta ~ N(0, 1)."""

    def at(point):
        away = point[[0, 2]] - point[1]
        slope = np.array([-np.sinh(away[0]), np.sinh(away).sum() - point[1], -np.sinh(away[1])])
        return -np.cosh(away).sum() - 0.5 * point[1] ** 2, slope

    node = _NestedLaplace(at, THETA).first(np.array([3.0, 0.5, -2.0]))
    np.testing.assert_allclose(node.point, 0.5, atol=0.05)
    np.testing.assert_allclose(node.precision, np.eye(2), atol=0.01)


def test_nodes_go_outwards_until_the_marginal_has_fallen(laplace):
    sd = np.sqrt(np.linalg.inv(PRECISION)[1, 1])
    middle = laplace.first(MODE)
    nodes = laplace.outwards(middle, np.array([sd]))
    distances = np.array([far for far, _ in nodes])
    np.testing.assert_allclose(np.diff(distances, prepend=0.0), 1.15 ** np.arange(distances.size))
    falls = np.array([middle.marginal - node.marginal for _, node in nodes])
    np.testing.assert_allclose(falls, 0.5 * distances**2, rtol=1e-4)
    assert (falls[:-1] < 7.0).all()
    assert falls[-1] >= 7.0
    assert _half_width(middle, nodes) == pytest.approx(1.0, abs=0.02)  # a fall of two is two deviations away


@pytest.mark.parametrize("falls", [[2.0], [0.5, 2.0], [0.5, 4.5], [0.5]])
def test_the_half_width_is_half_of_the_way_to_a_fall_of_two(falls):
    """Along a normal the root of the fall grows with the distance."""
    middle = SimpleNamespace(marginal=0.0)
    nodes = [(np.sqrt(2.0 * fall), SimpleNamespace(marginal=-fall)) for fall in falls]
    assert _half_width(middle, nodes) == pytest.approx(1.0)


def test_features_are_those_of_the_map():
    w = np.array([-2.0, 0.0, 0.7])
    root = np.sqrt(1.0 + w**2)
    np.testing.assert_allclose(_features(w), np.transpose([w, root - 1.0, w / root, 1.0 / root - 1.0]))


def test_a_root_of_an_indefinite_matrix_is_that_of_its_absolute_value():
    matrix = np.array([[1.0, 2.0], [2.0, 1.0]])  # eigenvalues 3 and -1
    root = _root(matrix)
    np.testing.assert_allclose(root @ root.T, [[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose(_root(PRECISION), np.linalg.cholesky(PRECISION))


def test_a_climb_ends_at_the_mode_with_axes_of_the_covariance():
    covariance = np.array([[0.5, 0.3], [0.3, 0.4]])

    def at(x, _near=None):
        away = x - np.array([1.0, -2.0])
        return SimpleNamespace(x=x, marginal=-0.5 * float(away @ np.linalg.solve(covariance, away)))

    node, axes = _climb(at, at(np.zeros(2)), 0.3 * np.eye(2))
    assert np.abs(np.linalg.solve(np.linalg.cholesky(covariance), node.x - [1.0, -2.0])).max() < 0.5
    np.testing.assert_allclose(axes.T @ axes, covariance, rtol=1e-6)
