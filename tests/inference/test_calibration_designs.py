"""Designs of calibration: who meets whom, and priors from which games can be simulated."""

import numpy as np
import pytest

from halfpoint.inference.calibration_designs import (
    _narrow,
    _with_columns,
    calibratable,
    experiment,
    leagues,
    meetings,
)
from halfpoint.inference.errors import InferenceError
from halfpoint.models.declaration.catalogue import find


def test_monitored_players_meet_each_other_and_rated_opponents():
    selection = meetings(200, 4, 1, months=3, opponents=5)
    games = selection.games
    assert selection.players.tolist() == ["M00", "M01", "M02", "M03"]
    assert len(games) == 200
    assert sorted(set(games.period)) == [1, 2, 3]
    assert ((selection.white >= 0) | (selection.black >= 0)).all()
    assert (games.white != games.black).all()
    strength = dict(zip(games.white_names.tolist(), games.white_rating_elo.tolist(), strict=True))
    assert (strength["M00"], strength["M03"]) == (2605.0, 2805.0)
    assert 60 < (selection.white < 0).sum() + (selection.black < 0).sum() < 160  # 5 of 8 partners are opponents
    assert len(np.unique(games.margin)) == 200
    assert games.simulated


def test_leagues_seldom_meet():
    games = leagues(600, 2).games
    assert games.players.tolist() == [f"M{k:02d}" for k in range(6)]
    between = (games.white // 3) != (games.black // 3)
    assert between.mean() == pytest.approx(0.1, abs=4 * np.sqrt(0.09 / 600))
    assert (games.white != games.black).all()
    for league in (0, 1):
        inside = ~between & (games.white // 3 == league)
        assert set(games.white[inside]) == set(games.black[inside]) == {3 * league, 3 * league + 1, 3 * league + 2}
    assert {*zip(games.white[between].tolist(), games.black[between].tolist(), strict=True)} == {
        (a, b) for a in range(6) for b in range(6) if a // 3 != b // 3
    }


def test_priors_are_narrower_and_the_function_stays():
    model = find("davidson-common")
    narrow = _narrow(model)
    assert narrow.function is model.function
    assert narrow.parameters["advantage"] == (0.3, 0.4)
    assert narrow.parameters["log_draw"] == (0.5, 0.6)
    assert narrow.effects.sd == 0.5
    walk = _narrow(find("bt-walk"))
    assert walk.parameters["step"] == 0.3


def test_columns_of_effects_have_three_levels():
    model = find("davidson-common with advantage ~ 1 | hall")
    selection = _with_columns(model, meetings(60, 4, 1))
    assert set(selection.games.covariates["hall"]) == {0.0, 1.0, 2.0}
    assert "hall" not in _with_columns(find("davidson-common"), meetings(60, 4, 1)).games.covariates


def test_models_with_weights_or_without_a_seat_are_refused():
    assert "bt-weighted" not in calibratable()
    assert "bt" in calibratable()
    with pytest.raises(InferenceError, match="expected a model with equal weights, found 'bt-weighted'"):
        experiment("bt-weighted")
    with pytest.raises(InferenceError, match="whose sign can be reversed, found 'davidson'"):
        experiment("davidson", wrong_sign=True)
    with pytest.raises(InferenceError, match="a model of margins"):
        experiment("margin-normal", seen=True)


def test_probabilities_of_cells_are_those_of_the_formula():
    found = experiment("davidson-common")
    truth = found.truth(np.random.default_rng(1))
    chance = found.probability(truth)
    cells, declared = found.declared.cells, found.declared
    np.testing.assert_allclose(chance.sum(axis=1), 1.0)
    strength, anchor = np.asarray(truth["strength"]), cells.anchor_elo * np.log(10.0) / 400.0
    sides = [np.where(code >= 0, strength[np.maximum(code, 0)], anchor) for code in (cells.white, cells.black)]
    seated = np.asarray(declared.rows.seated)[: len(cells)]
    eta = sides[0] - sides[1] + np.asarray(truth["advantage"]) * seated
    shares = np.exp(np.stack([-eta / 2, np.full(eta.size, float(truth["log_draw"])), eta / 2], axis=1))
    np.testing.assert_allclose(chance, shares / shares.sum(axis=1, keepdims=True), rtol=1e-9)
    wrong = experiment("davidson-common", wrong_sign=True).probability(truth)
    assert np.abs(wrong - chance).max() > 0.01
