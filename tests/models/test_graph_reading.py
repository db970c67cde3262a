"""Models without a fast form: sampled by their graph, with the reason; roles read from the graph, any names."""

import functools

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr

import halfpoint as hp
from halfpoint.inference.diagnostics.convergence import diagnose
from halfpoint.inference.diagnostics.graph_edits import edits
from halfpoint.inference.errors import InferenceError
from halfpoint.models import davidson, outcome
from halfpoint.models.declaration.elo_scale import ratings_in_elo, reading_from
from halfpoint.models.errors import ModelError
from halfpoint.models.language.model import Model, as_model
from halfpoint.models.reading.sides import RowSides

NAMES = ["P0", "P1", "P2", "P3"]
DRAWS = 8


def frame(games=50):
    rng = np.random.default_rng(2)
    white = rng.integers(4, size=games)
    black = (white + rng.integers(1, 4, size=games)) % 4
    result = np.array(["1-0", "1/2-1/2", "0-1"])[rng.integers(3, size=games)]
    return pd.DataFrame({"white": np.take(NAMES, white), "black": np.take(NAMES, black), "result": result})


GAMES = frame()


def declared(function):
    return hp.declare(function, hp.select(hp.read(GAMES), NAMES))


def usual(
    games, strength="strength", advantage="advantage", lam="log_draw", dims="player", extra=lambda games, g: None
):
    """Davidson's model, with other names or a further node."""
    with pm.Model(coords=games.coords) as model:
        size = {"dims": dims} if dims else {"shape": len(games.coords["player"])}
        g = pm.Normal(strength, 0.0, 0.7, **size)
        a, nu = pm.Normal(advantage, 0.0, 0.5), pm.Normal(lam, 0.0, 1.0)
        davidson(games, games.white(g) + a, games.black(g), nu)
        extra(games, g)
    return model


def with_names(**names):
    def named(games):
        return usual(games, **names)

    return named


def drawn(model, names=None):
    """Random values of the free variables, equal for equal places; `names` renames them."""
    made, rng = {}, np.random.default_rng(5)
    for variable in model.model.free_RVs:
        shape = model.layout.slots[str(variable.name)][1]
        dims = model.dims.get(str(variable.name)) or tuple(f"{variable.name}_{k}" for k in range(len(shape)))
        made[str(variable.name)] = (("chain", "draw", *dims), 0.5 * rng.standard_normal((2, DRAWS // 2, *shape)))
    return xr.Dataset(made, coords={"player": model.selection.players.astype(object)})


@pytest.mark.cases(2)
@pytest.mark.parametrize(
    "names",
    [
        {"lam": "nu"},
        {"strength": "theta"},
        {"advantage": "home"},
        {"strength": "a", "advantage": "b", "lam": "c"},
        {"dims": None},
    ],
)
def test_names_of_variables_change_no_number(names):
    plain, other = declared(usual), declared(with_names(**names))
    first, second = (ratings_in_elo(one, drawn(one)) for one in (plain, other))
    for name in ("rating_elo", "advantage_elo", "draw_rate"):
        np.testing.assert_allclose(second[name], first[name], rtol=1e-10)
    assert other.strength == names.get("strength", "strength")
    assert other.traits.vague == plain.traits.vague


def best(games, g):
    pm.Deterministic("best", pt.eq(pt.argmax(g), 1))


def by_game(games, g):
    pm.Deterministic("gap", games.white(g) - games.black(g))


def of_pairs(games, g):
    pm.Deterministic("odds", pt.exp(g[:, None] - g[None, :]))


@pytest.mark.parametrize("extra", [best, by_game, of_pairs])
def test_deterministics_of_any_kind_and_shape_are_kept(extra):
    model = declared(with_names(extra=extra))
    trace = hp.sample(model, draws=20, tune=30, chains=2, seed=1)
    g = trace["posterior"]["strength"].transpose("chain", "draw", "player").to_numpy()
    name = {best: "best", by_game: "gap", of_pairs: "odds"}[extra]
    shown = trace["posterior"][name].to_numpy()
    rows = model.rows.white.players[:, 0], model.rows.black.players[:, 0]  # kinds of game
    wanted = {
        best: lambda: g.argmax(axis=-1) == 1,
        by_game: lambda: g[..., rows[0]] - g[..., rows[1]],
        of_pairs: lambda: np.exp(g[..., :, None] - g[..., None, :]),
    }[extra]()
    np.testing.assert_allclose(shown, wanted, rtol=1e-6)
    coming = pd.DataFrame({"white": ["P0"], "black": ["P1"], "result": "*"})
    a, lam = (trace["posterior"][one].to_numpy() for one in ("advantage", "log_draw"))
    odds = np.exp(np.stack([g[..., 1], lam + (g[..., 0] + a + g[..., 1]) / 2, g[..., 0] + a]))
    wanted_win = (odds[2] / odds.sum(axis=0)).mean()
    assert hp.forecast(trace, coming).frame.win_percent[0] == pytest.approx(100 * wanted_win, abs=1e-9)


def by_dim(games):
    rows = np.arange(len(games.seated))
    with pm.Model(coords={**games.coords, "kind": rows}) as model:
        g = pm.Normal("g", 0.0, 0.7, dims="player")
        home, lam = pm.Normal("home", 0.0, 1.0), pm.Normal("lam", 0.0, 1.0)
        davidson(games, pm.Deterministic("eta", games.white(g) + home, dims="kind"), games.black(g), lam)
    return pm.observe(pm.do(model, {"home": 0.2}), {"lam": -0.5})


def test_values_of_the_games_of_the_fit_and_fixed_variables_enter_no_other_game():
    model = declared(by_dim)
    trace = hp.sample(model, draws=20, tune=30, chains=2, seed=1)
    g = trace["posterior"]["g"].transpose("player", "chain", "draw").to_numpy()
    odds = np.exp(np.stack([g[1], -0.5 + (g[0] + 0.2 + g[1]) / 2, g[0] + 0.2]))
    coming = pd.DataFrame({"white": ["P0"], "black": ["P1"], "result": "*"})
    wanted = 100 * (odds[2] / odds.sum(axis=0)).mean()
    assert hp.forecast(trace, coming).frame.win_percent[0] == pytest.approx(wanted, abs=1e-9)


def spike_and_slab(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("g", 0.0, 0.7, dims="player") * pm.Bernoulli("inside", 0.5, dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("lam", 0.0, 1.0))
    return model


def classes(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("mean", [-0.5, 0.5], 0.3, shape=2)[pm.Bernoulli("inside", 0.5, dims="player")]
        davidson(games, games.white(g), games.black(g), pm.Normal("lam", 0.0, 1.0))
    return model


@pytest.mark.parametrize("function", [spike_and_slab, classes])
def test_discrete_variables_are_refused_by_name(function):
    with pytest.raises(InferenceError, match="inside is discrete, which NUTS does not sample"):
        hp.sample(declared(function), draws=20, tune=30, chains=2, seed=1)
    with pytest.raises(InferenceError, match="inside is discrete"):
        hp.rate(GAMES, model=function, method="normal")


def with_a_short_table(games):
    team = np.arange(len(games.coords["player"]))
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("team", 0.0, 1.0, shape=2)[team]
        davidson(games, games.white(g), games.black(g), pm.Normal("lam", 0.0, 1.0))
    return model


def test_an_index_outside_a_table_is_refused():
    with pytest.raises(ModelError, match="index 2 is out of bounds"):
        hp.sample(declared(with_a_short_table), draws=20, tune=30, chains=2, seed=1)


def of_other_lengths(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("g", 0.0, 0.7, dims="player")
        pm.Deterministic("sum", pt.argsort(g) + pt.argsort(games.white(g)))
        davidson(games, games.white(g), games.black(g), pm.Normal("lam", 0.0, 1.0))
    return model


def test_a_variable_that_has_no_value_is_refused_before_sampling():
    with pytest.raises(InferenceError, match="model of-other-lengths: sum has no value: ValueError"):
        hp.sample(declared(of_other_lengths), draws=20, tune=30, chains=2, seed=1)
    with pytest.raises(InferenceError, match="sum has no value"):
        hp.rate(GAMES, model=of_other_lengths, method="normal")


def lapses(white, black, lam, guess):
    """Davidson's formula, mixed with a share of random results, in tensors."""
    share = pm.math.softmax(pt.stack([black, lam + (white + black) / 2, white]), axis=0)
    chance = guess / 3 + (1 - guess) * share
    return tuple(pt.log(chance[k]) for k in range(3))


def by_chance(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.Normal("strength", 0.0, 0.7, dims="player")
        lam, guess = pm.Normal("log_draw", 0.0, 1.0), pm.Beta("guess", 1.0, 9.0)
        outcome(games, lapses, games.white(g), games.black(g), lam=lam, guess=guess)
    return model


def test_a_formula_in_tensors_has_ratings_and_draws_between_equals():
    model = declared(by_chance)
    posterior = drawn(model).assign(guess=(("chain", "draw"), np.full((2, DRAWS // 2), 0.25)))
    lam = np.exp(posterior["log_draw"])
    shown = ratings_in_elo(model, posterior)["draw_rate"]
    np.testing.assert_allclose(shown, 0.25 / 3 + 0.75 * lam / (2 + lam), rtol=1e-9)


def products(games):
    with pm.Model(coords=games.coords) as model:
        g, c = (pm.Normal(name, 0.0, 0.5, dims="player") for name in ("strength", "sharpness"))
        lam, k = pm.Normal("log_draw", 0.0, 1.0), pt.exp((games.white(c) + games.black(c)) / 2)
        davidson(games, k * games.white(g), k * games.black(g), lam)
    return model


def test_sides_of_any_form_are_evaluated_under_the_draws():
    model = declared(products)
    posterior = drawn(model)
    reading = reading_from(model, posterior)
    seats = np.array([0, 1], dtype=np.int32), np.array([2, 3], dtype=np.int32)
    chances = np.moveaxis(reading.probabilities(reading.today(*seats)), 0, -1)
    g, c = (posterior[name].to_numpy().reshape(DRAWS, 4) for name in ("strength", "sharpness"))
    k = np.exp((c[:, seats[0]] + c[:, seats[1]]) / 2)
    lam = posterior["log_draw"].to_numpy().reshape(DRAWS, 1)
    white, black = k * g[:, seats[0]], k * g[:, seats[1]]
    odds = np.exp(np.stack([black, lam + (white + black) / 2, white], axis=-1))
    np.testing.assert_allclose(chances, odds / odds.sum(axis=-1, keepdims=True), atol=1e-12)


@pytest.mark.parametrize("function", [usual, with_names(lam="nu"), products])
def test_sparse_sums_equal_the_graph_under_the_draws(function, monkeypatch):
    model = declared(function)
    reading = reading_from(model, drawn(model))
    rows = reading.today(np.array([0, 3], dtype=np.int32), np.array([1, 2], dtype=np.int32))
    fast = reading.probabilities(rows)
    reading.latest.clear()
    general = reading._read(rows, reading.p)
    chances = np.exp(RowSides.under(general.__class__(**{**vars(general), "forms": None}), reading.p).log_probability())
    np.testing.assert_allclose(np.moveaxis(chances, -1, 0), fast, atol=1e-12)


def zero_sum(games):
    with pm.Model(coords=games.coords) as model:
        g, lam = pm.ZeroSumNormal("strength", 1.0, dims="player"), pm.Normal("log_draw", 0.0, 1.0)
        davidson(games, games.white(g), games.black(g), lam)
    return model


def mixture(games):
    with pm.Model(coords=games.coords) as model:
        g = pm.NormalMixture("strength", [0.5, 0.5], [-0.5, 0.5], [0.4, 0.4], dims="player")
        davidson(games, games.white(g), games.black(g), pm.Normal("log_draw", 0.0, 1.0))
    return model


def covariances(games):
    with pm.Model(coords=games.coords) as model:
        chol, *_ = pm.LKJCholeskyCov("chol", n=2, eta=2.0, sd_dist=pm.Exponential.dist(1.0))
        both = pm.Deterministic("both", pm.Normal("z", 0.0, 1.0, shape=(4, 2)) @ chol.T)
        davidson(
            games, games.white(both[:, 0]) + games.white(both[:, 1]), games.black(both[:, 0]), pm.Normal("log_draw")
        )
    return model


@pytest.mark.parametrize(("function", "part"), [(zero_sum, "layout"), (mixture, "layout"), (covariances, "layout")])
def test_a_graph_without_loops_has_names_shapes_and_the_reason_in_words(function, part):
    model = declared(function)
    assert model.reading.reasons[part]
    assert model.layout.slots.keys() == {str(one.name) for one in [*model.model.free_RVs, *model.model.deterministics]}
    assert "~" in str(model)


def test_a_model_as_its_function_made_it_is_not_run_again(monkeypatch):
    model = declared(products)
    monkeypatch.setattr(Model, "run", lambda *_: pytest.fail("the function ran again"))
    assert not edits(model).words
    with model.model:
        pm.Potential("more", model.model["strength"].sum())
    monkeypatch.undo()
    assert edits(model).words == ("potential more added",)


def test_a_number_has_no_rhat():
    rng = np.random.default_rng(1)
    posterior = xr.Dataset({"x": (("chain", "draw"), rng.standard_normal((4, 200)))})
    alone = diagnose(posterior, xr.Dataset(), False)
    number = ("chain", "draw"), np.full((4, 200), 0.3)
    with_number = diagnose(posterior.assign(y=(*number, {"diagnosed": 0})), xr.Dataset(), False)
    assert with_number.max_rhat == alone.max_rhat
    assert not diagnose(posterior.assign(y=number), xr.Dataset(), False).converged
    stuck = np.repeat(rng.standard_normal((4, 1)), 200, axis=1)
    assert not diagnose(posterior.assign(y=(("chain", "draw"), stuck)), xr.Dataset(), False).max_rhat < 1.01


@pytest.mark.parametrize("name", ["draw", "chain", "game"])
def test_names_of_dims_are_refused_before_sampling(name):
    with pytest.raises(ModelError, match=f"the name '{name}' is reserved"):
        declared(with_names(advantage=name))


def test_keywords_of_a_partial_are_those_of_the_model():
    model = as_model(functools.partial(usual, advantage="home"))
    assert (model.function, dict(model.keywords)) == (usual, {"advantage": "home"})
    assert "home" in declared(functools.partial(usual, advantage="home")).model.named_vars
    with pytest.raises(ModelError, match="positional arguments"):
        as_model(functools.partial(usual, None))


class Own:
    """A model as an object."""

    def __call__(self, games):
        return usual(games)


@pytest.mark.parametrize("model", [Own(), Own().__call__])
def test_a_callable_that_no_trace_can_name_is_refused(model):
    with pytest.raises(ModelError, match=r"which no trace can name\. Write a function"):
        declared(model)


def test_an_error_in_the_function_names_its_file_and_line():
    def broken(games):
        return games.coords["no such"]

    with pytest.raises(ModelError, match=r"failed \(test_graph_reading.py:\d+\): KeyError"):
        declared(broken)


def test_a_model_with_a_fixed_number_is_judged_by_its_draws():
    model = declared(usual)
    fixed = pm.do(model.model, {"log_draw": np.float64(-0.2)})
    trace = hp.sample(fixed, draws=30, tune=60, chains=2, seed=1)
    assert np.isfinite(trace.attrs["max_rhat"])
    assert "nan" not in trace.attrs["verdict"]
