"""Operations from coordinates to values, as Python, against sums by NumPy; gradients against differences."""

import numpy as np
import pytest
from plain_loops import run_arithmetic_as_python

from halfpoint.inference.loops import coordinates, vector_arithmetic
from halfpoint.models.reading.layout import CHAIN, GATHER, MATRIX, SUM, Layout, Operation

STARTS = 6  # values that are coordinates, here the first ones


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_arithmetic_as_python(monkeypatch, vector_arithmetic, coordinates)


@pytest.fixture
def case():
    """Records of four operations, and 20 values of which the first are coordinates."""
    matrix = np.random.default_rng(1).normal(size=(2, 3))
    operations = [
        Operation(GATHER, 3, np.arange(6, 9), [np.array([4, 0, 4])]),
        Operation(SUM, 2, np.arange(9, 11), [np.array([0, 1, 6, 2, 7, 8])]),
        Operation(MATRIX, 2, np.arange(11, 17), [np.array([2, 3, 4, 5])], [matrix]),
        # states v_17.. = b + sum of a times earlier states, a from place 9 on, b from 3 on
        Operation(CHAIN, 3, np.arange(17, 20), [np.arange(9, 15), np.arange(3, 6), np.array([-1, -1, 0, -1, 1, 0])]),
    ]
    layout = Layout(operations=operations, values=20)
    v = np.zeros(20)
    v[:STARTS] = np.random.default_rng(2).normal(size=STARTS)
    return coordinates.records(layout), matrix, v


def values_of(x, matrix):
    """All values by NumPy, from the coordinates."""
    gathered = x[[4, 0, 4]]
    sums = np.array([x[0] + x[1] + gathered[0], x[2] + gathered[1] + gathered[2]])
    product = x[2:6].reshape(2, 2) @ matrix
    a = np.concatenate([sums, product.ravel()])
    first = x[3]
    second = x[4] + a[2] * first
    return np.concatenate([x, gathered, sums, product.ravel(), [first, second, x[5] + a[4] * second + a[5] * first]])


def test_values_are_those_of_numpy(case):
    (operations, _, store), matrix, v = case
    assert coordinates.forward(operations, store, v) == 0.0
    np.testing.assert_allclose(v, values_of(v[:STARTS], matrix), rtol=1e-14)


def test_gradients_are_those_of_differences(case):
    (operations, starts, store), matrix, v = case
    coordinates.forward(operations, store, v)
    weight = np.random.default_rng(3).normal(size=v.size)
    slope = weight.copy()
    coordinates.backward(operations, starts, store, v, slope)
    steps = 1e-6 * np.eye(STARTS)
    rise = [values_of(v[:STARTS] + h, matrix) - values_of(v[:STARTS] - h, matrix) for h in steps]
    np.testing.assert_allclose(slope[:STARTS], np.array(rise) @ weight / 2e-6, rtol=1e-7, atol=1e-8)


def test_a_record_begins_with_its_kind_and_length(case):
    operations, starts, store = case[0]
    assert operations[starts].tolist() == [GATHER, SUM, MATRIX, CHAIN]
    assert np.append(starts[1:], operations.size).tolist() == np.cumsum(operations[starts + 1]).tolist()
    assert store.size == 6


def test_an_operation_writes_its_own_values_alone():
    """All other values, also those behind its own, stay as they were."""
    matrix = np.random.default_rng(1).normal(size=(2, 3))
    for operation in (
        Operation(GATHER, 3, np.arange(6, 9), [np.array([4, 0, 4])]),
        Operation(SUM, 2, np.arange(9, 11), [np.array([0, 1, 6, 2, 7, 8])]),
        Operation(MATRIX, 2, np.arange(11, 17), [np.array([2, 3, 4, 5])], [matrix]),
        Operation(CHAIN, 3, np.arange(17, 20), [np.arange(9, 15), np.arange(3, 6), np.array([-1, -1, 0, -1, 1, 0])]),
    ):
        operations, _, store = coordinates.records(Layout(operations=[operation], values=40))
        before = np.random.default_rng(4).normal(size=40)
        after = before.copy()
        coordinates.forward(operations, store, after)
        changed = np.flatnonzero(after != before)
        assert changed.tolist() == operation.out.tolist()
