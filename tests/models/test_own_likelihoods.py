"""Densities of observed variables under the draws of a model, compared with closed forms."""

import numpy as np
import pymc as pm
import pytensor
import pytest
from scipy import stats

from halfpoint.models.pymc_import import interpreted
from halfpoint.models.reading.own_likelihoods import own_log_likelihood, weighted_likelihood

SEEN = np.array([-2.0, -0.5, 0.0, 1.0, 2.0])


def capped():
    """Student's t with estimated mean and width, censored at -2 and 2: PyMC transforms the width in its log density."""
    with pm.Model() as model:
        mean, width = pm.Normal("mean", 0.0, 1.0, shape=5), pm.HalfNormal("width", 2.0)
        hidden = pm.StudentT.dist(nu=4, mu=mean, sigma=width)
        pm.Censored("seen", hidden, lower=-2, upper=2, observed=SEEN)
    return model


def expected(mean, width):
    """Log density of each value by SciPy."""
    t = stats.t(4, mean, width)
    return np.where(SEEN <= -2, t.logcdf(-2), np.where(SEEN >= 2, t.logsf(2), t.logpdf(SEEN)))


def test_the_likelihood_of_a_game_is_under_the_draws_of_the_model():
    rng = np.random.default_rng(1)
    draws = {"mean": rng.normal(size=(6, 5)), "width": rng.uniform(0.5, 3.0, 6)}
    by_hand = [expected(mean, width) for mean, width in zip(draws["mean"], draws["width"], strict=True)]
    np.testing.assert_allclose(own_log_likelihood(capped(), 5, draws), by_hand, atol=1e-10)


def test_a_weighted_likelihood_is_of_the_variables_of_the_model():
    weight = np.array([1.0, 2.0, 0.0, 0.5, 1.0])
    model = weighted_likelihood(capped(), np.outer(weight, [1.0, 0.0, 0.0]))
    point = {"mean": np.linspace(-1.0, 1.0, 5), "width_log__": np.log(1.7)}
    graph = model.logp(vars=[model["mean"]], jacobian=False, sum=True) + sum(x.sum() for x in model.logp(sum=False)[2:])
    value = pytensor.function(model.value_vars, graph, mode=interpreted(), on_unused_input="ignore")
    found = value(*(point[str(variable.name)] for variable in model.value_vars))
    prior = stats.norm.logpdf(point["mean"]).sum()
    assert found - prior == pytest.approx(weight @ expected(point["mean"], 1.7), abs=1e-7)
