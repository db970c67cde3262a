"""Every method gives the same kind of trace and, on a small problem, the same posterior within Monte Carlo error."""

import re
from functools import cache

import numpy as np
import pytensor.tensor as pt
import pytest
from monte_carlo import LIMIT, approximation_apart

from halfpoint.games.select import select
from halfpoint.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.games.units import to_elo
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.importance import importance
from halfpoint.inference.pathfinder import log_normals
from halfpoint.inference.traces import read, write
from halfpoint.models.catalogue import declare
from halfpoint.models.draw_parameter import DrawParameter
from halfpoint.models.model import Model
from halfpoint.models.outcome import Outcome

DRAW = ("chain", "draw")


@pytest.fixture(scope="module")
def declared():
    names = np.array(["Anna", "Boris", "Clara", "David", "Emil"])
    truth = Truth(names, np.array([14.2, 14.6, 15.0, 15.3, 16.1]), 0.3, 0.4)
    games = simulate(truth, round_robin(5, 60), 1)
    return declare("davidson-common", select(games, names), "computed")


@pytest.fixture(scope="module")
def sampled(declared):
    return fit(declared, "nuts", draws=1000, tune=500, chains=4, seed=2, cores=2)


@pytest.fixture(scope="module")
def approximated(declared):
    """Return a function: a method -> a trace by it; pathfinder compiles for seconds."""
    return cache(lambda method: fit(declared, method, draws=500, chains=4, seed=3))


def check_agreement(trace, sampled):
    """Hold every parameter's mean and standard deviation together, within the Monte Carlo error of both."""
    effective = min(trace.attrs["effective_draws"], trace.attrs["distinct_draws"])
    assert set(trace["posterior"].data_vars) == set(sampled["posterior"].data_vars)
    for name, exact in sampled["posterior"].data_vars.items():
        assert approximation_apart(trace["posterior"][name], effective, exact) < LIMIT, name


@pytest.mark.draws
@pytest.mark.parametrize("method", ["normal", pytest.param("pathfinder", marks=pytest.mark.slow)])
def test_approximations_agree_with_nuts_within_monte_carlo_error(approximated, sampled, method):
    trace = approximated(method)
    assert trace.attrs["pareto_k"] < 0.7
    check_agreement(trace, sampled)


def thresholds(white, black, lam):
    """Return a formula of one's own: Glenn and David's ties, drawn where a normal difference stays below e^lam."""
    gap, threshold = white - black, pt.exp(lam)
    lost, won = pt.erfc((gap + threshold) / np.sqrt(2.0)) / 2, pt.erfc((threshold - gap) / np.sqrt(2.0)) / 2
    return pt.log(lost), pt.log(1.0 - lost - won), pt.log(won)


OWN = Model("thresholds-common", Outcome("thresholds", thresholds), draws=DrawParameter())
BEYOND = ("davidson-scaled", "davidson-population", "rao-kupper", "thresholds-common")


@pytest.fixture(scope="module")
def beyond(request):
    """Return a model beyond the twelve, declared on games of ten players and four anchors, and its trace by NUTS."""
    strength = np.array([14.5, 14.7, 14.9, 15.1, 15.3, 15.5, 15.7, 15.9, 16.1, 16.3, 14.4, 15.0, 15.8, 16.4])
    names, rounds = np.array([f"P{number:02d}" for number in range(14)]), round_robin(14, 16)
    elo = to_elo(strength)
    schedule = Schedule(
        rounds.white,
        rounds.black,
        rounds.period,
        white_rating_elo=elo[rounds.white],
        black_rating_elo=elo[rounds.black],
    )
    chosen = select(simulate(Truth(names, strength, 0.3, 0.4), schedule, 21), names[:10])
    declared = declare(OWN if request.param == OWN.name else request.param, chosen)
    return declared, fit(declared, "nuts", draws=1000, tune=500, chains=4, seed=2, cores=2, pointwise_draws=0)


# Pathfinder compiles for seconds: by day for one of the twelve above, for two of these by night.
METHODS_BEYOND = [(name, "normal") for name in BEYOND]
METHODS_BEYOND += [pytest.param(name, "pathfinder", marks=pytest.mark.slow) for name in BEYOND[:2]]


@pytest.mark.draws
@pytest.mark.parametrize(("beyond", "method"), METHODS_BEYOND, indirect=["beyond"])
def test_models_beyond_the_twelve_are_approximated_as_nuts_has_them(beyond, method):
    declared, exact = beyond
    assert exact.attrs["converged"], exact.attrs["verdict"]
    trace = fit(declared, method, draws=1000, chains=4, seed=3, pointwise_draws=0)
    assert trace.attrs["converged"] == 1
    check_agreement(trace, exact)


@pytest.mark.parametrize("method", ["pathfinder", "jax"])
@pytest.mark.parametrize("name", ["bt-walk", "davidson-walk-scaled"])
def test_walks_are_left_to_nuts(name, method):
    names = np.array(["Anna", "Boris", "Clara"])
    games = simulate(Truth(names, np.array([15.0, 15.4, 15.9]), 0.2, 0.3), round_robin(3, 4), 3)
    said = f"method {method}: expected strengths without periods, found {name}. Use method nuts."
    with pytest.raises(InferenceError, match=re.escape(said)):
        fit(declare(name, select(games, names)), method, draws=10, chains=1)


@pytest.mark.parametrize("name", ["davidson-scaled", "bt-pooled", "bt-population"])
def test_jax_takes_independent_normal_priors_only(name):
    names = np.array(["Anna", "Boris", "Clara"])
    games = simulate(Truth(names, np.array([15.0, 15.4, 15.9]), 0.2, 0.3), round_robin(3, 4), 3)
    with pytest.raises(InferenceError, match=f"model {name}: expected independent normal priors") as found:
        fit(declare(name, select(games, names)), "jax", draws=10, chains=1)
    assert "\n" not in str(found.value)


@pytest.mark.draws
def test_auto_samples_where_normal_draws_are_not_to_be_believed(declared):
    import pymc as pm

    edited, said = declare("davidson-common", declared.selection, "computed"), []
    with edited.model:
        pm.Potential("opinion", -((edited.model["log_draw"] - 1.0) ** 2))
    trace = fit(edited, "auto", draws=20, tune=20, chains=2, seed=1, say=said.append, pointwise_draws=0)
    assert trace.attrs["method"] == "nuts"
    assert trace.attrs["sampling"].startswith("NUTS, since model: expected the catalogue's formula")
    assert said[0].startswith("NUTS: ")
    few = fit(declared, "auto", draws=50, tune=50, chains=2, seed=1, pointwise_draws=0)
    assert few.attrs["sampling"].startswith("NUTS, since normal draws are not to be believed (")
    assert "effective draws, should be at least 400" in few.attrs["sampling"]
    believed = fit(declared, "auto", draws=500, tune=50, chains=2, seed=1, pointwise_draws=0)
    assert believed.attrs["method"] == "normal"
    assert believed.attrs["verdict"].startswith("converged: 1,000 independent draws, weighted, k ")
    assert (believed.attrs["converged"], believed.attrs["approximate"]) == (1, 0)


@pytest.mark.slow
def test_paths_are_weighed_by_the_density_they_were_drawn_from():
    """Log densities of a path's normal against those that blackjax gives with its draws."""
    jax = pytest.importorskip("jax")
    from blackjax.vi.pathfinder import approximate
    from blackjax.vi.pathfinder import sample as drawn_from

    jax.config.update("jax_enable_x64", True)
    root = np.random.default_rng(0).normal(size=(12, 12))
    precision = root @ root.T + np.eye(12)
    keys = jax.random.split(jax.random.PRNGKey(1), 2)
    state, _ = approximate(
        keys[0], lambda x: -0.5 * x @ precision @ x - 0.1 * (x**4).sum(), np.ones(12), 20, maxiter=100, maxcor=6
    )
    drawn, log_q = drawn_from(keys[1], state, 50)
    apart = np.asarray(log_q) - log_normals([state], np.asarray(drawn))[0]
    np.testing.assert_allclose(apart, 12 * -0.5 * np.log(2 * np.pi), atol=1e-9)


@pytest.mark.parametrize("method", ["normal", pytest.param("pathfinder", marks=pytest.mark.slow)])
def test_an_approximate_trace_has_the_schema_and_says_what_it_is(approximated, declared, sampled, method, tmp_path):
    """Too few draws of the normal to be believed, and Pathfinder, which never is."""
    few = approximated(method) if method == "pathfinder" else fit(declared, method, draws=90, chains=4, seed=4)
    trace = read(write(few, tmp_path / "trace.nc"))
    for group in ("posterior", "observed_data", "constant_data", "log_likelihood"):
        assert set(trace[group].data_vars) == set(sampled[group].data_vars), group
        for name, variable in trace[group].data_vars.items():
            assert variable.dims == sampled[group][name].dims, name
    assert trace["sample_stats"]["log_likelihood_total"].dims == DRAW
    assert trace.attrs["approximate"] == 1
    assert trace.attrs["method"] == method
    assert trace.attrs["verdict"].startswith(f"APPROXIMATE ({method}), ")
    assert set(sampled.attrs) - set(trace.attrs) <= {
        "seconds_compile", "route", "route_reason", "target_accept", "sampling",
    }  # fmt: skip


def test_same_seed_same_draws(declared):
    first, second, other = (fit(declared, "normal", draws=20, chains=2, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first["posterior"]["strength"], second["posterior"]["strength"])
    assert not np.array_equal(first["posterior"]["strength"], other["posterior"]["strength"])


@pytest.mark.parametrize("variance", [0.2, 0.4, 0.8])
def test_pareto_k_of_a_normal_that_is_too_narrow(variance):
    """In two dimensions log p / q is exponential with mean 1 - variance: the ratio is Pareto with k = 1 - variance."""
    drawn = np.random.default_rng(8).normal(0, np.sqrt(variance), (100_000, 2))
    found = importance((-0.5 * drawn**2 + 0.5 * drawn**2 / variance).sum(axis=1))
    tail = 3 * np.sqrt(100_000)  # ratios that the estimate is made from
    assert found.pareto_k == pytest.approx(1 - variance, abs=4.5 * (2 - variance) / np.sqrt(tail))
    assert found.trusted == (variance > 0.3)


def test_an_edited_model_is_refused_by_methods_that_know_the_catalogue_only(declared):
    import pymc as pm

    edited = declare("davidson-common", declared.selection, "computed")
    with edited.model:
        pm.Potential("opinion", -((edited.model["log_draw"] - 1.0) ** 2))
    with pytest.raises(InferenceError, match="edited model"):
        fit(edited, "normal")


def test_wrong_settings_are_told(declared):
    with pytest.raises(InferenceError, match=r"method: expected auto \| normal \| nuts"):
        fit(declared, "magic")
    with pytest.raises(InferenceError, match="draws: expected a whole number from 1 to"):
        fit(declared, "pathfinder", draws=0)
    with pytest.raises(InferenceError, match="cores: expected for method nuts only"):
        fit(declared, "pathfinder", cores=2)
