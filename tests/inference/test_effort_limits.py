"""Settings of samplers are limited to their ranges; the smallest run and the largest seed work."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.sample import sample
from halfpoint.inference.simulation_based_calibration import SHORT, calibrate
from halfpoint.inference.traces.netcdf import read, write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.pointwise import pointwise_kept
from halfpoint.models.games.select import select
from halfpoint.readers.read import read as read_games

LARGEST = 2**63 - 1
PLAYERS = ["Ann", "Bob", "Cid", "Dee"]


def four_players():
    chance = np.random.default_rng(1)
    pairs = [(one, other) for one in PLAYERS for other in PLAYERS if one != other] * 3
    white, black = zip(*pairs, strict=True)
    score = chance.integers(0, 3, len(pairs)) / 2
    return read_games(pd.DataFrame({"white": white, "black": black, "score": score}))


@pytest.fixture(scope="module")
def declared():
    games = four_players()
    return declare("davidson-common", select(games, games.players, "both"))


WRONG = {
    "no tuning": ({"tune": 0}, "tune: expected a whole number from 1 to 10,000,000, found 0"),
    "no draws": ({"draws": 0}, "draws: expected a whole number from 1 to 10,000,000, found 0"),
    "half a draw": ({"draws": 2.5}, "draws: expected a whole number from 1 to 10,000,000, found 2.5"),
    "words": ({"draws": "many"}, "draws: expected a whole number from 1 to 10,000,000, found 'many'"),
    "draws of 20 digits": ({"draws": 10**19}, "draws: expected .*, found 10000000000000000000"),
    "draws of 5,001 digits": ({"draws": 10**5000}, "draws: expected .*, found a number of about 5,001 digits"),
    "a million chains": ({"chains": 10**6}, "chains: expected a whole number from 1 to 1,000, found 1000000"),
    "a negative seed": ({"seed": -1}, "seed: expected a whole number from 0 to .*, found -1"),
    "a seed of 65 bits": ({"seed": 2**64}, "seed: expected a whole number from 0 to .*, found 18446744073709551616"),
    "more than the memory": (
        {"draws": 10_000_000, "chains": 1000},
        r"1,000 chains of 10,000,000 draws.*: expected at most the [\d.,]+ GiB of free memory, "
        r"found [\d.,]+ GiB\. Take fewer draws or chains",
    ),
}


METHODS = ("nuts", "normal")
TUNED = ("nuts",)  # the others tune nothing


@pytest.mark.parametrize(
    ("wrong", "method"),
    [(wrong, method) for wrong in WRONG for method in (TUNED if "tune" in WRONG[wrong][0] else METHODS)],
)
def test_settings_are_held_to_their_ranges_in_python(wrong, method, declared):
    settings, told = WRONG[wrong]
    with pytest.raises(InferenceError, match=f"^{told}"):
        fit(declared, method, **settings)
    if method == "nuts":
        with pytest.raises(InferenceError, match=f"^{told}"):
            sample(declared, **settings)


@pytest.mark.cases(1)
@pytest.mark.parametrize("method", METHODS)
def test_the_largest_seed_and_the_smallest_run_work_with_every_method(method, declared, tmp_path):
    for seed in (0, LARGEST):
        tree = fit(declared, method, draws=1, tune=1, chains=1, seed=seed)
        write(tree, tmp_path / "trace.nc")
        kept = read(tmp_path / "trace.nc")
        assert kept.attrs["seed"] == seed
        assert np.isfinite(kept["posterior"]["rating_elo"]).all()
        assert not kept.attrs["converged"]  # one draw says nothing


def test_calibration_takes_the_largest_seed():
    found = calibrate(experiment("davidson-common", False), 2, LARGEST, effort=replace(SHORT, draws=5, tune=5))
    assert all(rank.size == 2 for rank in found.rank.values())
    with pytest.raises(InferenceError, match=r"^seed: expected a whole number from 0 to 2\^63 - 1, found -1"):
        calibrate(experiment("davidson-common", False), 2, -1)


def test_a_walk_asks_for_the_room_of_the_draws_that_it_keeps():
    rng = np.random.default_rng(2)
    white = rng.integers(0, 8, 400)
    names = np.array([*"ABCDEFGH"])
    frame = pd.DataFrame({"white": names[white], "black": names[(white + rng.integers(1, 8, 400)) % 8]})
    frame = frame.assign(score=rng.integers(0, 2, 400) / 1.0, period=np.sort(rng.integers(1, 61, 400)), neutral=1)
    games = read_games(frame)
    found = declare("bt-walk", select(games, games.players, "both"))
    tree = fit(found, "normal", draws=1_000_000, chains=4, pointwise_draws=0)
    assert 240 <= tree["posterior"].sizes["draw"] * 4 < 100_000
    with pytest.raises(InferenceError, match="of free memory"):
        fit(found, "nuts", draws=1_000_000, chains=4, pointwise_draws=0)


def test_a_trace_takes_at_least_eight_bytes_for_each_number_of_each_draw():
    few = Effort(draws=1000, chains=4)
    alone, among = (few.bytes_of_trace(players, 0) for players in (1, 101))
    assert among - alone >= 8 * 4000 * 100
    assert Effort(draws=2000, chains=4).bytes_of_trace(101, 0) == pytest.approx(2 * among)
    assert Effort(draws=1000, chains=8).bytes_of_trace(101, 0) == pytest.approx(2 * among)
    assert few.bytes_of_trace(1, 500) - alone >= 4 * pointwise_kept(4000, 500) * 500 > 0  # the likelihood of a game


@pytest.mark.parametrize(("draws", "chains"), [(2, 1), (1, 2)])
def test_two_draws_have_an_interval_and_one_has_none(draws, chains):
    Effort(draws=draws, chains=chains).require_intervals()
    with pytest.raises(InferenceError, match="one chain needs 2 draws or more"):
        Effort(draws=1, chains=1).require_intervals()
