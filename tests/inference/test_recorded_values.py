"""What a trace holds is what the model's graph gives at its draws: every row of the catalogue, and edited models."""

from dataclasses import replace

import numpy as np
import nutpie
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from pytensor.compile.mode import Mode
from pytensor.graph.replace import clone_replace

from halfpoint.games.select import select
from halfpoint.games.simulate import Schedule, Truth, simulate
from halfpoint.games.units import to_elo
from halfpoint.inference.compiled import compile_model, density, own_density
from halfpoint.inference.linear import read_model
from halfpoint.inference.sample import sample
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.catalogue import MODELS, declare
from halfpoint.models.fused import fused_log_potential

NAMES = np.array(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
FEW = {"draws": 4, "tune": 3, "chains": 2, "cores": 1, "seed": 3}
SETTINGS = FEW | {"save_warmup": False, "progress_bar": False}
FAST = ("davidson-scaled",)  # each row beyond the study takes nutpie some 20 s to compile


@pytest.fixture(scope="module")
def selection():
    """200 games of six players over eight months, two of them anchored, a covariate beside."""
    chance = np.random.default_rng(41)
    strength = np.array([15.9, 15.2, 15.6, 16.3, 14.9, 15.5])
    white = chance.integers(0, 6, 200).astype(np.int32)
    black = ((white + chance.integers(1, 6, 200)) % 6).astype(np.int32)
    elo = to_elo(strength)
    schedule = Schedule(
        white, black, np.arange(200) // 25 + 1, white_rating_elo=elo[white], black_rating_elo=elo[black]
    )
    games = simulate(Truth(NAMES, strength, 0.2, 0.3), schedule, 12)
    return select(replace(games, covariates={"rapid": (np.arange(200) % 3 == 0).astype(float)}), NAMES[:4])


def sampled(model):
    """Return few draws of a model with every variable, by the route that it takes."""
    compiled = compile_model(model)
    raw = nutpie.sample(compiled.model, **SETTINGS, store_unconstrained=True)
    return compiled, compiled.completed(raw["posterior"].to_dataset()), raw["sample_stats"].to_dataset()


def at_draws(model, draws, variables):
    """Yield chain, draw and the variables there, from the model's graph, one draw after the other."""
    inputs = {variable: variable.type() for variable in model.free_RVs}
    outputs = clone_replace(list(variables), inputs)
    mode = Mode(linker="py", optimizer=None)
    compute = pytensor.function(list(inputs.values()), outputs, mode=mode, on_unused_input="ignore")
    for chain, draw in np.ndindex(FEW["chains"], FEW["draws"]):
        here = draws.isel(chain=chain, draw=draw)
        yield chain, draw, compute(*(here[str(variable.name)].to_numpy() for variable in model.free_RVs))


def check_everything(model):
    """Compare all deterministics with the graph's, and the density that was sampled with the model's own."""
    compiled, draws, statistics = sampled(model)
    wanted = {str(variable.name): variable for variable in model.deterministics}
    assert set(wanted) <= set(draws.data_vars)
    for chain, draw, values in at_draws(model, draws, wanted.values()):
        for name, value in zip(wanted, values, strict=True):
            found = draws[name].isel(chain=chain, draw=draw).to_numpy()
            np.testing.assert_allclose(found, value, rtol=1e-11, atol=1e-11, err_msg=name)
    own = own_density(model)
    point = statistics["unconstrained_draw"].transpose("chain", "draw", ...).to_numpy()
    logp = statistics["logp"].transpose("chain", "draw").to_numpy()
    mine = np.array([[own(point[chain, draw])[0] for draw in range(FEW["draws"])] for chain in range(FEW["chains"])])
    np.testing.assert_allclose(logp, mine, rtol=1e-9)
    return compiled


@pytest.mark.parametrize("name", MODELS)
def test_what_a_trace_of_the_twelve_holds_is_the_graphs(name, selection):
    assert check_everything(declare(name, selection).model).route == "fused"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name in FAST else pytest.mark.slow) for name in EXTENDED]
)
def test_what_a_trace_beyond_the_study_holds_is_the_graphs(name, selection):
    assert check_everything(declare(name, selection).model).route == "graph"


def test_deterministics_that_are_not_linear_are_computed_from_the_draws(selection):
    """They change no route: the density is as fast as before."""
    model = declare("bt-common", selection).model
    with model:
        rating, advantage = model["rating"], model["advantage"]
        pm.Deterministic("best", pt.eq(pt.argmax(rating), 1))
        pm.Deterministic("beyond", pt.maximum(advantage - 35, 0))
        pm.Deterministic("order", pt.argsort(rating), dims="player")
        pm.Deterministic("far", pt.switch(abs(rating - 2700) > 50, rating, -rating), dims="player")
        pm.Deterministic("games", model.potentials[0] * 1.0)
        pm.Deterministic("apart", rating[:, None] - rating[None, :], dims=("player", None))
        pm.Deterministic("chance", pt.sigmoid(rating[0] - rating[1]))
        pm.Deterministic("five", pt.constant(5))
    assert check_everything(model).route == "fused"
    left = read_model(model).left
    assert left == ["best", "beyond", "order", "far", "games", "apart", "chance", "five"]


def test_the_share_of_draws_in_which_a_player_is_best(selection):
    declared = declare("bt", selection)
    with declared.model:
        for place, name in enumerate(NAMES[:4]):
            pm.Deterministic(f"best {name}", pt.eq(pt.argmax(declared.model["rating"]), place))
    trace = sample(declared, draws=400, tune=300, chains=2, cores=1, seed=5, pointwise_draws=0)
    best = trace["posterior"]["rating"].argmax("player").to_numpy()
    shares = [float(trace["posterior"][f"best {name}"].mean()) for name in NAMES[:4]]
    assert shares == [float((best == place).mean()) for place in range(4)]
    assert sum(shares) == pytest.approx(1.0)
    assert trace.attrs["route"] == "fused"


EDITS = {
    "maximum": (lambda x: pt.maximum(x, 0.0), "aximum"),
    "abs": (abs, "Abs"),
    "switch": (lambda x: pt.switch(x > -40.0, x, 0.0), "bool"),  # far from every point that one would try
    "clip": (lambda x: pt.clip(x, -1e6, 1e6), "Clip"),
    "eq": (lambda x: pt.eq(x, 123.0) * 1.0 + x, "Eq|bool|int"),
}


def one_advantage(bend):
    """White's advantage x ~ N(0, 1) in 20 games between equals, bent on its way into the seats."""
    games = np.array([[7.0, 3.0, 10.0]])
    place = np.zeros(1, dtype=np.int32)
    with pm.Model() as model:
        x = pm.Normal("x", 0.0, 1.0)
        white = pt.zeros(2) + bend(x)
        value = fused_log_potential(white, pt.zeros(2), place, place, np.zeros(1), pt.constant(games), pt.constant(0.3))
        pm.Potential("log_likelihood", value)
    return model


@pytest.mark.parametrize("name", EDITS)
def test_seats_that_are_not_linear_are_left_to_the_graph_with_the_operator_named(name, monkeypatch):
    bend, operator = EDITS[name]
    monkeypatch.setattr(nutpie, "compile_pymc_model", lambda model: model)  # the route alone is asked for
    compiled = compile_model(one_advantage(bend))
    assert compiled.route == "graph"
    assert compiled.reason.startswith("the seats are not linear in the sampled parameters")
    assert any(part in compiled.reason for part in operator.split("|"))


def test_a_rest_that_is_not_linear_is_left_to_the_graph(selection, monkeypatch):
    monkeypatch.setattr(nutpie, "compile_pymc_model", lambda model: model)
    with pm.Model() as model:
        x = pm.Normal("x", 0.0, 1.0, shape=2)
        place, games = np.zeros(1, dtype=np.int32), pt.constant([[1.0, 0.0, 1.0]])
        value = fused_log_potential(x, x, place, place, np.zeros(1), games)
        pm.Potential("log_likelihood", value + pt.minimum(x[0], 1e6))
    compiled = compile_model(model)
    assert compiled.route == "graph"
    assert "the rest of the potential is not linear" in compiled.reason
    with pm.Model() as twice:
        x = pm.Normal("x", 0.0, 1.0, shape=2)
        pm.Potential("log_likelihood", 2.0 * fused_log_potential(x, x, place, place, np.zeros(1), games))
    assert "not simply added" in compile_model(twice).reason


def test_a_bent_advantage_has_the_posterior_of_its_formula():
    """Against the integral over x: below 0 the games say nothing, above it they say what they said."""
    model = one_advantage(lambda x: pt.maximum(x, 0.0))
    compiled = compile_model(model)
    raw = nutpie.sample(
        compiled.model, draws=2000, tune=500, chains=2, cores=1, seed=4, save_warmup=False, progress_bar=False
    )
    found = raw["posterior"]["x"].to_numpy().ravel()
    x = np.linspace(-8.0, 8.0, 160_001)
    side = np.maximum(x, 0.0)
    total = np.logaddexp(np.logaddexp(side, 0.0), 0.3 + side / 2)
    log_density = 10.0 * side + 3.0 * (0.3 + side / 2) - 20.0 * total - x**2 / 2
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    mean = (weight * x).sum()
    sd = np.sqrt((weight * (x - mean) ** 2).sum())
    below = weight[x < 0].sum()
    size = 700  # effective draws, of 4,000 that follow one another
    assert found.mean() == pytest.approx(mean, abs=4 * sd / np.sqrt(size))
    assert (found < 0).mean() == pytest.approx(below, abs=4 * np.sqrt(below * (1 - below) / size))


def test_a_reflection_of_two_thousand_strengths_is_read_in_little_room():
    """x = H y, H = I - 2 v v': dense as a matrix (4 million numbers), here some tens of numbers a player."""
    count = 2000
    chance = np.random.default_rng(6)
    direction = chance.normal(size=count)
    direction /= np.linalg.norm(direction)
    place = np.arange(count, dtype=np.int32)
    weight = chance.integers(1, 5, (count, 3)).astype(float)
    with pm.Model() as model:
        y = pm.Normal("y", np.float64(0.3), np.float64(2.0), shape=count)
        x = pm.Deterministic("x", y - 2.0 * direction * (direction * y).sum())
        pm.Deterministic("centred", x - x.mean())
        seats = pt.concatenate([x, [0.0]])
        value = fused_log_potential(
            seats, seats, place, np.roll(place, 1), np.zeros(count), pt.constant(weight), pt.constant(0.1)
        )
        pm.Potential("log_likelihood", value)
    linear = read_model(model)
    held = sum(getattr(linear.numbers, name).nbytes for name in vars(linear.numbers))
    assert held < 600 * count
    point = chance.normal(size=count)
    (value, gradient), (own_value, own_gradient) = density(linear)(point), own_density(model)(point)
    assert value == pytest.approx(own_value, rel=1e-11)
    np.testing.assert_allclose(gradient, own_gradient, rtol=1e-9, atol=1e-10 * np.abs(own_gradient).max())
    assert check_everything(model).route == "fused"
