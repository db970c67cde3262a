"""`halfpoint rate` and the answers from its trace, as a user calls them."""

import csv
import json
import resource
import sys

import numpy as np
import pytest

from halfpoint.cli.app import main
from halfpoint.inference.traces import read

FEW = ["--draws", "150", "--tune", "200", "--chains", "2", "--quiet"]


def halfpoint(*words):
    """Run the command line in this process; return the exit code."""
    arguments = sys.argv
    sys.argv = ["halfpoint", *map(str, words)]
    try:
        main()
    except SystemExit as stop:
        return stop.code or 0
    finally:
        sys.argv = arguments
    return 0


@pytest.fixture(scope="module")
def club(tmp_path_factory):
    """Return a folder with 800 simulated games of 12 players and what `rate` made of them."""
    folder = tmp_path_factory.mktemp("club")
    assert halfpoint("simulate", folder / "games.pgn", "--games", 800, "--players", 12) == 0
    words = ["rate", folder / "games.pgn", "--out", folder / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words) == 0
    return folder


def rows(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def test_the_ratings_are_those_the_games_came_from(club):
    truth = {row["player"]: float(row["rating_elo"]) for row in rows(club / "games.truth.csv")}
    rated = rows(club / "run" / "ratings.csv")
    assert sorted(row["player"] for row in rated) == sorted(truth)
    known = np.array([truth[row["player"]] for row in rated])
    mean, sd = (np.array([float(row[name]) for row in rated]) for name in ("rating_elo", "sd_elo"))
    # Half points against Davidson's strengths: the scale differs, the order and the contrasts must not.
    assert np.corrcoef(known, mean)[0, 1] > 0.9
    assert mean.mean() == pytest.approx(1500, abs=0.5)
    assert (sd > 0).all()
    assert sum(int(row["games"]) for row in rated) == 2 * 800


def test_the_list_the_page_and_the_trace_agree(club):
    run = club / "run"
    answer = json.loads((run / "ratings.json").read_text(encoding="utf-8"))
    tree = read(run / "trace.nc")
    drawn = tree["posterior"]["rating_elo"]
    centred = (drawn - drawn.mean("player") + 1500).mean(("chain", "draw"))
    for row in answer["rows"]:
        assert row["rating_elo"] == pytest.approx(float(centred.sel(player=row["player"])), abs=1e-6)
    assert answer["verdict"] == tree.attrs["verdict"]
    assert answer["simulated"] is False  # a PGN file does not say where its games come from
    page = (run / "report.html").read_text(encoding="utf-8")
    assert all(row["player"] in page for row in answer["rows"])


def test_names_that_spreadsheets_and_browsers_would_run_stay_text(tmp_path):
    evil = ["=HYPERLINK(1)", "<script>alert(1)</script>", "+cmd", "@x", "[red]Bob[/red]", "../../up"]
    lines = ["white,black,score"]
    lines += [f"{a},{b},{(i + j) % 3 / 2}" for i, a in enumerate(evil) for j, b in enumerate(evil) if a != b] * 3
    path = tmp_path / "evil.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    assert halfpoint("rate", path, "--out", tmp_path / "run", "--model", "bt-common", *FEW) == 0
    names = {row["player"] for row in rows(tmp_path / "run" / "ratings.csv")}
    assert {"'=HYPERLINK(1)", "'+cmd", "'@x"} <= names
    assert "<script>alert(1)" not in (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["evil.csv", "run"]


def test_answers_from_a_trace(club, capsys):
    trace = club / "run" / "trace.nc"
    capsys.readouterr()
    assert halfpoint("rank", trace, "--json") == 0
    ranked = json.loads(capsys.readouterr().out)
    assert sum(row["best_percent"] for row in ranked["rows"]) == pytest.approx(100)
    assert halfpoint("compare", trace, trace, "--json") == 0
    assert {row["rank"] for row in json.loads(capsys.readouterr().out)["rows"]} == {1}
    best, worst = ranked["rows"][0]["player"], ranked["rows"][-1]["player"]
    assert halfpoint("forecast", trace, "--white", best, "--black", worst, "--json") == 0
    assert json.loads(capsys.readouterr().out)["rows"][0]["expected_percent"] > 60


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rate", "nowhere.pgn", "--out", "run"], "nowhere.pgn: expected a file that can be read"),
        (["rate", "GAMES", "--out", "run", "--model", "bt-comon"], "Did you mean 'bt-common'?"),
        (["rate", "GAMES", "--out", "run", "--groups", "x"], "expected refuse | apart | largest"),
        (["rate", "GAMES", "--out", "run", "--min-games", "9999"], "expected a player with at least 9999 games"),
        (["rate", "GAMES", "--out", "GAMES/run", "--model", "bt"], "expected a place to write"),
        (["match", "TRACE", "Player 01", "Player 02"], "Take a Davidson model"),
        (["match", "TRACE", "Player 01", "Nobody", "--colours", "WXB"], "letters W and B"),
        (["rank", "GAMES"], "expected a NetCDF trace"),
        (["forecast", "TRACE"], "expected a file of games, or --white and --black"),
        (["rank", "TRACE", "--out", "list.xls"], "ends in .csv or .json"),
    ],
)
def test_a_mistake_is_one_line_and_leaves_nothing(club, tmp_path, monkeypatch, capsys, words, told):
    monkeypatch.chdir(tmp_path)
    places = {"GAMES": str(club / "games.pgn"), "TRACE": str(club / "run" / "trace.nc")}
    before = sorted(path.name for path in club.rglob("*"))
    for name, place in places.items():
        words = [word.replace(name, place) for word in words]
    assert halfpoint(*words, *(FEW if words[0] == "rate" else [])) == 2
    said = capsys.readouterr().err
    assert said.startswith("halfpoint: ")
    assert told in said
    assert said.count("\n") == 1
    assert "Traceback" not in said
    assert not list(tmp_path.rglob("*.nc"))
    assert not list(tmp_path.rglob("*.part"))
    assert sorted(path.name for path in club.rglob("*")) == before


def test_groups_that_never_meet_are_refused_or_rated_apart(tmp_path, capsys):
    lines = ["white,black,score"]
    lines += [f"{a}{i},{a}{j},{(i + j) % 3 / 2}" for a in "AB" for i in range(4) for j in range(4) if i != j] * 2
    path = tmp_path / "two.csv"
    path.write_text("\n".join(lines), encoding="utf-8")
    words = ["rate", path, "--out", tmp_path / "run", "--model", "bt-common", *FEW]
    assert halfpoint(*words) == 2
    assert "never meet" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.nc"))
    assert halfpoint(*words, "--groups", "apart") == 0
    for number, letter in ((1, "A"), (2, "B")):
        rated = rows(tmp_path / "run" / f"group-{number}" / "ratings.csv")
        assert sorted(row["player"] for row in rated) == [f"{letter}{i}" for i in range(4)]


def test_a_full_disk_is_told_and_the_old_results_stay(club, capsys):
    """A limit on the size of files stands for a full disk: the system refuses the write in the middle."""
    run = club / "run"
    before = {path.name: path.read_bytes() for path in run.iterdir()}
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, hard))
    try:
        code = halfpoint("rate", club / "games.pgn", "--out", run, "--model", "bt-common", *FEW, "--seed", "7")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert code == 2
    assert "expected a place to write" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in run.iterdir()} == before
