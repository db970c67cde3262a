"""Inflation of a pool: constant mean, causes of drift, and a history for every system."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import simulated, table

from halfpoint.apps.fields import office
from halfpoint.apps.fields.office.pool_history import pool_history
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.catalogue import SYSTEMS
from halfpoint.systems.elo import Elo
from halfpoint.systems.k_factor import constant

GAMES, STRENGTH = simulated(51, players=16, games=600, periods=10)


def test_one_k_keeps_the_mean_of_a_closed_pool():
    found = pool_history(GAMES, Elo(constant(20.0), newcomer=Newcomer(1500.0, from_day=False)), active_periods=100)
    assert found["players"].iloc[-1] == 16
    np.testing.assert_allclose(found["mean_elo"], 1500.0, atol=1e-9)
    assert found["sd_elo"].iloc[-1] > found["sd_elo"].iloc[0] > 0  # ratings part as strengths are learned


def test_newcomers_below_the_mean_deflate_it():
    games = table(["a", "a", "c"], ["b", "b", "a"], [0.5] * 3, period=[1, 2, 3])
    found = pool_history(games, Elo(constant(0.0), newcomer=Newcomer(1000.0, from_day=False)))
    assert found["mean_elo"].tolist() == [1000.0] * 3
    ratings = {"white_rating_elo": [1500, 1500, 1200], "black_rating_elo": [1500, 1500, 1600]}
    found = pool_history(
        replace(games, **{k: np.array(v, dtype=float) for k, v in ratings.items()}), Elo(constant(0.0))
    )
    assert found["mean_elo"].tolist() == [1500.0, 1500.0, 1400.0]
    assert found["top_elo"].tolist() == [1500.0, 1500.0, 1400.0]
    # a was printed 1600 in the end and still has 1500: -100 over three players
    assert found["less_printed_elo"].tolist() == pytest.approx([0.0, 0.0, -100.0 / 3])


def test_players_leave_and_the_reference_is_followed():
    games = table(["a", "c"], ["b", "d"], [1.0, 0.5], period=[1, 9])
    system = Elo(constant(20.0), newcomer=Newcomer(1500.0, from_day=False))
    found = pool_history(
        games, system, active_periods=4, reference=lambda name, period: 1500.0 if name > "c" else np.nan
    )
    assert found["players"].tolist() == [2, 2]
    assert np.isnan(found["less_reference_elo"].iloc[0])
    assert found["less_reference_elo"].iloc[1] == 0.0


def test_unequal_k_inflates():
    games = table(["young"], ["old"], [1.0], period=1, white_rating_elo=2000.0, black_rating_elo=2000.0,
                  covariates={"white_age": np.array([15.0]), "black_age": np.array([50.0])})  # fmt: skip
    found = pool_history(games, SYSTEMS["elo-fide"].build({"advantage": 0.0}))
    assert found["less_printed_elo"].iloc[0] == pytest.approx((20.0 - 10.0) / 2)


def test_every_system_that_keeps_ratings_has_a_history():
    found = office.pool(GAMES, "all").frame
    assert set(found["system"]) == {name for name, spec in SYSTEMS.items() if spec.elo}
    last = found[found["period"] == 10].set_index("system")
    assert ((last["mean_elo"] > 2200) & (last["mean_elo"] < 2800)).all()
    with pytest.raises(RatingSystemError, match="a system that keeps ratings"):
        office.pool(GAMES, "base-rates")


@pytest.mark.parametrize("is_printed", [True, False])
def test_printed_ratings_are_mentioned_where_the_file_has_them(is_printed):
    ratings = {} if is_printed else {"white_rating_elo": None, "black_rating_elo": None}
    pool = office.pool(replace(GAMES, **ratings), "elo")
    assert ("printed rating" in pool.about["note"]) == is_printed
