"""Further parameters of a formula: in the PyMC model, likelihoods, Elo points and draw rates, and refusals."""

import json
import re

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from composed import weighted_log_likelihood
from rating_games import simulated
from scipy.special import log_softmax

from halfpoint.evaluation.prior_checks import prior_table
from halfpoint.inference.diagnostics.graph_edits import likelihood_as_sampled
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.declaration.elo_scale import ratings_in_elo
from halfpoint.models.declaration.record import model_of, record_of
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.own import outcome
from halfpoint.models.games.select import select
from halfpoint.models.games.units import ELO_PER_NATURAL
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import population


def bent(white, black, log_draw, tie_slope, bonus):
    return black, log_draw + bonus + (white + black) / 2 - tie_slope * (white - black) ** 2, white


def bent_by_graphs(white, black, log_draw, tie_slope, bonus):
    return black, log_draw + bonus + (white + black) / 2 - tie_slope * pt.sqr(white - black), white


def row(games, scores):
    with pm.Model(coords=games.coords) as model:
        strength, advantage = population(games), pm.Normal("advantage", 0.0, 1.0)
        log_draw, slope = pm.Normal("log_draw", 1.0, 5.0), pm.Normal("tie_slope", 0.0, 0.5)
        bonus = pm.Laplace("bonus", 0.2, 0.1)
        white, black = games.white(strength) + advantage, games.black(strength)
        outcome(games, scores, white, black, log_draw, tie_slope=slope, bonus=bonus)
    return model


def arithmetic(games):
    return row(games, bent)


def graphs(games):
    return row(games, bent_by_graphs)


ROWS = {"arithmetic": Model("bent", arithmetic), "graphs": Model("by-graphs", graphs)}


@pytest.fixture(scope="module")
def selection():
    games, _ = simulated(82, players=8, games=300, periods=3, draw=0.3)
    return select(games, games.players)


@pytest.mark.parametrize("row", ROWS)
def test_the_graph_and_the_draws_have_the_likelihood_of_the_formula(row, selection):
    declared = declare_model(ROWS[row], selection)
    names = ["strength", "advantage", "log_draw", "tie_slope", "bonus"]
    model = declared.model
    asked = [model[name] for name in names]
    values = pm.draw(asked, draws=4, random_seed=1, mode=pm.pytensorf.Mode(linker="py", optimizer=None))
    p = dict(zip(names, values, strict=True))
    further = {"strength_mean": np.zeros(4), "strength_spread": np.ones(4)}
    drawn = xr.Dataset(
        {k: (("chain", "draw", *(f"{k}_{j}" for j in range(v.ndim - 1))), v[None]) for k, v in (p | further).items()}
    )
    potential = likelihood_as_sampled(model, drawn)[0]
    gap = p["strength"][:, selection.white] + p["advantage"][:, None] - p["strength"][:, selection.black]
    drawn = p["log_draw"] + p["bonus"]
    scores = np.stack([-gap / 2, drawn[:, None] - p["tie_slope"][:, None] * gap**2, gap / 2], axis=-1)
    expected = log_softmax(scores, axis=-1)[:, np.arange(len(selection)), selection.games.outcome].sum(axis=1)
    np.testing.assert_allclose(potential, expected, rtol=1e-9)
    read = weighted_log_likelihood(declared, p)
    np.testing.assert_allclose(read, expected, rtol=1e-9)


def test_its_parameters_have_their_priors_in_print_and_in_the_record(selection):
    model = ROWS["arithmetic"]
    told = "\n".join(declare_model(model, selection).written())
    assert re.search(r"tie_slope ~ Normal\(0, 0\.5\)", told)
    assert re.search(r"bonus ~ Laplace\(0\.2, 0\.1\)", told)
    assert model_of(json.loads(json.dumps(record_of(model)))) == model


def test_elo_points_and_draw_rates_are_those_of_the_formula(selection):
    declared = declare_model(ROWS["arithmetic"], selection)
    strength, bonus = np.linspace(15.0, 16.0, 8), np.array([0.0, 0.5, -1.0])
    one = {"log_draw": np.full(3, 0.3), "advantage": np.full(3, 0.2), "tie_slope": np.full(3, 0.4), "bonus": bonus}
    given = {name: (("chain", "draw"), value[None]) for name, value in one.items()}
    given["strength"] = (("chain", "draw", "player"), np.broadcast_to(strength, (1, 3, 8)))
    found = ratings_in_elo(declared, xr.Dataset(given, coords={"player": selection.players.astype(object)}))
    rate = np.exp(0.3 + bonus) / (2 + np.exp(0.3 + bonus))
    np.testing.assert_allclose(found["draw_rate"][0], rate, rtol=1e-6)
    np.testing.assert_allclose(found["advantage_elo"][0], 0.2 * ELO_PER_NATURAL * (1 - rate), rtol=1e-6)
    apart = found["rating_elo"][0, :, -1] - found["rating_elo"][0, :, 0]
    np.testing.assert_allclose(apart, ELO_PER_NATURAL * (1 - rate), rtol=1e-6)


def test_a_formula_without_a_draw_parameter_reads_a_number_of_its_own(selection):

    def steep(white, black, height):
        return height * black, height * (white + black) / 2, height * white

    def function(games):
        with pm.Model(coords=games.coords) as model:
            strength, height = population(games), pm.Gamma("height", alpha=4.0, beta=4.0)
            outcome(games, steep, games.white(strength), games.black(strength), over=(0, 2), height=height)
        return model

    model = Model("steep", function)
    given = {
        "height": (("chain", "draw"), [[0.5, 2.0]]),
        "strength": (("chain", "draw", "player"), np.zeros((1, 2, 8))),
    }
    posterior = xr.Dataset(given, coords={"player": selection.players.astype(object)})
    posterior["strength"][..., -1] += 1.0
    apart = ratings_in_elo(declare_model(model, selection), posterior)["rating_elo"][0].diff("player")[:, -1]
    np.testing.assert_allclose(apart, ELO_PER_NATURAL * np.array([0.5, 2.0]), rtol=1e-6)


def test_its_prior_is_told_before_any_game(selection):
    table = prior_table(declare_model(ROWS["arithmetic"], selection))
    assert np.isfinite(table.to_numpy()).all()


def test_the_normal_approximation_refuses_it_by_its_name(selection):
    with pytest.raises(InferenceError, match=r"bent: .*tie_slope, bonus.* Use method nuts"):
        fit(declare_model(ROWS["arithmetic"], selection), "normal", draws=10)


@pytest.mark.parametrize(
    ("numbers", "told"),
    [({"bonus": 0.0}, "tie_slope"), ({"tie_slope": 0.0, "bonus": 0.0, "more": 1.0}, "more")],
)
def test_numbers_that_are_not_the_formulas_are_refused(numbers, told, selection):
    def function(games):
        with pm.Model(coords=games.coords) as model:
            strength = population(games)
            outcome(games, bent, games.white(strength), games.black(strength), 0.0, **numbers)
        return model

    with pytest.raises(ModelError, match=told):
        declare_model(Model("own", function), selection)
