"""Declared model for the sampler: its route with the reason, and draws equal to those of its graph."""

from dataclasses import dataclass, replace

import numpy as np
import nutpie
import pymc as pm
import pytensor
import pytensor.tensor as pt
import pytest
from composed import Common, DrawParameter, Free, Model, weighted_log_likelihood
from covering_rows import by_row
from graph_density import INTERPRETED, own_density
from monte_carlo import LIMIT, mean_error
from pytensor.graph.replace import clone_replace

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared, log_likelihood
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import CATALOGUE, declare
from halfpoint.models.declaration.posterior_reader import draws_of
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Schedule, Truth, round_robin, simulate
from halfpoint.models.games.units import to_elo
from halfpoint.models.reading.prior_draws import PriorDraws
from halfpoint.models.reading.sparse_affine import NotAffineError

NAMES = np.array(["Ann", "Bo", "Cy", "Di", "Ed", "Flo"])
FEW = {"draws": 4, "tune": 3, "chains": 2, "cores": 1, "seed": 3}
SETTINGS = FEW | {"save_warmup": False, "progress_bar": False}


@pytest.fixture(scope="module")
def selection():
    """200 games of six players over eight months, two of them anchored, with a covariate."""
    chance = np.random.default_rng(41)
    strength = np.array([15.9, 15.2, 15.6, 16.3, 14.9, 15.5])
    white = chance.integers(0, 6, 200).astype(np.int32)
    black = ((white + chance.integers(1, 6, 200)) % 6).astype(np.int32)
    elo = to_elo(strength)
    schedule = Schedule(
        white, black, np.arange(200) // 25 + 1, white_rating_elo=elo[white], black_rating_elo=elo[black]
    )
    games = simulate(Truth(NAMES, strength, 0.2, 0.3), schedule, 12)
    return select(
        replace(
            games,
            covariates={
                "rapid": (np.arange(200) % 3 == 0).astype(float),
                "margin": 4.0 * games.score - 2.0,
                "deal": np.arange(200) % 9,
                "context": np.arange(200) % 2,
            },
        ),
        NAMES[:4],
    )


def at_draws(model, points, variables):
    """Yield chain, draw and their variables, from the model's graph at unconstrained coordinates."""
    inputs = [model.rvs_to_values[variable] for variable in model.free_RVs]
    outputs = clone_replace(model.replace_rvs_by_values(list(variables)), {})
    compute = pytensor.function(inputs, outputs, mode=INTERPRETED, on_unused_input="ignore")
    start = model.initial_point()
    shapes = [np.shape(start[value.name]) for value in inputs]
    stops = np.cumsum([int(np.prod(shape)) for shape in shapes])
    for chain, draw in np.ndindex(*points.shape[:2]):
        pieces = np.split(points[chain, draw], stops[:-1])
        yield chain, draw, compute(*(piece.reshape(shape) for piece, shape in zip(pieces, shapes, strict=True)))


def check_everything(declared):
    """Compare the contents of a trace with the graph's values, and the sampled density with the graph's."""
    compiled = compile_declared(declared)
    raw = nutpie.sample(compiled.model, **SETTINGS, store_unconstrained=True)
    draws, statistics = raw["posterior"].to_dataset(), raw["sample_stats"].to_dataset()
    model = declared.model
    named = [*model.free_RVs, *model.deterministics]
    wanted = {str(one.name): one for one in named if not one.name.endswith(("_noncentred", "_"))}
    kept = {law.name for law in declared.laws if not law.hidden}
    assert kept <= set(wanted)
    assert kept <= set(draws.data_vars)
    points = statistics["unconstrained_draw"].transpose("chain", "draw", ...).to_numpy()
    for chain, draw, values in at_draws(model, points, wanted.values()):
        for name, value in zip(wanted, values, strict=True):
            found = draws[name].isel(chain=chain, draw=draw).to_numpy()
            np.testing.assert_allclose(found, value, rtol=1e-11, atol=1e-11, err_msg=name)
    own = own_density(model)
    logp = statistics["logp"].transpose("chain", "draw").to_numpy()
    mine = np.array([[own(point)[0] for point in chain] for chain in points])
    rise = logp - logp[0, 0], mine - mine[0, 0]
    np.testing.assert_allclose(*rise, rtol=1e-9, atol=1e-9 * np.abs(mine).max())
    if compiled.route == "graph":
        np.testing.assert_allclose(logp, mine, rtol=1e-9)
    return compiled


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", by_row(CATALOGUE))
def test_what_a_trace_holds_is_the_graphs(name, selection):
    compiled = check_everything(declare(name, selection))
    assert (compiled.route, compiled.reason) == ("compiled", "")


@pytest.mark.parametrize("name", by_row(CATALOGUE))
def test_the_likelihood_over_draws_is_the_formulas(name, selection):
    declared = declare(name, selection)
    chance, prior = np.random.default_rng(9), PriorDraws(declared.model)
    drawn: dict[str, list] = {}
    for _ in range(7):
        for name, value in prior.one(chance).items():
            middle = np.full_like(value, 15.0 if name == "strength" else 0.2, dtype=float)
            near = middle + 0.3 * chance.standard_normal(middle.shape)
            drawn.setdefault(name, []).append(np.abs(near))
    p = {key: np.array(value) for key, value in drawn.items()}
    found = log_likelihood(declared, numbers_of(declared), p)
    expected = weighted_log_likelihood(declared, p)
    np.testing.assert_allclose(found, expected, rtol=1e-11)


def test_work_of_a_fit_is_bounded(selection):
    declared = declare("davidson-player", selection)
    compiled = compile_declared(declared).model
    trace = nutpie.sample(
        compiled, draws=300, tune=300, chains=2, cores=2, seed=3, progress_bar=False, save_warmup=False
    )
    steps = trace["sample_stats"]["n_steps"].values
    assert steps.mean() <= 10
    assert not trace["sample_stats"]["diverging"].values.any()
    names, slices, shapes = compiled.shape_info
    places = [place for part in slices for place in range(part.start, part.stop)]
    assert places == list(range(compiled.n_expanded))
    assert [part.stop - part.start for part in slices] == [int(np.prod(shape)) for shape in shapes]
    assert set(names) == set(trace["posterior"].data_vars)
    held = sum(array.nbytes for array in compiled.shared_data.values())
    assert held < 120 * len(declared.cells) + 400 * compiled.n_expanded + 4000


def test_edits_are_compiled_where_their_operators_have_a_loop(selection, monkeypatch):
    monkeypatch.setattr(nutpie, "compile_pymc_model", lambda model: model)  # the route alone is asked for
    extra = declare("bt", selection)
    with extra.model:
        pm.Potential("opinion", extra.model["strength"][0] / 100)
    swapped = declare("bt", selection)
    pm.set_data({"results": 2.0 * swapped.cells.weight}, model=swapped.model)
    further = declare("bt", selection)
    with further.model:
        pm.Deterministic("best", pt.eq(pt.argmax(further.model["strength"]), 1))
        pm.Deterministic("apart", further.model["strength"][0] - further.model["strength"][1])
    apart = declare("bt", selection)
    with apart.model:
        pm.Deterministic("apart", apart.model["strength"][0] - apart.model["strength"][1])
    for declared in (extra, apart, swapped):
        assert check_everything(declared).route == "compiled"
    assert compile_declared(further).route == "compiled"  # what no loop reads is computed from the draws
    looked_at = declare("bt", selection)
    assert looked_at.model.free_RVs  # a graph that was made and left as it is changes nothing
    assert compile_declared(looked_at).route == "compiled"


@dataclass(frozen=True)
class Bent(Common):
    """Nonlinear function of White's advantage in the sides."""

    bend: object = None

    def declare(self, games):
        return self.bend(super().declare(games)[0]), 0.0


BENDS = {
    "maximum": (lambda x: pt.maximum(x, 0.0), "Maximum"),
    "absolute": (abs, "Abs"),
    "switch": (lambda x: pt.switch(x > -40.0, x, 0.0), "a parameter"),  # far from every point that one would try
    "clip": (lambda x: pt.clip(x, -1e6, 1e6), "Clip"),
    "equal": (lambda x: pt.eq(x, 123.0) * 1.0 + x, "a parameter"),
    "cube": (lambda x: x * x * x, "more than two"),
    "quotient": (lambda x: 1.0 / x, "a parameter"),
}


@pytest.mark.parametrize("name", BENDS)
def test_a_part_whose_arithmetic_is_no_sum_is_left_to_the_graph_and_the_reason_says_what(name, selection, monkeypatch):
    monkeypatch.setattr(nutpie, "compile_pymc_model", lambda model: model)
    bend, said = BENDS[name]
    own = Model("bent", DAVIDSON, Free(), Bent(bend=bend), DrawParameter())
    declared = declare(own, selection)
    with pytest.raises(NotAffineError, match=said):
        numbers_of(declared)
    compiled = compile_declared(declared)
    assert compiled.route == "graph"
    assert compiled.reason


@pytest.mark.draws
def test_a_square_is_compiled_as_the_product_it_is(selection):
    own = Model("squared", DAVIDSON, Free(), Bent(bend=lambda x: x * x), DrawParameter())
    declared = declare(own, selection)
    assert check_everything(declared).route == "compiled"


@pytest.mark.slow
def test_a_bent_advantage_has_the_posterior_of_its_formula():
    elo = np.array([2600.0, 2600.0])
    names = np.array(["Ann", "Bo"])
    rounds = round_robin(2, 40)
    schedule = Schedule(
        rounds.white,
        rounds.black,
        rounds.period,
        white_rating_elo=elo[rounds.white],
        black_rating_elo=elo[rounds.black],
    )
    games = simulate(Truth(names, elo * np.log(10) / 400, 0.05, 0.3), schedule, 3)
    prior = (float(elo[0] * np.log(10) / 400), 1e-6)  # strengths known: what is left is x and log_draw
    bent = Bent((0.0, 1.0), bend=lambda x: (x + abs(x)) / 2)
    own = Model("bent", DAVIDSON, Free(prior), bent, DrawParameter((0.3, 1e-6)))
    compiled = compile_declared(declare(own, select(games, names, "both")))
    assert compiled.route == "graph"
    raw = nutpie.sample(
        compiled.model, draws=2000, tune=500, chains=2, cores=1, seed=4, save_warmup=False, progress_bar=False
    )
    found = raw["posterior"]["advantage"]
    won, drawn, lost = (float((games.score == score).sum()) for score in (1.0, 0.5, 0.0))
    x = np.linspace(-8.0, 8.0, 160_001)
    side = np.maximum(x, 0.0)
    total = np.logaddexp(np.logaddexp(side, 0.0), 0.3 + side / 2)
    log_density = won * side + drawn * (0.3 + side / 2) - (won + drawn + lost) * total - x**2 / 2
    weight = np.exp(log_density - log_density.max())
    weight /= weight.sum()
    mean = (weight * x).sum()
    below, negative = weight[x < 0].sum(), (found < 0).astype(float)
    assert float(found.mean()) == pytest.approx(mean, abs=LIMIT * float(mean_error(found)))
    assert float(negative.mean()) == pytest.approx(below, abs=LIMIT * float(mean_error(negative)))


@pytest.mark.slow
def test_further_values_are_those_of_the_draws(selection):
    declared = declare("bt-common", selection)
    with declared.model as model:
        strength, advantage = model["strength"], model["advantage"]
        for place, name in enumerate(NAMES[:4]):
            pm.Deterministic(f"best {name}", pt.eq(pt.argmax(strength), place))
        pm.Deterministic("beyond", pt.maximum(advantage - 0.2, 0))
        pm.Deterministic("order", pt.argsort(strength), dims="player")
        pm.Deterministic(
            "of_games", pm.logp(model.observed_RVs[0], model.rvs_to_values[model.observed_RVs[0]], warn_rvs=False).sum()
        )
        pm.Deterministic("chance", pt.sigmoid(strength[0] - strength[1]))
        pm.Deterministic("five", pt.constant(5))
    trace = sample(declared, draws=200, tune=200, chains=2, cores=1, seed=5, pointwise_draws=0)
    posterior = trace["posterior"].to_dataset()
    best = posterior["strength"].argmax("player").to_numpy()
    shares = [float(posterior[f"best {name}"].mean()) for name in NAMES[:4]]
    assert shares == [float((best == place).mean()) for place in range(4)]
    np.testing.assert_allclose(posterior["beyond"], np.maximum(posterior["advantage"] - 0.2, 0), rtol=1e-12)
    np.testing.assert_array_equal(posterior["order"], np.argsort(posterior["strength"].to_numpy(), axis=-1))
    p = draws_of(posterior)
    total = weighted_log_likelihood(declared, p).reshape(2, -1)
    np.testing.assert_allclose(posterior["of_games"], total, rtol=1e-10)
    gap = posterior["strength"].isel(player=0) - posterior["strength"].isel(player=1)
    np.testing.assert_allclose(posterior["chance"], 1 / (1 + np.exp(-gap)), rtol=1e-12)
    assert (posterior["five"] == 5).all()
    np.testing.assert_allclose(trace["sample_stats"]["log_likelihood_total"], total, rtol=1e-10)


def test_two_thousand_strengths_sampled_apart_from_their_level_are_read_in_little_room():
    count = 2000
    names = np.array([f"player {number:04d}" for number in range(count)])
    ladder = Schedule(np.arange(count, dtype=np.int32), np.roll(np.arange(count, dtype=np.int32), 1))
    chance = np.random.default_rng(6)
    games = simulate(Truth(names, chance.normal(15, 1, count), 0.2, 0.0), ladder, 7)
    declared = declare("davidson-common", select(games, names, "both"))
    numbers = numbers_of(declared)
    assert sum(getattr(numbers, name).nbytes for name in vars(numbers)) < 600 * count
    point = 0.3 * chance.normal(size=declared.layout.count)
    (value, gradient), (own_value, own_gradient) = density(numbers)(point), own_density(declared.model)(point)
    (other, _), (own_other, _) = density(numbers)(0.5 * point), own_density(declared.model)(0.5 * point)
    assert value - other == pytest.approx(own_value - own_other, rel=1e-9)
    np.testing.assert_allclose(gradient, own_gradient, rtol=1e-8, atol=1e-10 * np.abs(own_gradient).max())
