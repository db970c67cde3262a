"""`halfpoint fit`, `summary` and `models`, and user errors: one line and exit code 2."""

import subprocess
import sys
from pathlib import Path

import pytest

from halfpoint.inference.traces.netcdf import read
from halfpoint.models.declaration.catalogue import TWELVE

GAMES = Path(__file__).parent.parent.parent / "reference" / "small_games.csv"


def test_models_lists_the_twelve_through_the_console_script():
    script = Path(sys.executable).parent / "halfpoint"
    printed = subprocess.run([script, "models"], capture_output=True, text=True, check=True).stdout
    first_words = [line.split()[0] for line in printed.splitlines() if line.strip()]
    assert [word for word in first_words if word in TWELVE] == list(TWELVE)


def test_fit_and_summary(tmp_path, halfpoint):
    trace = tmp_path / "ratings.nc"
    players = tmp_path / "players.txt"
    players.write_text("# monitored\nAda\nBoris\n\nChen\nDora\nEmil\n")
    options = ("--model", "bt-player", "--monitor", players, "--draws", 200, "--tune", 200, "--chains", 2, "--quiet")
    code, out, _ = halfpoint("fit", GAMES, *options, "--out", trace)
    assert code == 0
    assert "bt-player--corrected on 26 games" in out
    tree = read(trace)
    assert tree["posterior"]["player"].to_numpy().tolist() == ["Ada", "Boris", "Chen", "Dora", "Emil"]
    assert tree.attrs["edition"] == "corrected"
    code, out, _ = halfpoint("summary", trace)
    assert code == 0
    mean = tree["posterior"]["rating_elo"].mean(("chain", "draw"))
    best = str(mean["player"][int(mean.to_numpy().argmax())].item())
    line = next(line.split() for line in out.splitlines() if line.split()[:1] == ["1"])
    assert line[1] == best
    assert line[2] == f"{float(mean.max()):.0f}"  # its interval is wider than two points


def test_fit_takes_weights_by_name(tmp_path, halfpoint):
    trace = tmp_path / "weighted.nc"
    options = ("--monitor", 5, "--weights", "exponential", "--half-life", 3, "--draws", 5, "--tune", 20, "--chains", 1)
    options += ("--method", "nuts", "--quiet", "--out", trace)
    code, _, _ = halfpoint("fit", GAMES, "--model", "davidson", *options)
    assert code == 3  # of five draws there is no verdict
    weight = read(trace)["constant_data"]["weight"].to_numpy()
    assert (weight.max(), weight.min()) == pytest.approx((1.0, 0.25))  # period 7, and period 1 six periods earlier


MISTAKES = {
    "no such model": (("study", "--models", "bt-commom"), "Did you mean 'bt-common'?"),
    "no such edition": (("study", "--edition", "revised"), "computed | described | corrected | all, found 'revised'"),
    "no such file": (("fit", "nowhere.csv", "--model", "bt", "--out", "x.nc"), "nowhere.csv"),
    "no model named": (("study", "--models", ","), "--models: expected names separated by commas"),
    "no such weights": (("fit", GAMES, "--model", "bt", "--weights", "old", "--out", "x.nc"), "equal | computed"),
    "weights twice": (("fit", GAMES, "--model", "bt-weighted", "--weights", "equal", "--out", "x.nc"), "--weights"),
    "no half-life": (("fit", GAMES, "--model", "bt", "--weights", "exponential", "--out", "x.nc"), "half-life"),
    "two editions": (("fit", GAMES, "--model", "bt", "--edition", "all", "--out", "x.nc"), "one edition, found 'all'"),
    "no such rule": (("fit", GAMES, "--model", "bt", "--rule", "all", "--out", "x.nc"), "expected any | both"),
    "no such players": (("fit", GAMES, "--model", "bt", "--monitor", "none.txt", "--out", "x.nc"), "none.txt"),
    "not a trace": (("summary", GAMES), "expected a NetCDF trace"),
    "a folder without a name": (("simulate", "."), "OUT: expected a file to write, found the folder '.'"),
    "no such trace": (("summary", "nowhere.nc"), "nowhere.nc: expected a trace, found no such file"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_line_and_exit_code_two(mistake, halfpoint, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    arguments, message = MISTAKES[mistake]
    code, out, error = halfpoint(*arguments)
    assert code == 2
    assert message in error
    assert error.startswith("halfpoint: ")
    assert error.count("\n") == 1
    assert "Traceback" not in out + error
    assert list(tmp_path.iterdir()) == []


def test_a_broken_row_is_named_by_file_and_line(tmp_path, halfpoint):
    broken = tmp_path / "broken.csv"
    broken.write_text("white,black,score\nAda,Boris,1\nAda,Chen,0.7\n")
    code, _, error = halfpoint("fit", broken, "--model", "bt", "--out", tmp_path / "x.nc")
    assert code == 2
    assert "broken.csv, line 3" in error
    assert "0.7" in error
    assert not (tmp_path / "x.nc").exists()


def test_a_place_that_cannot_be_written_is_told(tmp_path, halfpoint):
    (tmp_path / "file").write_text("no folder")
    options = ("--monitor", 5, "--draws", 2, "--tune", 5, "--chains", 1, "--quiet")
    code, _, error = halfpoint("fit", GAMES, "--model", "bt", *options, "--out", tmp_path / "file" / "trace.nc")
    assert (code, error.count("\n")) == (2, 1)
    assert "expected a file in a folder to write to, found Not a directory. Choose another --out." in error
