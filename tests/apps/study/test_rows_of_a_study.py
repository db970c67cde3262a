"""Models sampled by a study: models that its games do not allow are left out and reported before sampling."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from covering_rows import COVERING

from halfpoint.apps.study import run_study
from halfpoint.apps.study.run.games import StudyGames, study_games
from halfpoint.apps.study.run.rows import allowed_runs, runs_of
from halfpoint.models.declaration.catalogue import CATALOGUE, TWELVE
from halfpoint.models.games.errors import HalfpointError

MINE = """
from dataclasses import replace
import pymc as pm
from halfpoint.models import find, margin
from halfpoint.models.rows.effects import Effects
from halfpoint.models.formulas.margin import STUDENT


def points(games):
    with pm.Model(coords=games.coords) as model:
        strength = pm.Normal("strength", 0.0, 10.0, dims="player")
        margin(games, games.white(strength), games.black(strength), pm.Normal("log_width", 1.0, 2.0), STUDENT)
    return model


cups = replace(find("davidson"), name="cups", effects=Effects({"log_draw": "1 | cup"}))
"""


@pytest.fixture(scope="module")
def games():
    return study_games(None, True)


def left_out(runs, games):
    lines = []
    kept = allowed_runs(runs, games, lines.append)
    return kept, {line.partition(" left out: ")[0]: line.partition(" left out: ")[2] for line in lines}


def with_columns(games, *columns):
    """Games with columns, in training and tests, drawn at random unless they are texts."""

    def told(table, names):
        rng = np.random.default_rng(2)
        found = {name: rng.integers(0, 2, len(table)).astype(float) for name in names}
        return replace(table, covariates={**table.covariates, **found})

    training = replace(games.training, games=told(games.training.games, columns))
    return StudyGames(training, told(games.set_a, columns), told(games.set_b, columns))


def test_names_decide_what_is_asked_for_and_extended_adds_nothing_to_them():
    assert [name for name, _ in runs_of(None, ["computed"], False)] == list(TWELVE)
    assert [name for name, _ in runs_of(None, ["computed"], True)] == list(CATALOGUE)
    both = [("bt", "computed"), ("davidson-walk", "corrected")]
    assert runs_of("bt,davidson-walk", ["computed"], False) == both
    assert runs_of("bt,davidson-walk", ["computed"], True) == both
    every = runs_of("davidson-walk,bt", ["computed", "described"], False)
    assert every == [("bt", "computed"), ("bt", "described"), ("davidson-walk", "described")]


def test_what_the_games_do_not_allow_is_left_out_with_the_reason(games):
    few = games.training.take(np.arange(0, len(games.training), 10))
    games = StudyGames(few, games.set_a, games.set_b)
    rows = {*COVERING, *TWELVE, "margin-normal", "bridge-ability", "davidson-walk", "davidson-rated"}
    kept, reasons = left_out(runs_of(",".join(rows), ["computed"], True), games)
    assert "expected a margin" in reasons["margin-normal"]
    assert "expected the column 'deal'" in reasons["bridge-ability"]
    assert "expected the column 'rapid'" in reasons["davidson-rapid"]
    assert set(TWELVE) <= {name for name, _ in kept}
    assert {"davidson-walk", "davidson-rated", "listed-full", "rao-kupper"} <= {name for name, _ in kept}
    assert {name for name, _ in kept} | set(reasons) == rows


def test_rows_are_asked_and_not_known_by_name(games, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(MINE)
    runs = runs_of("mine.py:points,mine.py:cups,davidson-rapid,bt", ["computed"], False)
    kept, reasons = left_out(runs, games)
    assert [name for name, _ in kept] == ["bt"]
    assert "expected a margin" in reasons["mine.py:points"]
    assert "expected the column 'cup'" in reasons["mine.py:cups"]
    kept, reasons = left_out(runs, with_columns(games, "cup", "rapid"))
    assert sorted(name for name, _ in kept) == ["bt", "davidson-rapid", "mine.py:cups"]
    assert list(reasons) == ["mine.py:points"]


def test_what_the_test_sets_miss_is_found_as_well(games):
    there = with_columns(games, "rapid")
    kept, reasons = left_out([("davidson-rapid", "corrected"), ("bt", "computed")], without_columns(there))
    assert [name for name, _ in kept] == ["bt"]
    assert "expected the column 'rapid'" in reasons["davidson-rapid"]
    bare = StudyGames(games.training, replace(games.set_a, period=None), replace(games.set_b, period=None))
    kept, reasons = left_out([("davidson-walk", "corrected"), ("bt", "computed")], bare)
    assert [name for name, _ in kept] == ["bt"]
    assert "expected a period for each game" in reasons["davidson-walk"]


def without_columns(games):
    """Games and test sets, with only the ratings of December 2012."""

    def bare(table):
        ratings = {name: one for name, one in table.covariates.items() if "2012" in name}
        return replace(table, covariates=ratings)

    return StudyGames(games.training, bare(games.set_a), bare(games.set_b))


def test_games_that_allow_none_are_refused_before_sampling(tmp_path):
    said = []
    with pytest.raises(HalfpointError, match=r"these games allow none of the requested models: .*expected a margin"):
        run_study(tmp_path / "run", models="margin-normal,margin-t", replica=True, extended=True, say=said.append)
    assert [line.partition(" ")[0] for line in said] == ["margin-normal", "margin-t"]
    assert not (tmp_path / "run" / "traces").exists()


@pytest.mark.slow
@pytest.mark.parametrize("replica", [True, pytest.param(False, marks=pytest.mark.real)])
def test_all_that_rows_are_made_of_goes_through_the_study(tmp_path, replica):
    said, rows = [], [*COVERING]
    few = {"draws": 20, "tune": 40, "chains": 2, "seed": 3}
    found = run_study(tmp_path, models=rows, replica=replica, say=said.append, **few)
    out = {line.partition(" ")[0] for line in said if " left out: " in line}
    expected = set(rows) - out
    assert out == {one for one in rows if one.startswith(("margin", "bridge", "davidson-rapid")) or "context" in one}
    assert {tree.attrs["model"] for tree in found.traces} == expected
    for table in ("predictive", "models", "ratings"):
        assert expected <= set(pd.read_csv(tmp_path / "tables" / f"{table}.csv")["name"])
    assert {one["name"] for one in json.loads((tmp_path / "summary.json").read_text())["models"]} == expected
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert all(name in page for name in expected)
