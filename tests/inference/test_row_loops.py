"""Loops of `affine_rows` over sparse rows, as Python, against dense matrices; averages against a quadratic's own."""

import numpy as np
import pytest
from plain_loops import potential_of, run_as_python

from halfpoint.inference.gaussian import affine_rows
from halfpoint.inference.gaussian.quadrature import nodes_of

SIZE, ROWS = 4, 6


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_as_python(monkeypatch, affine_rows)
    monkeypatch.setattr(affine_rows, "_BLOCK", 4)


@pytest.fixture
def case():
    """Dense slopes of eta and lam, (2, row, z), their sparse rows, and a symmetric matrix of z stored whole."""
    rng = np.random.default_rng(1)
    slope = rng.normal(size=(2, ROWS, SIZE)) * (rng.random((ROWS, SIZE)) < 0.6)
    row, column = np.nonzero(slope[0])
    first = np.searchsorted(row, np.arange(ROWS + 1))
    half = rng.normal(size=(SIZE, SIZE))
    return slope, (first, column, slope[:, row, column]), half @ half.T


def pairs(first, column):
    """Place of each row's pairs in a matrix stored whole, the larger column first."""
    i, j = affine_rows.entry_pairs(first, column)
    return np.maximum(i, j) * SIZE + np.minimum(i, j)


def test_entries_are_sorted_and_repeats_merged():
    row, column = np.array([2, 0, 0, 2, 0, 2]), np.array([3, 1, 0, 1, 1, 3])
    start, columns, position = affine_rows._sorted_entries(3, row, column)
    assert start.tolist() == [0, 2, 2, 4]
    assert columns.tolist() == [0, 1, 1, 3]
    assert columns[position].tolist() == column.tolist()
    assert position.tolist() == [3, 1, 0, 2, 1, 3]


def test_pairs_are_those_of_each_row():
    left, right = affine_rows.entry_pairs(np.array([0, 2, 2, 5]), np.array([1, 3, 0, 2, 3]))
    assert left.tolist() == [1, 3, 3, 0, 2, 2, 3, 3, 3]
    assert right.tolist() == [1, 1, 3, 0, 0, 2, 0, 2, 3]


def test_sums_and_gradients_of_rows(case):
    slope, (first, column, (a, b)), _ = case
    rng = np.random.default_rng(2)
    z, by, (eta, lam), out = rng.normal(size=SIZE), rng.normal(size=(2, ROWS)), np.ones((2, ROWS)), np.ones(SIZE)
    affine_rows._places_at(first, column, a, b, z, eta, lam)
    np.testing.assert_allclose([eta, lam], 1.0 + slope @ z)
    affine_rows._accumulate_gradient(first, column, a, b, *by, out)
    np.testing.assert_allclose(out, 1.0 + np.einsum("krz,kr->z", slope, by))


def test_the_hessian_is_the_sum_of_the_rows(case):
    slope, (first, column, (a, b)), _ = case
    weight, out = np.random.default_rng(3).normal(size=(3, ROWS)), np.zeros(SIZE**2)
    affine_rows.accumulate_hessian(first, a, b, pairs(first, column), weight, out)
    curvature = weight[[[0, 1], [1, 2]]]
    expected = -np.einsum("kri,klr,lrj->ij", slope, curvature, slope)
    np.testing.assert_allclose(np.tril(out.reshape(SIZE, SIZE)), np.tril(expected), atol=1e-12)


def test_variances_of_rows_from_a_covariance_of_z(case):
    slope, (first, column, entries), covariance = case
    stored = pairs(first, column)
    whole = np.einsum("kri,ij,lrj->klr", slope, covariance, slope)
    variance = affine_rows.variances(first, entries, stored, covariance.ravel())
    np.testing.assert_allclose(variance, [whole[0, 0], whole[0, 1], whole[1, 1]], atol=1e-12)
    by_entry = affine_rows.row_covariances(first, *entries, stored, covariance.ravel())
    row = np.repeat(np.arange(ROWS), np.diff(first))
    np.testing.assert_allclose(by_entry, np.einsum("kri,ij->krj", slope, covariance)[:, row, column], atol=1e-12)


@pytest.mark.parametrize("has_lam", [True, False])
def test_a_quadratic_has_its_own_curvature_and_the_slope_at_the_mean(has_lam, monkeypatch):
    """E g = g(mean) and E g'' = g'' for g = c0 eta^2 + c1 eta lam + c2 lam^2; E g adds half the trace."""
    rng = np.random.default_rng(4)
    c, place, root = rng.normal(size=(3, ROWS)), rng.normal(size=(2, ROWS)), 0.5 + rng.random((3, ROWS))
    if not has_lam:
        c[1:], root[1:] = 0.0, 0.0

    def density(x, y, weight):
        return weight[0] * x**2 + weight[1] * x * y + weight[2] * y**2

    def slopes(x, y, weight):
        return 2.0 * weight[0] * x + weight[1] * y, weight[1] * x + 2.0 * weight[2] * y

    data = c.ravel()
    monkeypatch.setattr(affine_rows, "call_potential", potential_of(density, slopes))
    total, first, second = affine_rows.expected_moments(0, data, place, root, nodes_of(5), nodes_of(3), has_lam)
    spread = c[0] * root[0] ** 2 + c[1] * root[0] * root[1] + c[2] * (root[1] ** 2 + root[2] ** 2)
    assert total == pytest.approx((density(*place, c) + spread).sum())
    np.testing.assert_allclose(first, slopes(*place, c), atol=1e-12)
    np.testing.assert_allclose(second, [2.0 * c[0], c[1], 2.0 * c[2]], atol=1e-12)


def test_curvatures_are_clipped_to_the_nearest_that_never_rise():
    second = np.random.default_rng(5).normal(size=(3, 60))
    whole = np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0)
    value, vector = np.linalg.eigh(whole)
    affine_rows.clip_curvature(second)
    expected = (vector * np.minimum(value, 0.0)[:, None]) @ np.swapaxes(vector, 1, 2)
    np.testing.assert_allclose(np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0), expected, atol=1e-12)
