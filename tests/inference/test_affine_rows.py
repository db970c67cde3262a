"""Sums of rows: gradients, and the nearest negative semidefinite curvatures."""

import numpy as np
import pymc as pm
import pytest
from test_gaussian_draws import league

from halfpoint.inference.gaussian.affine_rows import AffineRows, _smallest_dtype, clip_curvature, variances
from halfpoint.inference.gaussian.variational import FactoredPrecision, VariationalProblem
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.davidson import davidson


def test_positive_curvatures_become_zero_and_others_stay():
    rng = np.random.default_rng(2)
    second = np.concatenate([rng.normal(size=(3, 500)), [[1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [1.0, -1.0, 0.0]]], axis=1)
    whole = np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0)
    value, vector = np.linalg.eigh(whole)
    expected = (vector * np.minimum(value, 0.0)[:, None]) @ np.swapaxes(vector, 1, 2)
    clip_curvature(second)
    np.testing.assert_allclose(np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0), expected, atol=1e-12)
    assert (value.max(axis=1) > 0.0).sum() > 200
    assert (value.max(axis=1) <= 0.0).sum() > 20


@pytest.mark.parametrize("name", ["davidson-all-draws", "davidson-population"])
def test_slopes_are_those_of_differences(name):
    problem = VariationalProblem(declare(name, league(6, 60)))
    rows, z = problem.rows, 0.3 * np.random.default_rng(4).standard_normal(problem.size)
    row = np.repeat(np.arange(rows.count), np.diff(rows.first))
    _, _, slope = problem.placed(problem.start, z)
    found = np.zeros((2, rows.count, problem.size))
    np.add.at(found, (slice(None), row, rows.column), np.asarray(slope))
    for number in range(problem.size):
        step = np.zeros(problem.size)
        step[number] = 1e-4
        above, below = (np.asarray(problem.placed(problem.start, z + sign * step)[1]) for sign in (1.0, -1.0))
        np.testing.assert_allclose(found[:, :, number], (above - below) / 2e-4, atol=1e-6)


def sharpened(games):
    """Strengths of players times a sharpness of their own."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        sharpness = pm.Normal("sharpness", 1.0, 0.3, dims="player")
        white, black = games.white(strength) * games.white(sharpness), games.black(strength) * games.black(sharpness)
        davidson(games, white, black, pm.Normal("log_draw", 0.0, 1.0))
    return model


def widths_of(problem, x, z, inverse):
    """Variances and covariance of eta and lam of rows, (3, row), by dense slopes and a stored covariance."""
    slope = problem.placed(x, z)[2]
    return variances(problem.rows.first, slope, problem.pair, inverse), slope


def test_widths_of_products_pull_at_z_as_differences_do():
    """The gradient of (second . widths) / 2 by z, with the covariance of z as it is."""
    problem = VariationalProblem(declare(sharpened, league(14, 80)))
    assert problem.rows.products[0].size
    rng = np.random.default_rng(5)
    x, z = problem.start, 0.3 * rng.standard_normal(problem.size)
    v, place, slope = problem.placed(x, z)
    root = problem.store.root(problem.hessian(slope, problem.rows.expect(place, None)[2], v))
    precision = FactoredPrecision(problem, root, slope, v)
    second = rng.normal(size=(3, problem.rows.count))

    def half(z):
        widths, _ = widths_of(problem, x, z, precision.inverse)
        return 0.5 * float(second[0] @ widths[0] + 2.0 * second[1] @ widths[1] + second[2] @ widths[2])

    steps = 1e-5 * np.eye(problem.size)
    rise = [(half(z + step) - half(z - step)) / 2e-5 for step in steps]
    np.testing.assert_allclose(precision.pull(slope, second), rise, rtol=1e-5, atol=1e-6)


def rows_of(blocks, games=4):
    """Rows of eta and lam with five values, of which 0, 1 and 3 are z, in this order."""
    position = np.array([0, 1, -1, 2, -1])
    return AffineRows(0, np.arange(3.0 * games).reshape(3, games), blocks, np.arange(5), position)


def term(part, slope, row, first, second):
    """A term of a block."""
    return part, np.array(slope), np.array(row), np.array(first), np.array(second)


def test_entries_by_hand():
    """Eta is 2 x0 + x1, x0 + 5, 3 x2 x3 and -x4; lam is 0.5 x1, 0, x2 and x1 x3; x0, x1 and x3 are z."""
    first = [
        term(0, [2.0, 1.0], [0, 0], [0, 1], [-1, -1]), term(1, [0.5], [0], [1], [-1]),
        term(0, [1.0, 5.0], [1, 1], [0, -1], [-1, -1]),
    ]  # fmt: skip
    last = [
        term(0, [3.0, -1.0], [0, 1], [2, 4], [3, -1]), term(1, [1.0, 1.0], [0, 1], [2, 1], [-1, 3]),
    ]  # fmt: skip
    rows = rows_of(iter([(0, 2, first), (2, 2, last)]))
    v = np.array([0.3, -0.7, 1.1, 2.0, 0.4])
    place, slope = rows.at(v)
    z = v[[0, 1, 3]]
    total = place.copy()
    rows.place(slope, z, total)
    np.testing.assert_allclose(total[0], [2 * 0.3 - 0.7, 0.3 + 5.0, 3 * 1.1 * 2.0, -0.4])
    np.testing.assert_allclose(total[1], [-0.35, 0.0, 1.1, -0.7 * 2.0])
    dense = np.zeros((2, 4, 3))
    dense[:, np.repeat(np.arange(4), np.diff(rows.first)), rows.column] = slope
    assert dense[0].tolist() == [[2.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, pytest.approx(3.3)], [0.0, 0.0, 0.0]]
    assert dense[1].tolist() == [[0.0, 0.5, 0.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.0, 2.0, pytest.approx(-0.7)]]
    assert not rows.still
    assert rows.both
    part, row, entry, coefficient, partner = rows.products
    assert (part.tolist(), row.tolist(), coefficient.tolist()) == ([1, 1], [3, 3], [1.0, 1.0])
    assert rows.column[entry].tolist() == rows.column[partner].tolist()[::-1]
    assert sorted(rows.column[entry].tolist()) == [1, 2]
    gradient = np.zeros(3)
    by = np.arange(8.0).reshape(2, 4)
    rows.gather(slope, by, gradient)
    np.testing.assert_allclose(gradient, np.einsum("krz,kr->z", dense, by))


def test_rows_that_are_sums_of_z_are_still():
    rows = rows_of(iter([(0, 4, [term(0, [1.0, -1.0, 1.0], [0, 0, 3], [0, 1, 3], [-1, -1, -1])])]))
    assert rows.still
    assert not rows.both
    assert rows.counted.tolist() == [True] * 4
    rows.weigh(np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 3.0]]))
    assert rows.counted.tolist() == [False, True, True, True]
    assert rows.data.tolist() == [0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 3.0]
    rows.weigh(np.ones((4, 3)), np.array([5.0, 6.0, 7.0, 8.0]))
    assert rows.data[12:].tolist() == [5.0, 6.0, 7.0, 8.0]
    rows.weigh(np.zeros((4, 3)))
    assert rows.data[12:].tolist() == [5.0, 6.0, 7.0, 8.0]


@pytest.mark.parametrize(
    ("slope", "kind"),
    [([1.0, -127.0], np.int8), ([0.5, 200.0], np.float32), ([0.1], np.float64), ([1e300], np.float64)],
)
def test_slopes_take_the_least_room_that_is_exact(slope, kind):
    compact = _smallest_dtype(np.array(slope))
    assert compact.dtype == kind
    assert compact.tolist() == slope
