"""Criteria against closed forms."""

import numpy as np
import pytest
from scipy.stats import norm

from halfpoint.evaluation.criteria import (
    aicm,
    aicm_error,
    aicm_printed,
    leave_one_out,
    log_likelihood,
    lpd_per_game,
    neg2_mean_log_predictive,
    terms_per_game,
    variance_per_game,
)
from halfpoint.evaluation.errors import EvaluationError

OBSERVED = np.random.default_rng(5).normal(0.3, 1.0, size=60)


@pytest.fixture(scope="module")
def pointwise():
    """Log likelihood of normal data with known sd 1 and a flat prior on the mean, by exact posterior draws."""
    rng = np.random.default_rng(8)
    mean = rng.normal(OBSERVED.mean(), 1 / np.sqrt(OBSERVED.size), size=(4, 2000, 1))
    return norm.logpdf(OBSERVED, loc=mean)


def test_mean_sd_and_error_of_the_log_likelihood(pointwise):
    # -2 l is a constant plus chi-square with one degree of freedom: sd(l) = 1/sqrt(2), mean(l) = max - 1/2.
    found = log_likelihood(pointwise.sum(axis=2))
    best = norm.logpdf(OBSERVED, loc=OBSERVED.mean()).sum()
    assert found.mc_error == pytest.approx(np.sqrt(0.5) / np.sqrt(8000), rel=0.2)
    assert found.mean == pytest.approx(best - 0.5, abs=4 * found.mc_error)
    assert found.sd == pytest.approx(np.sqrt(0.5), abs=0.05)


def test_full_aicm_of_a_gaussian_posterior_is_two_parameters_above_the_best(pointwise):
    # -2 (max - k/2) + 2 (k/2) = -2 max + 2 k with k = 1: the AIC.
    best = norm.logpdf(OBSERVED, loc=OBSERVED.mean()).sum()
    assert aicm(pointwise.sum(axis=2)) == pytest.approx(-2 * best + 2, abs=0.2)


def test_printed_penalty_is_the_mean_variance_of_a_game(pointwise):
    total = pointwise.sum(axis=2)
    # var of (y - mu)^2 / 2 for mu ~ N(m, s^2): s^2 (y - m)^2 + s^4 / 2.
    s2 = 1 / OBSERVED.size
    exact = float(np.mean(s2 * (OBSERVED - OBSERVED.mean()) ** 2 + s2**2 / 2))
    assert variance_per_game(pointwise) == pytest.approx(exact, rel=0.06)
    assert aicm_printed(total, pointwise) == pytest.approx(-2 * total.mean() + 2 * variance_per_game(pointwise))
    assert aicm_printed(total) < aicm_printed(total, pointwise) < aicm(total)


def test_lpd_is_the_posterior_predictive_density(pointwise):
    exact = norm.logpdf(OBSERVED, loc=OBSERVED.mean(), scale=np.sqrt(1 + 1 / OBSERVED.size))
    assert lpd_per_game(pointwise) == pytest.approx(exact, abs=0.02)
    assert lpd_per_game(pointwise).sum() == pytest.approx(exact.sum(), abs=0.1)
    assert -2 * lpd_per_game(pointwise).sum() <= neg2_mean_log_predictive(pointwise)


def test_lpd_survives_tiny_densities():
    assert lpd_per_game(np.full((1, 2, 1), -5000.0)).sum() == pytest.approx(-5000.0)


def test_leave_one_out_of_a_normal_mean(pointwise):
    n = OBSERVED.size
    rest = (OBSERVED.sum() - OBSERVED) / (n - 1)
    exact = norm.logpdf(OBSERVED, loc=rest, scale=np.sqrt(1 + 1 / (n - 1)))
    found = leave_one_out(pointwise)
    assert found.elpd == pytest.approx(exact.sum(), abs=0.1)
    assert found.elpd_per_game == pytest.approx(exact, abs=0.03)
    assert found.standard_error == pytest.approx(np.sqrt(n * exact.var()), rel=0.02)
    assert found.pareto_k.max() < 0.7


def test_leave_one_out_of_chains_that_stood_still(pointwise):
    """A chain that did not move gives no tail to fit: k says so; a game that all draws explain alike loses nothing."""
    stuck = pointwise.copy()
    stuck[0] = stuck[0, 0] - 50.0
    stuck[:, :, 1] = -0.7
    found = leave_one_out(stuck)
    assert found.pareto_k[1] == 0.0
    assert found.elpd_per_game[1] == pytest.approx(-0.7)
    assert np.all(np.isinf(np.delete(found.pareto_k, 1)))
    # a quarter of the draws 50 below the rest have all the weight of the reciprocals
    assert found.elpd_per_game[0] == pytest.approx(stuck[0, 0, 0] + np.log(4.0))


def test_leave_one_out_of_a_normal_mean_with_weights():
    weight = np.linspace(0.2, 3.0, OBSERVED.size)
    whole, each = weight.sum(), weight * OBSERVED
    rng = np.random.default_rng(9)
    mean = rng.normal(each.sum() / whole, 1 / np.sqrt(whole), size=(4, 2000, 1))
    rest = whole - weight
    exact = norm.logpdf(OBSERVED, loc=(each.sum() - each) / rest, scale=np.sqrt(1 + 1 / rest))
    found = leave_one_out(norm.logpdf(OBSERVED, loc=mean), weight)
    assert found.elpd == pytest.approx(exact.sum(), abs=4 * found.mc_error)
    assert found.elpd_per_game == pytest.approx(exact, abs=0.05)
    wrong = leave_one_out(norm.logpdf(OBSERVED, loc=mean))
    assert abs(wrong.elpd - exact.sum()) > 10 * found.mc_error


def test_wrong_draws_are_refused():
    with pytest.raises(EvaluationError, match="chain, draw"):
        aicm([1.0, 2.0])
    with pytest.raises(EvaluationError, match="finite"):
        aicm([[1.0, np.nan]])


def test_monte_carlo_errors_are_the_spread_over_repeated_runs():
    rng = np.random.default_rng(12)
    runs = []
    for _ in range(200):
        mean = rng.normal(OBSERVED.mean(), 1 / np.sqrt(OBSERVED.size), size=(2, 150, 1))
        each = norm.logpdf(OBSERVED, loc=mean)
        loo = leave_one_out(each)
        runs.append((aicm(each.sum(axis=2)), aicm_error(each.sum(axis=2)), loo.elpd, loo.mc_error))
    value, error, elpd, elpd_error = np.array(runs).T
    relative = 4 / np.sqrt(2 * 200) + 0.1  # of a standard deviation from 200 runs, and what is left out at 300 draws
    assert np.sqrt(np.mean(error**2)) == pytest.approx(value.std(ddof=1), rel=relative)
    assert np.sqrt(np.mean(elpd_error**2)) == pytest.approx(elpd.std(ddof=1), rel=relative)


def test_monte_carlo_errors_grow_where_draws_hang_together():
    rng = np.random.default_rng(13)
    few = norm.logpdf(OBSERVED, loc=rng.normal(OBSERVED.mean(), 0.13, size=(4, 200, 1)))
    many = np.repeat(few, 10, axis=1)
    assert aicm_error(many.sum(axis=2)) == pytest.approx(aicm_error(few.sum(axis=2)), rel=0.35)
    assert leave_one_out(many).mc_error == pytest.approx(leave_one_out(few).mc_error, rel=0.35)


def test_terms_of_games_add_up_to_the_criteria(pointwise):
    total, terms = pointwise.sum(axis=2), terms_per_game(pointwise)
    assert terms["aicm"].shape == OBSERVED.shape
    assert terms["neg_mean_loglik"].sum() == pytest.approx(-total.mean())
    assert terms["aicm"].sum() == pytest.approx(aicm(total))
    assert terms["aicm_printed"].sum() == pytest.approx(aicm_printed(total, pointwise))
