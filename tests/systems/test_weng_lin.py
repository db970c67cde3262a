"""Weng and Lin's ratings compared with openskill's figures and with the paper's update."""

import numpy as np
import openskill.models
import pytest
from rating_games import put, simulated, table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.weng_lin import LEAST_SHARE, MODELS, WengLin


@pytest.mark.parametrize("kind", MODELS)
def test_games_are_openskills_games(kind):
    games, _ = simulated(21, players=5, games=40, periods=1)
    system = WengLin(kind)
    system.learn(games)
    model = getattr(openskill.models, MODELS[kind])()
    assert model.kappa == LEAST_SHARE
    players = {name: model.rating() for name in games.players}
    for white, black, score in zip(games.white_names, games.black_names, games.score, strict=True):
        ranks = {1.0: [1, 2], 0.5: [1, 1], 0.0: [2, 1]}[float(score)]
        (players[white],), (players[black],) = model.rate([[players[white]], [players[black]]], ranks=ranks)
    for name, player in players.items():
        assert system.ledger.rating(name) == pytest.approx(player.mu, abs=1e-12)
        assert system.ledger.rating(name, "deviation") == pytest.approx(player.sigma, abs=1e-12)
    pair = [[players["player 000"]], [players["player 001"]]]
    forecast = system.forecast(table(["player 000"], ["player 001"], [1])).expected_score[0]
    assert forecast == pytest.approx(model.predict_win(pair)[0], abs=1e-9)


def test_openskills_printed_first_game():
    # openskill's documentation, PlackettLuce, two new players: 27.63523138 / 8.0655063 and 22.36476861.
    system = WengLin("plackett-luce")
    system.learn(table(["a"], ["b"], [1.0]))
    assert system.ledger.rating("a") == pytest.approx(27.63523138, abs=5e-4)
    assert system.ledger.rating("b") == pytest.approx(22.36476861, abs=5e-4)
    assert system.ledger.rating("a", "deviation") == pytest.approx(8.0655063, abs=5e-4)


@pytest.mark.parametrize("score", [1.0, 0.5, 0.0])
def test_algorithm_1_of_the_paper_by_hand(score):
    # Weng & Lin (2011), algorithm 1 for two players, gamma = sigma / c.
    games = table(["a"], ["b"], [score])
    system = WengLin("bradley-terry-full", 60.0, 200.0, 0.0, newcomer=Newcomer(2500.0, from_day=False))
    put(system, games, rating={"a": 2600.0}, deviation={"a": 90.0})
    system.learn(games)
    mean, variance = np.array([2600.0, 2500.0]), np.array([90.0, 60.0]) ** 2
    c = np.sqrt(variance.sum() + 2.0 * 200.0**2)
    p = 1.0 / (1.0 + np.exp(-(mean - mean[::-1]) / c))
    s = np.array([score, 1.0 - score])
    assert system.ledger["rating"] == pytest.approx(mean + variance / c * (s - p), abs=1e-9)
    gamma = np.sqrt(variance) / c
    shrunk = variance * (1.0 - variance / c**2 * gamma * p * p[::-1])
    assert system.ledger["deviation"] ** 2 == pytest.approx(shrunk, rel=1e-12)


def test_for_two_players_the_three_models_coincide():
    games, _ = simulated(22, players=6, games=60, periods=1)
    found = []
    for kind in MODELS:
        system = WengLin(kind, 60.0, 200.0, 2.0, newcomer=Newcomer(2500.0))
        system.learn(games)
        found.append(system.ledger["rating"])
    assert found[1] == pytest.approx(found[0], abs=1e-9)
    assert found[2] == pytest.approx(found[0], abs=1e-9)


def test_advantage_moves_the_forecast_only():
    games, _ = simulated(23, games=50, periods=1)
    without, with_advantage = WengLin(), WengLin(advantage=1.0)
    without.learn(games)
    with_advantage.learn(games)
    assert with_advantage.ledger["rating"].tolist() == without.ledger["rating"].tolist()
    assert np.all(with_advantage.forecast(games).expected_score > without.forecast(games).expected_score)


def test_unknown_model():
    with pytest.raises(RatingSystemError, match="plackett-luce, found 'thurstone'"):
        WengLin("thurstone")
