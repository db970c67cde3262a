"""Used cells, names and headers have at most 1,000 letters; other columns may be longer."""

import json

import polars as pl
import pytest

from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.fields.bridge.csv_results import read_csv_results
from halfpoint.apps.fields.lineups.read import read_lineups
from halfpoint.apps.fields.races.read import read_races
from halfpoint.apps.workflows.beside.line_ups import read_line_ups
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

MOST = 1_000
ROWS = [("Ann", "Bob", "1-0"), ("Bob", "Cy", "0-1"), ("Cy", "Ann", "1-0")]


def table(path, **changed):
    """File of games whose second row has other cells, in the format of its suffix."""
    rows = [dict(zip(("white", "black", "result"), row, strict=True)) | {"note": "x"} for row in ROWS]
    rows[1] |= changed
    if path.suffix == ".parquet":
        pl.DataFrame(rows).write_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    elif path.suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    elif path.suffix == ".html":
        lines = [list(rows[0]), *(row.values() for row in rows)]
        cells = ["".join(f"<td>{cell}</td>" for cell in line) for line in lines]
        path.write_text("<html><table>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</table></html>")
    else:
        path.write_text("\n".join(",".join(row) for row in (list(rows[0]), *(row.values() for row in rows))) + "\n")
    return path


SUFFIXES = ("csv", "json", "jsonl", "parquet", "html")


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("column", ["white", "result"])
def test_too_long_a_cell_is_refused_by_row_and_column(tmp_path, suffix, column):
    path = table(tmp_path / f"games.{suffix}", **{column: "A" * (MOST + 1)})
    line = {"csv": "line 3", "html": "line 3"}.get(suffix, "row 2")
    with pytest.raises(GameTableError, match=rf"games\.{suffix}, {line}, column {column}: expected a cell of at most"):
        read(path)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_name_of_the_most_letters_and_an_unused_column_of_more_are_read(tmp_path, suffix):
    path = table(tmp_path / f"games.{suffix}", white="Bob", note="a note " * 10_000)
    assert sorted(read(path).players.tolist()) == ["Ann", "Bob", "Cy"]
    path = table(tmp_path / f"long.{suffix}", white="A" * MOST)
    assert max(map(len, read(path).players.tolist())) == MOST


@pytest.mark.parametrize("suffix", ["csv", "json", "parquet"])
def test_too_long_a_name_of_a_column_is_refused(tmp_path, suffix):
    path = table(tmp_path / f"games.{suffix}", **{"_" * (MOST + 1): "1"})
    if suffix == "csv":
        path.write_text(f"white,black,result,{'_ ' * MOST}_\n" + "Ann,Bob,1-0,1\n" * 3)
    with pytest.raises(GameTableError, match=r"header, column [45]: expected a name of at most 1,000 letters"):
        read(path)


def test_prompts_are_labels_of_any_length(tmp_path):
    rows = [
        {"model_a": "x", "model_b": "y", "winner": "model_a", "prompt": "why? " * 5_000},
        {"model_a": "y", "model_b": "x", "winner": "tie", "prompt": "why? " * 5_000},
        {"model_a": "x", "model_b": "z", "winner": "model_b", "prompt": "how?"},
    ]
    path = tmp_path / "votes.json"
    path.write_text(json.dumps(rows))
    games = read_judgements(path).games
    assert len(games) == 3
    assert len(set(games.covariates["prompt"].tolist())) == 2


@pytest.mark.parametrize(
    ("reader", "text"),
    [
        (read_races, "race,driver,place\n1,Ann,1\n1,{},2\n"),
        (read_lineups, "off1,off2,def1,def2,points\nA,B,C,D,1\nA,{},C,D,2\n"),
        (read_csv_results, "board,north,east,south,west,score\n1,A,B,C,D,420\n1,E,{},G,H,400\n"),
        (read_line_ups, "team,player\nA,x\nB,{}\n"),
    ],
)
def test_fields_refuse_too_long_cells_too(tmp_path, reader, text):
    (tmp_path / "a.csv").write_text(text.format("_ " * MOST))
    with pytest.raises(GameTableError, match=r"a\.csv, line 3, column \w+: expected a cell of at most 1,000 letters"):
        reader(tmp_path / "a.csv")


def test_an_order_of_many_competitors_is_a_list(tmp_path):
    names = [f"competitor number {k}" for k in range(200)]
    (tmp_path / "a.csv").write_text(f"race,order\n1,{' > '.join(names)}\n2,{' > '.join(names[::-1])}\n")
    assert read_races(tmp_path / "a.csv").competitors.size == 200
