"""The study's test-set rules on a game small enough for computation by hand."""

import numpy as np
import pytest

from halfpoint.apps.study.posterior_draws import ModelDraws
from halfpoint.apps.study.protocol import carlsen_scale, gaps, study_predictive
from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.table import GameTable, code_players
from halfpoint.models.games.units import to_natural

PLAYERS = np.array(["AnandViswanathan", "CarlsenMagnus"])


def draws(advantage=None, log_draw=None):
    rating = np.tile([2780.0, 2840.0], (2, 3, 1))
    shape = rating.shape[:2]
    lam = None if log_draw is None else np.full(shape, log_draw)
    return ModelDraws("bt-player", "computed", PLAYERS, rating, advantage, lam, np.zeros(shape))


def games():
    players, white, black = code_players(["CarlsenMagnus", "AnandViswanathan"], ["Nobody", "CarlsenMagnus"])
    day = {"white_rating_elo": np.array([2870.0, 2780.0]), "black_rating_elo": np.array([2600.0, 2860.0])}
    return GameTable(players, white, black, np.array([1.0, 0.5]), **day)


def halves():
    return np.tile([10.0, 20.0], (2, 3, 1))


def test_set_b_is_scaled_to_carlsens_rating_on_the_day():
    assert carlsen_scale(draws(), games()) == pytest.approx((2870 + 2860) / 2 / 2840)


@pytest.mark.parametrize(("imputation", "unknown"), [("zero", 0.0), ("mean", 33.0), ("mirror", 40.0)])
def test_an_unknown_opponents_advantage(imputation, unknown):
    found = gaps(draws(halves()), games(), imputation, 1.0, 33.0)[0, 0]
    assert found == pytest.approx(to_natural(np.array([2840 - 2600 + 20 + unknown, 2780 - 2840 + 10 + 20])))


def test_log_likelihood_and_distance_of_half_points():
    found = study_predictive(draws(), games())
    p = 1 / (1 + 10 ** (-np.array([240.0, -60.0]) / 400))
    expected = np.log(p[0]) + 0.5 * np.log(p[1]) + 0.5 * np.log(1 - p[1])
    assert found.neg_mean_loglik.value == pytest.approx(-expected)
    assert found.definetti.value == pytest.approx(((p - [1.0, 0.5]) ** 2).mean())
    assert found.var_loglik.value == pytest.approx(0, abs=1e-20)


def test_log_likelihood_and_distance_of_three_outcomes():
    found = study_predictive(draws(log_draw=1.0), games())
    gap = to_natural(np.array([240.0, -60.0]))
    weight = np.exp(np.stack([-gap / 2, [1.0, 1.0], gap / 2], axis=1))
    p = weight / weight.sum(axis=1, keepdims=True)
    assert found.neg_mean_loglik.value == pytest.approx(-np.log(p[0, 2]) - np.log(p[1, 1]))
    assert found.definetti.value == pytest.approx((((p - np.eye(3)[[2, 1]]) ** 2).sum(axis=1)).mean())


def test_a_player_without_estimate_and_rating_is_named():
    players, white, black = code_players(["CarlsenMagnus"], ["Nobody"])
    with pytest.raises(EvaluationError, match="Nobody"):
        study_predictive(draws(), GameTable(players, white, black, np.array([1.0])))


def test_draws_of_other_shapes_are_refused():
    with pytest.raises(EvaluationError, match="chain, draw, player"):
        ModelDraws("bt", "computed", PLAYERS, np.zeros((2, 3, 5)), None, None, np.zeros((2, 3)))
