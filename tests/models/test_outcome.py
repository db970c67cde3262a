"""Formulas of a game: printed forms, symmetries, limits, exact arithmetic; as arrays, graphs and C code."""

import math
from decimal import MAX_EMAX, MIN_EMIN, Decimal, localcontext
from functools import cache

import numpy as np
import pytensor
import pytensor.tensor as pt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pytensor.compile.mode import Mode

from halfpoint.models.formulas.bradley_terry import HALF_POINTS
from halfpoint.models.formulas.davidson import DAVIDSON
from halfpoint.models.formulas.margin import MARGIN_NORMAL
from halfpoint.models.formulas.rao_kupper import RAO_KUPPER

INTERPRETED = Mode(linker="py", optimizer="fast_compile")
FORMULAS = (HALF_POINTS, DAVIDSON, RAO_KUPPER)
WITH_DRAWS = (DAVIDSON, RAO_KUPPER)
REAL = st.floats(-20, 20)
NEAR = st.floats(-6, 6)


def probability(outcome, white, black, lam=None):
    """Return (loss, draw, win) of one game."""
    return np.exp(outcome.log_probability(np.float64(white), np.float64(black), lam))


@settings(deadline=None)
@given(white=REAL, black=REAL, lam=REAL)
def test_outcomes_sum_to_one(white, black, lam):
    for outcome in WITH_DRAWS:
        assert probability(outcome, white, black, lam).sum() == pytest.approx(1)
    loss, draw, win = probability(HALF_POINTS, white, black)
    assert loss + win == pytest.approx(1)
    assert draw == pytest.approx(np.sqrt(loss * win))


@settings(deadline=None)
@given(white=REAL, black=REAL, lam=REAL)
def test_swapping_sides_swaps_win_and_loss(white, black, lam):
    for outcome in FORMULAS:
        one, other = probability(outcome, white, black, lam), probability(outcome, black, white, lam)
        assert one == pytest.approx(other[::-1])


@settings(deadline=None)
@given(white=REAL, black=REAL)
def test_without_draws_every_formula_is_bradley_terry(white, black):
    for outcome in WITH_DRAWS:
        loss, draw, win = probability(outcome, white, black, -200.0)
        other = probability(HALF_POINTS, white, black)
        assert draw < 1e-60
        assert (loss, win) == pytest.approx((other[0], other[2]))


@settings(deadline=None)
@given(level=REAL)
def test_equals_draw_one_game_in_three_at_log_draw_zero(level):
    for outcome in WITH_DRAWS:
        assert probability(outcome, level, level, 0.0) == pytest.approx([1 / 3] * 3)


@settings(deadline=None)
@given(lam=st.floats(-3, 3))
def test_every_formula_draws_the_same_share_between_equals(lam):
    share = np.exp(lam) / (2 + np.exp(lam))
    for outcome in WITH_DRAWS:
        assert probability(outcome, 1.0, 1.0, lam)[1] == pytest.approx(share, rel=1e-12)
        assert outcome.draw_rate(np.array([lam])) == pytest.approx([share], rel=1e-12)


@settings(deadline=None)
@given(white=NEAR, black=NEAR, lam=st.floats(-3, 3))
def test_rao_kupper_is_the_printed_formula(white, black, lam):
    theta, i, j = 1 + np.exp(lam), np.exp(white), np.exp(black)
    expected = [j / (j + theta * i), i * j * (theta**2 - 1) / ((i + theta * j) * (theta * i + j)), i / (i + theta * j)]
    np.testing.assert_allclose(probability(RAO_KUPPER, white, black, lam), expected, rtol=1e-9)


@settings(deadline=None)
@given(white=NEAR, black=NEAR, lam=st.floats(-3, 3))
def test_davidson_is_the_printed_formula(white, black, lam):
    i, j = np.exp(white), np.exp(black)
    drawn = np.exp(lam) * np.sqrt(i * j)
    expected = np.array([j, drawn, i]) / (i + drawn + j)
    np.testing.assert_allclose(probability(DAVIDSON, white, black, lam), expected, rtol=1e-9)


def exact_rao_kupper(difference, log_draw):
    """Log probabilities (loss, draw, win) and their slopes by the difference: the printed formula, decimal."""
    with localcontext() as context:
        context.prec, context.Emax, context.Emin = 450, MAX_EMAX, MIN_EMIN
        d, lam = Decimal(difference), Decimal(log_draw)
        ahead, behind, theta = (d / 2).exp(), (-d / 2).exp(), 1 + lam.exp()
        for_win, for_loss = ahead + theta * behind, theta * ahead + behind
        logs = [(behind / for_loss).ln(), ((theta**2 - 1) / (for_win * for_loss)).ln(), (ahead / for_win).ln()]
        down, up = -theta * ahead / for_loss, theta * behind / for_win
        return logs, [down, up + down, up]


@cache
def graph_of(outcome):
    """Potential of one game as declared in a model's graph, and its slopes, by outcome of the game."""
    white, black, lam = pt.dvector("white"), pt.dvector("black"), pt.dscalar("lam")
    weight = pt.dmatrix("weight")
    value = outcome.weigh(outcome.terms(white, black, lam, None), [weight[:, k] for k in range(3)]).sum()
    wrt = [white, black, *([lam] if outcome.draws else [])]
    function = pytensor.function(
        [white, black, lam, weight], [value, *pt.grad(value, wrt)], mode=INTERPRETED, on_unused_input="ignore"
    )

    def evaluate(white, black, lam, result):
        found, *slopes = function(np.array([white]), np.array([black]), lam, np.eye(3)[[result]])
        return float(found), [float(np.ravel(slope)[0]) for slope in slopes]

    return evaluate


@pytest.mark.parametrize("lam", [-800.0, -3.0, 0.7, 30.0, 800.0])
@pytest.mark.parametrize("difference", [0.0, 0.5, 40.0, 1400.0, 1500.0, 20000.0])
def test_rao_kupper_is_exact_however_far_apart_the_two_are(difference, lam):
    graph = graph_of(RAO_KUPPER)
    for sign in (1.0, -1.0):
        logs, slopes = exact_rao_kupper(sign * difference, lam)
        sides = 15.0 + sign * difference, 15.0
        arrays = RAO_KUPPER.log_probability(np.array(sides[:1]), np.array(sides[1:]), lam)[0]
        np.testing.assert_allclose(arrays, [float(value) for value in logs], rtol=1e-12, atol=1e-11)
        for result in range(3):
            found, (by_white, by_black, _) = graph(*sides, lam, result)
            assert found == pytest.approx(float(logs[result]), rel=1e-12, abs=1e-11)
            assert by_white == pytest.approx(float(slopes[result]), rel=1e-10, abs=1e-12)
            assert by_black == pytest.approx(-float(slopes[result]), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("outcome", FORMULAS, ids=lambda outcome: outcome.name)
def test_graph_and_arrays_are_one_formula(outcome):
    graph, rng = graph_of(outcome), np.random.default_rng(4)
    for white, black, lam in zip(*rng.normal(0.0, 3.0, (3, 20)), strict=True):
        arrays = outcome.log_probability(np.array([white]), np.array([black]), lam)[0]
        for result in range(3):
            assert graph(white, black, lam, result)[0] == pytest.approx(arrays[result], rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("outcome", FORMULAS, ids=lambda outcome: outcome.name)
def test_the_expected_score_of_an_outcome_is_that_of_its_probabilities(outcome):
    loss, draw, win = probability(outcome, 0.7, 0.2, 0.4)
    expected = (win + draw / 2) if outcome.draws else win / (win + loss)
    assert outcome.expected_score(np.float64(0.7), np.float64(0.2), 0.4) == pytest.approx(expected)
    if outcome is HALF_POINTS:
        assert expected == pytest.approx(1 / (1 + math.exp(-0.5)))


def test_a_margin_counts_as_often_as_its_three_weights_say_together():
    density = np.array([-0.5, -1.25])
    assert MARGIN_NORMAL.weigh(density, [np.full(2, weight) for weight in (1.0, 2.0, 4.0)]) == pytest.approx(
        7 * density
    )
