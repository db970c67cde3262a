"""Weights of ratios that are not finite, verdicts in words, and noise with the moments of a normal."""

import numpy as np
import pytest

from halfpoint.inference.diagnostics.importance_ratios import ENOUGH, importance, limit_of_k
from halfpoint.inference.gaussian.weighted_draws import WeightedDraws, matched_noise, smooth_weights


def test_ratios_that_are_not_finite_get_no_weight():
    ratio = 0.1 * np.random.default_rng(1).standard_normal(2000)
    whole, some = smooth_weights(ratio), ratio.copy()
    np.testing.assert_array_equal(whole.log_weight, importance(ratio).log_weight)
    some[[3, 70]] = np.nan, -np.inf
    found = smooth_weights(some)
    assert np.isneginf(found.log_weight[[3, 70]]).all()
    others = np.delete(np.arange(2000), [3, 70])
    np.testing.assert_array_equal(found.log_weight[others], importance(ratio[others]).log_weight)
    assert np.exp(found.log_weight).sum() == pytest.approx(1.0)
    assert found.pareto_k == importance(ratio[others]).pareto_k


@pytest.mark.parametrize("share", [0.2, 0.99])
def test_nearly_even_weights_may_have_a_larger_k(share):
    assert (limit_of_k(share * 1000.0, 1000.0) > limit_of_k(0.0, 1000.0)) == (share == 0.99)


def draws(sd, count=2000, unreached=()):
    """Draws with normal log weights."""
    ratio = sd * np.random.default_rng(2).standard_normal(count)
    return WeightedDraws(np.arange(2.0 * count).reshape(count, 2), importance(ratio), unreached)


def test_even_weights_are_reliable():
    found = draws(0.05)
    assert found.faults == ()
    assert found.even
    assert found.account.startswith("2,000 independent draws, weighted, k ")
    assert found.account.endswith(f"{found.weights.effective:,.0f} effective")
    values, indices = found.resampled(1)
    np.testing.assert_array_equal(values, found.v[indices])
    assert indices.size == 2000


def test_uneven_weights_and_missing_tails_are_named():
    (few,) = draws(1.0).faults
    assert few.endswith("effective draws, should be at least 1000")
    assert draws(0.05, unreached=("spread",)).faults == ("the draws do not cover the tail of spread",)
    wild = draws(4.0)
    assert wild.faults[0].startswith("Pareto k ")
    assert not wild.even
    assert "of weights up to" in wild.account
    small = draws(0.05, 500)
    assert small.faults == ()
    assert draws(0.05, 300).faults[0].endswith(f"should be at least {ENOUGH:.0f}")


@pytest.mark.parametrize(("count", "size", "matched"), [(2600, 50, True), (2500, 50, False), (60, 2, False)])
def test_covariances_are_matched_if_draws_far_outnumber_numbers(count, size, matched):
    noise = matched_noise(np.random.default_rng(3), count, size)
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=1e-12)
    gap = np.abs(noise.T @ noise / count - np.eye(size)).max()
    assert gap < 1e-10 if matched and count > 50 * size else gap > 1e-3
