"""Rating list: closed forms of intervals and ranks, results of players, equal for all its sources."""

import numpy as np
import pandas as pd
import pytest
import xarray as xr
from scipy.stats import norm

from halfpoint.evaluation import rating_list
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rating_list import (
    RatingList,
    played_by,
    rank_intervals,
    ranks_of,
    results_as_text,
    summaries,
    tiers,
)

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


def draws_of(rows, players="abc"):
    """Draws (draw, player) as a trace has them."""
    return xr.DataArray([rows], dims=("chain", "draw", "player"), coords={"player": list(players)})


def test_tiers_and_their_wrong_borders_by_hand():
    """Of ten draws a is above b in nine and above c in all, b is above c in eight."""
    rows = [[3.0, 2.0, 1.0]] * 7 + [[3.0, 1.0, 2.0]] * 2 + [[2.0, 3.0, 1.0]]
    strict, loose = tiers(draws_of(rows), 0.95), tiers(draws_of(rows), 0.9)
    assert strict.frame["tier"].tolist() == [1, 1, 2]
    assert strict.frame["above"].tolist() == [0.5, 0.9, 0.5]
    assert strict.borders.to_numpy().tolist() == [["a", "c", 1.0]]
    assert strict.expected_wrong == 0.0
    assert loose.frame["tier"].tolist() == [1, 2, 2]
    assert loose.frame["above"].tolist() == [0.5, 0.5, 0.8]
    assert loose.borders.to_numpy().tolist() == [["a", "b", 0.9]]
    assert loose.expected_wrong == pytest.approx(0.1)
    assert loose.words.startswith("2 tiers: each leader is stronger than the next with probability 90%; ")
    assert loose.words.endswith("wrong border is at most 10%.")
    single = tiers(draws_of([[2.0, 1.0], [1.0, 2.0]], "ab"))
    assert single.words == "One tier: no player is weaker than the first with probability 95%."
    for wrong in (0.5, 1.0):
        with pytest.raises(EvaluationError, match=r"above 0\.5 and below 1"):
            tiers(draws_of(rows), wrong)


def test_ranks_in_blocks_of_draws_are_those_of_each_draw(monkeypatch):
    monkeypatch.setattr(rating_list, "_AT_ONCE", 7)
    flat = np.random.default_rng(2).permuted(np.tile(np.arange(3.0), (10, 1)), axis=1)
    assert ranks_of(flat).tolist() == [[1 + sum(other > value for other in row) for value in row] for row in flat]
    assert ranks_of(np.array([[5.0, 7.0, 5.0]])).tolist() == [[2, 1, 3]]


def test_simultaneous_intervals_are_those_of_the_most_central_draws():
    """Twenty draws of three players; a draw is as central as the smaller tail of its farthest rank."""
    orders = [(1, 2, 3)] * 11 + [(2, 1, 3)] * 4 + [(1, 3, 2)] * 3 + [(3, 2, 1)] * 2
    ranks = np.array(orders)
    table = rank_intervals(draws_of(-ranks.astype(float)), 0.8, together=True)
    tails = [[min((column <= r).sum(), (column >= r).sum()) for column, r in zip(ranks.T, row, strict=True)]
             for row in ranks]  # fmt: skip
    farthest = np.min(tails, axis=1)  # 2 of the last draws, 3 of those before, 5 and 7 of the others
    central = ranks[farthest >= np.sort(farthest)[int(0.2 * 19)]]
    assert table["rank_low"].tolist() == central.min(axis=0).tolist()
    assert table["rank_high"].tolist() == central.max(axis=0).tolist()
    assert table["best"].tolist() == [0.7, 0.2, 0.1]
    inside = ((central.min(axis=0) <= ranks) & (ranks <= central.max(axis=0))).all(axis=1)
    assert table.attrs["at_once"] == pytest.approx(inside.mean())
    apart = rank_intervals(draws_of(-ranks.astype(float)), 0.8)  # from the second to the 18th of twenty
    assert apart[["rank_low", "rank_high"]].to_numpy().T.tolist() == [[1, 1, 1], [2, 3, 3]]
    assert apart.attrs["at_once"] == pytest.approx(0.9)


def test_means_deviations_and_sentences_by_hand():
    table = summaries(draws_of([[1.0, 0.0], [3.0, 4.0]], "ab"), 0.5)
    assert table["mean"].tolist() == [2.0, 2.0]
    assert table["sd"].tolist() == pytest.approx([np.sqrt(2.0), np.sqrt(8.0)])
    assert table[["low", "high"]].to_numpy().tolist() == [[1.5, 2.5], [1.0, 3.0]]
    with pytest.raises(EvaluationError, match="at least two draws"):
        summaries(draws_of([[1.0, 0.0]], "ab"))
    rows = [[3.0, 2.0, 1.0]] * 9 + [[1.0, 2.0, 3.0]]
    listed = RatingList.of_draws(draws_of(rows), mass=0.8)
    assert listed.intervals == (
        "Intervals of 80% are equal-tailed and pointwise: all ranks are in their intervals simultaneously with "
        "probability 90%."
    )
    played = pd.DataFrame({"wins": [5.0, 0.0], "draws": [2.0, 1.0], "losses": [1.0, 0.0]})
    assert results_as_text(played) == ["5-2-1", "0-1-0"]


def test_columns_stand_in_the_order_of_a_list():
    known = pd.DataFrame({"club": ["x", "y", "z"], "games": [1, 2, 3], "opponents_elo": [4.0, 5.0, 6.0]})
    frame = RatingList.of_draws(draws_of([[1.0, 2.0, 3.0], [2.0, 1.0, 4.0]]), known).frame
    assert frame.columns.tolist() == [
        "rank", "player", "rating_elo", "sd_elo", "low_elo", "high_elo", "rank_low", "rank_high", "best_percent",
        "tier", "games", "opponents_elo", "club",
    ]  # fmt: skip
    assert frame[["rank", "player", "games", "club"]].to_numpy().tolist() == [
        [1, "c", 3, "z"], [2, "a", 1, "x"], [3, "b", 2, "y"],
    ]  # fmt: skip
