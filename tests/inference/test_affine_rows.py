"""Sums of rows: gradients, and the nearest negative semidefinite curvatures."""

import numpy as np
import pytest
from test_gaussian_draws import league

from halfpoint.inference.gaussian.affine_rows import clip_curvature
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare


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
