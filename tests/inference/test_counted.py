"""Divergent transitions are counted in every refit: calibrations, refits, backtests."""

from dataclasses import replace

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.inference import adaptive
from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.diagnostics.convergence import Diagnosis
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.forecaster import Convergence, Forecaster
from halfpoint.inference.simulation_based_calibration import SHORT, calibrate, join_ranks
from halfpoint.models.declaration.catalogue import find


@pytest.mark.further
def test_a_calibration_counts_divergences_where_smaller_steps_do_not_end_them(monkeypatch):
    one, few = experiment("davidson-population"), {"seed": 7, "effort": replace(SHORT, draws=50, tune=1, cores=1)}
    assert calibrate(one, 20, part=range(3), **few).divergences == 0
    monkeypatch.setattr(adaptive, "MOST_RUNS", 1)
    each = [calibrate(one, 20, part=range(k, k + 1), **few) for k in range(3)]
    whole = calibrate(one, 20, part=range(3), **few)
    assert join_ranks(each).divergences == whole.divergences > 0
    for name, rank in join_ranks(each).rank.items():
        np.testing.assert_array_equal(rank, whole.rank[name])


def test_a_backtest_keeps_the_divergences_of_its_fits():
    bad = Diagnosis(1.02, 90.0, 80.0, 7, 0.9, ("7 divergent transitions, should be none",))
    good = replace(bad, divergences=0, faults=())
    found = Convergence()
    for one in (bad, good, bad):
        found.note(one)
    assert (found.fits, found.failed, found.divergences) == (3, 2, 14)
    assert Convergence.of(found.numbers()) == found


@pytest.mark.slow
def test_a_forecaster_that_hardly_tunes_tells_its_divergences(monkeypatch):
    monkeypatch.setattr(adaptive, "MOST_RUNS", 1)
    games, _ = simulated(82, players=8, games=200, periods=3, draw=0.3)
    effort = Effort(draws=400, tune=2, chains=2, cores=1)
    forecaster = Forecaster(find("davidson-population"), games, games.players, effort)
    for period in (1, 2):
        forecaster.learn(games.take(games.period == period))
    forecaster.forecast(games.take(games.period == 3))
    found = forecaster.engine.convergence
    assert found.divergences > 0
    assert (found.fits, found.failed) == (1, 1)
