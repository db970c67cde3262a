"""A million tournaments and a thousand games: within memory and time limits, and equal to small cases."""

import time
import tracemalloc

import numpy as np
import pandas as pd
import pytest

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.matches import match
from halfpoint.evaluation.tournaments import round_robin
from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read

SECONDS = 20  # of the processor
PLAYERS = ["Ann", "Bob", "Cid", "Dee"]


@pytest.fixture(scope="module")
def trace():
    chance = np.random.default_rng(1)
    pairs = [(one, other) for one in PLAYERS for other in PLAYERS if one != other] * 3
    white, black = zip(*pairs, strict=True)
    score = chance.integers(0, 3, len(pairs)) / 2
    games = read(pd.DataFrame({"white": white, "black": black, "score": score}))
    declared = declare("davidson-common", select(games, games.players, "both"))
    return fit(declared, "normal", draws=500, chains=2)


@pytest.mark.further
def test_a_million_tournaments_stay_within_memory_and_agree_with_few(trace):
    tracemalloc.start()
    many = round_robin(trace, PLAYERS, 1, 1, 1_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    few = round_robin(trace, PLAYERS, 1, 2, 20_000)
    assert peak < 600 * 2**20  # in one piece the same takes 1.2 GiB with four players, and 45 GiB with twenty
    assert (np.abs(many["title"] - few["title"]) < 5 * few["mc_error"]).all()
    with pytest.raises(EvaluationError, match="simulated tournaments: expected a whole number from 1 to 1,000,000"):
        round_robin(trace, PLAYERS, 1, 1, 1_000_001)


def test_a_match_of_a_thousand_games_is_the_sum_of_its_games(trace):
    start = time.process_time()
    long = match(trace, "Ann", "Bob", "WB" * 500)
    assert time.process_time() - start < SECONDS
    one, two = match(trace, "Ann", "Bob", "W"), match(trace, "Ann", "Bob", "B")
    mean = 500 * (one @ one.index.to_numpy() + two @ two.index.to_numpy())
    assert long.sum() == pytest.approx(1.0, abs=1e-12)
    assert long @ long.index.to_numpy() == pytest.approx(mean, rel=1e-10)
    pair = match(trace, "Ann", "Bob", "WW")
    assert pair.sum() == pytest.approx(1.0, abs=1e-14)
    assert pair @ pair.index.to_numpy() == pytest.approx(2 * (one @ one.index.to_numpy()), rel=1e-12)
    with pytest.raises(EvaluationError, match="number of games"):
        match(trace, "Ann", "Bob", "W" * 1001)
