"""Every answer of the command line from a trace with random-walk strengths, and refits of it."""

import numpy as np
import pytest

from halfpoint.inference.sample import sample
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.table import GameTable

NAMES = ("Ada", "Boris", "Chen", "Dora", "Olga")
STRENGTH = np.array([16.2, 15.6, 15.4, 15.1, 15.5])


@pytest.fixture(scope="module")
def selection():
    """Four players over four months, with an opponent known by rating."""
    truth = Truth(np.array(NAMES), STRENGTH, np.full(5, 0.1), log_draw=0.5)
    made = simulate(truth, round_robin(5, 30), 7)
    month = np.random.default_rng(1).integers(1, 5, len(made))
    rating = np.full(len(made), 2700.0)
    games = GameTable(
        made.players, made.white, made.black, made.score, month,
        white_rating_elo=rating, black_rating_elo=rating, name="walk", simulated=True,
    )  # fmt: skip
    return select(games, NAMES[:4])


@pytest.mark.slow
def test_a_walking_trace_answers_every_command(selection, tmp_path, halfpoint):
    path = tmp_path / "walk.nc"
    settings = {"draws": 1000, "tune": 500, "chains": 2, "cores": 2, "seed": 3}  # what has not converged ends with 3
    write(sample(declare("davidson-walk-scaled", selection), **settings), path)
    code, out, _ = halfpoint("rank", path)
    assert code == 0
    assert out.index("Ada") < out.index("Dora")
    code, out, _ = halfpoint("match", path, "Ada", "Dora", "--games", 4, "--colours", "WBBW")
    assert code == 0
    assert "Ada is the stronger" in " ".join(out.split())
    names = tmp_path / "names.txt"
    names.write_text("Ada\nBoris\nDora\n", encoding="utf-8")
    code, out, _ = halfpoint("tournament", path, names, "--double")
    assert code == 0
    assert "Double round robin of 3 players" in " ".join(out.split())
