"""Loops of sparse factors as Python, compared with NumPy's dense results."""

import numpy as np
import pytest
from plain_loops import run_as_python
from test_cholesky import positive, stored_in

from halfpoint.inference.gaussian.sparse import cholesky, factor_loops
from halfpoint.inference.gaussian.sparse.cholesky import SparseMatrices


@pytest.fixture
def plain(monkeypatch):
    """Storage, matrix and factor of a smaller matrix, whose loops run as Python."""
    run_as_python(monkeypatch, cholesky, factor_loops)
    matrix = positive(34)
    matrices, numbers = stored_in(SparseMatrices, matrix, monkeypatch)
    return matrices, matrix, matrices.root(numbers)


def test_loops_as_python_solve_draw_and_invert(plain):
    matrices, matrix, root = plain
    b, e = np.random.default_rng(1).normal(size=34), np.random.default_rng(2).normal(size=(34, 9))
    assert 2.0 * np.log(matrices.diagonal(root)).sum() == pytest.approx(np.linalg.slogdet(matrix)[1], rel=1e-12)
    assert matrices.solve(root, b) == pytest.approx(np.linalg.solve(matrix, b), rel=1e-9)
    i, j = np.nonzero(matrix)
    assert matrices.inverse(root)[matrices.places(i, j)] == pytest.approx(np.linalg.inv(matrix)[i, j], abs=1e-13)
    half = matrices.half(root, np.eye(34))
    np.testing.assert_allclose(half @ half.T, np.linalg.inv(matrix), atol=1e-12)
    np.testing.assert_allclose(matrices.half(root, e), half @ e, atol=1e-10)
    np.testing.assert_allclose(matrices.half(root, e[:, 0]), half @ e[:, 0], atol=1e-10)


def test_loops_as_python_find_bundles_of_columns(monkeypatch):
    """Columns 0 and 1 have other rows beyond; 2 to 4 are dense together."""
    run_as_python(monkeypatch, cholesky, factor_loops)
    first, row = np.array([0, 2, 4, 7, 9, 10]), np.array([0, 2, 1, 3, 2, 3, 4, 3, 4, 4])
    assert factor_loops.supernodes(first, row).tolist() == [1, 2, 5, 5, 5]


@pytest.mark.parametrize("most", [200, 5])
def test_the_pattern_of_a_factor_is_that_of_the_factor(most, monkeypatch):
    run_as_python(monkeypatch, cholesky, factor_loops)
    rng = np.random.default_rng(3)
    lower = np.tril(rng.random((12, 12)) < 0.15, -1) * rng.normal(size=(12, 12))
    matrix = lower + lower.T + 20.0 * np.eye(12)
    used = [np.flatnonzero(column) for column in matrix.T]
    first = np.cumsum([0, *(row.size for row in used)])
    start, rows = factor_loops.symbolic_factor(first, np.concatenate(used), most)
    if most == 5:
        assert rows.size == 0
        return
    pattern = [np.flatnonzero(column) for column in np.abs(np.linalg.cholesky(matrix)).T > 1e-15]
    assert [rows[start[j] : start[j + 1]].tolist() for j in range(12)] == [row.tolist() for row in pattern]
    assert rows.size > 12 + np.count_nonzero(lower)  # more than the matrix has
