"""Every answer the command line gives from a trace, on a model whose strengths walk; and refits of it."""

from dataclasses import replace

import numpy as np
import pytest
from matplotlib.image import imread

from halfpoint.evaluation.criteria import leave_one_out
from halfpoint.evaluation.left_out import refit_where_unreliable
from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.games.table import GameTable
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fitter import Fitter
from halfpoint.inference.limits import Effort
from halfpoint.inference.sample import sample
from halfpoint.inference.traces import write
from halfpoint.models.catalogue import declare
from halfpoint.models.catalogue import declare as declare_one

NAMES = ("Ada", "Boris", "Chen", "Dora", "Olga")
STRENGTH = np.array([16.2, 15.6, 15.4, 15.1, 15.5])


@pytest.fixture(scope="module")
def selection():
    """Four players over four months, with an opponent who is known by rating."""
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
    picture = tmp_path / "months.png"
    code, out, _ = halfpoint("rank", path, "--months", picture, "--top", 3)
    assert code == 0
    assert out.index("Ada") < out.index("Dora")
    assert np.ptp(imread(picture)[..., :3]) > 0.5
    code, out, _ = halfpoint("match", path, "Ada", "Dora", "--games", 4, "--colours", "WBBW")
    assert code == 0
    assert "Ada is the stronger" in " ".join(out.split())
    names = tmp_path / "names.txt"
    names.write_text("Ada\nBoris\nDora\n", encoding="utf-8")
    code, out, _ = halfpoint("tournament", path, names, "--double")
    assert code == 0
    assert "Double round robin of 3 players" in " ".join(out.split())


@pytest.mark.slow
def test_a_refit_without_a_game_agrees_with_importance_sampling(selection):
    refit = Fitter(declare_one("davidson-scaled", selection), Effort(draws=1000, tune=400, chains=2))
    every = refit(np.ones(len(selection)))
    estimate = leave_one_out(every.reshape(2, -1, len(selection)))
    game = int(estimate.elpd_per_game.argmin())  # the most surprising game moves the posterior most
    shapes = np.zeros(len(selection))
    shapes[game] = 1.0  # as if it could not be trusted
    exact = refit_where_unreliable(replace(estimate, pareto_k=shapes), refit.without)
    assert refit.fits == 2
    assert exact.elpd_per_game[game] != estimate.elpd_per_game[game]
    assert exact.elpd_per_game[game] == pytest.approx(estimate.elpd_per_game[game], abs=0.05)
    with pytest.raises(InferenceError, match="game: expected an index"):
        refit.without(len(selection))


def test_months_of_a_model_that_stands_still_are_refused(tmp_path, halfpoint, selection):
    path = tmp_path / "still.nc"
    write(sample(declare("davidson-common", selection), draws=20, tune=50, chains=2, cores=2), path)
    code, _, told = halfpoint("rank", path, "--months", tmp_path / "months.png")
    assert code == 2
    assert "strengths that walk" in " ".join(told.split())
    assert not (tmp_path / "months.png").exists()
