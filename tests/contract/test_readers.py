"""Readers: each of thirty tables is the same table in every format and through every function that reads games."""

import csv
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from few_cases import few

from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.workflows.forecasts import games_to_come
from halfpoint.apps.workflows.intake import Account, games_from, take_in
from halfpoint.apps.workflows.options import Intake
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

DOUBLES = {
    "white": [["Ann", "Bob"], ["Carl", "Dora"], ["Ann", "Carl"]],
    "black": [["Carl", "Dora"], ["Bob", "Ann"], ["Dora", "Bob"]],
    "score": [1, 0, 0.5],
}
TABLES = {  # name: columns, options of the reader, and what comes out: White's scores or words of the refusal
    "chess": (
        {"White": ["Ann", "Bob", "Cid"], "Black": ["Bob", "Cid", "Ann"], "Result": ["1-0", "½-½", "0-1"]},
        {},
        [1, 0.5, 0],
    ),
    "football": (
        {
            "Div": ["E0", "E0"],
            "Date": ["13/08/2021", "14/08/2021"],
            "HomeTeam": ["Leeds", "Derby"],
            "AwayTeam": ["Derby", "Leeds"],
            "FTHG": [3, 1],
            "FTAG": [1, 1],
            "FTR": ["H", "D"],
            "B365H": [1.9, 2.25],
        },
        {},
        [1, 0.5],
    ),
    "goals": ({"home": ["A", "B", "A"], "away": ["B", "A", "B"], "score": ["3-2", "0-0", "1-4"]}, {}, [1, 0.5, 0]),
    "H/D/A": ({"home": ["A", "B", "A"], "away": ["B", "A", "B"], "result": ["H", "D", "A"]}, {}, [1, 0.5, 0]),
    "1/X/2": ({"home": ["A", "B", "A"], "away": ["B", "A", "B"], "result": ["1", "X", "2"]}, {}, [1, 0.5, 0]),
    "white/draw/black": (
        {"white": ["A", "B", "A"], "black": ["B", "A", "B"], "winner": ["white", "draw", "black"]},
        {},
        [1, 0.5, 0],
    ),
    "doubles": (DOUBLES, {}, [1, 0, 0.5]),
    "doubles in columns": (
        {"white_1": ["A", "B"], "white_2": ["C", ""], "black_1": ["B", "A"], "black_2": ["D", None], "score": [1, 0.5]},
        {},
        [1, 0.5],
    ),
    "ratings": (
        {
            "white": ["A", "B"],
            "black": ["B", "A"],
            "score": [1, 0.5],
            "WhiteElo": [2000, None],
            "BlackElo": [1900.5, 2100],
        },
        {},
        [1, 0.5],
    ),
    "dates": (
        {
            "white": ["A", "B", "A"],
            "black": ["B", "A", "B"],
            "score": [1, 0, 1],
            "Date": ["1620-05-01", "1899-12-30", None],
        },
        {},
        [1, 0, 1],
    ),
    "weights": ({"white": ["A", "B"], "black": ["B", "A"], "score": [1, 0], "weight": [0.25, 3]}, {}, [1, 0]),
    "judgements": (
        {
            "model_a": ["x", "y", "x"],
            "model_b": ["y", "x", "y"],
            "winner": ["model_a", "both_bad", "model_b"],
            "judge": ["j", "k", "j"],
            "tstamp": [1684167453.9, 1684167500.0, 1684260000.5],
        },
        {},
        [1, 0.5, 0],
    ),
    "one column an outcome": (
        {
            "model_a": ["x", "y", "x"],
            "model_b": ["y", "x", "y"],
            "winner_model_a": [1, 0, 0],
            "winner_model_b": [0, 0, 1],
            "winner_tie": [0, 1, 0],
        },
        {},
        [1, 0.5, 0],
    ),
    "words of one's own": (
        {"left": ["x", "y", "z"], "right": ["y", "x", "x"], "label": ["ouch", "skip", "z"]},
        {"outcomes": "ouch=second,skip=drop"},
        [0, 1],
    ),
    "tennis": ({"winner_name": ["Ann", "Bob"], "loser_name": ["Bob", "Cid"], "score": ["6-4 6-3", "7-5"]}, {}, [1, 1]),
    "other words": (
        {"H": ["Ann", "Bob"], "V": ["Bob", "Ann"], "Pts": [0.5, 1]},
        {"columns": {"first": "H", "black": "V", "outcome": "Pts"}},
        [0.5, 1],
    ),
    "empty cells": (
        {"white": ["A", "B", "A", "BYE"], "black": ["B", "A", "C", "A"], "result": ["1-0", None, "*", "1-0"]},
        {},
        [1],
    ),
    "unicode": ({"white": ["Łódź", "  Žižek, Š. "], "black": ["Köln", "李 明"], "score": [1, 0]}, {}, [1, 0]),
    "BOM": ({"white": ["Łódź", "B"], "black": ["B", "Łódź"], "score": [1, 0]}, {}, [1, 0]),
    "numbers as names": ({"player1": [17, 4, 17], "player2": [4, 17, 4], "result": [1, 0, 0.5]}, {}, [1, 0, 0.5]),
    "no such result": ({"white": ["A", "B"], "black": ["B", "A"], "score": [1, 0.7]}, {}, "found '0.7'"),
    "no such winner": ({"white": ["A", "B"], "black": ["B", "A"], "winner": ["A", "Cid"]}, {}, "found 'Cid'"),
    "no such day": (
        {"white": ["A", "B"], "black": ["B", "A"], "score": [1, 1], "date": ["2013-02-28", "2013-02-29"]},
        {},
        "found '2013-02-29'",
    ),
    "a weight without end": (
        {"white": ["A", "B"], "black": ["B", "A"], "score": [1, 1], "weight": [1, 10**10]},
        {},
        "from 0 to 1e+09",
    ),
    "nobody": ({"white": ["A", None], "black": ["B", "A"], "score": [1, 1]}, {}, "row 2, column white"),
    "oneself": ({"white": ["A", "B"], "black": ["B", "B"], "score": [1, 1]}, {}, "two different players, found 'B'"),
    "on both sides": (
        {"white": [["A", "B"], ["A", "C"]], "black": [["C", "D"], ["C", "B"]], "score": [1, 1]},
        {},
        "found 'C' on both",
    ),
    "no result": ({"white": ["A", "B"], "black": ["B", "A"], "note": ["x", "y"]}, {}, "a column for score"),
    "two homes": (
        {"home": ["A"], "home_team": ["B"], "away": ["C"], "score": [1]},
        {},
        "one column for white, found 'home', 'home_team'",
    ),
    "no such column": (
        {"white": ["A"], "black": ["B"], "score": [1]},
        {"columns": {"white": "W"}},
        "expected a column 'W'",
    ),
}
LISTS = [name for name, (columns, *_) in TABLES.items() if any(isinstance(c[0], list) for c in columns.values())]
FORMATS = ("csv", "tsv", "jsonl", "parquet", "arrow", "pandas", "polars")


def in_format(columns, kind, folder, mark):
    """Write columns in a format; return the file or the frame."""
    file = folder / f"games.{kind}"
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    if kind in ("csv", "tsv"):
        with file.open("w", newline="", encoding="utf-8-sig" if mark else "utf-8") as opened:
            made = csv.writer(opened, delimiter="," if kind == "csv" else "\t")
            made.writerow(columns)
            made.writerows([["+".join(one) if isinstance(one, list) else one for one in row.values()] for row in rows])
    elif kind == "jsonl":
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        file.write_text(text, encoding="utf-8-sig" if mark else "utf-8")
    elif kind == "pandas":
        return pd.DataFrame(columns)
    else:
        frame = pl.DataFrame(columns, strict=False)
        if kind == "polars":
            return frame
        (frame.write_parquet if kind == "parquet" else frame.write_ipc)(file)
    return file


def plain(text, source):
    """Line with rows in place of lines, and without the name of the source."""
    text = text.replace(str(source), "games").replace("data frame", "games")
    return re.sub(r"\bline ((?:\d+)(?:, \d+)*)", lambda found: f"row {less(found[1])}", text)


def less(numbers):
    return ", ".join(str(int(number) - 1) for number in numbers.split(", "))


def taken(reader, source, options):
    """Result of a reader on a source: the columns of its table, or the text of its refusal."""
    try:
        games = reader(source, **options)
    except GameTableError as refused:
        return plain(str(refused), source)
    found = {"white": games.white_names, "black": games.black_names, "score": games.score, "date": games.date}
    found |= {name: getattr(games, name) for name in ("white_rating_elo", "black_rating_elo", "weight", "period")}
    found |= {"line": games.line - (games.counts == "line")} | dict(games.covariates)
    notes = [plain(note, source) for note in games.notes]
    sides = None if games.sides is None else [games.sides.people.tolist(), games.sides.members.tolist()]
    return {key: value if value is None else value.astype(str).tolist() for key, value in found.items()}, sides, notes


def judged(source, **options):
    return read_judgements(source, **options).games


def of_intake(source, **options):
    return take_in(source, None, Account(), Intake(reader=options))


@pytest.mark.cases(3)
@pytest.mark.parametrize("name", few(TABLES, 9))
def test_a_table_is_the_same_in_every_format_and_for_every_function_that_reads_games(tmp_path, name):
    columns, options, expected = TABLES[name]
    made = {}
    for kind in FORMATS:
        source = in_format(columns, kind, tmp_path, name == "BOM")
        split = {"sides": "+"} if name in LISTS and kind in ("csv", "tsv") else {}
        for reader in (read, games_from, of_intake, judged, games_to_come):
            in_one = reader in (games_from, games_to_come)
            asked = {"options": options | split} if in_one else options | split
            made[kind, reader.__name__] = taken(reader, source, asked)
    reference = made["jsonl", "read"]
    for (kind, reader), found in made.items():
        if isinstance(expected, str):
            assert isinstance(found, str) or reader == "games_to_come", (kind, reader)
            same = made["jsonl", "games_to_come"] if reader == "games_to_come" else reference
            assert found == same, (kind, reader)
            assert expected in reference
        elif reader == "judged":  # covariates have the names of the field, and notes are in the account
            assert found[1] == reference[1], kind
            shared = [key for key in found[0] if key in reference[0]]
            assert {key: found[0][key] for key in shared} == {key: reference[0][key] for key in shared}, kind
        else:  # where the winner is named first, the intake draws the seats
            alone = reader == "games_to_come" or (name == "tennis" and reader == "of_intake")
            assert found == (made["jsonl", reader] if alone else reference), (kind, reader)
    if not isinstance(expected, str):
        np.testing.assert_array_equal(np.array(reference[0]["score"], dtype=float), expected)


def test_what_each_kind_of_table_holds_is_kept(tmp_path):
    football = read(in_format(TABLES["football"][0], "jsonl", tmp_path, False))
    assert football.margin.tolist() == [2, 0]
    assert football.covariates["B365H"].tolist() == [1.9, 2.25]
    assert football.date.astype(str).tolist() == ["2021-08-13", "2021-08-14"]
    assert next(note for note in football.notes if "left out" in note).startswith("columns left out: 'Div' (")
    doubles = read(in_format(DOUBLES, "jsonl", tmp_path, False))
    assert doubles.people.tolist() == ["Ann", "Bob", "Carl", "Dora"]
    dates = read(in_format(TABLES["dates"][0], "parquet", tmp_path, False))
    assert dates.date.astype(str).tolist() == ["1620-05-01", "NaT", "NaT"]
    assert "dates: 1 game of 1899-12-30, a spreadsheet's zero, treated as unknown (row 2)" in dates.notes
    judgements = read_judgements(in_format(TABLES["judgements"][0], "arrow", tmp_path, False))
    assert judgements.games.covariates["judge"].tolist() == ["j", "k", "j"]
    assert judgements.games.date.astype(str).tolist() == ["2023-05-15", "2023-05-15", "2023-05-16"]


COMMANDS = """
import sys
from pathlib import Path
from halfpoint.apps.fields.arena.list import leaderboard
from halfpoint.apps.fields.office.list import official_list
from halfpoint.apps.fields.office.performances import performances
from halfpoint.models.games.errors import GameTableError
from halfpoint.apps.workflows.backtesting import backtest
from halfpoint.apps.workflows.fitting import fit
from halfpoint.apps.workflows.rating_list import rate
readers = [rate, leaderboard, official_list, performances]
readers += [lambda one: fit(one, "davidson-common"), lambda one: backtest(one, "elo")]
for file in sorted(Path(sys.argv[1]).iterdir()):
    for reader in readers:
        try:
            reader(file)
        except GameTableError as refused:
            print(str(refused).replace(str(file), "games").replace("line 4", "row 3"))
"""


def test_every_command_refuses_in_the_same_words(tmp_path, zygote):
    columns = {"white": ["A", "B", "C"], "black": ["B", "A", "A"], "result": ["white", "D", "perhaps"]}
    for kind in ("csv", "tsv", "jsonl", "parquet", "arrow"):
        in_format(columns, kind, tmp_path, False)
    code, printed, errors, _ = zygote.run([tmp_path], tmp_path, program=COMMANDS)
    assert code == 0, errors
    words = "Say what it means: --outcomes perhaps=first|second|tie|both_bad|drop."
    refusal = f"games, row 3, column result: expected White's score: 0, 0.5 or 1, found 'perhaps'. {words}"
    assert printed.splitlines() == [refusal] * 30
