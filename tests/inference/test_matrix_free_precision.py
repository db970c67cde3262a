"""Loops over rows of games compared with dense matrices: information of parameters and pairs, and variances of rows."""

from itertools import pairwise

import numpy as np
import pytest
from plain_loops import run_as_python

from halfpoint.inference.gaussian import matrix_free_precision

FIRST = np.array([0, 3, 5, 9])
COLUMN = np.array([0, 2, 5, 1, 3, 0, 3, 4, 5], dtype=np.int32)  # rising in each row
WIDE = np.array([-1, -1, -1, -1, 0, 1])  # places 4 and 5 enter most rows
SIZE = 6


@pytest.fixture(autouse=True, params=["compiled", "as Python"])
def loops(request, monkeypatch):
    if request.param == "as Python":
        run_as_python(monkeypatch, matrix_free_precision)


@pytest.fixture
def rows():
    """Coefficients of eta and lam, (entry,), and roots of the information of a row, (3, row)."""
    rng = np.random.default_rng(7)
    eta, lam = rng.normal(size=(2, COLUMN.size))
    return eta, lam, rng.uniform(0.5, 1.5, (3, FIRST.size - 1))


def dense(values):
    """Matrix (row, place) of coefficients."""
    matrix = np.zeros((FIRST.size - 1, SIZE))
    matrix[np.repeat(np.arange(FIRST.size - 1), np.diff(FIRST)), COLUMN] = values
    return matrix


def test_information_of_rows_is_that_of_the_dense_product(rows):
    eta, lam, (a, b, c) = rows
    by_eta, by_lam = dense(eta), dense(lam)
    root = a[:, None] * by_eta + b[:, None] * by_lam, c[:, None] * by_lam  # R = ((a, 0), (b, c)), information R R'
    information = root[0].T @ root[0] + root[1].T @ root[1]
    pairs = matrix_free_precision._pairs_between(FIRST, COLUMN, WIDE)
    expected = [(q, p) for low, high in pairwise(FIRST) for p, q in pairs_of(COLUMN[low:high])]
    assert [*map(tuple, pairs.T.tolist())] == expected
    places = {pair: k for k, pair in enumerate(sorted(set(expected)))}
    place = np.array([places[pair] for pair in expected])
    alone, between, with_wide = np.zeros(SIZE), np.zeros(len(places)), np.zeros((SIZE, 2))
    matrix_free_precision._row_information(
        FIRST, COLUMN, eta, lam, np.stack([a, b, c]), WIDE, place, alone, between, with_wide
    )
    assert alone[:4] == pytest.approx(np.diag(information)[:4], rel=1e-12)
    assert between == pytest.approx([information[pair] for pair in places], rel=1e-12)
    assert with_wide == pytest.approx(information[:, 4:], rel=1e-12)


def pairs_of(columns):
    """Pairs of places that are not dense, the larger first, in the order of the loop."""
    narrow = [int(column) for column in columns if WIDE[column] < 0]
    return [(p, q) for k, p in enumerate(narrow) for q in narrow[:k]]


def test_variances_of_rows_are_those_of_the_dense_covariance(rows):
    eta, lam, _ = rows
    rng = np.random.default_rng(8)
    added, up, down = rng.uniform(0.5, 1.0, SIZE), rng.normal(size=(SIZE, 3)), 0.1 * rng.normal(size=(SIZE, 3))
    blocks = np.zeros((SIZE, SIZE))
    half = rng.normal(size=(2, 2))
    blocks[np.ix_([0, 3], [0, 3])] = half @ half.T
    begin = np.cumsum([0, 2, 0, 0, 2, 0, 0])
    member, entry = np.array([0, 3, 0, 3]), blocks[np.ix_([0, 3], [0, 3])].ravel()
    covariance = np.diag(added) + blocks + up @ up.T - down @ down.T
    variance = np.empty((3, FIRST.size - 1))
    matrix_free_precision._row_variances(FIRST, COLUMN, eta, lam, (begin, member, entry), added, up, down, variance)
    by_eta, by_lam = dense(eta), dense(lam)
    for k, (left, right) in enumerate([(by_eta, by_eta), (by_eta, by_lam), (by_lam, by_lam)]):
        assert variance[k] == pytest.approx(np.einsum("ri,ij,rj->r", left, covariance, right), rel=1e-12)


@pytest.mark.parametrize("bent", [False, True])
def test_curvature_upwards_is_measured_against_information(bent):
    second = np.array([[-1.0, -2.0], [0.5, 3.0 if bent else 0.1], [-1.5, -0.5]])
    up, information = matrix_free_precision.bend(second)
    assert up == pytest.approx(8.0 if bent else 0.0)  # 9 - 1, or less than 0
    assert information == pytest.approx(1.5)
    assert matrix_free_precision.bends(up, information) == bent
