"""Edits of a function or a finished graph take effect in every method, or are refused by name.

Every edited model is sampled by NUTS and by the normal approximation, and forecasts future games. The two methods agree
with each other and with the posterior of PyMC's own graph, and a reopened trace gives the same answers.
"""

from functools import cache

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from few_cases import few
from monte_carlo import LIMIT
from rating_games import simulated

from halfpoint.evaluation.rolling import roll
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.forecast import forecast
from halfpoint.inference.forecaster import Forecaster
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare, resolve
from halfpoint.models.declaration.hand_written import declared_of, games_view
from halfpoint.models.declaration.newcomers import with_newcomers
from halfpoint.models.formulas.bradley_terry import bernoulli
from halfpoint.models.formulas.davidson import davidson
from halfpoint.models.formulas.own import outcome
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.select import select


@cache
def played():
    games, _ = simulated(11, players=8, games=400, periods=4, draw=0.3)
    return games


@cache
def chosen():
    return select(played(), played().players)


def half_each(games):
    """The first seat's advantage, half given to White and half taken from Black."""
    with pm.Model(coords=games.coords) as model:
        strength, half = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("advantage", 0.0, 0.5) / 2
        davidson(games, games.white(strength) + half, games.black(strength) - half, pm.Normal("log_draw", 0.0, 1.0))
    return model


def student(games):
    """Strengths with heavy tails, mean and spread estimated."""
    with pm.Model(coords=games.coords) as model:
        mean, spread = pm.Normal("mean", 0.0, 2.0), pm.HalfNormal("spread", 1.0)
        strength = pm.StudentT("strength", nu=4.0, mu=mean, sigma=spread, dims="player")
        davidson(games, games.white(strength), games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def apart(games):
    """Population with a handwritten non-centred form."""
    with pm.Model(coords=games.coords) as model:
        spread, z = pm.HalfNormal("spread", 1.0), pm.Normal("z", 0.0, 1.0, dims="player")
        strength = pm.Deterministic("strength", spread * z, dims="player")
        bernoulli(games, games.white(strength) + pm.Normal("advantage", 0.0, 0.5), games.black(strength))
    return model


def walking(games):
    """PyMC's own random walk by periods."""
    games = games.by(1)
    with pm.Model(coords=games.coords) as model:
        start = pm.Normal.dist(0.0, 1.0)
        strength = pm.GaussianRandomWalk(
            "strength", mu=0.0, sigma=0.2, init_dist=start, steps=games.periods - 1, dims=("player", "month")
        )
        bernoulli(games, games.white(strength), games.black(strength))
    return model


def bent(white, black, lam, slope):
    return black, lam + (white + black) / 2 - slope * (white - black) ** 2, white


def further_number(games):
    """User formula with one more parameter."""
    with pm.Model(coords=games.coords) as model:
        strength, slope = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("slope", 0.0, 0.5)
        outcome(games, bent, games.white(strength), games.black(strength), pm.Normal("log_draw", 0.0, 1.0), slope=slope)
    return model


def held(games):
    """Further term of the log density: the mean of strengths is near 0."""
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 1.0, dims="player")
        pm.Potential("level", -0.5 * (strength.mean() / 0.05) ** 2)
        davidson(games, games.white(strength), games.black(strength), pm.Normal("log_draw", 0.0, 1.0))
    return model


def stronger_gain_more(games):
    """An advantage that grows with strength."""
    with pm.Model(coords=games.coords) as model:
        strength, steep = pm.Normal("strength", 0.0, 1.0, dims="player"), pm.Normal("steep", 0.0, 0.2)
        white = games.white(strength)
        bernoulli(games, white + pm.Normal("advantage", 0.0, 0.5) + steep * white, games.black(strength))
    return model


FUNCTIONS = (half_each, student, apart, walking, further_number, held, stronger_gain_more)
NO_NORMAL = {"further_number": "slope", "student": "strength"}
BY_GRAPH = (further_number,)  # formulas that read more than sides have no loop
EFFORT = Effort(draws=600, tune=600, chains=2, seed=3)


def by_nuts_of(name):
    """Draws of the advantage in an unedited model."""
    return fit(declare(name, chosen()), "nuts", Effort(2000, 500, seed=5))["posterior"]["advantage"].to_numpy()


def coming():
    return played().take(np.arange(40))


@cache
def by_nuts(function):
    return fit(declare(function, chosen()), "nuts", EFFORT)


@pytest.mark.cases(3)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_compiled_or_not_the_density_is_the_graphs(function):
    declared = declare(function, chosen())
    graph = declared.model.compile_logp(mode="FAST_COMPILE")
    if function in BY_GRAPH:
        assert compile_declared(declared).route == "graph"
        return
    compute = density(numbers_of(declared))
    found, shapes = (
        [],
        {
            value.name: np.shape(x)
            for value, x in zip(declared.model.value_vars, declared.model.initial_point().values(), strict=True)
        },
    )
    for seed in range(4):
        x, at, point = 0.4 * np.random.default_rng(seed).standard_normal(declared.layout.count), 0, {}
        for name, shape in shapes.items():
            size = int(np.prod(shape, dtype=int))
            point[name], at = x[at : at + size].reshape(shape), at + size
        found.append(compute(x)[0] - float(graph(point)))
    np.testing.assert_allclose(found, found[0], atol=1e-7)


@pytest.mark.cases(2)
@pytest.mark.parametrize("function", few(FUNCTIONS), ids=lambda one: one.__name__)
def test_the_routes_agree_on_games_to_come(function):
    exact = by_nuts(function)
    told = forecast(exact, coming())
    if function.__name__ in NO_NORMAL:
        with pytest.raises(InferenceError, match=NO_NORMAL[function.__name__]):
            fit(declare(function, chosen()), "normal", EFFORT)
        return
    normal = fit(declare(function, chosen()), "normal", Effort(draws=2000, seed=1))
    near = forecast(normal, coming())
    spread = told.expected_score.reshape(-1, told.expected_score.shape[-1]).std(axis=0)
    few = np.sqrt(2.0 / min(600.0, float(normal.attrs["effective_draws"])))
    assert np.abs((told.mean_expected - near.mean_expected) / spread).max() < LIMIT * few
    auto = fit(declare(function, chosen()), "auto", EFFORT)
    assert np.abs((forecast(auto, coming()).mean_expected - near.mean_expected) / spread).max() < LIMIT * few


@pytest.mark.cases(1)
@pytest.mark.parametrize("function", few(FUNCTIONS), ids=lambda one: one.__name__)
def test_a_reopened_trace_answers_and_takes_newcomers(function, tmp_path):
    tree = by_nuts(function)
    again = read(write(tree, tmp_path / "trace.nc"))
    np.testing.assert_allclose(
        forecast(again, coming()).mean_expected, forecast(tree, coming()).mean_expected, atol=1e-6
    )
    if function is held:
        with pytest.raises(HalfpointError, match="the Potential level joins all players"):
            with_newcomers(again, ["Somebody new"])
        return
    wider = with_newcomers(again, ["Somebody new"])
    assert wider["posterior"]["strength"].sizes["player"] == 9


@pytest.mark.further
def test_a_formula_without_a_loop_is_forecast_period_by_period():
    games = played().take(played().period <= 2)  # a fit of the first, forecasts of the second
    few = Effort(draws=50, tune=100, chains=2, seed=1)
    found = roll(games, Forecaster(resolve(further_number), games, games.players, few)).expected_score
    assert np.isfinite(found).sum() > 50
    assert ((found >= 0.0) & (found <= 1.0))[np.isfinite(found)].all()


def test_likelihoods_are_pymcs_own():
    tree, declared = by_nuts(half_each), declare(half_each, chosen())
    graph = declared.model
    total = graph.compile_fn(
        graph.logp(graph.observed_RVs), inputs=graph.value_vars, point_fn=False, mode="FAST_COMPILE"
    )
    p = {name: tree["posterior"][name].to_numpy()[0, 7] for name in ("strength", "advantage", "log_draw")}
    x, at, parts = declared.coordinates(p), 0, []
    for name in (graph.values_to_rvs[value].name for value in graph.value_vars):
        shape = np.shape(p[name])
        size = int(np.prod(shape, dtype=int))
        parts, at = [*parts, x[at : at + size].reshape(shape)], at + size
    kept = float(tree["sample_stats"]["log_likelihood_total"][0, 7])
    assert kept == pytest.approx(float(total(*parts)), rel=1e-9)


def test_a_finished_model_is_sampled_as_it_stands():
    games = games_view(chosen())
    model = half_each(games)
    whole = fit(declared_of(model), "nuts", EFFORT)
    assert np.abs(whole["posterior"]["strength"].mean() - by_nuts(half_each)["posterior"]["strength"].mean()) < 0.2
    fixed = pm.do(half_each(games_view(chosen())), {"advantage": np.float64(0.0)})
    tree = fit(declared_of(fixed), "nuts", EFFORT)
    assert "advantage" not in tree["posterior"] or float(tree["posterior"]["advantage"].std()) == 0.0
    seen = pm.observe(half_each(games_view(chosen())), {"log_draw": np.float64(-0.5)})
    drawn = fit(declared_of(seen), "nuts", EFFORT)["posterior"]
    assert "log_draw" not in drawn or float(drawn["log_draw"].std()) == 0.0


def test_a_changed_declared_model_is_sampled_as_it_is_changed():
    declared = declare("davidson-common", chosen())
    with declared.model as model:
        pm.Potential("near", pt.sum(pm.logp(pm.Normal.dist(0.3, 0.05), model["advantage"])))
    drawn = []
    for method in ("nuts", "normal"):
        tree = fit(declared, method, Effort(draws=600, tune=300, chains=2, seed=2))
        drawn.append(tree["posterior"]["advantage"])
        assert tree.attrs["edited"] == "potential near added"
    plain = by_nuts_of("davidson-common")
    weight = np.exp(-0.5 * ((plain - 0.3) / 0.05) ** 2)
    expected = float((weight * plain).sum() / weight.sum())
    for one in drawn:
        assert float(one.mean()) == pytest.approx(expected, abs=0.01)  # five errors of 400 effective draws
