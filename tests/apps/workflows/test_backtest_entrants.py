"""Entries of a backtest: a user formula of half points gets draws by the common rule, like Bradley-Terry."""

import numpy as np
import pandas as pd
import pymc as pm
import pytensor.tensor as pt
import pytest

from halfpoint.apps import workflows
from halfpoint.models import outcome

NAMES = ["Ann", "Bob", "Cem", "Dan"]


def half_points(white, black):
    """Log chances of loss, draw and win of a normal curve; a draw is half a win and half a loss."""
    loss, win = (pt.log(pt.erfc(sign * (white - black) / 2.0) / 2.0) for sign in (1, -1))
    return loss, (loss + win) / 2.0, win


def normal_curve(games):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 15.0, 1.0, dims="player")
        outcome(games, half_points, games.white(strength), games.black(strength), over=(0, 2))
    return model


def test_a_formula_of_half_points_is_judged_with_draws_by_the_rule(tmp_path):
    rng = np.random.default_rng(5)
    pairs = [(a, b) for a in NAMES for b in NAMES if a != b] * 5
    rows = [(period, *pair, rng.choice([0.0, 0.5, 1.0])) for period in range(1, 5) for pair in pairs]
    games = pd.DataFrame(rows, columns=["period", "white", "black", "score"])
    answer = workflows.backtest(games, out=tmp_path, systems="elo", models=[normal_curve], method="normal", begin=3)
    row = answer.frame.set_index("system").loc["normal-curve"]
    assert np.isfinite(row["log_score"])
    assert row["log_score"] == pytest.approx(np.log(3.0), abs=0.15)  # results are drawn with equal chances
    lines, rows = str(answer).splitlines(), answer.frame.set_index("title")
    for name in ("normal-curve", "Elo"):  # in a notebook the scores have the digits in which they differ
        line = next(line.split() for line in lines if line.lstrip().startswith(name) and "less than" not in line)
        numbers = rows[rows.index.str.startswith(name)].iloc[0]
        for score in ("log_score", "difference", "se_two_way"):
            assert f"{numbers[score]:.5f}" in line
