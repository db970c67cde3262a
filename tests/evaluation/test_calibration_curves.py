"""Intervals of shares by their equations, and bins of forecasts by hand."""

import numpy as np
import pytest
from scipy.stats import binomtest

from halfpoint.evaluation.calibration_curves import (
    calibration_of_outcomes,
    calibration_table,
    score_interval,
    wilson_interval,
)
from halfpoint.evaluation.errors import EvaluationError


@pytest.mark.parametrize(("happened", "games"), [(0, 7), (3, 7), (7, 7), (50, 120)])
@pytest.mark.parametrize("level", [0.5, 0.95])
def test_wilsons_interval_is_scipys(happened, games, level):
    low, high = wilson_interval([happened], [games], level)
    expected = binomtest(happened, games).proportion_ci(level, method="wilson")
    assert (low[0], high[0]) == (pytest.approx(expected.low, abs=1e-12), pytest.approx(expected.high, abs=1e-12))


def test_scores_without_draws_have_wilsons_interval():
    scores = np.array([1.0] * 6 + [0.0] * 4)
    low, high = wilson_interval([6], [10])
    padded = np.append(scores, [0.0, 0.0, 1.0, 1.0])
    ratio = padded.var() / (padded.mean() * (1.0 - padded.mean()))
    assert ratio == pytest.approx(1.0)
    assert score_interval(scores) == (pytest.approx(low[0]), pytest.approx(high[0]))


def test_draws_make_the_interval_narrower():
    """Ten draws and two added wins and losses have the variance 4 / 14 / 4, a coin 1 / 4: r is 4 / 14."""
    low, high = wilson_interval([5.0 * 14 / 4], [10.0 * 14 / 4])
    assert score_interval(np.full(10, 0.5)) == (pytest.approx(low[0]), pytest.approx(high[0]))
    assert score_interval(np.zeros(4))[0] == 0.0
    assert score_interval(np.ones(4))[1] == 1.0


def test_bins_have_equal_numbers_of_games():
    forecast = np.array([0.1, 0.9, 0.2, 0.8, 0.3, 0.7])
    observed = np.array([0.0, 1.0, 1.0, 1.0, 0.0, 0.5])
    table = calibration_table(forecast, observed, bins=2)
    assert table["games"].tolist() == [3, 3]
    np.testing.assert_allclose(table["mean_forecast"], [0.2, 0.8])
    np.testing.assert_allclose(table["observed_share"], [1 / 3, 2.5 / 3])
    np.testing.assert_allclose(table[["bin_low", "bin_high"]], [[0.1, 0.5], [0.5, 0.9]])
    low, high = score_interval(np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(table.loc[0, ["low", "high"]].astype(float), [low, high])
    alike = calibration_table(np.full(4, 0.25), np.array([0.0, 1.0, 0.0, 0.0]))
    assert alike[["bin_low", "bin_high", "observed_share", "games"]].to_numpy().tolist() == [[0.25, 0.25, 0.25, 4.0]]
    skewed = calibration_table(np.array([0.2, 0.2, 0.2, 0.2, 0.9]), np.zeros(5), bins=4)
    assert skewed["games"].sum() == 5
    one = calibration_table(forecast, observed, bins=1)
    assert one["games"].tolist() == [6]


@pytest.mark.parametrize(("games", "bins"), [(0, 2), (3, 0)])
def test_nothing_has_no_calibration(games, bins):
    with pytest.raises(EvaluationError, match=f"{games}, {bins}"):
        calibration_table(np.full(games, 0.5), np.zeros(games), bins)


def test_each_outcome_has_its_table():
    probability = np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
    table = calibration_of_outcomes(probability, np.array([2, 1]), bins=1).set_index("event")
    assert table.index.tolist() == ["loss", "draw", "win", "expected_score"]
    np.testing.assert_allclose(table["mean_forecast"], [0.4, 0.2, 0.4, (0.65 + 0.35) / 2])
    np.testing.assert_allclose(table["observed_share"], [0.0, 0.5, 0.5, 0.75])
    assert table["games"].tolist() == [2, 2, 2, 2]
