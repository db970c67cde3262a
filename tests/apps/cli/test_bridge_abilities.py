"""`halfpoint bridge rate --model bridge-ability`: lists, intervals, pairs that never split, and what is refused."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields import bridge
from halfpoint.apps.fields.bridge.simulate import simulate_club
from halfpoint.apps.fields.bridge.write_csv import csv_text
from halfpoint.inference.traces.netcdf import read
from halfpoint.models.errors import ModelError

SESSIONS, BOARDS, FEW_BOARDS = 10, 12, 6
QUICK = {"draws": 200, "tune": 200, "chains": 2, "seed": 7}


@pytest.fixture(scope="module")
def club():
    return simulate_club(players=12, sessions=SESSIONS, boards=BOARDS, seed=6)


@pytest.fixture(scope="module")
def rated(tmp_path_factory):
    """List and its folder, from half as many boards."""
    folder = tmp_path_factory.mktemp("rated")
    played, _ = simulate_club(players=12, sessions=SESSIONS, boards=FEW_BOARDS, seed=6)
    return bridge.bridge_abilities(played, out=folder / "out", **QUICK), folder / "out"


@pytest.mark.draws
@pytest.mark.slow
def test_players_pairs_and_partnerships_are_near_the_truth(club):
    played, truth = club
    found = bridge.bridge_abilities(played, **QUICK)
    skill = truth.skill_imps - truth.skill_imps.mean()
    players = found.frame.set_index("player").loc[truth.players]
    assert ((players["rating_imps"] - skill).abs() < 4.0 * players["sd_imps"]).all()
    assert np.corrcoef(players["rating_imps"], skill)[0, 1] > 0.8
    pairs = found.pairs.set_index("pair")
    worth = dict(zip((name.replace(" & ", " + ") for name in truth.pairs.tolist()), truth.pair_imps, strict=True))
    wanted = np.array([worth[name] for name in pairs.index]) - 2.0 * truth.skill_imps.mean()
    assert (np.abs(pairs["rating_imps"] - wanted) < 4.5 * pairs["sd_imps"]).all()
    bonds = found.partnerships.set_index("pair").loc[pairs.index]
    place = {name: code for code, name in enumerate(truth.players.tolist())}
    halves = np.array([[place[one] for one in name.split(" + ")] for name in pairs.index])
    summed = players["rating_imps"].to_numpy()[halves].sum(axis=1)
    np.testing.assert_allclose(summed + bonds["rating_imps"].to_numpy(), pairs["rating_imps"].to_numpy(), atol=1e-9)
    assert (found.frame["told"] == "yes").all()
    assert found.frame["results"].tolist() == [SESSIONS * BOARDS] * 12


def test_the_folder_has_the_lists_and_a_whole_trace(rated):
    found, folder = rated
    assert sorted(path.name for path in folder.iterdir()) == [
        ".halfpoint.json",
        "index.html",
        "pairs.csv",
        "partnerships.csv",
        "players.csv",
        "report.html",
        "trace.nc",
    ]
    for name, frame in (("players", found.frame), ("pairs", found.pairs), ("partnerships", found.partnerships)):
        pd.testing.assert_frame_equal(pd.read_csv(folder / f"{name}.csv"), frame, check_dtype=False)
    assert read(folder / "trace.nc").attrs["model"] == "bridge-ability"
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert page.count("What a player adds to a board with an average partner and opponents; the mean player is 0.") == 1


@pytest.mark.slow
def test_the_command_is_the_function(tmp_path, halfpoint):
    few, file = ("--draws", 30, "--tune", 60, "--chains", 2, "--seed", 7), tmp_path / "club.csv"
    played, _ = simulate_club(players=8, sessions=2, boards=4, seed=6)
    file.write_text(csv_text(played), encoding="utf-8")
    code, out, error = halfpoint("bridge", "rate", file, "--model", "bridge-ability", *few, "--json")
    assert code in (0, 3), error
    told = json.loads(out)
    by_name = {row["player"]: row["rating_imps"] for row in told["rows"]}
    answer = bridge.bridge_abilities(played, draws=30, tune=60, chains=2, seed=7)
    found = answer.frame.set_index("player")["rating_imps"]
    np.testing.assert_allclose([by_name[name] for name in found.index], found, rtol=1e-9)
    _, out, _ = halfpoint(
        "bridge", "rate", file, "--model", "bridge-ability-t", *few, "--quiet", "--out", tmp_path / "out"
    )
    assert "players.csv, pairs.csv, partnerships.csv, report.html, trace.nc in" in out


def test_the_uncertainty_of_a_pair_shrinks_with_its_results(rated):
    found = rated[0].pairs.sort_values("results")
    assert found["sd_imps"].corr(found["results"], method="spearman") < -0.5
    assert found["sd_imps"][:8].mean() > 1.2 * found["sd_imps"][-5:].mean()


@pytest.mark.further
@pytest.mark.draws
def test_steady_pairs_are_known_as_pairs_and_said_to_be():
    steady, _ = simulate_club(players=8, sessions=3, boards=6, change=0.0, seed=2)
    found = bridge.bridge_abilities(steady, **QUICK)
    assert found.frame["told"].tolist() == ["only together"] * 4
    assert set(found.frame["player"]) == set(found.pairs["pair"])
    assert "Always together, so listed as one" in found.note
    # the pair is known; how much of it is its players' is left to the prior
    pair, player = found.pairs.set_index("pair")["sd_imps"], found.frame.set_index("player")["sd_imps"]
    bond = found.partnerships.set_index("pair")["sd_imps"]
    assert (2.0 * player > 0.5 * bond).all()
    assert (pair < np.hypot(2.0 * player, bond)).all()


def test_what_is_refused_is_one_line(club, tmp_path, halfpoint):
    file = tmp_path / "club.csv"
    file.write_text(csv_text(club[0]), encoding="utf-8")
    for options, says in (
        (("--model", "bridge"), "expected elo | bridge-ability | bridge-ability-t | bridge-ability-even"),
        (("--model", "bridge-ability", "--method", "matches"), "--method: expected no rule of Elo"),
        (("--model", "bridge-ability", "--set", "k=8"), "--set: expected no rule of Elo"),
    ):
        code, out, error = halfpoint("bridge", "rate", file, *options, "--out", tmp_path / "none")
        assert (code, out) == (2, "")
        assert says in error
        assert error.count("\n") == 1
        assert not (tmp_path / "none").exists()
    with pytest.raises(ModelError, match="bridge-ability-t"):
        bridge.bridge_abilities(club[0], "margin-normal")
