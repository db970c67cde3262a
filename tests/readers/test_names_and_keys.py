"""Odd names of files and columns, JSON with a key twice or half a character, and rows with many faults."""

import json
import os
import random

import pandas as pd
import polars as pl
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read
from halfpoint.readers.words import PAIRS, pairs_apart, parted_by

ROW = {"white": "Ann", "black": "Bob", "result": "1-0"}
NAMES = ("caf\udce9", "a*b", "a[1]", "a?", "{x}", "plain")


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "parquet", "arrow"])
def test_a_file_is_read_under_every_name(name, ending, tmp_path):
    path = tmp_path / f"{name}.{ending}"
    frame, plain = pl.DataFrame([ROW] * 3), tmp_path / "plain"
    if ending == "parquet":
        frame.write_parquet(plain)
    elif ending == "arrow":
        frame.write_ipc(plain)
    else:
        lines = [json.dumps(ROW)] * 3
        text = {"jsonl": "\n".join(lines), "json": f"[{','.join(lines)}]", "csv": frame.write_csv()}[ending]
        plain.write_text(text)
    os.link(plain, path)
    assert read(path).score.tolist() == [1.0] * 3


@pytest.mark.parametrize("ending", ["jsonl", "json"])
def test_a_key_twice_is_refused_wherever_it_is(ending, tmp_path):
    path = tmp_path / f"games.{ending}"
    line, twice = json.dumps(ROW), '{"white": "Ann", "black": "Bob", "result": "1-0", "result": "0-1"}'
    lines = [*[line] * 1500, twice]
    path.write_text("\n".join(lines) if ending == "jsonl" else f"[{','.join(lines)}]")
    where = ", line 1501: " if ending == "jsonl" else ": "
    with pytest.raises(GameTableError, match=rf"games\.{ending}{where}expected .*, found the key 'result' twice"):
        read(path)


def test_one_name_in_two_objects_is_no_key_twice(tmp_path):
    rows = [{"white": "Ann", "black": "Bob", "result": "1-0", "more": {"white": "w", "result": 3}}] * 3
    (tmp_path / "games.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert len(read(tmp_path / "games.jsonl")) == 3


def test_half_a_character_is_refused_with_its_row_if_its_column_is_used(tmp_path):
    file = tmp_path / "games.json"
    file.write_text(json.dumps([ROW, ROW | {"white": "\ud83d"}]))
    with pytest.raises(GameTableError, match=r"games\.json, row 2, column white: .* found half of a surrogate"):
        read(file)
    for further in ({"white": "\U0001f600"}, {"note": "\ud83d"}):
        file.write_text(json.dumps([ROW, ROW | further]))
        assert len(read(file)) == 2


@pytest.mark.parametrize("half", ["\\ud83d", "\\ude00", "a\\ud83d\\ud83d\\ude00", "\\udbff and more"])
def test_half_a_character_in_a_line_is_refused_with_its_column(half, tmp_path):
    line = '{"white": "Ann%s", "black": "Bob", "result": "1-0", "note": "%s"}\n'
    (tmp_path / "games.jsonl").write_text(line % ("", "") * 1500 + line % (half, ""))
    with pytest.raises(GameTableError, match=r"games\.jsonl, line 1501, column white: .* found half of a surrogate"):
        read(tmp_path / "games.jsonl")
    (tmp_path / "games.jsonl").write_text(line % ("\\ud83d\\ude00", "\\ud83d") * 9 + line % ("\\\\ud83d", ""))
    assert read(tmp_path / "games.jsonl").players.tolist() == ["Ann\\ud83d", "Ann\U0001f600", "Bob"]


def test_pairs_of_columns_are_those_of_comparing_each_with_each():
    chance = random.Random(1)
    words = [*(word for pair in PAIRS for word in pair), "1", "2", "team", "name", "p1", "p2", "q12", "q22"]
    seen = 0
    for _ in range(40):
        names = list(dict.fromkeys("_".join(chance.choices(words, k=chance.randint(1, 3))) for _ in range(60)))
        wanted = [(one, other) for one in names for other in names if one != other and parted_by(one, other)]
        assert pairs_apart(names) == wanted
        seen += len(wanted)
    assert seen > 50


def test_rows_with_different_faults_are_set_apart_together(tmp_path):
    row = {"white": "Ann", "black": "Bob", "result": "1-0"}
    odd = [row | {"white": name} for name in ("", "?", "TBD")] + [row | {"result": f"x{k}"} for k in range(3)]
    path = tmp_path / "games.csv"
    pl.DataFrame([*[row] * 100, *odd, *[row] * 194]).write_csv(path)
    games = read(path)
    assert len(games) == 294
    assert "set apart: 6 games, faulty (line 102, 103, 104, 105, 106, ...; the first has '' in white)" in games.notes
    pl.DataFrame([*[row] * 99, *odd, odd[-1], *[row] * 194]).write_csv(path)
    with pytest.raises(GameTableError, match=r"line 101, column white: expected a player's name, found ''"):
        read(path)


def test_recurring_names_of_a_frame_are_stripped_and_checked_where_they_first_occur():
    rows = [(" Ann ", "Bob", 1.0), ("Ann", "Bob\u3000", 0.0), ("Cid", "Ann", 0.5)] * 3
    games = read(pd.DataFrame(rows, columns=["white", "black", "score"]))
    assert games.white_names.tolist() == ["Ann", "Ann", "Cid"] * 3
    assert games.black_names.tolist() == ["Bob", "Bob", "Ann"] * 3
    torn = [*rows, ("D\ud83d", "Ann", 1.0), ("D\ud83d", "Bob", 1.0)]
    with pytest.raises(GameTableError, match=r"row 10, column white: .* found half of a surrogate pair"):
        read(pd.DataFrame(torn, columns=["white", "black", "score"], dtype=object))


@pytest.mark.parametrize("name", ["judge", "surface", "category"])
def test_numbers_under_the_name_of_a_text_about_a_vote_are_a_column(name):
    games = read(pd.DataFrame([ROW] * 3).assign(**{name: [0, 2, 1]}))
    assert games.covariates[name].tolist() == [0.0, 2.0, 1.0]
    assert not games.notes
