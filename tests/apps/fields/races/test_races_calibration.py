"""Simulation-based calibration of the Plackett-Luce model.

    s, g, d ~ prior,   events ~ model,   draws ~ posterior(events)   =>   the rank of each among the draws is uniform

Ranks and bands are those of `halfpoint.inference.simulation_based_calibration`; the model is compiled once, and its
events are replaced.
"""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.apps.fields.races.model import DeclaredRaces, Sampling, sampler
from halfpoint.apps.fields.races.simulate import drawn_races
from halfpoint.inference.simulation_based_calibration import RANKED, Ranks, count_below, even_indices
from halfpoint.models.reading.prior_draws import PriorDraws

COMPETITORS, EVENTS, FIELD, PLACES = 6, 20, 4, 2  # of a data set; every second event has two places only
HOW = Sampling(draws=250, tune=500, chains=2, longer=False)
FALSE_ALARM = 0.01


def ranks_of(simulations, order, seed):
    """Ranks of prior draws among the posterior draws given their events."""
    rng = np.random.default_rng([seed, 0])
    there = np.stack([rng.permutation(COMPETITORS)[:FIELD] for _ in range(EVENTS)])
    places = [FIELD, PLACES] * (EVENTS // 2)
    declared = DeclaredRaces(drawn_races(np.zeros(COMPETITORS), there, places, rng), order)
    run, prior = sampler(declared), PriorDraws(declared.model)
    ranks, divergences = {}, 0
    for simulation in range(simulations):
        rng = np.random.default_rng([seed, 1 + simulation])
        truth = prior.one(rng)
        table = drawn_races(truth["strength"], there, places, rng, truth.get("log_tie"))
        fitted = run(DeclaredRaces(table, order), replace(HOW, seed=seed + simulation))
        divergences += fitted.diagnosis.divergences
        for label, rank in count_below(fitted.posterior, truth, even_indices(HOW.chains, HOW.draws, RANKED)):
            ranks.setdefault(label, []).append(rank)
    return Ranks({name: np.asarray(values) for name, values in ranks.items()}, RANKED, divergences)


@pytest.mark.slow
@pytest.mark.parametrize(("order", "seed"), [(1, 7), (2, 11)])
def test_the_truth_ranks_uniformly_among_the_draws(order, seed):
    found = ranks_of(100, order, seed)
    outside = found.outside(1.0 - FALSE_ALARM / len(found.rank))
    assert {name: by for name, by in outside.items() if by} == {}
