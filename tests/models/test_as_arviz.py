"""R-hat, effective sample sizes, Monte Carlo errors and Pareto weights equal those of ArviZ."""

import numpy as np
import pytest
from arviz_stats.base import array_stats
from few_cases import few

from halfpoint.models.psis import smooth_log_ratios
from halfpoint.models.rhat_ess import mean_error, rhat_and_ess


def chains(count, draws):
    """Ten parameters: independent, slow, alternating, with ties, of two values, drifting, and with a shifted chain."""
    value = np.random.default_rng([count, draws]).normal(size=(10, count, draws))
    for draw in range(1, draws):
        value[:3, :, draw] += 0.95 * value[:3, :, draw - 1]
        value[3, :, draw] -= 0.7 * value[3, :, draw - 1]
    value[4] = np.round(value[4], 1)
    value[5] = value[5] > 0
    value[6] = np.cumsum(value[6], axis=1)
    value[7, 0] += 2.0
    value[8, 0] = 0.0
    return value


@pytest.mark.parametrize(("count", "draws"), [(4, 1000), (2, 333), (1, 100), (3, 7), (4, 4)])
def test_chains_are_judged_as_by_arviz(count, draws):
    value = chains(count, draws)
    rhat, bulk, tail = rhat_and_ess(value)
    assert bulk == pytest.approx(array_stats.ess(value, method="bulk"), rel=1e-10)
    assert tail == pytest.approx(array_stats.ess(value, method="tail", prob=0.9), rel=1e-10)
    if count > 1:
        assert rhat == pytest.approx(array_stats.rhat(value, method="rank"), rel=1e-10)
    else:
        assert np.isnan(rhat).all()
    for one in value:
        assert mean_error(one) == pytest.approx(array_stats.mcse(one, chain_axis=0, draw_axis=1), rel=1e-10)


def test_what_cannot_be_judged_is_not_a_number():
    assert np.isnan(rhat_and_ess(np.ones((2, 4, 3)))).all()
    assert np.isnan(mean_error(np.ones((4, 3))))
    value = chains(4, 50)
    value[2, 1, 7] = np.nan
    assert np.isnan(rhat_and_ess(value)[:, 2]).all()
    assert np.isfinite(rhat_and_ess(value)[:, [0, 1, 3]]).all()


@pytest.mark.cases(4)
@pytest.mark.parametrize("draws", few([100, 225, 226, 1000], 2))
@pytest.mark.parametrize("relative_ess", [1.0, 0.4])
@pytest.mark.parametrize("scale", [0.01, 0.3, 3.0])
def test_weights_are_smoothed_as_by_arviz(draws, relative_ess, scale):
    chance = np.random.default_rng(draws)
    ratio = scale * np.concatenate(
        [chance.normal(size=(50, draws)), chance.exponential(size=(20, draws)), chance.standard_t(3, size=(10, draws))]
    )
    weight, k = smooth_log_ratios(ratio, relative_ess)
    for one, found, shape in zip(ratio, weight, k, strict=True):
        wanted, wanted_shape = array_stats.psislw(-one, r_eff=relative_ess)
        assert found == pytest.approx(wanted, rel=1e-10, abs=1e-10)
        assert shape == pytest.approx(wanted_shape, rel=1e-10)


def test_a_tail_of_one_number_is_not_fitted():
    ratio = np.random.default_rng(1).normal(size=(3, 400))
    ratio[0], ratio[1] = 2.0, np.minimum(ratio[1], 0.5)
    weight, k = smooth_log_ratios(ratio)
    assert np.isinf(k).tolist() == [True, True, False]
    assert np.exp(weight).sum(axis=1) == pytest.approx(np.ones(3))
    assert weight[1] - weight[1].max() == pytest.approx(ratio[1] - 0.5)
