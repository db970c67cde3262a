"""Protocol of the competition: its error by hand, and systems on a tenth of its size."""

import runpy
from pathlib import Path

import numpy as np
import pytest
from rating_games import table

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.models.games.rating_system import Newcomer
from halfpoint.systems.elo import Elo
from halfpoint.systems.elo_plus_plus import EloPlusPlus
from halfpoint.systems.k_factor import constant

ROOT = Path(__file__).resolve().parents[4]
protocol = runpy.run_path(str(ROOT / "benchmarks" / "bench_office.py"))
compete, monthly_error, simulated_competition = (
    protocol[name] for name in ("compete", "monthly_error", "simulated_competition")
)


def test_the_error_by_hand():
    games = table(["a", "b", "a", "c"], ["b", "a", "c", "a"], [1, 0.5, 0, 1], period=[1, 1, 1, 2])
    expected = np.array([0.5, 0.5, 0.5, 0.75])
    # month 1: a .5 + 0 - .5 = 0, b -.5, c +.5; month 2: c +.25, a -.25
    assert monthly_error(games, expected) == pytest.approx(np.sqrt((0 + 0.25 + 0.25 + 0.0625 + 0.0625) / 5))
    with pytest.raises(EvaluationError, match="observed score of shape"):
        monthly_error(games, expected[:2])
    with pytest.raises(EvaluationError, match="a period"):
        monthly_error(table(["a"], ["b"], [1]), np.array([0.5]))


def test_systems_stand_between_chance_and_truth():
    training, test, truth = simulated_competition(seed=2, scale=0.1)
    assert (len(training), len(test)) == (6505, 781)
    assert training.simulated
    start = Newcomer(2200.0, from_day=False)
    systems = {
        "elo": Elo(constant(32.0), advantage_elo=35.0, newcomer=start), "elo++": EloPlusPlus(newcomer=start),
        "nothing": Elo(constant(0.0), newcomer=start),
    }  # fmt: skip
    found = compete(training, test, systems).set_index("system")["rmse"]
    assert monthly_error(test, truth) < found["elo"] < found["nothing"]
    assert monthly_error(test, truth) < found["elo++"] < found["nothing"]
