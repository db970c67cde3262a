"""Rows of eight numbers in compiled loops, against NumPy."""

import numba
import numpy as np
import pytest

from halfpoint.inference.loops.rows_of_eight import COLUMNS, equal_numbers, put, row


def combine(a, b, k, factor):
    """Replace row `k` of `a` by a combination of rows, of which one is itself."""
    put(a, k, row(a, k) + factor * row(b, k) * row(b, k + 1) - (equal_numbers(2.0) - row(a, k)))


@pytest.mark.parametrize("function", [combine, numba.njit(combine)], ids=["Python", "compiled"])
def test_a_row_is_combined_with_others_and_none_beside_it_changes(function):
    a, b = np.random.default_rng(1).normal(size=(2, 4, COLUMNS))
    expected = a.copy()
    expected[2] = 2.0 * a[2] + 0.5 * b[2] * b[3] - 2.0
    function(a, b, 2, 0.5)
    np.testing.assert_allclose(a, expected, rtol=1e-15, atol=1e-15)


def test_rows_that_are_not_one_after_the_other_are_refused():
    a, b = np.zeros((COLUMNS, 4)).T, np.zeros((4, COLUMNS))
    with pytest.raises(numba.TypingError, match="expected a contiguous array of doubles"):
        numba.njit(combine)(a, b, 2, 0.5)
