"""Chessmetrics compared with its author's example and its equations."""

import numpy as np
import pytest
from rating_games import periods_of, simulated, table

from halfpoint.models.games.errors import RatingSystemError
from halfpoint.systems.chessmetrics import Chessmetrics, padded_rating

GAMES, STRENGTH = simulated(83, players=14, games=400, periods=6, rated=False)


def test_kasparov_in_linares_2005():
    # 8 of 12 against 2733: a raw performance of 2875, 2797 with the padding
    raw = 2733.0 + 850.0 * (8 / 12 - 0.5)
    assert raw == pytest.approx(2875.0, abs=0.5)
    assert padded_rating(raw, 12, 2733.0) == pytest.approx(2797.0, abs=0.5)


def test_all_equations_hold_together():
    system = Chessmetrics()
    for period in periods_of(GAMES):
        system.learn(period)
    weight = (48 - (6 - GAMES.period)) / 48
    rating = {name: system.ledger.rating(name) for name in GAMES.players}
    assert np.mean(list(rating.values())) == pytest.approx(2300.0, abs=1e-6)
    shifts = []
    for name in GAMES.players:
        first, second = GAMES.white_names == name, GAMES.black_names == name
        w = np.concatenate([weight[first], weight[second]])
        faced = np.array([rating[one] for one in (*GAMES.black_names[first], *GAMES.white_names[second])])
        share = (w @ np.concatenate([GAMES.score[first], 1 - GAMES.score[second]])) / w.sum()
        mean = (w @ faced) / w.sum()
        shifts.append(padded_rating(mean + 850.0 * (share - 0.5), w.sum(), mean) - rating[name])
    assert np.ptp(shifts) < 1e-4  # the equations hold up to the level of the list
    assert np.corrcoef(STRENGTH, [rating[name] for name in GAMES.players])[0, 1] > 0.8


def test_who_does_not_play_sinks_and_is_forgotten():
    system = Chessmetrics(span=4)
    system.learn(table(["best"] * 6, ["other"] * 6, [1.0] * 6, period=1))
    before = system.ledger.rating("best")
    after = []
    for period in (2, 3, 4, 5):
        system.learn(table(["a"], ["b"], [0.5], period=period))
        after.append(system.ledger.rating("best"))
    assert before > after[0] > after[1] > after[2] > after[3] == 2300.0
    with pytest.raises(RatingSystemError, match="a span of one period"):
        Chessmetrics(span=0)


def test_a_linear_expectancy():
    system = Chessmetrics(advantage_elo=85.0)
    assert system.forecast(table(["a"], ["b"], [1.0])).expected_score == pytest.approx([0.6])
