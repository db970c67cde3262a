"""Readers of a trace that share cached rows give the same results as separate readers."""

from dataclasses import replace

import numpy as np
from rating_games import simulated

from halfpoint.inference.fit import fit
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.declaration.posterior_reader import reading_of
from halfpoint.models.declaration.trace_games import rows_in
from halfpoint.models.games.select import select


def test_a_copy_with_another_advantage_of_opponents_reads_the_rows_anew():
    games, _ = simulated(5, players=8, games=200)
    trace = fit(declare("davidson-player", select(games, games.players[:5])), "normal", draws=50, chains=2, seed=1)
    reading = reading_of(trace)
    rows, imputed = rows_in(reading, trace), np.full((100, 1), 0.3)
    own = reading.probabilities(rows)
    np.testing.assert_array_equal(reading.probabilities(rows), own)
    alone = replace(reading_of(trace), imputed=imputed).probabilities(rows)
    np.testing.assert_array_equal(replace(reading, imputed=imputed).probabilities(rows), alone)
    np.testing.assert_array_equal(reading.probabilities(rows), own)
    assert np.abs(alone - own).max() > 0.01
