"""Compiled loops of the formulas, compared with graphs, closed forms and exact arithmetic."""

import math
from functools import cache

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from loops import loop
from test_outcome import exact_rao_kupper

from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER

FORMULAS = {outcome.name: outcome for outcome in (HALF_POINTS, DAVIDSON, RAO_KUPPER)}
NATURAL_OF_10000_ELO = 10_000 * math.log(10) / 400


def potential(name, eta, lam, weight, lead=0):
    """Value and derivatives by eta and lam, with one lam for all rows or one per row; from row `lead` on."""
    return loop(FORMULAS[name], eta, lam, weight, lead=lead)


@cache
def graph_of(name, one_lam):
    """Potential as a graph that PyTensor differentiates and simplifies."""
    outcome = FORMULAS[name]
    eta, lam = pt.dvector("eta"), pt.dscalar("lam") if one_lam else pt.dvector("lam")
    weight = pt.dmatrix("weight")
    value = outcome.weigh(outcome.terms(eta / 2, -eta / 2, lam, None), [weight[:, k] for k in range(3)]).sum()
    wrt = [eta, lam] if outcome.draws else [eta]
    function = pytensor.function(
        [eta, lam, weight], [value, *pt.grad(value, wrt)], mode="FAST_COMPILE", on_unused_input="ignore"
    )

    def evaluate(eta, lam, weight):
        found = function(eta, lam, weight)
        return (*found, 0.0) if len(found) == 2 else tuple(found)

    return evaluate


def random_rows(seed, count, spread, weighted):
    random = np.random.default_rng(seed)
    weight = random.integers(0, 4, (count, 3)).astype(float)
    weight[weight.sum(axis=1) == 0, 1] = 1.0
    if weighted:
        weight *= random.uniform(0.3, 6.0, (count, 1))
    return random.normal(0.0, spread, count), weight, random


@pytest.mark.cases(3)
@pytest.mark.parametrize(
    ("name", "one_lam"), [(name, one) for name in FORMULAS for one in (True, False) if one or FORMULAS[name].draws]
)
@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**31),
    count=st.integers(1, 300),
    spread=st.sampled_from([0.1, 1.0, 5.0, 30.0, NATURAL_OF_10000_ELO]),
    lam=st.floats(-8, 8),
    weighted=st.booleans(),
)
def test_compiled_code_is_the_graph(name, one_lam, seed, count, spread, lam, weighted):
    eta, weight, random = random_rows(seed, count, spread, weighted)
    lam = np.float64(lam) if one_lam else lam + random.normal(0.0, 1.0, count)
    expected, found = graph_of(name, one_lam)(eta, lam, weight), potential(name, eta, lam, weight, lead=seed % 3)
    # the graph subtracts scores from their sum: near certainty only its rounding, not the value, is left
    rounding = 2.0**-52 * weight.sum() * (np.abs(eta).max() + 20.0)
    for theirs, ours in zip(expected, found, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-10, atol=1e-10 * np.abs(theirs).max() + rounding)


@pytest.mark.parametrize("name", FORMULAS)
def test_many_rows_are_the_sum_of_single_ones(name):
    eta, weight, random = random_rows(7, 1003, 3.0, weighted=True)
    lam = random.normal(0.5, 1.0, 1003)
    value, by_eta, by_lam = potential(name, eta, lam, weight)
    single = [potential(name, eta[k : k + 1], lam[k : k + 1], weight[k : k + 1]) for k in range(eta.size)]
    assert value == pytest.approx(math.fsum(one[0] for one in single), rel=1e-13)
    np.testing.assert_allclose(by_eta, [one[1][0] for one in single], rtol=1e-13, atol=1e-13)
    if FORMULAS[name].draws:
        np.testing.assert_allclose(by_lam, [one[2][0] for one in single], rtol=1e-13, atol=1e-13)
        alike = potential(name, eta, np.full(1003, 0.4), weight)
        shared = potential(name, eta, 0.4, weight)
        assert shared[0] == pytest.approx(alike[0], rel=1e-13)
        np.testing.assert_allclose(shared[1], alike[1], rtol=1e-13, atol=1e-13)
        assert shared[2][0] == pytest.approx(alike[2].sum(), rel=1e-12)


def by_potential(eta, lam, result):
    """Value and slopes by eta and lam of one game, by the C potential; half points are lam = -inf."""
    name = "davidson" if np.isfinite(lam) else "bradley_terry"
    value, by_eta, by_lam = potential(name, [eta], lam, np.eye(3)[[result]])
    return value, float(by_eta[0]), float(by_lam[0])


def by_potential_of_many(eta, lam, result):
    """The same with a lam for each row."""
    if not np.isfinite(lam):
        return by_potential(eta, lam, result)
    value, by_eta, by_lam = potential("davidson", [eta], [lam], np.eye(3)[[result]])
    return value, float(by_eta[0]), float(by_lam[0])


WAYS = pytest.mark.parametrize("one_game", [by_potential, by_potential_of_many])


def exact(eta, lam, result):
    """Log P by the largest score and log1p of the remainder: exact to rounding."""
    scores = [-eta / 2, lam, eta / 2]
    top = max(scores)
    others = sum(math.exp(score - top) for place, score in enumerate(scores) if place != scores.index(top))
    return (scores[result] - top) - math.log1p(others)


@WAYS
@pytest.mark.parametrize("difference_elo", [0.0, 1.0, 173.7, 800.0, 3000.0, 10_000.0, 50_000.0])
@pytest.mark.parametrize("lam", [-300.0, -20.0, 0.0, 3.0, 40.0, 200.0, 690.0, 2000.0])
def test_extremes_keep_all_digits(one_game, difference_elo, lam):
    for sign in (-1.0, 1.0):
        eta = sign * difference_elo * math.log(10) / 400
        for result in range(3):
            value, slope, _ = one_game(eta, lam, result)
            # the term lam of a draw stands apart: its rounding remains
            assert value == pytest.approx(exact(eta, lam, result), rel=1e-13, abs=1e-15 * max(lam, 0.0) + 1e-300)
            assert np.isfinite(slope)


@WAYS
def test_bradley_terry_of_two_players_is_logistic_to_the_last_digits(one_game):
    for eta in (-57.5, -3.0, -1e-8, 0.0, 1e-8, 0.7, 12.0, 57.5):
        win, slope, _ = one_game(eta, -math.inf, 2)
        assert win == pytest.approx(-math.log1p(math.exp(-eta)), rel=4e-15)
        assert slope == pytest.approx(1.0 / (1.0 + math.exp(eta)), rel=4e-15)
        half, _, _ = one_game(eta, -math.inf, 1)
        assert half == pytest.approx((win + one_game(eta, -math.inf, 0)[0]) / 2, rel=4e-15)


@WAYS
def test_nothing_a_sampler_tries_overflows(one_game):
    for eta in (1e4, -1e4, 1e8):
        for lam in (-1e6, 0.0, 1e6):
            assert np.all(np.isfinite(one_game(eta, lam, 0)))
    assert math.isnan(one_game(math.nan, 0.0, 0)[0])


@WAYS
def test_gradient_is_the_finite_difference(one_game):
    random = np.random.default_rng(3)
    for eta, lam in zip(random.normal(0, 4, 40), random.normal(0, 2, 40), strict=True):
        for result in range(3):
            _, slope, drawn = one_game(eta, lam, result)
            step = 1e-5
            by_eta = (one_game(eta + step, lam, result)[0] - one_game(eta - step, lam, result)[0]) / (2 * step)
            by_lam = (one_game(eta, lam + step, result)[0] - one_game(eta, lam - step, result)[0]) / (2 * step)
            assert slope == pytest.approx(by_eta, abs=1e-9)
            assert drawn == pytest.approx(by_lam, abs=1e-9)


@pytest.mark.parametrize("lam", [-800.0, -690.0, -40.0, -3.0, 0.7, 30.0, 690.0, 800.0, 5000.0])
@pytest.mark.parametrize("difference", [0.0, 0.5, 40.0, 690.0, 1400.0, 1500.0, 20000.0])
def test_rao_kupper_is_exact_however_far_apart_the_two_are(difference, lam):
    for sign in (1.0, -1.0):
        logs, slopes = exact_rao_kupper(sign * difference, lam)
        for result in range(3):
            for given_lam in (lam, [lam]):
                weight = np.eye(3)[[result]]
                value, by_eta, _ = potential("rao_kupper", [sign * difference], given_lam, weight)
                assert value == pytest.approx(float(logs[result]), rel=1e-12, abs=1e-11)
                assert by_eta[0] == pytest.approx(float(slopes[result]), rel=1e-10, abs=1e-12)


def test_rao_kuppers_slopes_are_finite_differences():
    random = np.random.default_rng(3)
    for eta, lam in zip(random.normal(0, 4, 40), random.normal(0, 2, 40), strict=True):
        for weight in np.eye(3)[:, None]:
            _, by_eta, by_lam = potential("rao_kupper", [eta], lam, weight)
            values = [
                potential("rao_kupper", [eta + step], lam + other, weight)[0]
                for step, other in ((1e-5, 0.0), (-1e-5, 0.0), (0.0, 1e-5), (0.0, -1e-5))
            ]
            assert by_eta[0] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-9)
            assert by_lam[0] == pytest.approx((values[2] - values[3]) / 2e-5, abs=1e-9)


def test_nothing_of_rao_kupper_overflows():
    for eta in (1e4, -1e4, 1e8):
        for lam in (-1e6, 0.0, 1e6):
            found = potential("rao_kupper", [eta], lam, np.ones((1, 3)))
            assert all(np.isfinite(part).all() for part in found)
    assert math.isnan(potential("rao_kupper", [math.nan], 0.0, np.ones((1, 3)))[0])
