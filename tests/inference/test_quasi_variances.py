"""Quasi-variances against those of SciPy's minimiser, and where contrasts are exact."""

import numpy as np
import pytest
from scipy.optimize import minimize

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.quasi_variances import QuasiVariances, quasi_variances

FINE = {"maxiter": 20_000, "maxfev": 20_000, "xatol": 1e-8, "fatol": 1e-12, "adaptive": True}


def differences(covariance):
    """Variances of all differences of two levels."""
    diagonal = np.diag(covariance)
    return diagonal[:, None] + diagonal - 2.0 * covariance


def loss_of(covariance):
    """Sum of the squared logarithms of variances over their sums of quasi-variances (Firth and de Menezes 2004)."""
    off = ~np.eye(len(covariance), dtype=bool)
    target = np.log(differences(covariance)[off])

    def loss(q):
        sums = (q[:, None] + q)[off]
        return float(np.square(target - np.log(sums)).sum()) if (sums > 0.0).all() else 1e6

    return loss


@pytest.mark.parametrize("seed", range(4))
def test_they_are_the_least_squares_of_logarithms(seed):
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(5, 5))
    covariance = np.zeros((6, 6))
    covariance[1:, 1:] = root @ root.T + 3.0 * np.eye(5)
    quasi = quasi_variances(covariance)
    found = minimize(loss_of(covariance), np.full(6, 6.0), method="Nelder-Mead", options=FINE)
    np.testing.assert_allclose(quasi.value, found.x, rtol=1e-3, atol=1e-3)
    off = ~np.eye(6, dtype=bool)
    ratio = np.sqrt((quasi.value[:, None] + quasi.value)[off] / differences(covariance)[off])
    low, high = quasi.worst
    assert (low, high) == (pytest.approx(ratio.min() - 1.0, abs=1e-6), pytest.approx(ratio.max() - 1.0, abs=1e-6))


def test_independent_levels_have_their_own_variances():
    covariance = np.diag([1.0, 2.0, 3.0, 4.0])
    quasi = quasi_variances(covariance)
    np.testing.assert_allclose(quasi.value, [1.0, 2.0, 3.0, 4.0], rtol=1e-6)


def test_a_negative_quasi_variance_has_no_error():
    quasi = QuasiVariances(np.array([4.0, -1.0, 0.0]), (0.0, 0.0))
    np.testing.assert_array_equal(quasi.standard_error, [2.0, np.nan, 0.0])


@pytest.mark.parametrize("size", [1, 2])
def test_fewer_than_three_levels_have_none(size):
    with pytest.raises(InferenceError, match=f"expected three levels or more, found {size}"):
        quasi_variances(np.eye(size))
