"""The map of numbers to coordinates, as Python, against its equation and differences."""

import numpy as np
import pytest
from plain_loops import run_arithmetic_as_python

from halfpoint.inference.loops import transport_map, vector_arithmetic

D, N = 2, 5


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    run_arithmetic_as_python(monkeypatch, vector_arithmetic, transport_map)


@pytest.fixture
def case():
    """Parts of a map, the map as one array, and a point."""
    rng = np.random.default_rng(5)
    a, b, base = 1.5 + rng.random(D), rng.normal(size=D) / 2.0, rng.normal(size=N)
    means, widths, matrix = rng.normal(size=(4 * D, N)), rng.normal(size=(4 * D, N)) / 3.0, rng.normal(size=(N, N))
    matrix[:D] = 0.0
    mapping = np.concatenate([[D], a, b, base, means.ravel(), widths.ravel(), matrix.ravel()])
    return (a, b, base, means, widths, matrix), mapping, rng.normal(size=N)


def by_equation(parts, point):
    """x = base + C'f + M (exp(S'f) e), and the log determinant by e and w."""
    a, b, base, means, widths, matrix = parts
    w, e = point[:D], np.where(np.arange(N) < D, 0.0, point)
    r = np.sqrt(1.0 + w**2)
    f = np.concatenate([w, r - 1.0, w / r, 1.0 / r - 1.0])
    x = base + means.T @ f + matrix.T @ (np.exp(widths.T @ f) * e)
    return x, np.log(a + b * w / r).sum() + (widths.T @ f)[D:].sum()


def test_coordinates_and_determinant_follow_the_equation(case):
    parts, mapping, point = case
    x, width = np.empty(N), np.empty(N)
    total = transport_map.transport(mapping, point, x, width)
    expected, log_determinant = by_equation(parts, point)
    np.testing.assert_allclose(x, expected, rtol=1e-12)
    assert total == pytest.approx(log_determinant, rel=1e-12)


def test_the_gradient_is_that_of_differences(case):
    parts, mapping, point = case
    x, width, slope, of_x = np.empty(N), np.empty(N), np.empty(N), np.random.default_rng(6).normal(size=N)
    transport_map.transport(mapping, point, x, width)
    transport_map.pull_back(mapping, point, width, of_x, slope)

    def value(at):
        there, log_determinant = by_equation(parts, at)
        return of_x @ there + log_determinant

    steps = 1e-6 * np.eye(N)
    np.testing.assert_allclose(slope, [(value(point + h) - value(point - h)) / 2e-6 for h in steps], rtol=1e-7)
