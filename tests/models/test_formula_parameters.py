"""Further parameters of a formula: in the PyMC model, likelihoods, Elo points and draw rates, and what is refused."""

import json

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
import xarray as xr
from composed import DrawParameter, Model, Nothing, Population
from rating_games import simulated
from scipy.special import log_softmax

from halfpoint.evaluation.prior_checks import prior_table
from halfpoint.games.select import select
from halfpoint.games.units import ELO_PER_NATURAL
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.models.catalogue import find
from halfpoint.models.declared import declare_model
from halfpoint.models.elo_scale import ratings_in_elo
from halfpoint.models.errors import ModelError
from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.posterior_reader import weighted_log_likelihood
from halfpoint.models.record import model_of, record_of


def bent(white, black, log_draw, tie_slope, bonus):
    return black, log_draw + bonus + (white + black) / 2 - tie_slope * (white - black) ** 2, white


def bent_by_graphs(white, black, log_draw, tie_slope, bonus):
    return black, log_draw + bonus + (white + black) / 2 - tie_slope * pt.sqr(white - black), white


PRIORS = {"tie_slope": (0.0, 0.5), "bonus": ("laplace", 0.2, 0.1)}
ROWS = {
    "arithmetic": Model("bent", Outcome("bent", bent), Population(), draws=DrawParameter(), parameters=PRIORS),
    "graphs": Model("by-graphs", Outcome("g", bent_by_graphs), Population(), draws=DrawParameter(), parameters=PRIORS),
}


@pytest.fixture(scope="module")
def selection():
    games, _ = simulated(82, players=8, games=300, periods=3, draw=0.3)
    return select(games, games.players)


@pytest.mark.parametrize("row", ROWS)
def test_the_graph_and_the_draws_have_the_likelihood_of_the_formula(row, selection):
    """Prior draws of the graph, with its potential, beside NumPy; then the likelihood that a trace is read by."""
    declared = declare_model(ROWS[row], selection)
    names = ["strength", "advantage", "log_draw", "tie_slope", "bonus"]
    model = declared.model
    asked = [model[name] for name in (*names, "log_likelihood")]
    *values, potential = pm.draw(asked, draws=4, random_seed=1, mode=pm.pytensorf.Mode(linker="py", optimizer=None))
    p = dict(zip(names, values, strict=True))
    gap = p["strength"][:, selection.white] + p["advantage"][:, None] - p["strength"][:, selection.black]
    drawn = p["log_draw"] + p["bonus"]
    scores = np.stack([-gap / 2, drawn[:, None] - p["tie_slope"][:, None] * gap**2, gap / 2], axis=-1)
    outcome = selection.games.outcome
    expected = log_softmax(scores, axis=-1)[:, np.arange(len(selection)), outcome].sum(axis=1)
    np.testing.assert_allclose(potential, expected, rtol=1e-9)
    read = weighted_log_likelihood(declared.spec, p, declared.rows, declared.cells.weight)
    np.testing.assert_allclose(read, expected, rtol=1e-9)


def test_its_parameters_have_their_priors_in_print_and_in_the_record(selection):
    model = ROWS["arithmetic"]
    told = "\n".join(declare_model(model, selection).written())
    assert "tie_slope ~ Normal(0, 0.5)" in told
    assert "bonus ~ Laplace(0.2, 0.1)" in told
    assert model_of(json.loads(json.dumps(record_of(model))), [model.outcome]) == model
    assert "parameters" not in record_of(find("davidson-common"))


def test_elo_points_and_draw_rates_are_those_of_the_formula(selection):
    """Davidson's scale 400 / ln 10 (1 - r), r = e^l / (2 + e^l), here with l = log_draw + bonus."""
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
    """Half points, the curve's height learned: the scale is 400 / ln 10 times the height."""

    def steep(white, black, height):
        return height * black, height * (white + black) / 2, height * white

    outcome = Outcome("steep", steep, over=(0, 2))
    model = Model("steep", outcome, advantage=Nothing(), parameters={"height": ("gamma", 4.0, 4.0)})
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
    with pytest.raises(InferenceError, match=r"bent: the formula reads tie_slope, bonus beside .* Use method nuts"):
        fit(declare_model(ROWS["arithmetic"], selection), "normal", draws=10)


@pytest.mark.parametrize(
    ("outcome", "further", "read", "found"),
    [
        (ROWS["arithmetic"].outcome, {"bonus": (0.0, 1.0)}, "tie_slope, bonus", "bonus"),
        (ROWS["arithmetic"].outcome, {}, "tie_slope, bonus", "none"),
        (DAVIDSON, PRIORS, "nothing", "tie_slope, bonus"),
        (HALF_POINTS, PRIORS, "nothing", "tie_slope, bonus"),
    ],
)
def test_a_row_whose_parameters_are_not_its_formulas_is_refused(outcome, further, read, found):
    told = rf"number that {outcome.name} reads beside .* \({read}\), parameters={{NAME: \(mean, sd\)}}, found {found}$"
    with pytest.raises(ModelError, match=told):
        Model("own", outcome, draws=DrawParameter(), parameters=further)


@pytest.mark.parametrize("name", ["strength", "player", "chain"])
def test_a_parameter_of_a_name_that_is_taken_is_refused(name, selection):
    taken = Outcome("taken", eval(f"lambda white, black, lam, {name}: (black, lam + {name}, white)"))
    model = Model("own", taken, draws=DrawParameter(), parameters={name: (0.0, 1.0)})
    with pytest.raises(ModelError, match=f"parameters: expected a name that the model has not, found '{name}'"):
        declare_model(model, selection)
