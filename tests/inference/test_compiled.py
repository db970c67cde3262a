"""A model as numbers for shared compiled functions: the same density and draws as PyMC's, or the graph and a reason."""

import numpy as np
import nutpie
import pymc as pm
import pytest

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.inference.compiled import compile_model, density, nutpie_model, own_density
from halfpoint.inference.linear import NotLinearError, read_model
from halfpoint.inference.pointwise import SeatDraws, chunks, log_likelihood, total_log_likelihood
from halfpoint.models.catalogue import EDITIONS, MODELS, declare

NAMES = ("Anand", "Botvinnik", "Carlsen", "Dvoretsky", "Euwe")


@pytest.fixture(scope="module")
def selection():
    strength = np.array([0.9, 0.2, 1.3, -0.4, 0.0]) + 15.0
    truth = Truth(np.array(NAMES), strength, 0.2, 0.3)
    games = simulate(truth, round_robin(len(NAMES), cycles=8), seed=7)
    rating = strength * 400 / np.log(10)
    rated = type(games)(
        players=games.players,
        white=games.white,
        black=games.black,
        score=games.score,
        period=np.arange(len(games)) % 12 + 1,
        white_rating_elo=rating[games.white],
        black_rating_elo=rating[games.black],
    )
    return select(rated, NAMES[:3])


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("name", MODELS)
def test_every_catalogue_model_is_covered_and_equal(name, edition, selection):
    model = declare(name, selection, edition).model
    linear = read_model(model)
    fast, slow = density(linear), own_density(model)
    random = np.random.default_rng(5)
    for spread in (0.0, 0.5, 3.0):
        point = random.normal(scale=spread, size=linear.numbers.mean.size)
        (value, gradient), (own_value, own_gradient) = fast(point), slow(point)
        assert value == pytest.approx(own_value, rel=1e-11)
        np.testing.assert_allclose(gradient, own_gradient, rtol=1e-9, atol=1e-10 * np.abs(own_gradient).max())


def test_trace_values_are_the_models_deterministics(selection):
    model = declare("davidson-player", selection).model
    trace = nutpie.sample(
        nutpie_model(model, read_model(model)), draws=3, tune=2, chains=1, seed=1, progress_bar=False, save_warmup=False
    )
    posterior = trace["posterior"].to_dataset().isel(chain=0)
    assert list(posterior["player"].values) == list(NAMES[:3])
    evaluate = model.compile_fn(
        model.replace_rvs_by_values(model.deterministics), inputs=model.value_vars, on_unused_input="ignore"
    )
    for draw in range(3):
        point = {str(v.name): posterior[v.name].values[draw] for v in model.value_vars}
        for variable, expected in zip(model.deterministics, evaluate(point), strict=True):
            np.testing.assert_allclose(posterior[variable.name].values[draw], expected, rtol=1e-12)


def test_other_models_are_refused_with_a_reason(selection):
    graph = declare("bt", selection, backend="graph").model
    with pytest.raises(NotLinearError, match="graph"):
        read_model(graph)

    with (extra := declare("bt", selection).model):
        pm.Potential("opinion", extra["rating"][0] / 100)
    with pytest.raises(NotLinearError, match="one potential"):
        read_model(extra)

    with pm.Model() as wide:
        sd = pm.HalfNormal("sd")
        pm.Potential("nothing", pm.Normal("strength", 0.0, sd))
    with pytest.raises(NotLinearError):
        read_model(wide)


def test_curved_seats_are_refused(selection, monkeypatch):
    from halfpoint.models import parts

    def curved(name, prior, unit, dims=None):
        raw = pm.Normal(f"{name}_raw", 0.0, 1.0, dims=dims)
        return pm.Deterministic(name, 15.0 + raw**3, dims=dims)

    monkeypatch.setattr("halfpoint.models.davidson.parameter", curved)
    assert parts.parameter is not curved
    with pytest.raises(NotLinearError, match="not linear"):
        read_model(declare("davidson", selection).model)


def test_seats_that_mix_players_are_read_column_by_column(selection, monkeypatch):
    """A strength centred on the mean depends on every raw value: still linear, still exact."""

    def centred(name, prior, unit, dims=None):
        raw = pm.Normal(f"{name}_raw", np.float64(0.3), np.float64(2.0), dims=dims)
        return pm.Deterministic(name, 15.0 + 0.2 * (raw - raw.mean()), dims=dims)

    monkeypatch.setattr("halfpoint.models.davidson.parameter", centred)
    model = declare("davidson", selection).model
    linear = read_model(model)
    point = np.random.default_rng(6).normal(size=linear.numbers.mean.size)
    (value, gradient), (own_value, own_gradient) = density(linear)(point), own_density(model)(point)
    assert value == pytest.approx(own_value, rel=1e-11)
    np.testing.assert_allclose(gradient, own_gradient, rtol=1e-8, atol=1e-10)


def test_fast_route_is_taken(selection):
    compiled = compile_model(declare("bt-common", selection).model)
    assert (compiled.route, compiled.reason) == ("fused", "")


def test_work_of_a_fit_is_bounded(selection):
    """Work, not seconds: gradients a draw of a well-scaled posterior, and one pass over the cells a gradient."""
    compiled = compile_model(declare("davidson-player", selection).model).model
    trace = nutpie.sample(
        compiled, draws=300, tune=300, chains=2, cores=2, seed=3, progress_bar=False, save_warmup=False
    )
    steps = trace["sample_stats"]["n_steps"].values
    assert steps.mean() <= 10
    assert not trace["sample_stats"]["diverging"].values.any()
    cells = declare("davidson-player", selection).cells
    held = sum(array.nbytes for array in compiled.shared_data.values())
    assert held < 80 * len(cells) + 400 * compiled.n_expanded + 4000


@pytest.mark.parametrize("name", ["bt-player", "davidson-common"])
def test_likelihoods_over_draws_are_the_formulas(name, selection):
    entry, cells = MODELS[name], declare(name, selection).cells
    random = np.random.default_rng(9)
    white, black = random.normal(15.0, 1.0, (2, 7, 4))
    lam = random.normal(size=(7, 1)) if entry.family == "davidson" else None
    seats = SeatDraws(entry.family, white, black, lam)
    total = total_log_likelihood(seats, cells.white, cells.black, cells.anchor_elo, cells.weight)
    formula = np.concatenate([value for _, value in chunks(seats, cells.white, cells.black, cells.anchor_elo)])
    np.testing.assert_allclose(total, np.tensordot(formula, cells.weight, axes=([1, 2], [0, 1])), rtol=1e-12)
    outcome = selection.games.outcome
    each = log_likelihood(seats, selection.white, selection.black, selection.anchor_elo, outcome)
    assert each.dtype == np.float32
    games = np.concatenate([v for _, v in chunks(seats, selection.white, selection.black, selection.anchor_elo)])
    expected = np.take_along_axis(games, outcome[None, :, None].astype(int), axis=2)[..., 0]
    np.testing.assert_allclose(each, expected, rtol=2e-7)
