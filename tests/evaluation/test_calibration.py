"""Calibration tables against known intervals and a calibrated truth."""

import numpy as np
import pytest

from halfpoint.evaluation.calibration import calibration_of_outcomes, calibration_table, wilson_interval
from halfpoint.evaluation.errors import EvaluationError


def test_wilson_interval_of_newcombe():
    # Newcombe (1998), Stat. Med. 17:857, table I, method 3: 81 of 263 and 15 of 148.
    low, high = wilson_interval([81, 15], [263, 148])
    assert low.round(4).tolist() == [0.2553, 0.0624]
    assert high.round(4).tolist() == [0.3662, 0.1605]


def test_games_are_counted_once_and_shares_lie_in_their_interval():
    rng = np.random.default_rng(3)
    forecast = rng.uniform(size=500)
    table = calibration_table(forecast, (rng.uniform(size=500) < forecast).astype(float), bins=7)
    assert table["games"].sum() == 500
    assert ((table["low"] <= table["observed_share"]) & (table["observed_share"] <= table["high"])).all()
    assert table["games"].max() - table["games"].min() <= 1


def test_a_calibrated_forecast_is_covered_and_a_shifted_one_is_not():
    rng = np.random.default_rng(11)
    p = rng.dirichlet((3.0, 4.0, 3.0), size=20_000)
    outcome = (rng.uniform(size=p.shape[0])[:, None] > np.cumsum(p, axis=1)).sum(axis=1)
    table = calibration_of_outcomes(p, outcome, level=0.999)
    covered = (table["low"] <= table["mean_forecast"]) & (table["mean_forecast"] <= table["high"])
    assert covered.all()
    assert set(table["event"]) == {"loss", "draw", "win", "expected_score"}
    shifted = calibration_of_outcomes(p[:, ::-1], outcome, level=0.999)
    assert not ((shifted["low"] <= shifted["mean_forecast"]) & (shifted["mean_forecast"] <= shifted["high"])).all()


def test_a_constant_forecast_is_one_bin():
    table = calibration_table(np.full(10, 0.5), np.repeat([0.0, 1.0], 5))
    assert table[["games", "observed_share"]].to_numpy().tolist() == [[10, 0.5]]


def test_empty_bins_are_left_out():
    table = calibration_table([0.05, 0.95], [0.0, 1.0], edges="equal")
    assert table["bin_low"].round(1).tolist() == [0.0, 0.9]


def test_no_games_are_refused():
    with pytest.raises(EvaluationError, match="calibration"):
        calibration_table(np.array([]), np.array([]))
