"""Nodes of normal averages and the roots of small covariance matrices."""

import numpy as np
import pytest

from halfpoint.inference.gaussian.quadrature import SMALL, least_roots, nodes_for, nodes_of, roots_of


@pytest.mark.parametrize("count", [2, 3, 5, 7])
def test_nodes_average_powers_as_a_standard_normal_does(count):
    nodes, share = nodes_of(count)
    moments = [float(share @ nodes**power) for power in range(2 * count)]
    exact = [float(np.prod(np.arange(power - 1, 0, -2))) * (power % 2 == 0) for power in range(2 * count)]
    assert moments == pytest.approx(exact, rel=1e-10, abs=1e-9)


def test_wider_rows_get_more_nodes():
    assert [nodes.size for nodes, _ in nodes_for([0.0, 0.005, 0.02, 0.1, 0.3, 0.31, 4.0])] == [2, 3, 3, 5, 5, 7, 7]


def test_roots_give_back_variances_and_covariance():
    rng = np.random.default_rng(1)
    half = rng.normal(size=(50, 2, 2)) * np.array([0.8, 0.4])[:, None]
    whole = half @ np.swapaxes(half, 1, 2)
    variance, root = np.stack([whole[:, 0, 0], whole[:, 0, 1], whole[:, 1, 1]]), np.empty((3, 50))
    whole = variance.copy()
    usual = (variance[0] > 0.01) & (variance[0] < 9.0) & (np.linalg.det(half) ** 2 / variance[0] > 0.01)
    roots_of(variance, root)
    again = np.stack([root[0] ** 2, root[0] * root[1], root[1] ** 2 + root[2] ** 2])
    assert usual.sum() > 25
    np.testing.assert_allclose(again[:, usual], whole[:, usual], rtol=1e-10, atol=1e-12)


def test_very_wide_and_very_narrow_rows_are_bounded():
    root = np.empty((3, 2))
    roots_of(np.array([[36.0, 0.0], [4.0, 0.0], [1.0, 0.0]]), root)
    assert root[:, 0] == pytest.approx([3.0, 4.0 / 4.0 / 3.0, np.sqrt(0.25 - 1.0 / 9.0)])  # all scaled by 9 / 36
    assert root[:, 1].tolist() == [SMALL, 0.0, SMALL]
    assert least_roots(2).tolist() == [[SMALL] * 2, [0.0] * 2, [SMALL] * 2]
