"""Krylov methods compared with dense matrices."""

import numpy as np
import pytest

from halfpoint.inference.gaussian.krylov import conjugate_gradients, inverse_root_product


def chain(count, tie):
    """Precision of a chain of parameters; a stronger coupling is worse conditioned."""
    return np.eye(count) + tie * (np.diag(np.full(count, 2.0)) - np.eye(count, k=1) - np.eye(count, k=-1))


@pytest.mark.parametrize("tie", [0.1, 10.0, 1000.0])
def test_products_with_the_inverse_root_are_those_of_the_dense_matrix(tie):
    matrix = chain(300, tie)
    size, vector = np.linalg.eigh(matrix)
    b = np.random.default_rng(3).standard_normal((300, 9))
    found = inverse_root_product(lambda x: matrix @ x, b, 1e-8)
    np.testing.assert_allclose(found, vector @ ((vector.T @ b) / np.sqrt(size)[:, None]), atol=1e-6 * np.abs(b).max())


def test_products_end_where_the_space_is_used_up():
    matrix = np.diag([1.0, 4.0, 9.0])
    b = np.eye(3) + np.eye(3)[:, ::-1]
    found = inverse_root_product(lambda x: matrix @ x, b, 1e-12)
    np.testing.assert_allclose(found, b / np.sqrt(np.diag(matrix))[:, None], atol=1e-12)


@pytest.mark.parametrize("tie", [0.1, 10.0, 1000.0])
def test_conjugate_gradients_solve(tie):
    matrix = chain(300, tie)
    b = np.random.default_rng(4).standard_normal((300, 5))
    found = conjugate_gradients(lambda x: matrix @ x, lambda x: x / np.diag(matrix)[:, None], b, 1e-10)
    np.testing.assert_allclose(found, np.linalg.solve(matrix, b), rtol=1e-6, atol=1e-8)
