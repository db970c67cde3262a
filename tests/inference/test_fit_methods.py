"""Every method gives the same kind of trace and, on a small problem, the same posterior within Monte Carlo error."""

import numpy as np
import pytest
from paired_tables import hessian, random_cells

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.importance import importance
from halfpoint.inference.laplace import laplace
from halfpoint.inference.laplace.hessian import curvature
from halfpoint.inference.traces import read, write
from halfpoint.inference.whitened import log_density_of, slow_directions
from halfpoint.models import bradley_terry, davidson
from halfpoint.models.catalogue import declare

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


@pytest.mark.parametrize("method", ["laplace", "pathfinder"])
def test_approximations_agree_with_nuts_within_monte_carlo_error(declared, sampled, method):
    trace = fit(declared, method, draws=500, chains=4, seed=3)
    assert trace.attrs["pareto_k"] < 0.7
    for name in ("strength", "advantage", "log_draw", "rating_elo"):
        drawn, exact = trace["posterior"][name], sampled["posterior"][name]
        effective = min(trace.attrs["effective_draws"], trace.attrs["distinct_draws"])
        sd = drawn.std(DRAW)
        error = sd * np.sqrt(1 / effective + 1 / sampled.attrs["min_ess_bulk"])
        assert (np.abs(drawn.mean(DRAW) - exact.mean(DRAW)) < 4.5 * error).all(), name
        np.testing.assert_allclose(sd, exact.std(DRAW), rtol=4.5 / np.sqrt(effective) + 0.05)


@pytest.mark.parametrize("method", ["laplace", "pathfinder"])
def test_an_approximate_trace_has_the_schema_and_says_what_it_is(declared, sampled, method, tmp_path):
    trace = read(write(fit(declared, method, draws=100, chains=4, seed=4), tmp_path / "trace.nc"))
    for group in ("posterior", "observed_data", "constant_data", "log_likelihood"):
        assert set(trace[group].data_vars) == set(sampled[group].data_vars), group
        for name, variable in trace[group].data_vars.items():
            assert variable.dims == sampled[group][name].dims, name
    assert trace["sample_stats"]["log_likelihood_total"].dims == DRAW
    assert trace.attrs["approximate"] == 1
    assert trace.attrs["method"] == method
    assert trace.attrs["verdict"].startswith(f"APPROXIMATE ({method}), Pareto k ")
    assert set(sampled.attrs) - set(trace.attrs) <= {
        "seconds_compile", "route", "route_reason", "target_accept", "sampling",
    }  # fmt: skip


def test_nuts_in_evened_out_coordinates_has_the_same_posterior(declared, sampled):
    trace = fit(declared, "whitened", draws=500, tune=300, chains=4, seed=11)
    assert trace.attrs["converged"] == 1
    for name in ("strength", "advantage", "log_draw"):
        mine, exact = trace["posterior"][name], sampled["posterior"][name]
        error = exact.std(DRAW) * np.sqrt(1 / trace.attrs["min_ess_bulk"] + 1 / sampled.attrs["min_ess_bulk"])
        assert (np.abs(mine.mean(DRAW) - exact.mean(DRAW)) < 4.5 * error).all(), name
    assert set(trace["sample_stats"].data_vars) >= {"diverging", "energy", "log_likelihood_total"}


@pytest.mark.parametrize("advantage", ["none", "common", "player"])
@pytest.mark.parametrize("family", ["bradley_terry", "davidson"])
def test_evened_out_density_is_the_target_in_other_coordinates(family, advantage):
    priors = {"bradley_terry": bradley_terry.Priors(), "davidson": davidson.Priors(strength=(15.5, 2.0))}[family]
    found = laplace(random_cells(12, 80, 14), family, advantage, priors)
    scale, vectors, values = slow_directions(found.mode.arrow, 5)
    whole = scale[:, None] * hessian(found.mode.curvature) * scale
    np.testing.assert_allclose(values, np.linalg.eigvalsh(whole)[:5], rtol=1e-3)
    mix = np.eye(scale.size) + (vectors * (values**-0.5 - 1)) @ vectors.T
    log_density = log_density_of(
        found.target, lambda z: found.centre + scale * (mix @ z), lambda g: mix @ (scale * g)
    )()
    point = np.random.default_rng(15).standard_normal(scale.size)
    shape = curvature(found.target, found.centre + scale * (mix @ point))
    value, slope = log_density(point)
    assert value == pytest.approx(shape.value, rel=1e-12)
    np.testing.assert_allclose(slope, mix @ (scale * shape.gradient), rtol=1e-8, atol=1e-8)


def test_same_seed_same_draws(declared):
    first, second, other = (fit(declared, "laplace", draws=20, chains=2, seed=seed) for seed in (5, 5, 6))
    np.testing.assert_array_equal(first["posterior"]["strength"], second["posterior"]["strength"])
    assert not np.array_equal(first["posterior"]["strength"], other["posterior"]["strength"])


def test_a_laplace_trace_keeps_mean_mode_and_sd(declared):
    trace = fit(declared, "laplace", draws=2000, chains=2, seed=7)
    for name in ("strength", "advantage", "log_draw"):
        drawn = trace["posterior"][name]
        mean, mode, sd = (trace["approximation"][f"{name}_{what}"].to_numpy() for what in ("mean", "mode", "sd"))
        np.testing.assert_allclose((drawn.mean(DRAW) - mean) / sd, 0, atol=4.5 / np.sqrt(4000))
        np.testing.assert_allclose((mode - mean) / sd, 0, atol=0.5)
        np.testing.assert_allclose(drawn.std(DRAW), sd, rtol=4.5 / np.sqrt(2 * 4000))


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
        fit(edited, "laplace")


def test_wrong_settings_are_told(declared):
    with pytest.raises(InferenceError, match=r"method: expected nuts \| laplace"):
        fit(declared, "magic")
    with pytest.raises(InferenceError, match="draws: expected a whole number from 1 to"):
        fit(declared, "laplace", draws=0)
    with pytest.raises(InferenceError, match="cores: expected for method nuts only"):
        fit(declared, "laplace", cores=2)


def test_an_estimated_spread_finds_the_population():
    chance = np.random.default_rng(9)
    names = np.array([f"player {i:03d}" for i in range(150)])
    truth = Truth(names, chance.normal(15.0, 0.8, 150), 0.2, 0.0)
    games = simulate(truth, round_robin(150, 1), 10)
    cells = declare("davidson-common", select(games, names)).cells
    found = laplace(cells, "davidson", "common", davidson.Priors(strength=(15.0, 5.0)), spread="estimated")
    spread = found.target.prior_sd[0]
    assert spread == pytest.approx(truth.strength.std(), rel=4.5 / np.sqrt(2 * 150))
    shrunk = found.mode.position[:150] - found.mode.position[:150].mean()
    assert np.corrcoef(shrunk, truth.strength)[0, 1] > 0.95
