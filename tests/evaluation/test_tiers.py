"""Tiers and ranks: closed forms, and the share of wrong borders at most the stated share."""

import numpy as np
import pytest
import xarray as xr
from scipy.stats import norm

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.rating_list import rank_intervals, tiers


def ratings(values):
    names = [f"p{k}" for k in range(values.shape[1])]
    return xr.DataArray(values[None], dims=("chain", "draw", "player"), coords={"player": names})


def test_a_border_stands_where_the_leader_is_separated_from_a_player_and_not_before():
    """Independent normals of sd 1 at 0, -1 and -2.5: P(first > second) = 0.76, P(first > third) = 0.96."""
    drawn = np.random.default_rng(1).standard_normal((200_000, 3)) + np.array([0.0, -1.0, -2.5])
    found = tiers(ratings(drawn), 0.95)
    assert found.frame["tier"].tolist() == [1, 1, 2]
    error = 4 * np.sqrt(0.25 / 200_000)
    assert found.frame["above"][1] == pytest.approx(norm.cdf(1 / np.sqrt(2)), abs=error)
    assert found.borders["probability"][0] == pytest.approx(norm.cdf(2.5 / np.sqrt(2)), abs=error)
    assert found.expected_wrong == pytest.approx(1 - norm.cdf(2.5 / np.sqrt(2)), abs=error)
    assert tiers(ratings(drawn), 0.97).frame["tier"].tolist() == [1, 1, 1]
    assert tiers(ratings(drawn), 0.7).frame["tier"].tolist() == [1, 2, 3]


@pytest.mark.further
def test_borders_are_wrong_no_more_often_than_the_posterior_says():
    """Truth and data from a normal model with a conjugate posterior, which is calibrated by construction."""
    rng = np.random.default_rng(2)
    wrong, expected, borders = 0, 0.0, 0
    for _ in range(300):
        truth = rng.normal(0, 1, 20)
        seen = truth + rng.normal(0, 0.5, 20)
        mean, sd = seen / 1.25, np.sqrt(0.25 / 1.25)
        found = tiers(ratings(mean + sd * rng.standard_normal((1000, 20))), 0.9)
        place = {f"p{k}": k for k in range(20)}
        for leader, following, _ in found.borders.to_numpy():
            borders += 1
            wrong += truth[place[leader]] < truth[place[following]]
        expected += found.expected_wrong
    assert borders > 300
    assert wrong <= 0.1 * borders
    assert wrong == pytest.approx(expected, abs=4 * np.sqrt(expected))


def test_ranks_are_counted_draw_by_draw():
    drawn = np.array([[3.0, 2.0, 1.0]] * 60 + [[2.0, 3.0, 1.0]] * 40)
    found = rank_intervals(ratings(drawn), 0.5).set_index("player")
    assert found["best"].tolist() == [0.6, 0.4, 0.0]
    assert found["rank_low"].tolist() == [1, 1, 3]
    assert found["rank_high"].tolist() == [2, 2, 3]


def test_intervals_of_all_ranks_at_once_hold_them_all():
    rng, alone, together, said = np.random.default_rng(4), [], [], []
    for _ in range(120):
        drawn = rng.normal(0.0, 1.0, 20) + 0.4 * rng.standard_normal((1001, 20))
        truth = 1 + np.argsort(np.argsort(-drawn[0]))
        for held, at_once in ((alone, False), (together, True)):
            found = rank_intervals(ratings(drawn[1:]), 0.9, at_once)
            held.append(((found["rank_low"] <= truth) & (truth <= found["rank_high"])).all())
            said.append((found.attrs["at_once"], at_once))
    assert np.mean(together) == pytest.approx(0.9, abs=0.08)
    expected = np.mean([share for share, at_once in said if not at_once])
    assert np.mean(alone) == pytest.approx(expected, abs=0.14)
    assert expected < 0.75
    assert min(share for share, at_once in said if at_once) >= 0.9


def test_a_probability_that_separates_nothing_is_refused():
    with pytest.raises(EvaluationError, match=r"tiers: expected a probability above 0.5 and below 1, found 0.5"):
        tiers(ratings(np.zeros((2, 2))), 0.5)
