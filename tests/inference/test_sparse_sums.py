"""Sums of parameters over rows, and their gradients, as Python, against dense matrices."""

import numpy as np
import pytest
from plain_loops import run_arithmetic_as_python

from halfpoint.inference.loops import sparse_sums, vector_arithmetic
from halfpoint.models.reading.sparse_affine import PRODUCT, UNIFORM, UNIFORM_PRODUCT

PLAIN = next(kind for kind in range(4) if kind not in (PRODUCT, UNIFORM, UNIFORM_PRODUCT))
KINDS = np.array([9, UNIFORM, UNIFORM_PRODUCT, PRODUCT, PLAIN])  # kinds of this table begin at 1
ROWS, ENTRY = 6, 2


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_arithmetic_as_python(monkeypatch, vector_arithmetic, sparse_sums)


@pytest.fixture
def table():
    """Values, and the index, partner and slope of each entry; a uniform column has one index in all rows."""
    rng = np.random.default_rng(1)
    index, partner = rng.integers(0, 5, (2, 4, ROWS)).astype(np.int32)
    index[:2], partner[:2] = index[:2, :1], partner[:2, :1]
    slope = rng.normal(size=(4, ROWS))
    stored = [np.concatenate([np.zeros(ENTRY, of.dtype), of.ravel()]) for of in (index, partner, slope)]
    return rng.normal(size=5), (index, partner, slope), stored


def dense(v, index, partner, slope):
    """The sum of each row."""
    return (slope[[0, 3]] * v[index[[0, 3]]]).sum(axis=0) + (slope[1:3] * v[index[1:3]] * v[partner[1:3]]).sum(axis=0)


@pytest.mark.parametrize(("first", "count"), [(0, ROWS), (2, 3)])
def test_columns_add_values_and_products(table, first, count):
    v, parts, stored = table
    out = np.ones(count)
    sparse_sums.add_columns(ENTRY, 1, ROWS, 4, first, count, *stored, KINDS, v, out)
    np.testing.assert_allclose(out, 1.0 + dense(v, *parts)[first : first + count])


@pytest.mark.parametrize(("first", "count"), [(0, ROWS), (2, 3)])
def test_gradients_of_columns_are_those_of_differences(table, first, count):
    v, parts, stored = table
    g, out = np.random.default_rng(2).normal(size=count), np.ones(5)
    sparse_sums.take_columns(ENTRY, 1, ROWS, 4, first, count, *stored, KINDS, v, g, out)
    steps = [dense(v + h, *parts) - dense(v - h, *parts) for h in 0.5 * np.eye(5)]  # exact for squares
    np.testing.assert_allclose(out, [1.0 + g @ step[first : first + count] for step in steps])


RUNS = np.array([0, 1, -1, 3, 0, 2, 5, 1, 0, 8, 0, 0])  # start, White, Black or -1 for rows with their own; the end
BLACK = np.array([0, 2, 0, 9, 9, 9, 9, 9], dtype=np.int32)
WHITE_OF, BLACK_OF = np.repeat([1, 0, 1], [3, 2, 3]), np.array([0, 2, 0, 2, 2, 0, 0, 0])


@pytest.mark.parametrize(("head", "first", "stop", "last"), [(0, 0, 8, 2), (0, 1, 4, 1), (1, 4, 7, 2), (0, 0, 3, 0)])
def test_seats_are_added_in_runs(head, first, stop, last):
    white, black = np.array([0.5, -0.25]), np.array([1.0, 2.0, 4.0])
    out = np.zeros(stop - first)
    assert sparse_sums.add_seats_by_runs(RUNS, head, first, stop, BLACK, white, black, out) == last
    np.testing.assert_array_equal(out, (white[WHITE_OF] + black[BLACK_OF])[first:stop])


@pytest.mark.parametrize(("head", "first", "stop"), [(0, 0, 8), (0, 1, 4), (1, 4, 7)])
def test_gradients_go_to_the_seats_of_each_row(head, first, stop):
    g, to_white, to_black = np.random.default_rng(3).normal(size=stop - first), np.ones(2), np.ones(3)
    sparse_sums.add_gradient_by_seats(RUNS, head, first, stop, BLACK, g, to_white, to_black)
    np.testing.assert_allclose(to_white, 1.0 + np.bincount(WHITE_OF[first:stop], g, 2))
    np.testing.assert_allclose(to_black, 1.0 + np.bincount(BLACK_OF[first:stop], g, 3))
