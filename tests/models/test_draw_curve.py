"""Draws that do not change the expected score: the curve, its limits, its derivatives and its compiled cell."""

import math
from decimal import Decimal, getcontext

import numpy as np
import pytest
from loops import loop

from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.draw_curve import DRAW_CURVE
from halfpoint.models.games.draw_curve import outcome_of
from halfpoint.models.games.units import ELO_PER_NATURAL

RNG = np.random.default_rng(4)
ETA = np.concatenate([RNG.uniform(-40.0, 40.0, 300), [0.0, 1e-12, -1e-9, 40.0, -40.0]])
LAM = np.concatenate([RNG.uniform(-14.0, 14.0, 300), [0.0, -13.8, 13.8, 2.0, -2.0]])


def exact(eta, lam):
    """Loss, draw and win to 60 digits: the quadratic of the expected score, solved."""
    getcontext().prec = 120
    score, nu = 1 / (1 + (-Decimal(eta)).exp()), Decimal(lam).exp()
    ahead = nu * (score - Decimal(1) / 2)
    root = (ahead**2 + 4 * score * (1 - score)).sqrt()
    odds = (ahead + root) / (2 * (1 - score))
    total = odds + nu + 1 / odds
    return [1 / odds / total, nu / total, odds / total]


def steepness(eta, lam, weight):
    """Derivatives of a row's weighted log probability by eta and lam, by differences with 120 digits."""
    step = Decimal(10) ** -40

    def at(one, two):
        return sum(Decimal(w) * p.ln() for w, p in zip(weight, exact(one, two), strict=True))

    one, two = Decimal(float(eta)), Decimal(float(lam))
    by_eta = (at(one + step, two) - at(one - step, two)) / (2 * step)
    return float(by_eta), float((at(one, two + step) - at(one, two - step)) / (2 * step))


def call(eta, lam, weight):
    """Value and derivatives of the compiled potential: one row, or a common lam for all rows."""
    return loop(DRAW_CURVE, eta, lam, weight)


def test_the_expected_score_is_that_of_the_difference_whatever_is_drawn():
    found = np.exp(DRAW_CURVE.log_probability(ETA, np.zeros_like(ETA), LAM))
    assert found.sum(axis=1) == pytest.approx(1.0, rel=1e-13)
    assert found @ [0.0, 0.5, 1.0] == pytest.approx(1.0 / (1.0 + np.exp(-ETA)), rel=1e-12)
    assert found[::-1] @ [1.0, 0.5, 0.0] == pytest.approx(1.0 / (1.0 + np.exp(ETA[::-1])), rel=1e-9)


def test_every_probability_is_exact_up_to_forty_units_and_shares_of_a_millionth():
    found = DRAW_CURVE.log_probability(ETA, np.zeros_like(ETA), LAM)
    for row in range(0, ETA.size, 7):
        expected = [float(one.ln()) for one in exact(ETA[row], LAM[row])]
        assert found[row] == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_it_is_the_curve_of_the_rating_systems():
    score, log_draw = RNG.uniform(0.01, 0.99, 200), 0.7
    found = np.exp(DRAW_CURVE.log_probability(np.log(score / (1.0 - score)), np.zeros(200), log_draw))
    assert found == pytest.approx(outcome_of(score, log_draw), rel=1e-9)


def test_without_draws_it_is_a_logistic_curve_and_between_equals_davidsons():
    never = np.exp(DRAW_CURVE.log_probability(ETA, np.zeros_like(ETA), np.full(ETA.size, -40.0)))
    assert never[:, 2] == pytest.approx(1.0 / (1.0 + np.exp(-ETA)), rel=1e-12)
    nothing = np.zeros(LAM.size)
    equal = DRAW_CURVE.log_probability(nothing, nothing, LAM)
    assert equal == pytest.approx(DAVIDSON.log_probability(nothing, nothing, LAM), rel=1e-13)


def test_nobody_draws_more_than_the_loser_is_expected_to_score():
    many = np.exp(DRAW_CURVE.log_probability(ETA, np.zeros_like(ETA), np.full(ETA.size, 30.0)))
    least = 2.0 / (1.0 + np.exp(np.abs(ETA)))
    assert (many[:, 1] <= least * (1 + 1e-12)).all()
    near = np.abs(ETA) < 10.0
    assert many[near, 1] == pytest.approx(least[near], rel=1e-6)  # all but e^-30 of what can be drawn is


def test_400_points_are_odds_of_ten_to_one_at_any_share_of_draws():
    assert DRAW_CURVE.elo_per_natural(np.array([-3.0, 0.0, 3.0])) == pytest.approx(ELO_PER_NATURAL, rel=1e-7)


@pytest.mark.parametrize("each", [True, False])
def test_the_compiled_cell_has_the_value_of_the_formula_and_its_slopes(each):
    weight = RNG.uniform(0.0, 3.0, (ETA.size, 3))
    lam = LAM if each else 1.3
    value, by_eta, by_lam = call(ETA, lam, weight)
    log = DRAW_CURVE.log_probability(ETA, np.zeros_like(ETA), lam)
    assert value == pytest.approx(float((weight * log).sum()), rel=1e-12)
    slopes = np.array([steepness(*row) for row in zip(ETA, np.broadcast_to(lam, ETA.shape), weight, strict=True)])
    assert by_eta == pytest.approx(slopes[:, 0], rel=1e-9, abs=1e-9)
    assert by_lam == pytest.approx(slopes[:, 1] if each else slopes[:, 1].sum(), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("eta", "lam"), [(1e6, 3.0), (-1e6, 3.0), (900.0, -900.0), (3.0, 900.0), (0.0, -900.0)])
def test_nothing_overflows_however_far_apart_two_are(eta, lam):
    value, by_eta, by_lam = call(np.array([eta, eta]), np.array([lam, lam]), np.ones((2, 3)))
    assert math.isfinite(value)
    assert np.isfinite([*by_eta, *by_lam]).all()
