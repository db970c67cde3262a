"""Likelihood ratios compared with published values of fishtest and fastchess, a general optimiser, and their
properties.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from halfpoint.apps.fields.arena.game_pairs import elo_of_counts
from halfpoint.apps.fields.arena.likelihood_ratio import (
    NORMALIZED_PER_T,
    games_of,
    log_likelihood_ratio,
    points_of,
    regular,
    shares_at,
)
from halfpoint.apps.fields.arena.sprt import Sprt, normalized_elo
from halfpoint.models.games.errors import HalfpointError

# Pairs by points, elo0, elo1 (normalised), and the ratio that tests.stockfishchess.org shows with two digits.
FISHTEST = [
    ([19, 4020, 10316, 4215, 24], -1.75, 0.25, 2.94),
    ([103, 3851, 8316, 3728, 98], 0.0, 2.0, -2.03),
    ([291, 10353, 21899, 10175, 306], 0.0, 2.0, -3.08),
    ([99, 3323, 8399, 3606, 109], 0.0, 2.0, 2.98),
    ([2, 40, 72, 14, 0], 0.0, 2.0, -0.36),
    ([326, 12015, 26044, 12357, 362], 0.0, 2.0, 2.93),
    ([59, 6427, 15570, 6693, 91], 0.0, 2.0, 2.94),
    ([900, 30596, 67292, 30899, 809], 0.0, 2.0, -2.96),
    ([45, 8506, 25934, 8883, 57], 0.5, 2.5, 2.94),
    ([14, 6935, 20257, 7273, 30], 0.5, 2.5, 2.95),
    ([68, 15448, 39104, 15441, 94], 0.5, 2.5, -2.94),
    ([36, 5804, 14811, 5986, 39], -1.75, 0.25, 2.94),
]
# Counts, elo0, elo1, normalised or not, ratio: the cases of fastchess' own tests (held there to 1%), the example of its
# command line, and two matches between very unequal engines. Games by outcome, or pairs by points.
FASTCHESS = [
    ([36027, 68692, 36433], 0.0, 2.0, True, 0.92),
    ([10650, 20431, 10871], -1.75, 0.25, True, 2.30),
    ([0, 0, 4250], 0.0, 10.0, True, 120.56),
    ([21184, 40708, 21404], 0.5, 2.5, False, -1.57),
    ([57030, 106593, 57433], 0.0, 2.0, False, -2.59),
    ([365, 16618, 36229, 16974, 390], 0.0, 2.0, True, 2.25),
    ([127, 4883, 10712, 5150, 104], -1.75, 0.25, True, 3.01),
    ([0, 0, 0, 0, 5550], 0.0, 5.0, True, 111.82),
    ([223, 9863, 21279, 10037, 246], 0.5, 2.5, False, -3.07),
    ([871, 26175, 55983, 26678, 821], 0.0, 2.0, False, -4.98),
    ([379, 10170, 21828, 10640, 343], 0.0, 2.0, True, 2.94598),
    ([77, 1, 0, 0, 0], -1000.0, -500.0, True, -2.95),
    ([72, 10, 0, 0, 0], -1000.0, -500.0, True, -2.97),
    ([0, 0, 2, 0, 37], 0.0, 20.0, True, 2.96),
]


@pytest.mark.parametrize(("pairs", "elo0", "elo1", "ratio"), FISHTEST)
def test_the_ratio_is_the_one_that_fishtest_shows(pairs, elo0, elo1, ratio):
    assert log_likelihood_ratio(np.array(pairs), elo0, elo1, True) == pytest.approx(ratio, abs=0.0051)


def test_the_ratio_is_that_of_fishtest_to_all_digits_that_were_published():
    assert log_likelihood_ratio(np.array([0, 84, 840, 126, 0]), 0.0, 10.0, True) == pytest.approx(2.960172391, abs=2e-9)
    pairs = np.array([13, 37, 50, 25, 3])
    assert log_likelihood_ratio(pairs, 0.0, 4.0, True) == pytest.approx(-0.54912, abs=6e-6)
    assert log_likelihood_ratio(pairs, 0.0, 2.716, False) == pytest.approx(
        -0.53772, abs=1e-4
    )  # elo1 has three decimals
    assert normalized_elo(pairs)[0] == pytest.approx(-63.97, abs=0.006)


@pytest.mark.parametrize(("counts", "elo0", "elo1", "normalized", "ratio"), FASTCHESS)
def test_the_ratio_is_that_of_fastchess(counts, elo0, elo1, normalized, ratio):
    found = log_likelihood_ratio(np.array(counts), elo0, elo1, normalized)
    assert found == pytest.approx(ratio, rel=3e-4, abs=0.0051)


# Wins, losses, draws or pairs (fastchess' tests): normalised Elo with its error, Elo with its error, at 95%.
@pytest.mark.parametrize(
    ("counts", "normal", "normal_error", "elo", "error", "los"),
    [
        ([89, 123, 76], -20.76, 40.13, None, None, 0.1553),
        ([96, 111, 136], 49.77, 36.77, 40.70, 30.43, 0.9960),
        ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 1.0),
        ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 0.0505),
        ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, None),
    ],
)
def test_elo_and_normalised_elo_are_those_of_fastchess(counts, normal, normal_error, elo, error, los):
    found, (value, sd) = elo_of_counts(np.array(counts)), normalized_elo(counts)
    assert value == pytest.approx(normal, abs=0.0051)
    # fastchess takes the error at no difference; skewness and kurtosis make it up to 5% more or less.
    assert 1.959964 * sd == pytest.approx(normal_error, rel=0.05)
    if elo is not None:
        assert found.elo == pytest.approx(elo, abs=0.0051)
        assert (found.high_elo - found.low_elo) / 2 == pytest.approx(error, abs=0.0051)
    if los is not None:
        assert found.los == pytest.approx(los, abs=6e-5)


def difference_of(share):
    points = points_of(share.size)
    mean = share @ points
    t = (mean - 0.5) / np.sqrt(share @ (points - mean) ** 2)
    return t * NORMALIZED_PER_T / np.sqrt(games_of(share.size)), 400 * np.log10(mean / (1 - mean))


COUNTS = st.one_of(*(st.lists(st.integers(0, 400), min_size=k, max_size=k).filter(any) for k in (3, 5)))


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.floats(-300.0, 300.0), st.booleans())
def test_the_shares_have_the_difference_and_no_others_near_them_are_more_likely(counts, difference, normalized):
    share = regular(np.array(counts))
    share /= share.sum()
    found = shares_at(share, difference, normalized)
    assert found.min() > 0
    assert found.sum() == pytest.approx(1.0, abs=1e-9)
    assert difference_of(found)[0 if normalized else 1] == pytest.approx(difference, abs=1e-4)
    rng = np.random.default_rng(0)
    for _ in range(20):  # along any direction that keeps sum and difference to first order
        basis = [np.ones(share.size), gradient(found, normalized)]
        step = rng.normal(size=share.size)
        for one in np.linalg.qr(np.stack(basis).T)[0].T:
            step -= (step @ one) * one
        slope = (share / found) @ step / np.linalg.norm(step) if np.linalg.norm(step) > 1e-9 else 0.0
        assert abs(slope) < 1e-4 * (share / found).max()


def gradient(share, normalized):
    """Derivatives of the difference by each share, by finite differences."""
    place = 0 if normalized else 1
    size, steps = 1e-6 * share.min(), np.eye(share.size)
    return np.array([
        (difference_of(share + size * one)[place] - difference_of(share - size * one)[place]) / (2 * size)
        for one in steps
    ])  # fmt: skip


@pytest.mark.parametrize("normalized", [False, True])
@pytest.mark.parametrize("counts", [[60, 100, 90], [5, 60, 140, 80, 9]])
def test_the_likelihood_is_the_one_that_a_general_optimiser_finds(counts, normalized):
    share = np.array(counts) / sum(counts)
    for difference in (-40.0, 0.0, 60.0):
        best = minimize(
            lambda p: -share @ np.log(p),
            share,
            method="SLSQP",
            bounds=[(1e-6, 1.0)] * share.size,
            constraints=[
                {"type": "eq", "fun": lambda p: p.sum() - 1.0},
                {"type": "eq", "fun": lambda p, d=difference: difference_of(p)[0 if normalized else 1] - d},
            ],
            options={"ftol": 1e-14, "maxiter": 500},
        )
        assert share @ np.log(shares_at(share, difference, normalized)) == pytest.approx(-best.fun, abs=1e-8)


@settings(max_examples=60, deadline=None)
@given(COUNTS, st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.booleans())
def test_exchanging_the_engines_or_the_hypotheses_turns_the_sign(counts, one, other, normalized):
    counts = np.array(counts)
    ratio = log_likelihood_ratio(counts, one, other, normalized)
    assert log_likelihood_ratio(counts, other, one, normalized) == pytest.approx(-ratio, abs=1e-6)
    assert log_likelihood_ratio(counts[::-1], -one, -other, normalized) == pytest.approx(ratio, rel=1e-6, abs=1e-6)


def test_many_counts_at_once_are_those_one_by_one():
    rng = np.random.default_rng(2)
    counts = rng.multinomial(30, [0.05, 0.2, 0.5, 0.2, 0.05], size=200)
    for normalized in (False, True):
        together = log_likelihood_ratio(counts, 0.0, 10.0, normalized)
        assert together == pytest.approx([float(log_likelihood_ratio(one, 0.0, 10.0, normalized)) for one in counts])


def test_one_game_more_is_worth_what_a_game_says_without_draws():
    """Without draws the ratio is Bernoulli's: log of p1 / p0 a win, of (1 - p1) / (1 - p0) a loss (Wald 1945)."""
    p = [1 / (1 + 10 ** (-d / 400)) for d in (0.0, 30.0)]
    expected = 70 * np.log(p[1] / p[0]) + 50 * np.log((1 - p[1]) / (1 - p[0]))
    assert log_likelihood_ratio(np.array([50, 0, 70]), 0.0, 30.0) == pytest.approx(expected, abs=0.001)


def test_a_difference_that_no_shares_have_is_refused():
    with pytest.raises(HalfpointError, match="the difference is too large"):
        log_likelihood_ratio(np.array([2, 3, 0, 0, 0]), 0.0, -5000.0, True)
    with pytest.raises(HalfpointError, match="--elo1: expected a number from -500 to 500, found 900"):
        Sprt(0.0, 900.0)
