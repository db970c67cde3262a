"""DIC, WAIC, BIC and Bayes factors against closed forms of conjugate models, and against leave-one-out."""

import numpy as np
import pytest
from scipy.special import betaln, gammaln
from scipy.stats import multivariate_normal, norm

from halfpoint.apps.study.information_criteria import Evidence, aic, bayes_factor, bic, bridge_sampling, dic, waic
from halfpoint.evaluation.criteria import leave_one_out
from halfpoint.evaluation.errors import EvaluationError

RNG = np.random.default_rng(7)
Y = RNG.normal(0.4, 1.0, 30)
PRIOR = 2.0
V = 1.0 / (30 + 1.0 / PRIOR**2)  # posterior variance of a normal mean
M = V * Y.sum()
MU = RNG.normal(M, np.sqrt(V), 40_000)
POINTWISE = norm.logpdf(Y[None, :], MU[:, None], 1.0)


def test_dic_of_a_normal_mean():
    """p = n V exactly, whatever the data."""
    found = dic(POINTWISE.sum(axis=1), norm.logpdf(Y, MU.mean(), 1.0).sum())
    # D - D(mean) is n V chi-squared(1): its mean over draws has the error n V sqrt(2 / draws)
    assert found.parameters == pytest.approx(30 * V, abs=4 * 30 * V * np.sqrt(2 / MU.size))
    assert found.value == pytest.approx(-2 * norm.logpdf(Y, M, 1.0).sum() + 2 * 30 * V, abs=0.1)


def test_dic_by_the_variance():
    """var(D) = 2 (n V)^2 + 4 n V (n (mean y - M))^2 / n."""
    exact = ((30 * V) ** 2 * 2 + 4 * V * (30 * (Y.mean() - M)) ** 2) / 2
    found = dic(POINTWISE.sum(axis=1), norm.logpdf(Y, MU.mean(), 1.0).sum(), by_variance=True)
    assert found.parameters == pytest.approx(exact, rel=0.06)


def test_waic_of_a_normal_mean():
    lpd = norm.logpdf(Y, M, np.sqrt(1.0 + V)).sum()
    penalty = ((2 * V**2 + 4 * V * (Y - M) ** 2) / 4).sum()
    found = waic(POINTWISE)
    assert found.parameters == pytest.approx(penalty, rel=0.05)
    assert found.value == pytest.approx(-2 * (lpd - penalty), abs=0.15)
    each = -2 * (norm.logpdf(Y, M, np.sqrt(1.0 + V)) - (2 * V**2 + 4 * V * (Y - M) ** 2) / 4)
    assert found.standard_error == pytest.approx(np.sqrt(30 * each.var(ddof=1)), rel=0.02)


def test_waic_is_near_leave_one_out():
    """Exact: y_g given the others is normal with their posterior's mean and variance; PSIS-LOO says the same."""
    precision = 29 + 1.0 / PRIOR**2
    exact = sum(norm.logpdf(y, (Y.sum() - y) / precision, np.sqrt(1.0 + 1.0 / precision)) for y in Y)
    found = waic(POINTWISE)
    assert found.value == pytest.approx(-2 * exact, abs=0.3)
    assert leave_one_out(POINTWISE.reshape(4, 10_000, 30)).elpd == pytest.approx(exact, abs=0.1)


def test_aic_and_bic():
    largest = norm.logpdf(Y, Y.mean(), 1.0).sum()
    assert aic(largest, 1) == pytest.approx(-2 * largest + 2)
    assert bic(largest, 1, 30) == pytest.approx(-2 * largest + np.log(30))
    # BIC is -2 ln evidence of a prior worth one game around the maximum, up to 1 / n
    unit = multivariate_normal(np.full(30, Y.mean()), np.eye(30) + 1.0).logpdf(Y)
    assert bic(largest, 1, 30) == pytest.approx(-2 * unit, abs=0.1)


def test_the_evidence_of_a_normal_mean():
    exact = multivariate_normal(np.zeros(30), np.eye(30) + PRIOR**2).logpdf(Y)

    def density(v):
        return norm.logpdf(Y[None, :], v, 1.0).sum(axis=1) + norm.logpdf(v[:, 0], 0.0, PRIOR)

    found = bridge_sampling(MU[:4000, None], density)
    assert abs(found.log_evidence - exact) < 4 * found.error + 1e-9
    assert found.error < 0.01


def test_the_evidence_of_a_share_that_is_no_normal():
    """17 of 20 with a flat prior, on the logit scale: p(y) = 1 / 21 for every count."""
    p = np.random.default_rng(3).beta(18, 4, 20_000)
    logit = np.log(p / (1 - p))[:, None]

    def density(v):
        chance = 1.0 / (1.0 + np.exp(-v[:, 0]))
        coefficient = gammaln(21) - gammaln(18) - gammaln(4)
        return coefficient + 18 * np.log(chance) + 4 * np.log(1 - chance)  # with the Jacobian p (1 - p)

    found = bridge_sampling(logit, density)
    assert abs(found.log_evidence + np.log(21)) < 4 * found.error
    fair = Evidence(-20 * np.log(2) + gammaln(21) - gammaln(18) - gammaln(4), 0.0)
    factor, error = bayes_factor(found, fair)
    exact = betaln(18, 4) + 20 * np.log(2)
    assert abs(factor - exact) < 4 * error


def test_many_parameters():
    rng = np.random.default_rng(5)
    size = 12
    root = np.tril(rng.normal(size=(size, size))) + 3 * np.eye(size)
    draws = rng.standard_normal((20_000, size)) @ root.T
    target = multivariate_normal(np.zeros(size), root @ root.T)
    found = bridge_sampling(draws, lambda v: target.logpdf(v) - 1234.5)
    assert abs(found.log_evidence + 1234.5) < 4 * found.error + 1e-9


def test_mistakes_are_named():
    with pytest.raises(EvaluationError, match="two or more finite numbers"):
        waic([[np.nan, 1.0]])
    with pytest.raises(EvaluationError, match="14 draws or more"):
        bridge_sampling(np.zeros((8, 5)), lambda v: v[:, 0])
