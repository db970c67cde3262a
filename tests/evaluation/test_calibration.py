"""Calibration tables against known intervals and a calibrated truth."""

import numpy as np
import pytest

from halfpoint.evaluation.calibration_curves import (
    calibration_of_outcomes,
    calibration_table,
    score_interval,
    wilson_interval,
)
from halfpoint.evaluation.errors import EvaluationError


def test_wilson_interval_of_newcombe():
    # Newcombe (1998), Stat. Med. 17:857, table I, method 3: 81 of 263 and 15 of 148.
    low, high = wilson_interval([81, 15], [263, 148])
    assert low.round(4).tolist() == [0.2553, 0.0624]
    assert high.round(4).tolist() == [0.3662, 0.1605]


def test_intervals_of_none_and_of_all_end_at_none_and_all():
    for games in range(1, 200):
        low, high = wilson_interval([0, games], [games, games])
        assert (low[0], high[1]) == (0.0, 1.0)
        assert high[0] == pytest.approx(1.0 - low[1])


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


def test_no_games_are_refused():
    with pytest.raises(EvaluationError, match="calibration"):
        calibration_table(np.array([]), np.array([]))


@pytest.mark.parametrize("score", [0.0, 0.5, 1.0])
def test_a_bin_whose_games_all_ended_alike_has_an_interval_with_a_width(score):
    """For n games with the same result the upper bound of the chance of another result is 3 / n (Hanley 1983)."""
    forecast, observed = np.repeat([0.2, 0.9], 30), np.append(np.tile([0.0, 0.5, 1.0], 10), np.full(30, score))
    last = calibration_table(forecast, observed, 2).iloc[1]
    assert last["games"] == 30
    assert last["low"] <= score <= last["high"]
    assert 0.03 < last["high"] - last["low"] < 0.2
    assert last["high"] - last["low"] > 0.5 * 3 / 30


def test_without_draws_the_interval_of_scores_is_that_of_wilson():
    scores = np.repeat([0.0, 1.0], [182, 81])
    low, high = wilson_interval([81], [263])
    assert score_interval(scores) == pytest.approx((low[0], high[0]))


@pytest.mark.cases(3)
@pytest.mark.parametrize("games", [10, 30, 300])
@pytest.mark.parametrize("chance", [(0.02, 0.03, 0.95), (0.05, 0.9, 0.05), (0.2, 0.5, 0.3), (0.01, 0.19, 0.8)])
def test_intervals_of_scores_hold_the_truth_as_often_as_they_say(games, chance):
    rng = np.random.default_rng(7)
    truth = chance[1] / 2 + chance[2]
    held = 0
    for drawn in rng.choice([0.0, 0.5, 1.0], p=chance, size=(2000, games)):
        low, high = score_interval(drawn)
        held += low <= truth <= high
    assert held / 2000 > 0.93 - 4 * np.sqrt(0.93 * 0.07 / 2000)
