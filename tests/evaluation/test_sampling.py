"""Figures of posteriors over their priors: the curve of the prior and the range that it covers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.stats import norm

from halfpoint.evaluation.figures.sampling import prior_and_posterior


@pytest.mark.parametrize("mean", [-12.0, 0.5, 12.0])
def test_the_prior_is_drawn_beside_the_posterior_to_one_standard_deviation(mean):
    draws = np.random.default_rng(1).standard_normal((2, 400))
    figure = prior_and_posterior({"advantage": (draws, (mean, 2.0))})
    prior, posterior = figure.axes[0].lines[:2]
    x, density = prior.get_data()
    assert density == pytest.approx(norm.pdf(x, mean, 2.0), rel=1e-9)
    for line in (x, posterior.get_xdata()):
        assert line.min() < draws.mean()
        assert line.max() > draws.mean()
    assert x.min() <= min(mean - 2.0, draws.mean() - 7.0)
    assert x.max() >= max(mean + 2.0, draws.mean() + 7.0)
    x, density = posterior.get_data()
    assert np.trapezoid(density, x) == pytest.approx(1.0, abs=0.02)
    plt.close(figure)


@pytest.mark.parametrize("spread", [0.1, 5.0])
def test_a_wide_prior_is_drawn_over_eight_standard_deviations_of_the_posterior(spread):
    draws = 2.0 + spread * np.random.default_rng(1).standard_normal((2, 400))
    figure = prior_and_posterior({"advantage": (draws, (0.0, 100.0 * spread))})
    x = figure.axes[0].lines[0].get_xdata()
    assert (x.min(), x.max()) == pytest.approx((draws.mean() - 8.0 * draws.std(), draws.mean() + 8.0 * draws.std()))
    plt.close(figure)
