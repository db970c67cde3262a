"""Factors, solutions and inverses of symmetric matrices in packed storage, compared with NumPy's dense results."""

import numpy as np
import pytest

from halfpoint.inference.gaussian.sparse import cholesky
from halfpoint.inference.gaussian.sparse.cholesky import DenseMatrices, NotPositiveError, SparseMatrices

SIZE = 60


def positive(size=SIZE, seed=4):
    """Positive definite matrix: a chain with further entries, two dense groups, and two dense rows."""
    rng, apart, lower = np.random.default_rng(seed), size - 28, np.zeros((size, size))
    lower[np.arange(1, apart), np.arange(apart - 1)] = rng.normal(size=apart - 1)
    lower[rng.integers(0, apart, 25), rng.integers(0, apart, 25)] = rng.normal(size=25)
    for group in (slice(apart, apart + 13), slice(apart + 13, apart + 26)):
        lower[group, group] = rng.normal(size=(13, 13))
    lower[-2:] = rng.normal(size=(2, size))
    matrix = lower + lower.T
    np.fill_diagonal(matrix, 1.0 + np.abs(matrix).sum(axis=1))
    return matrix


def stored_in(kind, matrix, monkeypatch):
    """Storage of a kind and its matrix."""
    if kind is SparseMatrices:
        monkeypatch.setattr(cholesky, "_DENSE", 1)
        monkeypatch.setattr(cholesky, "_FILLED", 1.0)
    i, j = np.nonzero(np.tril(matrix))
    matrices = cholesky.storage(len(matrix), i, j)
    assert isinstance(matrices, kind)
    numbers = np.zeros(matrices.length)
    numbers[matrices.places(j, i)] = matrix[i, j]  # in either order
    return matrices, numbers


@pytest.fixture(params=[DenseMatrices, SparseMatrices])
def case(request, monkeypatch):
    """Storage, matrix, and its factor."""
    matrix = positive()
    matrices, numbers = stored_in(request.param, matrix, monkeypatch)
    return matrices, matrix, matrices.root(numbers)


def test_the_determinant_and_a_solution(case):
    matrices, matrix, root = case
    b = np.random.default_rng(1).normal(size=SIZE)
    assert 2.0 * np.log(matrices.diagonal(root)).sum() == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)
    assert matrices.solve(root, b) == pytest.approx(np.linalg.solve(matrix, b), rel=1e-9)


@pytest.mark.parametrize("columns", [1, 8, 600])  # by loops, by matrices, and more than are solved at once
def test_noise_gets_the_covariance_of_the_inverse(case, columns):
    matrices, matrix, root = case
    e = np.random.default_rng(2).normal(size=(SIZE, columns))
    half = matrices.half(root, np.eye(SIZE))
    np.testing.assert_allclose(half @ half.T, np.linalg.inv(matrix), atol=1e-12)
    np.testing.assert_allclose(matrices.half(root, e), half @ e, atol=1e-10)
    np.testing.assert_allclose(matrices.half(root, e[:, 0]), half @ e[:, 0], atol=1e-10)


def test_the_inverse_where_the_matrix_has_entries(case):
    matrices, matrix, root = case
    i, j = np.nonzero(matrix)
    inverse = matrices.inverse(root)[matrices.places(i, j)]
    assert inverse == pytest.approx(np.linalg.inv(matrix)[i, j], abs=1e-13)


@pytest.mark.parametrize("kind", [DenseMatrices, SparseMatrices])
def test_an_indefinite_matrix_is_refused(kind, monkeypatch):
    matrix = positive()
    matrix[7, 7] = -1.0
    matrices, numbers = stored_in(kind, matrix, monkeypatch)
    with pytest.raises(NotPositiveError, match="has no maximum"):
        matrices.root(numbers)


def test_spread_has_the_first_unit_and_mixtures_of_units(case):
    matrices, _, _ = case
    scale, e = np.linspace(0.5, 2.0, SIZE), np.random.default_rng(3).normal(size=(SIZE, 4))
    i, j = np.nonzero(np.tril(positive()))
    units, dense = [], []
    for add in (0.0, 3.0):
        matrix = positive() + add * np.eye(SIZE)
        numbers = np.zeros(matrices.length)
        numbers[matrices.places(i, j)] = matrix[i, j]
        root = matrices.root(numbers)
        ordered = scale[np.argsort(matrices.rank)]
        dense.append(matrices.half(root, (matrices.diagonal(root) * ordered)[:, None] * e) / scale[:, None])
        units.append((root, scale))
    few, share = cholesky.principal(matrices, units)
    for k in range(2):
        assert matrices.spread(few, np.tile(share[k], (4, 1)), e) == pytest.approx(dense[k], abs=2e-5)
