"""Rating list: closed forms of intervals and ranks, results of players, equal for all its sources."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import norm

from halfpoint.evaluation.rating_list import RatingList, played_by

NAMES = ["Ada", "Bea", "Cyd"]
MEANS, SDS = np.array([0.0, -20.0, -200.0]), np.array([10.0, 20.0, 5.0])


@pytest.fixture(scope="module")
def ratings():
    drawn = MEANS + SDS * np.random.default_rng(1).standard_normal((4, 50_000, 3))
    return xr.DataArray(drawn, dims=("chain", "draw", "player"), coords={"player": NAMES})


@pytest.mark.parametrize("mass", [0.5, 0.9, 0.95])
def test_intervals_of_normal_draws_are_those_of_the_normal(ratings, mass):
    frame = RatingList.of_draws(ratings, mass=mass).frame
    far = norm.ppf(0.5 + mass / 2)
    error = 5 * np.sqrt(0.25) * SDS / np.sqrt(200_000) / norm.pdf(far)  # of a quantile, at most
    assert frame["player"].tolist() == NAMES
    np.testing.assert_array_less(np.abs(frame["low_elo"] - (MEANS - far * SDS)), error)
    np.testing.assert_array_less(np.abs(frame["high_elo"] - (MEANS + far * SDS)), error)
    above = norm.cdf(20.0 / np.hypot(10.0, 20.0))
    assert frame["best_percent"].tolist() == pytest.approx([100 * above, 100 * (1 - above), 0.0], abs=0.6)
    assert frame[["rank_low", "rank_high"]].iloc[2].tolist() == [3, 3]
    assert frame["tier"].tolist() == [1, 1, 2]


def test_intervals_are_the_same_on_another_scale(ratings):
    plain = RatingList.of_draws(ratings / 100).frame
    turned = RatingList.of_draws(np.exp(ratings / 100)).frame
    for name in ("low_elo", "high_elo"):
        np.testing.assert_allclose(turned[name], np.exp(plain[name]), rtol=1e-4)


def test_what_each_did_is_counted_by_hand():
    white, black = np.array([0, 1, 1, 0]), np.array([1, 0, -1, -1])
    score, known = np.array([1.0, 0.5, 1.0, 0.0]), np.array([np.nan, np.nan, 90.0, np.nan])
    found = played_by((white, black), score, np.array([100.0, 40.0]), known)
    expected = {"games": [3, 3], "wins": [1, 1], "draws": [1, 1], "losses": [1, 1], "score": [1.5, 1.5]}
    expected |= {"opponents_elo": [40.0, (100 + 100 + 90) / 3]}
    pd.testing.assert_frame_equal(found, pd.DataFrame(expected))


def test_sides_of_several_count_for_each_of_them():
    seats = np.array([[0], [1]]), np.array([[2], [-1]])
    found = played_by(seats, np.array([1.0]), np.array([10.0, 20.0, 60.0]), np.array([np.nan]))
    assert found["wins"].tolist() == [1, 1, 0]
    assert found["losses"].tolist() == [0, 0, 1]
    assert found["opponents_elo"].tolist() == [60.0, 60.0, 15.0]


def test_ratings_without_draws_make_the_same_list_without_what_draws_tell():
    known = pd.DataFrame({"pair": ["b", "a", "c"], "results": [1, 2, 3], "rating_imps": [1.0, 1.0, np.nan]})
    frame = RatingList.of_points(known, noun="pair", unit="imps").frame
    assert frame["pair"].tolist() == ["a", "b", "c"]
    assert frame.columns.tolist() == ["rank", "pair", "rating_imps", "results"]
