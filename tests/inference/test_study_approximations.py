"""Normal draws on the study's games equal NUTS: small Pareto k, means and sds within Monte Carlo error."""

import pytest
from few_cases import few
from monte_carlo import LIMIT, approximation_apart

from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.study import monitored_names, training


@pytest.mark.further
@pytest.mark.draws
@pytest.mark.real
@pytest.mark.parametrize("name", few(["davidson-player", "bt-common"], 1))
def test_normal_draws_agree_with_nuts_on_the_study(name):
    declared = declare(name, select(training(), monitored_names()), "corrected")
    near = fit(declared, "normal", draws=1000, chains=4, seed=1, pointwise_draws=0)
    exact = fit(declared, "nuts", draws=1000, tune=400, chains=4, seed=2, cores=2, pointwise_draws=0)
    assert near.attrs["pareto_k"] < 0.5
    effective = min(near.attrs["effective_draws"], near.attrs["distinct_draws"])
    assert approximation_apart(near["posterior"]["rating_elo"], effective, exact["posterior"]["rating_elo"]) < LIMIT
