"""Simulation-based calibration of the bridge models with changing pairs."""

from dataclasses import replace

import numpy as np
import pytest

from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.simulation_based_calibration import SHORT, calibrate
from halfpoint.models.games.select import select
from halfpoint.models.games.sides import code_sides
from halfpoint.models.games.table import GameTable

PEOPLE = np.array([f"P{k:02d}" for k in range(12)])
DRAWS = 600  # of both chains
SPREADS = ("strength_spread", "strength_partners_spread", "log_width", "log_width_deal_spread")


def design(deals=16, evenings=4):
    """Draw the seats: three tables a deal, new partners each evening; margins are drawn later."""
    rng = np.random.default_rng(8)
    seats = []
    for _evening in range(evenings):
        pairs = rng.permutation(12).reshape(-1, 2)
        seats += [rng.permutation(pairs).reshape(-1, 4) for _ in range(deals // evenings)]
    seat = np.concatenate(seats)
    names, count = PEOPLE.tolist(), seat.shape[0]
    every = [{names[a]: 1.0, names[b]: 1.0} for a, b in np.concatenate([seat[:, :2], seat[:, 2:]]).tolist()]
    codes = np.arange(2 * count, dtype=np.int32)
    players, white, black, sides = code_sides(every, codes[:count], codes[count:], "design")
    margin = np.linspace(-3.0, 3.0, count)  # unequal, so that every game stays by itself
    columns = {"margin": margin, "deal": np.repeat(np.arange(deals), 3)}
    games = GameTable(players, white, black, np.full(count, 0.5), covariates=columns, simulated=True, sides=sides)
    return select(games, games.people, "both")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "simulations"), [("bridge-ability", 120), ("bridge-ability-t", 100)])
def test_what_is_simulated_is_found_again(name, simulations):
    one = experiment(name, design=design())
    assert {"strength", "strength_partners", "advantage_deal", *SPREADS} <= set(one.names)
    found = calibrate(one, simulations, seed=11, effort=replace(SHORT, draws=DRAWS // 2, tune=500))
    assert found.divergences < 0.01 * simulations * DRAWS  # a few where a spread is next to nothing
    left = found.outside(1.0 - 0.01 / len(found.rank))  # all of them stay inside by a chance of 99%
    assert {key: value for key, value in left.items() if value} == {}
