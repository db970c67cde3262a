"""A formula of one's own: compiled code that equals its graph, and what cannot be compiled told."""

import ctypes

import numpy as np
import pytensor.tensor as pt
import pytest
from graph_density import own_density
from loops import loop
from rating_games import simulated
from scipy import stats

from halfpoint.games.select import select
from halfpoint.inference.compile import compile_declared, density
from halfpoint.inference.engine import numbers_of
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Fitter
from halfpoint.inference.generator import compiled_curvature, written
from halfpoint.inference.limits import Effort
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.draw_parameter import DrawParameter
from halfpoint.models.errors import NoLoopError
from halfpoint.models.margin import MARGIN_T
from halfpoint.models.model import Model, declare_model
from halfpoint.models.outcome import Outcome
from halfpoint.models.rao_kupper import RAO_KUPPER


def normal(white, black, lam):
    """Glenn and David's ties: drawn where a normal difference stays within a threshold."""
    gap, threshold = white - black, pt.exp(lam)
    lost, won = pt.erfc((gap + threshold) / np.sqrt(2.0)) / 2, pt.erfc((threshold - gap) / np.sqrt(2.0)) / 2
    return pt.log(lost), pt.log(1.0 - lost - won), pt.log(won)


def of_the_mean(white, black, lam):
    return black, lam + (white + black) ** 2, white


def with_bessel(white, black, lam):
    return black, lam + (white + black) / 2 + pt.j0(white - black), white


NORMAL = Model("normal-common", Outcome("normal", normal), draws=DrawParameter())


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
    value, _, _ = loop(NORMAL.outcome, [0.7], [-0.3], [[2.0, 3.0, 4.0]])
    threshold = np.exp(-0.3)
    lost, won = stats.norm.cdf(-threshold - 0.7), stats.norm.cdf(0.7 - threshold)
    assert value == pytest.approx(2 * np.log(lost) + 3 * np.log(1 - lost - won) + 4 * np.log(won), rel=1e-12)


def test_it_is_fitted_like_a_row_of_the_catalogue(selection):
    fit = Fitter(declare_model(NORMAL, selection), Effort(draws=300, tune=300, chains=2, seed=4, cores=2)).fit()
    assert fit.diagnosis.divergences == 0
    assert set(fit.posterior.data_vars) == {"strength", "advantage", "log_draw"}
    assert np.isfinite(fit.posterior["strength"].to_numpy()).all()


def test_what_looks_at_more_than_the_difference_goes_through_its_graph(selection):
    with pytest.raises(NoLoopError, match="more than the difference"):
        written(Outcome("of-the-mean", of_the_mean))


def test_an_operator_without_a_line_is_named():
    with pytest.raises(NoLoopError, match="J0"):
        written(Outcome("with-bessel", with_bessel))


def test_a_fitter_refuses_a_model_that_was_edited(selection):
    declared = declare_model(NORMAL, selection)
    declared.model["weight"].set_value(2.0 * declared.cells.weight)
    with pytest.raises(InferenceError, match="data weight changed"):
        Fitter(declared).fit()


@pytest.mark.parametrize("outcome", [DAVIDSON, RAO_KUPPER, MARGIN_T], ids=lambda one: one.name)
def test_second_derivatives_are_differences_of_the_first(outcome):
    random = np.random.default_rng(2)
    eta, lam, weight = random.normal(0, 2, 9), random.normal(0, 1, 9), random.uniform(0, 2, (9, 3))
    margin = random.normal(0, 2, 9) if outcome.margin is not None else None
    columns = np.concatenate([*weight.T, *([] if margin is None else [margin])])
    found, step = np.full((6, 9), np.nan), 1e-5
    kind = ctypes.CFUNCTYPE(ctypes.c_double, *(ctypes.c_int64,) * 3, *(ctypes.c_void_p,) * 4)
    kind(compiled_curvature(outcome).address)(9, 9, 1, *(one.ctypes.data for one in (eta, lam, columns, found)))
    value, by_eta, by_lam = loop(outcome, eta, lam, weight, margin)
    assert found[0].sum() == pytest.approx(value, rel=1e-12)
    np.testing.assert_allclose(found[1:3], [by_eta, by_lam], rtol=1e-10, atol=1e-12)
    for row, which, place in ((3, 1, 0), (4, 1, 1), (5, 2, 1)):
        ahead = [eta + step * (place == 0), lam + step * (place == 1)]
        behind = [eta - step * (place == 0), lam - step * (place == 1)]
        slope = (loop(outcome, *ahead, weight, margin)[which] - loop(outcome, *behind, weight, margin)[which]) / (
            2 * step
        )
        np.testing.assert_allclose(found[row], slope, rtol=1e-6, atol=1e-8)
