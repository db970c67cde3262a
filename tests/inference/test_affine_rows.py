"""Curvatures of rows: the nearest matrices without positive curvature."""

import numpy as np

from halfpoint.inference.gaussian.affine_rows import clip_curvature


def test_positive_curvatures_become_zero_and_others_stay():
    """As by NumPy's eigenvectors, of all signs and of repeated eigenvalues."""
    rng = np.random.default_rng(2)
    second = np.concatenate([rng.normal(size=(3, 500)), [[1.0, -1.0, 0.0], [0.0, 0.0, 0.0], [1.0, -1.0, 0.0]]], axis=1)
    whole = np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0)
    value, vector = np.linalg.eigh(whole)
    expected = (vector * np.minimum(value, 0.0)[:, None]) @ np.swapaxes(vector, 1, 2)
    clip_curvature(second)
    np.testing.assert_allclose(np.moveaxis(second[[[0, 1], [1, 2]]], -1, 0), expected, atol=1e-12)
    assert (value.max(axis=1) > 0.0).sum() > 200
    assert (value.max(axis=1) <= 0.0).sum() > 20
