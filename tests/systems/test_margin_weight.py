"""Margins in game-by-game systems: ClubElo's square root, and games with weight G."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.elo import Elo
from halfpoint.systems.glicko import Glicko
from halfpoint.systems.k_factor import constant, margin_weight
from halfpoint.systems.weng_lin import WengLin

BUILT = {
    "elo": lambda exponent: Elo(constant(20.0), margin_exponent=exponent),
    "glicko": lambda exponent: Glicko(15.0, 80.0, margin_exponent=exponent),
    "weng-lin": lambda exponent: WengLin(deviation=80.0, beta=200.0, tau=3.0, margin_exponent=exponent),
}


def match(score, margin, repeats=1):
    """Games between A and B with margins."""
    return table(
        ["A"] * repeats, ["B"] * repeats, [score] * repeats, white_rating_elo=1600.0, black_rating_elo=1500.0,
        covariates={"goal_difference": np.full(repeats, float(margin))},
    )  # fmt: skip


def after(name, exponent, games):
    """Ratings and deviations after one period."""
    system = BUILT[name](exponent)
    system.learn(games)
    return {key: system.ledger[key].copy() for key in ("rating", "deviation")[: 1 if name == "elo" else 2]}


def test_the_square_root_is_clubelos_and_a_draw_counts_once():
    games = replace(match(1.0, 1.0, 6), covariates={"margin": np.array([0.0, 1.0, -2.0, 4.0, -9.0, np.nan])})
    assert margin_weight(games, 0.5) == pytest.approx([1.0, 1.0, np.sqrt(2.0), 2.0, 3.0, 1.0])
    elo = Elo(constant(20.0), margin_exponent=0.5)
    elo.learn(match(1.0, 4))  # twice the points of a win by one goal
    expected = 1.0 / (1.0 + 10.0 ** (-100.0 / 400.0))
    assert elo.log.white_change_elo == pytest.approx([2.0 * 20.0 * (1.0 - expected)])


@pytest.mark.parametrize("name", BUILT)
def test_without_an_exponent_or_without_margins_nothing_changes(name):
    plain = after(name, 0.0, match(1.0, 5))
    for exponent, games in ((0.7, match(1.0, 1)), (0.7, match(1.0, np.nan))):
        found = after(name, exponent, games)
        assert all(np.array_equal(found[key], plain[key]) for key in plain)
    assert not np.array_equal(after(name, 0.7, match(1.0, 5))["rating"], plain["rating"])


def test_a_game_of_weight_two_is_two_games_of_one_period_to_elo_and_glicko():
    for name in ("elo", "glicko"):
        one, two = after(name, 1.0, match(1.0, 2)), after(name, 0.0, match(1.0, 2, repeats=2))
        for key, value in two.items():
            assert one[key] == pytest.approx(value, rel=1e-12), (name, key)


def test_weng_lin_takes_the_step_so_often_and_tau_once():
    plain, wide = after("weng-lin", 0.0, match(0.0, -3)), after("weng-lin", 1.0, match(0.0, -3))
    begin = 25.0  # where the paper lets everybody begin
    assert wide["rating"] - begin == pytest.approx(3.0 * (plain["rating"] - begin), rel=1e-12)
    grown = np.hypot(80.0, 3.0)
    assert wide["deviation"] / grown == pytest.approx((plain["deviation"] / grown) ** 3, rel=1e-12)


def test_a_negative_exponent_is_refused():
    with pytest.raises(RatingSystemError, match=r"margin exponent: expected a number >= 0, found -1\.0"):
        margin_weight(match(1.0, 2), -1.0)
