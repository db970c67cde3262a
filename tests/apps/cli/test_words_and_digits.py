"""The terminal uses the vocabulary of the sport, and no more digits than errors allow."""

import json
import os
import subprocess
import sys

import pandas as pd
import pytest

from halfpoint import readers
from halfpoint.apps import workflows
from halfpoint.apps.cli.output import Answering, show
from halfpoint.apps.cli.terminal import console, timed_lines
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.pages.cells import Look
from halfpoint.apps.workflows.answer import as_csv


def test_a_forecast_of_football_speaks_of_home_and_away():
    rows = [("Ajax", "PSV", 1.0), ("PSV", "Ajax", 0.5), ("Ajax", "Twente", 0.5), ("Twente", "PSV", 0.0)] * 8
    played = readers.read(pd.DataFrame(rows, columns=["home", "away", "score"]))
    rated = workflows.rate(played, model="davidson-population", draws=200, tune=300, chains=2)
    shown = workflows.forecast(rated.trace, white="ajax", black="PSV").look.frame
    assert shown.columns.tolist() == ["Home", "Away", "home", "draw", "away", "expected score"]
    assert shown["Home"].tolist() == ["Ajax"]  # as the trace spells it


def test_the_terminal_shows_what_the_error_allows_and_files_everything(tmp_path):
    frame = pd.DataFrame({"player": ["Ann"], "rating_elo": [1812.345], "low_elo": [1700.5], "high_elo": [1900.5]})
    frame["best_percent"], frame["other"] = [0.123], [2.345]
    title = "A title that is a good deal longer than all the columns of this little table"
    with console.capture() as caught:
        show(frame, {"title": title}, Answering(out=tmp_path / "list.csv"), look=Look(chances=("best_percent",)))
    cells = [line.split() for line in caught.get().splitlines() if "Ann" in line]
    assert cells == [["Ann", "1812", "1700", "to", "1900", "<1%", "2.3"]]
    assert "longer than all the columns of this little table" in caught.get()  # in one line
    assert "1812.345" in as_csv(frame)


@pytest.mark.parametrize("width", [24, 40, 60, 120])
def test_columns_without_room_follow_in_a_further_block_with_the_names(monkeypatch, capsys, width):
    names = ["rank", "player", "rating_elo", "opponents_met", "a_long_heading", "last"]
    frame = pd.DataFrame([[1, "Alexandra", 1812.5, 17.0, 3.0, 4.0]], columns=names)
    monkeypatch.setattr(console, "width", width)
    show(frame, {"title": "List"}, Answering())
    lines = capsys.readouterr().out.splitlines()
    heads = [line for line in lines if "player" in line]
    rows = [line for line in lines if "Alexandra" in line]
    assert " ".join(heads).replace("rank", "").replace("player", "").split() == [
        "rating", "opponents", "met", "a", "long", "heading", "last"]  # fmt: skip
    cells = [cell for row in rows for cell in row.split() if cell not in ("1", "Alexandra")]
    assert cells == ["1812.5", "17", "3", "4"]
    assert len(heads) == len(rows) == {24: 4, 40: 3, 60: 2, 120: 1}[width]
    assert all(len(line) <= width for line in lines) or width == 24  # a name and a number are wider


@pytest.mark.parametrize(("columns", "longest"), [("", 80), ("120", 120), ("wide", 80), ("3", 20)])
def test_output_in_a_file_is_as_wide_as_asked(columns, longest):
    code = "from halfpoint.apps.cli.terminal import console; print(console.width)"
    ran = subprocess.run(
        [sys.executable, "-c", code], env=os.environ | {"COLUMNS": columns}, capture_output=True, check=True
    )
    assert int(ran.stdout) == longest


def test_lines_of_stages_have_their_seconds_where_no_terminal_shows_a_bar(capsys):
    clock = iter([0.0, 0.4, 9.4])
    heard = timed_lines(clock=lambda: next(clock))
    heard("read")
    heard("sampled")
    assert capsys.readouterr().out.splitlines() == ["read", "sampled (9 s)"]


@pytest.mark.parametrize(
    ("simulate", "answers"),
    [
        ("simulate FILE --games 60 --players 8", ["list FILE --system elo", "mle FILE"]),
        ("bridge simulate FILE --sessions 3 --players 8", ["bridge score FILE", "bridge rate FILE"]),
        ("races simulate FILE --competitors 8", ["races list FILE --system elo"]),
    ],
)
def test_whatever_reads_a_file_of_simulated_results_says_so(halfpoint, tmp_path, simulate, answers):
    file = tmp_path / "club.csv"
    assert halfpoint(*simulate.replace("FILE", str(file)).split())[0] == 0
    rows = pd.read_csv(file)
    rows = rows.assign(event=rows["event"].str.removeprefix("SIMULATED ")) if "event" in rows else rows
    for marks in ([1] * len(rows), [1] * (len(rows) - 1) + [0]):
        rows.assign(simulated=marks).to_csv(file, index=False)
        for words in answers:
            code, told, error = halfpoint(*words.replace("FILE", str(file)).split(), "--json")
            assert code == 0, error
            assert json.loads(told)["simulated"] == all(marks), words
            assert ("SIMULATED" in told) == all(marks), words


def test_simulated_line_ups_are_known_by_the_same_mark(tmp_path):
    path = tmp_path / "stints.csv"
    for marks in ("11", "10", ""):
        header, *rows = "off1,off2,def1,def2,points", "a,b,c,d,2", "c,d,a,b,0"
        if marks:
            header, *rows = f"{header},simulated", *(f"{row},{mark}" for row, mark in zip(rows, marks, strict=True))
        path.write_text("\n".join((header, *rows, "")))
        assert read_lineups(path).simulated == (marks == "11")
