"""Chances between all pairs of players: the printed formula on each pair's draws, by both ways of reading a trace."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pair_chances import PairChances
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.games.select import select

SEATS = np.array([4, 0, 2], dtype=np.int32)  # players in the order of a list
SINGLE = 3e-5  # sides near 16 natural units, and their sums, have steps of 2e-6 in single precision


@pytest.fixture(scope="module", params=["davidson-player-draws", "bt-common"])
def fitted(request):
    games, _ = simulated(5, players=5, games=150)
    return fit(declare(request.param, select(games, games.players)), "normal", draws=40, chains=2, seed=1)


def of_the_formula(trace, white, black):
    """Chances of loss, draw and win under each draw, (outcome, draw), by Davidson's formula."""
    p = {name: value.stack(d=("chain", "draw")) for name, value in trace["posterior"].items()}
    strength = p["strength"].transpose("player", "d").to_numpy()
    advantage = p["advantage"].to_numpy() if "advantage" in p else 0.0
    gap, tie = strength[white] - strength[black] + advantage, 0.0
    if "log_draw" in p:
        tendency = p["draw_tendency"].transpose("player", "d").to_numpy() if "draw_tendency" in p else np.zeros((5, 1))
        tie = np.exp(p["log_draw"].to_numpy() + tendency[white] + tendency[black])
    shares = np.stack(np.broadcast_arrays(np.exp(-gap / 2), tie, np.exp(gap / 2)))
    return shares / shares.sum(axis=0)


@pytest.mark.parametrize("recorded", [True, False])
def test_each_pair_has_the_chances_of_the_formula(fitted, recorded):
    reading = reading_of(fitted)
    assert reading.worth is not None
    table = PairChances(reading if recorded else replace(reading, worth=None), SEATS)
    chances = table.of(np.array([2, 1]))
    assert chances.shape[:3] == (2, 3, 3)
    assert chances.dtype == np.float32
    for row, white in enumerate((2, 1)):
        for black in range(3):
            expected = of_the_formula(fitted, SEATS[white], SEATS[black])
            np.testing.assert_allclose(chances[row, black], expected, atol=SINGLE)
