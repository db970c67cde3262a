"""On the study's games Laplace is as good as NUTS: small Pareto k, means and sds within Monte Carlo error."""

import numpy as np
import pytest

from halfpoint.games.datasets.study import monitored, training
from halfpoint.games.select import select
from halfpoint.inference.fit import fit
from halfpoint.models.catalogue import declare

DRAW = ("chain", "draw")


@pytest.mark.real
@pytest.mark.parametrize("name", ["bt-common", "davidson-player"])
def test_laplace_agrees_with_nuts_on_the_study(name):
    declared = declare(name, select(training(), monitored()), "corrected")
    near = fit(declared, "laplace", draws=1000, chains=4, seed=1, pointwise_draws=0)
    exact = fit(declared, "nuts", draws=1000, tune=400, chains=4, seed=2, cores=2, pointwise_draws=0)
    assert near.attrs["pareto_k"] < 0.5
    mine, theirs = near["posterior"]["rating_elo"], exact["posterior"]["rating_elo"]
    apart = (mine.mean(DRAW) - theirs.mean(DRAW)) / theirs.std(DRAW)
    error = np.sqrt(1 / 4000 + 1 / exact.attrs["min_ess_bulk"])
    # the approximation may be off by a few hundredths of a standard deviation beside Monte Carlo error
    np.testing.assert_allclose(apart, 0.0, atol=4.5 * error + 0.03)
    np.testing.assert_allclose(mine.std(DRAW) / theirs.std(DRAW), 1.0, atol=4.5 / np.sqrt(2 * 1000) + 0.02)
