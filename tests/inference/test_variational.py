"""The closest normal of a model whose posterior is normal, against dense matrices by differences."""

import numpy as np
import pytest
from test_gaussian_draws import league

from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.models.declaration.catalogue import declare


@pytest.fixture(scope="module")
def problem():
    """Margins with a normal law: given theta z is normal."""
    return VariationalProblem(declare("margin-normal", league(4, 40, months=2)))


def joint(problem, x, z):
    """The log joint density."""
    return float(problem.log_joint(x[None], z[None])[0][0])


def curvature(problem, x, z):
    """Minus the second derivatives by z; differences are exact for a quadratic."""
    steps = np.eye(problem.size)
    pairs = [
        [
            joint(problem, x, z + a + b) - joint(problem, x, z + a - b) - joint(problem, x, z - a + b)
            + joint(problem, x, z - a - b)
            for b in steps
        ]
        for a in steps
    ]  # fmt: skip
    return -np.array(pairs) / 4.0


@pytest.fixture(scope="module")
def case(problem):
    """Two thetas, and of each the closest normal and the dense precision."""
    start = problem.start
    x = [start, start + 0.3 * np.random.default_rng(1).standard_normal(start.size)]
    return [(at, problem.closest(at, sloped=True), curvature(problem, at, np.zeros(problem.size))) for at in x]


def test_centre_and_precision_are_those_of_the_posterior(problem, case):
    for x, q, dense in case:
        steps = 1e-3 * np.eye(problem.size)
        rise = [joint(problem, x, q.centre + h) - joint(problem, x, q.centre - h) for h in steps]
        assert np.abs(np.linalg.solve(dense, np.array(rise) / 2e-3)).max() < 0.02 / np.sqrt(np.diag(dense).min())
        half = problem.store.half(q.root, np.eye(problem.size))
        np.testing.assert_allclose(half @ half.T, np.linalg.inv(dense), rtol=1e-5, atol=1e-8)


def test_marginals_of_thetas_differ_as_the_integrals_do(problem, case):
    exact = [joint(problem, x, q.centre) - 0.5 * np.linalg.slogdet(dense)[1] for x, q, dense in case]
    assert abs(np.diff(exact)[0]) > 0.1
    assert case[1][1].marginal - case[0][1].marginal == pytest.approx(exact[1] - exact[0], abs=1e-3)


def test_widths_of_rows_are_those_of_the_dense_covariance(problem, case):
    x, q, dense = case[1]
    _, _, slope = problem.placed(x, q.centre)
    rows = problem.rows
    matrix = np.zeros((2, rows.count, problem.size))
    row = np.repeat(np.arange(rows.count), np.diff(rows.first))
    np.add.at(matrix, (slice(None), row, rows.column), np.asarray(slope))
    whole = np.einsum("kri,ij,lrj->klr", matrix, np.linalg.inv(dense), matrix)
    np.testing.assert_allclose(q.variance, [whole[0, 0], whole[0, 1], whole[1, 1]], rtol=1e-5, atol=1e-9)


def test_curvature_solves_draws_and_has_deviations(problem, case):
    x, q, dense = case[1]
    v, place, slope = problem.placed(x, q.centre)
    _, _, second = problem.rows.expect(place, q.variance)
    factored, covariance = problem.curvature(slope, second, v), np.linalg.inv(dense)
    b = np.random.default_rng(2).standard_normal(problem.size)
    np.testing.assert_allclose(factored.solve(b), covariance @ b, rtol=1e-5)
    np.testing.assert_allclose(factored.deviations(), np.sqrt(np.diag(covariance)), rtol=1e-5)
    np.testing.assert_allclose(factored.widths(), q.variance, rtol=1e-5, atol=1e-9)
    drawn = factored.draws(4000, np.random.default_rng(3))
    whitened = np.linalg.cholesky(dense).T @ drawn
    np.testing.assert_allclose(np.cov(whitened), np.eye(problem.size), atol=5.0 * np.sqrt(2.0 / 4000))
    priors = [term.sums.toarray() / term.sd[:, None] for term in problem.parts.terms]
    np.testing.assert_allclose(factored.unknown(), [np.trace(p @ covariance @ p.T) for p in priors], rtol=1e-5)
    traced = sum(
        np.trace(p @ covariance @ p.T) * term.share(v) for p, term in zip(priors, problem.parts.terms, strict=True)
    )
    assert problem.trace(factored.inverse, v) == pytest.approx(traced, rel=1e-5)


def test_the_middle_is_the_mean_of_the_prior(problem):
    x = problem.start
    middle = problem.middle(x)
    v = problem.parts.values(x)
    for term in problem.parts.terms:
        np.testing.assert_allclose(term.sums @ middle, term.middle(v), atol=1e-9)
