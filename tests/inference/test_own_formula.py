"""User formulas: compiled code equals the graph, and what cannot be compiled is reported."""

from dataclasses import dataclass

import numpy as np
import pymc as pm
import pytensor.tensor as pt
import pytest
from composed import Common, DrawParameter, Model
from graph_density import own_density
from loops import loop
from rating_games import simulated
from scipy import stats

from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.loops.generator import write_formula_loop
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.reweighted_sampler import ReweightedSampler
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.errors import NoLoopError
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.games.select import select


def normal(white, black, lam):
    """Glenn and David's ties: drawn if a normal difference is within a threshold."""
    gap, threshold = white - black, pt.exp(lam)
    lost, won = pt.erfc((gap + threshold) / np.sqrt(2.0)) / 2, pt.erfc((threshold - gap) / np.sqrt(2.0)) / 2
    return pt.log(lost), pt.log(1.0 - lost - won), pt.log(won)


def of_the_mean(white, black, lam):
    return black, lam + (white + black) ** 2, white


def with_bessel(white, black, lam):
    return black, lam + (white + black) / 2 + pt.j0(white - black), white


NORMAL_TIES = Outcome("normal", normal)
NORMAL = Model("normal-common", NORMAL_TIES, draws=DrawParameter())


@pytest.fixture(scope="module")
def selection():
    games, _ = simulated(82, players=8, games=300, periods=3, draw=0.3)
    return select(games, games.players)


def test_its_code_equals_its_graph(selection):
    declared = declare_model(NORMAL, selection)
    assert compile_declared(declared).route == "compiled"
    compute, own = density(numbers_of(declared)), own_density(declared.model)
    for seed in (1, 2):
        point = 0.4 * np.random.default_rng(seed).standard_normal(declared.layout.count)
        (value, slope), (expected, gradient) = compute(point), own(point)
        assert value == pytest.approx(expected, rel=1e-9)
        assert slope == pytest.approx(gradient, rel=1e-7, abs=1e-7 * np.abs(gradient).max())


def test_its_code_equals_the_formula_of_another_library():
    value, _, _ = loop(NORMAL_TIES, [0.7], [-0.3], [[2.0, 3.0, 4.0]])
    threshold = np.exp(-0.3)
    lost, won = stats.norm.cdf(-threshold - 0.7), stats.norm.cdf(0.7 - threshold)
    assert value == pytest.approx(2 * np.log(lost) + 3 * np.log(1 - lost - won) + 4 * np.log(won), rel=1e-12)


def test_it_is_fitted_like_a_row_of_the_catalogue(selection):
    fit = ReweightedSampler(
        declare_model(NORMAL, selection), Effort(draws=300, tune=300, chains=2, seed=4, cores=2)
    ).fit()
    assert fit.diagnosis.divergences == 0
    assert set(fit.posterior.data_vars) == {"strength", "advantage", "log_draw"}
    assert np.isfinite(fit.posterior["strength"].to_numpy()).all()


def test_what_looks_at_more_than_the_difference_goes_through_its_graph(selection):
    with pytest.raises(NoLoopError, match="more than the difference"):
        write_formula_loop(Outcome("of-the-mean", of_the_mean))


def test_an_operator_without_a_line_is_named():
    with pytest.raises(NoLoopError, match="J0"):
        write_formula_loop(Outcome("with-bessel", with_bessel))


@dataclass(frozen=True)
class Favoured(Common):
    def declare(self, games):
        return pm.Gumbel("advantage", mu=0.0, beta=0.3), 0.0


def test_a_prior_of_a_distribution_of_ones_own_is_sampled_as_it_is(selection):
    declared = declare_model(Model("favoured", NORMAL_TIES, advantage=Favoured(), draws=DrawParameter()), selection)
    assert compile_declared(declared).route == "compiled"
    compute, own = density(numbers_of(declared)), own_density(declared.model)
    points = 0.4 * np.random.default_rng(3).standard_normal((3, declared.layout.count))
    found, expected = (np.array([one(point)[0] for point in points]) for one in (compute, own))
    np.testing.assert_allclose(found - found[0], expected - expected[0], rtol=1e-9)
    found, exact = (
        fit(declared, how, draws=1000, tune=500, seed=1)["posterior"]["advantage"] for how in ("normal", "nuts")
    )
    assert abs(float(found.mean() - exact.mean())) < 0.25 * float(exact.std())


def test_a_fitter_refuses_a_model_that_was_edited(selection):
    declared = declare_model(NORMAL, selection)
    declared.model["results"].set_value(2.0 * declared.cells.weight)
    with pytest.raises(InferenceError, match="data results changed"):
        ReweightedSampler(declared).fit()
