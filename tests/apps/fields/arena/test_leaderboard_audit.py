"""Audit of whole boards: each planted error is detected, and boards without errors pass."""

import numpy as np
import pytest
from scipy.stats import binom

from halfpoint.apps.fields.arena.asked import BoardOptions
from halfpoint.apps.fields.arena.checks import ALPHA, audit
from halfpoint.apps.fields.arena.fit import fit_board
from halfpoint.apps.fields.arena.read import Judgements, read_judgements
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.workflows.options import Run
from halfpoint.inference.effort_limits import Effort

CLEAN = {"models": 8, "battles": 1500, "judges": 200, "sharpness": 0.0, "habit_elo": 0.0, "length_elo": 0.0}
TESTED = ("position", "intransitivity")


def findings(judgements: Judgements, seed: int) -> dict[str, bool]:
    board = fit_board(judgements, BoardOptions(), Effort(250, seed=seed), Run("normal"))
    return {one.name: bool(one.found) for one in audit(board, seed, replications=200)}


def clean(seed: int) -> Judgements:
    return read_judgements(simulate_arena(**CLEAN, seed=seed, position_elo=0.0).battles)


def alarms(boards: int) -> dict[str, int]:
    found = [findings(clean(1000 + seed), seed) for seed in range(boards)]
    return {name: sum(one[name] for one in found) for name in found[0]}


def test_a_planted_position_effect_is_found():
    found = findings(read_judgements(simulate_arena(**CLEAN, seed=1, position_elo=60.0).battles), 1)
    assert found["position"]
    assert not found["intransitivity"]
    assert not found["concentration"]


def test_a_planted_circle_is_found():
    arena = simulate_arena(**CLEAN, seed=2, position_elo=0.0)
    battles = arena.battles.copy()
    circle = {("model-00", "model-01"), ("model-01", "model-02"), ("model-02", "model-00")}
    rng = np.random.default_rng(2)
    for row, (a, b) in enumerate(battles[["model_a", "model_b"]].to_numpy()):
        if rng.random() < 0.8 and ((a, b) in circle or (b, a) in circle):
            battles.loc[row, "winner"] = "model_a" if (a, b) in circle else "model_b"
    found = findings(read_judgements(battles), 2)
    assert found["intransitivity"]
    assert not found["position"]


def test_a_planted_judge_who_judges_most_is_found():
    battles = simulate_arena(**CLEAN, seed=3, position_elo=0.0).battles
    battles.loc[battles.index[:300], "judge"] = "judge-0"
    found = findings(read_judgements(battles), 3)
    assert found["concentration"]
    assert not found["position"]
    assert not found["intransitivity"]


@pytest.mark.further
def test_clean_boards_are_let_alone():
    found = alarms(6)
    for name in TESTED:
        assert found[name] <= binom.ppf(0.999, 6, ALPHA), name
    assert found["concentration"] == found["connectivity"] == found["separation"] == 0


@pytest.mark.slow
def test_a_hundred_clean_boards_are_blamed_at_the_stated_rate():
    found = alarms(100)
    for name in TESTED:
        assert found[name] <= binom.ppf(0.999, 100, ALPHA), name
    assert found["concentration"] == found["connectivity"] == found["separation"] == 0
