"""Formulas read as sparse sums equal their arithmetic everywhere; other formulas are refused."""

import numpy as np
import pytensor.tensor as pt
import pytest

from halfpoint.models.reading.affine import perform
from halfpoint.models.reading.sparse_affine import (
    PRODUCT,
    UNIFORM,
    UNIFORM_PRODUCT,
    VARYING,
    NotAffineError,
    SparseAffine,
    columns,
    flat_terms,
    split_by_seats,
)

RANDOM = np.random.default_rng(8)
MATRIX, VECTOR = RANDOM.normal(size=(3, 4)), RANDOM.normal(size=4)
SHAPES = {"x": (4,), "y": (4, 3), "z": ()}
STARTS = {"x": 0, "y": 4, "z": 16}

SUMS = {
    "add, subtract, negate": lambda x, y, z: -(x + 2.0) - x[::-1],
    "numbers first": lambda x, y, z: 2.0 - x + (3.0 * x - VECTOR),
    "scaled": lambda x, y, z: VECTOR * x / 3.0 - x * 2,
    "broadcast": lambda x, y, z: x[:, None] + y + z[..., None, None] * (MATRIX.T @ MATRIX[:, :3]),
    "integers": lambda x, y, z: x * np.arange(4),
    "slices": lambda x, y, z: x[1:3] + y[0, :2] - y[1:3, -1],
    "picked": lambda x, y, z: x[[3, 0, 0, -1]] + y[[0, 1, 2, 0], [0, 2, 1, 2]],
    "picked twice": lambda x, y, z: x[[3, 1]][[0, 0, 1]],
    "by a mask": lambda x, y, z: x[np.array([True, False, True, True])],
    "a matrix of numbers": lambda x, y, z: x @ MATRIX.T,
    "many by a matrix": lambda x, y, z: y @ MATRIX,
    "products": lambda x, y, z: x * z[..., None] + x * x[::-1] - y[:, 0] * 2.0 * x,
    "a product of sums": lambda x, y, z: (x + 1.0) * (y[:, 1] - 2.0 * z[..., None] + VECTOR),
    "squares": lambda x, y, z: (x - 3.0) * (x - 3.0),
    "cancels": lambda x, y, z: x - x,
    "nothing": lambda x, y, z: 0.0 * x + 0.0,
    "terms of no row": lambda x, y, z: x * np.array([0.0, 1.0, 0.0, 1.0]) + z[..., None] * np.array([1.0, 0, 1.0, 0]),
}
NO_SUMS = {
    "three": (lambda x, y, z: x * x * x, "more than two"),
    "quotient": (lambda x, y, z: x / z[..., None], "quotient"),
    "numbers by a parameter": (lambda x, y, z: 1.0 / x, "the reciprocal of a parameter"),
    "exp": (lambda x, y, z: np.exp(x), "arithmetic|ufunc|unsupported|not supported"),
    "method": (lambda x, y, z: x.exp(), "exp of a parameter"),
    "sum": (lambda x, y, z: x.sum(), "sum of a parameter"),
    "mean": (lambda x, y, z: x.mean(axis=0), "mean of a parameter"),
    "power": (lambda x, y, z: x**2, "a power of a parameter"),
    "largest": (lambda x, y, z: np.maximum(x, 0.0), "arithmetic|ufunc|unsupported|not supported"),
    "size": (lambda x, y, z: abs(x), "the absolute value of a parameter"),
    "larger": (lambda x, y, z: (x > 0) * x, "a comparison of a parameter"),
    "text": (lambda x, y, z: x + "one", "arithmetic"),
}


def parameters():
    return [SparseAffine.of(STARTS[name], shape) for name, shape in SHAPES.items()]


def value(form, v):
    """Values of a form at the values v of all parameters."""
    total = np.zeros(form.shape)
    for slope, index in form.terms:
        total = total + slope * np.prod([v[one] for one in index], axis=0)
    return total


@pytest.mark.parametrize("name", SUMS)
def test_what_is_read_is_what_the_arithmetic_gives(name):
    found = SUMS[name](*parameters())
    for scale in (0.0, 1.0, 1e6):
        values = [RANDOM.normal(scale=scale, size=shape) for shape in SHAPES.values()]
        expected = SUMS[name](*map(np.asarray, values))
        v = np.concatenate([np.ravel(one) for one in values])
        assert found.shape == expected.shape
        np.testing.assert_allclose(value(found, v), expected, rtol=1e-12, atol=1e-12 * max(scale, scale**2))


@pytest.mark.parametrize("name", NO_SUMS)
def test_what_is_no_sum_is_refused(name):
    build, message = NO_SUMS[name]
    with pytest.raises(TypeError, match=message):
        build(*parameters())


def test_what_a_refusal_of_the_language_is():
    assert issubclass(NotAffineError, TypeError)


def at_columns(table, v):
    """Values of columns at v."""
    total = table.constant.copy()
    for index, partner, slope, kind in zip(table.index, table.partner, table.slope, table.kind, strict=True):
        if kind in (UNIFORM, UNIFORM_PRODUCT):
            assert np.all(index == index[0])
        assert (kind in (PRODUCT, UNIFORM_PRODUCT)) == bool(np.all(partner >= 0))
        total += slope * v[index] * (v[partner] if kind in (PRODUCT, UNIFORM_PRODUCT) else 1.0)
    return total


ROWWISE = {name: build for name, build in SUMS.items() if build(*parameters()).ndim == 1}


@pytest.mark.parametrize("name", ROWWISE)
def test_columns_are_the_form(name):
    found = ROWWISE[name](*parameters())
    table = columns(flat_terms(found, found.shape[0]), found.shape[0])
    for scale in (0.0, 1.0, 1e6):
        v = RANDOM.normal(scale=scale, size=17)
        np.testing.assert_allclose(at_columns(table, v), value(found, v), rtol=1e-12, atol=1e-12 * max(scale, scale**2))


def test_columns_never_used_by_one_row_are_merged():
    x, _, z = parameters()
    here = np.array([1.0, 0.0, 1.0, 0.0])
    form = x[[0, 1, 2, 3]] * here + x[[3, 2, 1, 0]] * (1.0 - here) + z[..., None]
    table = columns(flat_terms(form, 4), 4)
    assert table.kind.tolist() == [VARYING, UNIFORM]
    assert table.index[0].tolist() == [0, 2, 2, 0]


def test_all_rows_alike():
    _, _, z = parameters()
    assert columns(flat_terms(z[..., None] * 2.0 + np.ones(5), 5), 5).alike
    assert not columns(flat_terms(z[..., None] * np.arange(1.0, 6.0), 5), 5).alike


@pytest.mark.parametrize("many", [4, 400])
def test_a_form_taken_apart_by_seats_is_the_same_form(many):
    rng = np.random.default_rng(1)
    x, y, z = parameters()
    white, black = rng.integers(0, 4, many), rng.integers(0, 4, many)
    number = rng.normal(size=many)
    form = x[white] * 2.0 - x[black] + y[white, 1] * z[..., None] + number + x[1][..., None] * number
    whites, blacks = (np.unique(seats, return_inverse=True)[1] for seats in (white, black))
    parts = split_by_seats(form, whites, blacks)
    v = rng.normal(size=17)
    found = at_columns(parts.white, v)[whites] + at_columns(parts.black, v)[blacks] + at_columns(parts.rows, v)
    np.testing.assert_allclose(found, value(form, v), rtol=1e-12, atol=1e-12)
    assert len(parts.white.constant) == np.unique(white).size
    if many > 4:
        assert set(parts.rows.kind.tolist()) == {UNIFORM}  # what all share, times each row's own number


def test_constants_of_bytes_are_computed_in_the_type_of_the_graph():
    for number in (2, 3, 5):
        node = pt.sqrt(np.int8(number)).owner
        found = perform(node, [np.asarray(number, dtype=np.int8)])
        assert found.dtype == np.float32
        assert abs(float(found) - np.sqrt(float(number))) < 1e-6
