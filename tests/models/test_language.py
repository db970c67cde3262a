"""Every model of the catalogue: compiled code equals its graph, and a trace contains the sampled values."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from covering_rows import COVERING, FEW
from graph_density import own_density

from halfpoint.inference.adaptive import SamplingPlan
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import nutpie_model, starting_coordinates
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.models.declaration.catalogue import EDITIONS, declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.replica import replica

FULL = ("bt-player-weighted", "davidson-player-weighted")  # all that an edition of the twelve changes: priors, weights
# With the opponents whom the study anchors; the slow suite also among the monitored alone, and in other editions.
CASES = [
    *(pytest.param(name, "corrected", "any", marks=() if name in FEW else pytest.mark.slow) for name in COVERING),
    *(pytest.param(name, "corrected", "both", marks=pytest.mark.slow) for name in COVERING),
    *(pytest.param(name, edition, "any", marks=pytest.mark.slow) for name in FULL for edition in EDITIONS[:2]),
]


@cache
def chess(rule):
    games = replica(3)
    rapid = np.random.default_rng(0).integers(0, 2, len(games.training)).astype(float)
    row, margin = np.arange(len(games.training)), 2.0 * games.training.score - 1.0
    further = {"rapid": rapid, "margin": margin, "deal": row % 50, "context": row % 2}
    table = replace(games.training, covariates={**games.training.covariates, **further})
    return select(table, games.monitored, rule)


@pytest.mark.cases(3)
@pytest.mark.parametrize(("name", "edition", "rule"), CASES)
def test_compiled_code_equals_the_graph(name, edition, rule):
    declared = declare(name, chess(rule), edition)
    compiled, graph = density(numbers_of(declared)), own_density(declared.model)
    for seed in (1, 2):
        point = 0.5 * np.random.default_rng(seed).standard_normal(declared.layout.count)
        (value, gradient), (expected, slope) = compiled(point), graph(point)
        assert value == pytest.approx(expected, rel=1e-10)
        assert gradient == pytest.approx(slope, rel=1e-9, abs=1e-9 * np.abs(slope).max())


@pytest.mark.cases(2)
@pytest.mark.parametrize(("name", "edition", "rule"), CASES)
def test_what_a_trace_keeps_are_the_values_of_the_coordinates_that_were_sampled(name, edition, rule):
    declared = declare(name, chess(rule), edition)
    effort, numbers = Effort(draws=4, tune=4, chains=2, seed=5, cores=1), numbers_of(declared)
    model = nutpie_model(declared, numbers, starting_coordinates(declared, numbers))
    posterior, statistics = split_raw_trace(all_draws(model, SamplingPlan(4, 4, 0.8), effort))
    log_density = density(numbers)
    for chain in range(2):
        for draw in range(4):
            one = posterior.isel(chain=chain, draw=draw)
            values = {str(key): value.to_numpy() for key, value in one.data_vars.items()}
            found = log_density(declared.coordinates(values))[0]
            assert found == pytest.approx(float(statistics["lp"][chain, draw]), rel=1e-7)
