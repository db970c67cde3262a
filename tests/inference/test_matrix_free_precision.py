"""Loops over rows of games compared with dense matrices: information of parameters and pairs, and variances of rows."""

from itertools import pairwise

import numpy as np
import pytest
from plain_loops import run_as_python

from halfpoint.inference.gaussian import matrix_free_precision
from halfpoint.inference.gaussian.matrix_free_precision import MatrixFreePrecision, Members, PairPattern
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.table import GameTable

FIRST = np.array([0, 3, 5, 9])
COLUMN = np.array([0, 2, 5, 1, 3, 0, 3, 4, 5], dtype=np.int32)  # rising in each row
WIDE = np.array([-1, -1, -1, -1, 0, 1])  # places 4 and 5 enter most rows
SIZE = 6


@pytest.fixture(params=["compiled", "as Python"])
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


@pytest.mark.usefixtures("loops")
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


@pytest.mark.usefixtures("loops")
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


def season(players=45, games=150):
    """Random games of players, of whom each meets those near in number."""
    rng = np.random.default_rng(2)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, 6, games)) % players
    table = GameTable(
        np.array([f"P{k:02d}" for k in range(players)]), white.astype(np.int32), black.astype(np.int32),
        rng.choice([0.0, 0.5, 1.0], games),
    )  # fmt: skip
    return select(table, table.players, "both")


@pytest.fixture(scope="module", params=["davidson-population", "davidson-matched", "davidson-pooled"])
def pair(request):
    """A precision by its products, and the dense one of the same slopes and curvatures."""
    problem = VariationalProblem(declare(request.param, season()))
    x, z = problem.start, problem.parts.begin() + 0.2 * np.random.default_rng(1).normal(size=problem.size)
    v, place, slope = problem.placed(x, z)
    second = problem.rows.expect(place, None)[2]
    root = problem.store.root(problem.hessian(slope, second.copy(), v))
    covariance = np.array([problem.store.solve(root, unit) for unit in np.eye(problem.size)])
    members = Members(problem.parts)
    pairs = PairPattern(problem.rows, members.of)
    return MatrixFreePrecision(problem, members, pairs, slope, second, v), covariance, problem, slope


def test_products_are_those_of_the_dense_precision(pair):
    precision, covariance, problem, _ = pair
    unit = np.eye(problem.size)
    dense = np.linalg.inv(covariance)
    np.testing.assert_allclose(precision.product(unit), dense, rtol=1e-6, atol=1e-6 * np.abs(dense).max())
    b = np.random.default_rng(3).normal(size=problem.size)
    expected = covariance @ b
    np.testing.assert_allclose(precision.solve(b), expected, atol=1e-3 * np.abs(expected).max())


def test_the_span_is_solved_exactly_and_the_rest_approximately(pair):
    precision, covariance, problem, _ = pair
    dense, spanning = np.linalg.inv(covariance), precision.spanning
    np.testing.assert_allclose(spanning.T @ dense @ spanning, np.eye(spanning.shape[1]), atol=1e-6)
    np.testing.assert_allclose(precision.near(dense @ spanning), spanning, atol=1e-5 * np.abs(spanning).max())
    near = precision.near(np.eye(problem.size))
    np.testing.assert_allclose(near, near.T, atol=1e-7 * np.abs(near).max())
    up, down = precision.roots
    whole = precision.alone.toarray() + up @ up.T - down @ down.T
    np.testing.assert_allclose(whole, near, atol=1e-7 * np.abs(near).max())
    np.testing.assert_allclose(precision.preconditioner_diagonal, np.diag(near), atol=1e-7 * np.abs(near).max())
    values = np.linalg.eigvals(near @ dense).real
    assert values.min() > 0.0
    assert values.max() < 2.0


def test_draws_have_the_covariance(pair):
    """Of 400 draws a variance errs by 7.1%, a correlation by 5%; five times that."""
    precision, covariance, _, _ = pair
    draws = precision.draws(400, np.random.default_rng(4))
    scale = np.sqrt(np.diag(covariance))
    found = np.cov(draws) / np.outer(scale, scale)
    np.testing.assert_allclose(found, covariance / np.outer(scale, scale), atol=0.36)
    np.testing.assert_allclose(draws.mean(axis=1) / scale, 0.0, atol=5.0 / np.sqrt(400))


def test_variances_are_near_those_of_the_dense_covariance(pair):
    """The part beyond Z and W is a mean over 16 draws, which errs by sqrt(2 / 16), of a variance by less."""
    precision, covariance, problem, slope = pair
    np.testing.assert_allclose(precision.deviations(), np.sqrt(np.diag(covariance)), rtol=0.2)
    places = problem.parts.position[problem.parts.of("strength")]
    if problem.declared.spec.name == "davidson-population":  # whose mean is one number
        less = np.eye(places.size) - 1.0 / places.size
        about = np.sqrt(np.diag(less @ covariance[np.ix_(places, places)] @ less))
        np.testing.assert_allclose(precision.deviations_about_mean(places), about, rtol=0.05)
    exact = [
        np.trace((term.sums / term.sd[:, None]) @ covariance @ (term.sums / term.sd[:, None]).T)
        for term in problem.parts.terms
    ]
    np.testing.assert_allclose(precision.unknown(), exact, rtol=0.15)
    dense_slope = np.zeros((2, problem.rows.count, problem.size))
    row = np.repeat(np.arange(problem.rows.count), np.diff(problem.rows.first))
    dense_slope[:, row, problem.rows.column] = slope
    near = precision.near(np.eye(problem.size))
    near[np.diag_indices(problem.size)] += np.maximum(precision.variance - np.diag(near), 0.0)
    widths = np.einsum("arz,zy,bry->abr", dense_slope, near, dense_slope)  # by the approximation of V
    np.testing.assert_allclose(precision.widths(), [widths[0, 0], widths[0, 1], widths[1, 1]], rtol=1e-6, atol=1e-8)
