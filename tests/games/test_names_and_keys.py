"""Files whose name is no UTF-8 or a pattern, and JSON with a key twice or half a character."""

import json
import os

import polars as pl
import pytest

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.read import read

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


@pytest.mark.parametrize("field", ["white", "note"])
def test_half_a_character_is_refused_with_its_row(field, tmp_path):
    rows = [ROW, ROW | {field: "\ud83d"}]
    (tmp_path / "games.json").write_text(json.dumps(rows))
    with pytest.raises(GameTableError, match=r"games\.json, row 2: expected characters of Unicode, found half"):
        read(tmp_path / "games.json")
    whole = [ROW, ROW | {field: "\U0001f600"}]
    (tmp_path / "games.json").write_text(json.dumps(whole))
    assert len(read(tmp_path / "games.json")) == 2
