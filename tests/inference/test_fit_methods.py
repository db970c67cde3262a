"""Every method gives the same kind of trace and, on a small problem, the same posterior within Monte Carlo error."""

import sys

import numpy as np
import pytensor.tensor as pt
import pytest
from composed import DrawParameter, Model
from few_cases import few
from monte_carlo import LIMIT, approximation_apart, means_apart

from halfpoint.inference import gaussian
from halfpoint.inference.diagnostics.importance_ratios import importance
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.models.games.units import to_elo

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
    """Trace by weighted normal draws."""
    return fit(declared, "normal", draws=500, chains=4, seed=3)


def check_agreement(trace, sampled):
    """Compare mean and standard deviation of every parameter within the Monte Carlo errors of both traces."""
    effective = min(trace.attrs["effective_draws"], trace.attrs["distinct_draws"])
    assert set(trace["posterior"].data_vars) == set(sampled["posterior"].data_vars)
    for name, exact in sampled["posterior"].data_vars.items():
        assert approximation_apart(trace["posterior"][name], effective, exact) < LIMIT, name


@pytest.mark.draws
def test_normal_draws_agree_with_nuts_within_monte_carlo_error(approximated, sampled):
    assert approximated.attrs["pareto_k"] < 0.7
    check_agreement(approximated, sampled)


def thresholds(white, black, lam):
    """User formula: Glenn and David's ties, drawn if a normal difference is below e^lam."""
    gap, threshold = white - black, pt.exp(lam)
    lost, won = pt.erfc((gap + threshold) / np.sqrt(2.0)) / 2, pt.erfc((threshold - gap) / np.sqrt(2.0)) / 2
    return pt.log(lost), pt.log(1.0 - lost - won), pt.log(won)


OWN = Model("thresholds-common", Outcome("thresholds", thresholds), draws=DrawParameter())
BEYOND = ("davidson-scaled", "davidson-population", "rao-kupper", "thresholds-common")


@pytest.fixture(scope="module")
def beyond(request):
    """Model beyond the twelve, declared on games of ten players and four anchors, and its trace by NUTS."""
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


@pytest.mark.cases(1)
@pytest.mark.draws
@pytest.mark.parametrize("beyond", few(BEYOND[::-1], 2), indirect=True)
def test_models_beyond_the_twelve_are_approximated_as_nuts_has_them(beyond):
    declared, exact = beyond
    assert exact.attrs["converged"], exact.attrs["verdict"]
    trace = fit(declared, "normal", draws=1000, chains=4, seed=3, pointwise_draws=0)
    assert trace.attrs["converged"] == 1
    check_agreement(trace, exact)


@pytest.mark.slow
@pytest.mark.draws
@pytest.mark.parametrize("name", ["davidson-population", "bt-walk"])
def test_jax_and_pymc_sample_the_model_that_the_loops_sample(name):
    pytest.importorskip("jax")
    names = np.array(["Anna", "Boris", "Clara", "Dora"])
    rounds = round_robin(4, 30)
    months = Schedule(rounds.white, rounds.black, 1 + np.arange(rounds.white.size) % 4)
    games = simulate(Truth(names, np.array([15.0, 15.4, 15.9, 15.2]), 0.2, 0.3), months, 3)
    declared = declare(name, select(games, names, "both"))
    about = {"draws": 1000, "tune": 1000, "chains": 4, "seed": 2, "cores": 2, "pointwise_draws": 0}
    exact = fit(declared, "nuts", **about)
    for sampler in ("jax", "pymc"):
        trace = fit(declared, "nuts", sampler=sampler, **about)
        assert set(trace["posterior"].data_vars) == set(exact["posterior"].data_vars)
        for one, value in exact["posterior"].data_vars.items():
            assert means_apart(trace["posterior"][one], value) < LIMIT, (sampler, one)


@pytest.mark.slow
@pytest.mark.draws
@pytest.mark.parametrize("name", ["bt-player-weighted", "davidson-player-weighted"])
def test_pymc_samples_the_twelve_as_the_loops_do(name, declared):
    about = {"draws": 500, "tune": 500, "chains": 2, "seed": 3, "cores": 1, "pointwise_draws": 0}
    one, other = (fit(declare(name, declared.selection), "nuts", sampler=by, **about) for by in ("nutpie", "pymc"))
    for parameter, value in one["posterior"].data_vars.items():
        assert means_apart(other["posterior"][parameter], value) < LIMIT, parameter


def test_a_missing_extra_is_told(monkeypatch, declared):
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(InferenceError, match=r"pip install 'halfpoint\[jax\]'"):
        fit(declared, "nuts", sampler="jax", draws=10, tune=10, chains=1)


@pytest.mark.further
@pytest.mark.draws
def test_auto_moves_where_weights_fail_and_samples_where_no_normal_is_read(declared):
    import pymc as pm

    edited, said = declare("davidson-population", declared.selection), []
    with edited.model:
        pm.Potential("opinion", -((edited.model["log_draw"] - 1.0) ** 2))
    trace = fit(edited, "auto", draws=20, tune=20, chains=2, seed=1, pointwise_draws=0)
    assert (trace.attrs["method"], trace.attrs["converged"]) == ("moves", 1)
    paces = declare("davidson-volatility-walk", declared.selection)
    sampled = fit(paces, "auto", draws=20, tune=20, chains=2, seed=1, say=said.append, pointwise_draws=0)
    assert sampled.attrs["method"] == "nuts"
    assert sampled.attrs["sampling"].startswith("NUTS, since normal approximation: expected a common spread")
    assert said[0].startswith("NUTS, which takes longer: 2 chains of 20 tuning and 20 kept draws")
    few = fit(declared, "auto", draws=50, tune=50, chains=2, seed=1, pointwise_draws=0)
    assert few.attrs["method"] == "nuts"  # without spreads it is the posterior that is not normal
    believed = fit(declared, "auto", draws=500, tune=50, chains=2, seed=1, pointwise_draws=0)
    assert believed.attrs["method"] == "normal"
    assert believed.attrs["verdict"].startswith("converged: 1,000 independent draws, weighted, k ")
    assert (believed.attrs["converged"], believed.attrs["approximate"]) == (1, 0)


def test_an_approximate_trace_has_the_schema_and_says_what_it_is(declared, sampled, tmp_path, monkeypatch):
    """Draws without weights, as for a model whose factor is too large."""
    monkeypatch.setattr(gaussian, "MOST", 0)
    few = fit(declared, "normal", draws=90, chains=4, seed=4)
    trace = read(write(few, tmp_path / "trace.nc"))
    for group in ("posterior", "observed_data", "constant_data", "log_likelihood"):
        assert set(trace[group].data_vars) == set(sampled[group].data_vars), group
        for name, variable in trace[group].data_vars.items():
            assert variable.dims == sampled[group][name].dims, name
    assert trace["sample_stats"]["log_likelihood_total"].dims == DRAW
    assert trace.attrs["approximate"] == 1
    assert trace.attrs["method"] == "normal"
    assert trace.attrs["verdict"].startswith("APPROXIMATE (normal), ")
    assert set(sampled.attrs) - set(trace.attrs) <= {
        "seconds_compile", "seconds_sample", "route", "route_reason", "target_accept", "sampling", "restless",
        "draws_sampled", "tune_sampled", "runs_sampled",
    }  # fmt: skip


def test_same_seed_same_draws(declared):
    first, second, other = (fit(declared, "normal", draws=20, chains=2, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first["posterior"]["strength"], second["posterior"]["strength"])
    assert not np.array_equal(first["posterior"]["strength"], other["posterior"]["strength"])


@pytest.mark.parametrize("variance", [0.2, 0.4, 0.8])
def test_pareto_k_of_a_normal_that_is_too_narrow(variance):
    drawn = np.random.default_rng(8).normal(0, np.sqrt(variance), (100_000, 2))
    found = importance((-0.5 * drawn**2 + 0.5 * drawn**2 / variance).sum(axis=1))
    tail = 3 * np.sqrt(100_000)  # ratios that the estimate is made from
    assert found.pareto_k == pytest.approx(1 - variance, abs=4.5 * (2 - variance) / np.sqrt(tail))
    assert found.trusted == (variance > 0.3)


def test_a_potential_that_was_added_is_followed_by_normal_draws(declared):
    import pymc as pm

    edited = declare("davidson-common", declared.selection, "computed")
    with edited.model:
        pm.Potential("opinion", -((edited.model["log_draw"] - 1.0) ** 2))
    plain, moved = (fit(one, "normal", draws=2000, seed=1) for one in (declared, edited))
    value = plain["posterior"]["log_draw"].to_numpy()
    weight = np.exp(-((value - 1.0) ** 2))
    expected = (weight * value).sum() / weight.sum()
    error = value.std() / np.sqrt(min(one.attrs["effective_draws"] for one in (plain, moved)))
    assert float(moved["posterior"]["log_draw"].mean()) == pytest.approx(expected, abs=5.6 * np.sqrt(2.0) * error)
    assert moved.attrs["edited"] == "potential opinion added"


def test_wrong_settings_are_told(declared):
    with pytest.raises(InferenceError, match=r"method: expected auto \| normal \| nuts"):
        fit(declared, "magic")
    with pytest.raises(InferenceError, match="draws: expected a whole number from 1 to"):
        fit(declared, "normal", draws=0)
    with pytest.raises(InferenceError, match="cores: expected for method nuts only"):
        fit(declared, "normal", cores=2)
