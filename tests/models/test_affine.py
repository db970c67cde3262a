"""Graphs read as sparse sums of parameters have the values of PyTensor; other operators are refused."""

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest

from halfpoint.models.reading.affine import affine
from halfpoint.models.reading.sparse_affine import NotAffineError, SparseAffine

MATRIX = np.random.default_rng(3).normal(size=(3, 3))
SUMS = {
    "running sums of a vector": lambda x, y: pt.cumsum(x),
    "running sums along rows": lambda x, y: pt.cumsum(y, axis=1),
    "running sums along columns": lambda x, y: pt.cumsum(y, axis=0),
    "running sums from the last axis": lambda x, y: pt.cumsum(y, axis=-1),
    "sums": lambda x, y: y.sum(axis=0) - x.sum(),
    "a matrix and a vector": lambda x, y: pt.dot(MATRIX, x),
    "a vector and a matrix": lambda x, y: pt.dot(x, MATRIX),
    "a switch of numbers": lambda x, y: pt.switch(np.array([True, False, True]), x, 2.0 * x),
    "joined": lambda x, y: pt.concatenate([x[1:], y[0]]),
    "filled": lambda x, y: pt.alloc(x[0], 4) + 1.0,
}
NO_SUMS = {
    "running products": lambda x, y: pt.cumprod(x),
    "running products along rows": lambda x, y: pt.cumprod(y, axis=1),
    "the largest": lambda x, y: pt.maximum(x, 0.0),
    "a product of all": lambda x, y: x.prod(),
}


def read(build):
    """Form of a graph of a vector x and a matrix y with six elements, and the graph with its inputs."""
    x, y = pt.dvector("x"), pt.dmatrix("y")
    node = build(x, y)
    return affine(node, {x: SparseAffine.of(0, (3,)), y: SparseAffine.of(3, (2, 3))}), node, (x, y)


@pytest.mark.parametrize("name", SUMS)
def test_what_is_read_is_what_the_graph_computes(name):
    form, node, inputs = read(SUMS[name])
    compute = pytensor.function(inputs, node, mode="FAST_COMPILE", on_unused_input="ignore")
    v = np.random.default_rng(4).normal(size=9)
    expected = compute(v[:3], v[3:].reshape(2, 3))
    found = np.zeros(form.shape)
    for slope, index in form.terms:
        found = found + slope * np.prod([v[place] for place in index], axis=0)
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", NO_SUMS)
def test_other_operators_are_refused(name):
    with pytest.raises(NotAffineError):
        read(NO_SUMS[name])
