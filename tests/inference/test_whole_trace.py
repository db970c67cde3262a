"""Faults of traces: a sampled trace has none, and each kind of damage is described."""

import numpy as np
import pytest

from halfpoint.apps.workflows.simulation import simulate
from halfpoint.inference.sample import sample
from halfpoint.inference.traces.whole_trace import fault_of
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select


@pytest.fixture(scope="module")
def trace():
    """A short trace."""
    games, _ = simulate(games=60, players=4)
    declared = declare("davidson-common", select(games, games.players, "both"))
    return sample(declared, draws=6, tune=20, chains=2, cores=1, seed=3, adapt=False)


def changed(trace, group, change):
    """Copy of a trace with one changed group."""
    copy = trace.copy()
    copy[group] = change(copy[group].to_dataset())
    return copy


def shifted(name, by):
    """Data set changed by a number."""
    return lambda data: data.assign({name: data[name] + by})


DAMAGE = {
    "sample_stats": (
        lambda data: data.drop_vars("log_likelihood_total"),
        "no log_likelihood_total with chain and draw",
    ),
    "infinite likelihood": (shifted("log_likelihood_total", np.inf), "log likelihoods that are not finite"),
    "no number": (shifted("strength", np.nan), "draws of 'strength' that are not finite numbers"),
    "ratings": (shifted("strength", np.array([1.0, 0.0, 0.0, 0.0])), "ratings that are not those of its strengths"),
    "draw rates": (shifted("draw_rate", 1.0), "draw rates beyond 0 and 1"),
    "scores": (shifted("score", 0.25), "scores other than 0, 0.5 and 1"),
}
GROUPS = {
    "sample_stats": "sample_stats", "infinite likelihood": "sample_stats", "no number": "posterior",
    "ratings": "posterior", "draw rates": "posterior", "scores": "observed_data",
}  # fmt: skip


def test_a_sampled_trace_has_no_fault(trace):
    assert fault_of(trace) == ""


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damage_is_described(trace, damage):
    change, fault = DAMAGE[damage]
    assert fault_of(changed(trace, GROUPS[damage], change)) == fault


@pytest.mark.parametrize(("name", "value"), [("games", 61), ("players", 3), ("max_rhat", -1.0), ("converged", "yes")])
def test_an_attribute_that_contradicts_the_trace_is_named(trace, name, value):
    copy = trace.copy()
    copy.attrs[name] = value
    assert name in fault_of(copy)
