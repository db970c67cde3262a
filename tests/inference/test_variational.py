"""The closest normal of a model against dense matrices of its rows and priors, and against differences."""

import numpy as np
import pytest
from test_gaussian_draws import league

from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare


@pytest.fixture(scope="module")
def problem():
    return VariationalProblem(declare("davidson-walk", league(4, 40, months=3)))


@pytest.fixture(scope="module")
def case(problem):
    """The closest normal, slopes of its rows (2, row, z), and its dense precision."""
    q = problem.closest(problem.start, sloped=True)
    v, place, slope = problem.placed(q.x, q.centre)
    rows = problem.rows
    matrix = np.zeros((2, rows.count, problem.size))
    row = np.repeat(np.arange(rows.count), np.diff(rows.first))
    np.add.at(matrix, (slice(None), row, rows.column), np.asarray(slope))
    _, _, second = rows.expect(place, q.variance)
    precision = -np.einsum("kri,klr,lrj->ij", matrix, second[[[0, 1], [1, 2]]], matrix)
    for term in problem.parts.terms:
        scaled = term.scaled(v).toarray()
        precision += scaled.T @ scaled
    return q, matrix, precision, (v, slope, second)


def test_the_precision_is_that_of_rows_and_priors(problem, case):
    q, _, precision, (v, slope, second) = case
    half = problem.store.half(problem.factor(slope, second, v), np.eye(problem.size))
    np.testing.assert_allclose(half @ half.T, np.linalg.inv(precision), rtol=1e-6, atol=1e-9)
    close = problem.store.half(q.root, np.eye(problem.size))
    np.testing.assert_allclose(close @ close.T, np.linalg.inv(precision), rtol=0.03, atol=0.01)  # a step before


def test_the_expected_slope_at_the_centre_is_nothing(problem, case):
    q, matrix, precision, (v, _, _) = case
    _, place, _ = problem.placed(q.x, q.centre)
    _, first, _ = problem.rows.expect(place, q.variance)
    prior = sum(term.slope(q.centre, v) for term in problem.parts.terms)
    total = np.einsum("krz,kr->z", matrix, first) + prior
    assert 0.5 * total @ np.linalg.solve(precision, total) < 1e-3  # the rise that is left
    np.testing.assert_allclose(problem.gradient(q.centre, v), prior, atol=1e-9)


def test_widths_of_rows_are_those_of_the_covariance(problem, case):
    _, matrix, precision, (v, slope, second) = case
    covariance = np.linalg.inv(precision)
    whole = np.einsum("kri,ij,lrj->klr", matrix, covariance, matrix)
    widths = problem.curvature(slope, second, v).widths()
    np.testing.assert_allclose(widths, [whole[0, 0], whole[0, 1], whole[1, 1]], rtol=1e-7, atol=1e-10)


def test_curvature_solves_draws_and_has_deviations(problem, case):
    _, _, precision, (v, slope, second) = case
    factored, covariance = problem.curvature(slope, second, v), np.linalg.inv(precision)
    b = np.random.default_rng(2).standard_normal(problem.size)
    np.testing.assert_allclose(factored.solve(b), covariance @ b, rtol=1e-7)
    np.testing.assert_allclose(factored.deviations(), np.sqrt(np.diag(covariance)), rtol=1e-7)
    whitened = np.linalg.cholesky(precision).T @ factored.draws(4000, np.random.default_rng(3))
    np.testing.assert_allclose(np.cov(whitened), np.eye(problem.size), atol=5.0 * np.sqrt(2.0 / 4000))
    priors = [term.sums.toarray() / term.sd[:, None] for term in problem.parts.terms]
    traces = [np.trace(part @ covariance @ part.T) for part in priors]
    np.testing.assert_allclose(factored.unknown(), traces, rtol=1e-7)
    total = sum(trace * term.share(v) for trace, term in zip(traces, problem.parts.terms, strict=True))
    assert problem.trace(factored.inverse, v) == pytest.approx(total, rel=1e-7)


def test_the_middle_is_the_mean_of_the_prior(problem):
    middle = problem.middle(problem.start)
    v = problem.parts.values(problem.start)
    for term in problem.parts.terms:
        np.testing.assert_allclose(term.sums @ middle, term.middle(v), atol=1e-9)


def test_an_approximation_from_one_near_by_is_the_same(problem, case):
    x = case[0].x + 0.1
    fresh, near = problem.closest(x), problem.closest(x, case[0])
    assert near.marginal == pytest.approx(fresh.marginal, abs=1e-3)
    np.testing.assert_allclose(near.variance, fresh.variance, rtol=0.05, atol=1e-4)
