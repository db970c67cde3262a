"""`halfpoint calibrate`: a correct model passes, a wrong sign is detected, finished parts are reused."""

import numpy as np
import pandas as pd
import pytest
from good_results import files_of

from halfpoint.apps import workflows
from halfpoint.apps.fields.arena.simulate import simulate_arena
from halfpoint.apps.workflows import calibration
from halfpoint.apps.workflows.calibration import Trial, experiment_of, spans_of
from halfpoint.inference.calibration_designs import calibratable
from halfpoint.models.games.result_record import RECORD
from halfpoint.models.games.simulate import Truth, round_robin, simulate


@pytest.mark.further
def test_a_wrong_sign_is_found_and_the_parts_are_there_for_the_next_run(halfpoint, tmp_path):
    words = (
        "calibrate",
        "davidson-common",
        "--simulations",
        30,
        "--seed",
        3,
        "--wrong-sign",
        "--method",
        "normal",
        "--out",
        tmp_path,
    )
    code, told, error = halfpoint(*words)
    assert code == 1, error
    assert "NOT calibrated: davidson-common" in told
    (folder,) = tmp_path.glob("davidson-common*")
    ranks = pd.read_csv(folder / "ranks.csv")
    assert len(ranks) == 30
    assert ranks["advantage"].between(0, 100).all()
    assert (ranks["draws"] == 100).all()
    assert (folder / "ranks.png").stat().st_size > 5000
    made = {path: path.stat().st_mtime_ns for path in folder.glob("*.npz")}
    damaged = folder / "ranks-00025-00030.npz"
    damaged.write_bytes(b"half a file")
    code, _, error = halfpoint(*words)
    assert (code, error.count("\n")) == (2, 1)
    assert "ranks-00025-00030.npz: expected a free name, or a file by halfpoint, found a file that was changed" in error
    assert damaged.read_bytes() == b"half a file"
    assert halfpoint(*words, "--force")[0] == 1
    assert (folder / "ranks-00000-00025.npz").stat().st_mtime_ns == made[folder / "ranks-00000-00025.npz"]
    pd.testing.assert_frame_equal(pd.read_csv(folder / "ranks.csv"), ranks)


GOALS = """
import pymc as pm

def goals(games):
    with pm.Model(coords=games.coords) as model:
        attack = pm.Normal("attack", 0.0, 0.3, dims="player")
        gap = games.white(attack) - games.black(attack)
        pm.Poisson("first", pm.math.exp(gap), observed=games.observed("home"))
        pm.Poisson("second", pm.math.exp(-gap), observed=games.observed("away"))
    return model
"""


def test_a_model_that_is_compiled_for_each_simulation_has_short_parts_of_all_simulations(tmp_path):
    (tmp_path / "own.py").write_text(GOALS)
    rows = "A,B,1-0,2,0\nB,A,0-1,0,3\nA,B,1/2-1/2,1,1\n" * 4
    (tmp_path / "games.csv").write_text("white,black,result,home,away\n" + rows)
    for name, design, longest in (("bt-population", None, 23), (f"{tmp_path}/own.py:goals", tmp_path / "games.csv", 5)):
        spans = spans_of(Trial(simulations=23, design=design), name)
        assert [number for first, last in spans for number in range(first, last)] == [*range(23)]
        assert max(last - first for first, last in spans) == longest  # and progress is shown after each


@pytest.mark.slow
def test_what_rate_fits_by_is_calibrated_beside_what_nuts_gave(halfpoint, tmp_path):
    words = ("calibrate", "bt", "--simulations", 20, "--out", tmp_path, "--method")
    assert halfpoint(*words, "nuts")[0] == 0
    code, told, error = halfpoint(*words, "auto")
    assert code == 0, error
    assert "bt by method auto: 20 simulations" in told
    assert "normal approximation accepted in 20 of 20 fits" in told
    one, other = (pd.read_csv(tmp_path / folder / "ranks.csv") for folder in ("bt", "bt-auto"))
    assert (other["draws"] == 100).all()
    np.testing.assert_allclose(one, other, atol=35)  # of the same data sets, by a hundred draws each


@pytest.mark.further
def test_what_a_stopped_run_leaves_serves_the_same_run_and_goes_with_any_other(tmp_path, monkeypatch):
    asked = {"out": tmp_path, "simulations": 20, "method": "normal"}
    folder = workflows.calibrate("bt-common", **asked).folder
    before, begun, make = files_of(folder), [], calibration.Part.simulate

    def stopped(part):
        begun.append(part.first)
        if part.first:
            raise KeyboardInterrupt
        return make(part)

    with monkeypatch.context() as changed:
        changed.setattr(calibration, "PART", 2)
        changed.setattr(calibration.Part, "simulate", stopped)
        for _ in range(2):  # again, and it goes on where it was
            with pytest.raises(KeyboardInterrupt):
                workflows.calibrate("bt-common", **asked, seed=8)
    assert begun == [0, 2, 2]
    assert files_of(folder) == before
    workflows.calibrate("bt-common", **asked)
    assert files_of(folder).keys() == before.keys()
    assert [path.name for path in folder.glob(".*")] == [RECORD]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("davidson-comon",), "Did you mean 'davidson-common'"),
        (("davidson-common-weighted",), "Use 'davidson-common', which has"),
        (("davidson", "--wrong-sign"), "an advantage whose sign can be reversed"),
        (("davidson", "--method", "jax"), "--method: expected auto | normal | nuts"),
        (("davidson", "--posterior", "a.csv", "--design", "b.csv"), "--posterior and --design exclude each other"),
    ],
)
def test_mistakes_are_told_in_one_line(halfpoint, tmp_path, words, message):
    code, _, error = halfpoint("calibrate", *words, "--out", tmp_path / "out")
    assert code == 2
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_every_formula_can_be_calibrated():
    names = calibratable()
    assert {"bt", "bt-common", "bt-player", "davidson", "davidson-common", "davidson-player"} <= set(names)
    assert {"davidson-scaled", "davidson-walk", "rao-kupper-all-draws", "davidson-rapid", "davidson-rated"} <= set(
        names
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A file of 300 games of ten players."""
    truth = Truth(np.array([f"player {k}" for k in range(10)]), np.linspace(14.0, 16.0, 10), 0.6, 0.3)
    games = simulate(truth, round_robin(10, 7), 3).take(np.arange(300))
    path = tmp_path_factory.mktemp("played") / "games.csv"
    columns = {"white": games.white_names, "black": games.black_names, "score": games.score}
    pd.DataFrame(columns).to_csv(path, index=False)
    return path


@pytest.mark.slow
@pytest.mark.parametrize("wrong", [False, True])
def test_a_model_holds_on_a_file_and_a_planted_sign_does_not(halfpoint, played, tmp_path, wrong):
    words = ["calibrate", "davidson-common", "--posterior", played, "--simulations", 25, "--method", "auto"]
    code, told, error = halfpoint(*words, *(["--wrong-sign"] if wrong else []), "--out", tmp_path)
    assert code == int(wrong), error
    assert "davidson-common on games.csv by method auto: 25 simulations" in told
    assert ("NOT calibrated: davidson-common" in told) == wrong


def test_the_results_of_a_posterior_are_looked_at(played):
    found = experiment_of("davidson-common", False, str(played), True)
    rng = np.random.default_rng(2)
    drawn = np.array([found.truth(rng)["strength"] for _ in range(200)])
    apart = drawn - drawn.mean(axis=1, keepdims=True)
    truth = np.linspace(-1.0, 1.0, 10)
    order = [found.declared.selection.players.tolist().index(f"player {k}") for k in range(10)]
    assert np.abs(apart.mean(axis=0)[order] - truth).max() < 4 * apart.std(axis=0).max()
    assert 0.05 < apart.std(axis=0).max() < 0.5
    assert found.observed.sum() == 300


@pytest.mark.slow
def test_a_design_of_ones_own_is_calibrated(tmp_path):
    battles = simulate_arena(models=4, battles=150, judges=6, seed=2).battles
    path = tmp_path / "arena.jsonl"
    battles.to_json(path, orient="records", lines=True)
    found = workflows.calibrate("leaderboard", simulations=25, seed=3, out=tmp_path, design=path)
    names = set(found.frame["parameter"])
    assert {"advantage", "log_draw", "strength[3]", "advantage_judge[5]", "sharpness_judge[0]"} <= names
    assert found.calibrated
    assert found.folder.name == "leaderboard-on-arena.jsonl"
    wrong = workflows.calibrate("leaderboard", simulations=25, seed=3, out=tmp_path, design=path, wrong_sign=True)
    assert not wrong.calibrated


@pytest.mark.slow
def test_the_results_of_a_design_are_not_looked_at(tmp_path):
    battles = simulate_arena(models=4, battles=60, judges=3, seed=2).battles
    ranks = []
    for winner in (battles["winner"], battles["winner"].to_numpy()[::-1]):
        path = tmp_path / f"{len(ranks)}.csv"
        battles.assign(winner=winner)[["model_a", "model_b", "winner"]].to_csv(path, index=False)
        ranks.append(workflows.calibrate("davidson-population", simulations=20, out=tmp_path, design=path).ranks.rank)
    assert all((ranks[0][name] == ranks[1][name]).all() for name in ranks[0])
