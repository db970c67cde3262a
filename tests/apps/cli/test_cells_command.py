"""`halfpoint cells`, and the commands that read cells or refuse them."""

import json

import numpy as np
import pandas as pd
import polars
import pytest

from halfpoint.apps.workflows.cell_list import rate_cells
from halfpoint.models.games.cells_file import scan_cells
from halfpoint.readers.datasets.replica import replica


@pytest.fixture
def club(tmp_path):
    """Games of a club in two files, a CSV and a Parquet, without ratings."""
    rng = np.random.default_rng(2)
    white, black = rng.integers(0, 40, 1200), rng.integers(1, 40, 1200)
    names = np.array([f"Player {k:02d}" for k in range(40)])
    black = (white + black) % 40
    frame = pd.DataFrame({"white": names[white], "black": names[black]})
    wins = rng.random(1200) < 1.0 / (1.0 + np.exp((black - white) / 12.0))
    frame["score"] = np.where(rng.random(1200) < 0.3, 0.5, wins.astype(float))
    frame[:700].to_csv(tmp_path / "one.csv", index=False)
    polars.DataFrame(frame[700:].to_dict("list")).write_parquet(tmp_path / "two.parquet")
    return tmp_path


def test_a_folder_that_an_earlier_run_could_not_remove_is_removed(halfpoint, club):
    left = club / ".halfpoint.parts" / ".cells.parquet.cells-x1"
    other = left.with_name(".other.parquet.cells-x2")  # of a command that may be running
    for folder in (left, other):
        (folder / "0").mkdir(parents=True)
        (folder / "0" / "shard-0000.parquet").touch()
    code, _, error = halfpoint("cells", club / "one.csv", "--out", club / "cells.parquet")
    assert (code, error) == (0, "")
    assert (left.exists(), other.exists()) == (False, True)


def test_files_are_reduced_and_listed(halfpoint, club):
    files, cells = (club / "one.csv", club / "two.parquet"), club / "cells.parquet"
    code, out, error = halfpoint("cells", *files, "--out", cells)
    assert code == 0, error
    assert "1,200 games in" in out
    assert scan_cells(cells).select(polars.sum_horizontal("loss", "draw", "win").sum()).collect().item() == 1200
    code, _, error = halfpoint("cells", cells, *files, "--out", club / "folder", "--shards", 3)
    assert code == 0, error
    parts = [scan_cells(one) for one in sorted((club / "folder").glob("*.parquet"))]
    twice = polars.concat(parts).select(polars.sum_horizontal("loss", "draw", "win").sum()).collect().item()
    assert (len(parts), twice) == (3, 2400)
    one, other = rate_cells(cells), rate_cells(club / "folder")
    assert one.frame["games"].sum() == 2400
    assert other.frame["games"].sum() == 4800
    assert one.frame["sd_elo"].mean() > 1.2 * other.frame["sd_elo"].mean()  # about sqrt 2, less what the prior knows
    assert one.frame["rating_elo"].mean() == pytest.approx(1500.0)
    code, out, error = halfpoint("rate", cells, "--workers", 1, "--out", club / "rated", "--json")
    assert code == 0, error
    told = json.loads(out)
    assert told["status"]["code"] == "approximate"
    assert [row["rating_elo"] for row in told["rows"]] == pytest.approx(one.frame["rating_elo"].tolist())
    assert pd.read_csv(club / "rated" / "ratings.csv")["player"].tolist() == one.frame["player"].tolist()
    code, _, error = halfpoint("rate", cells, "--workers", 1, "--monitor", 5, "--out", club / "rated")
    assert (code, error.count("\n")) == (2, 1)


def test_commands_refuse_cells_that_they_cannot_use(halfpoint, club):
    halfpoint("cells", club / "one.csv", "--out", club / "x.parquet")
    for words in (("backtest",), ("performance",), ("mle",), ("forecast", club / "none.nc")):
        code, _, error = halfpoint(*words, club / "x.parquet")
        assert (code, error.count("\n")) == (2, 1)
        assert "found cells" in error or words[0] == "forecast"
    code, _, error = halfpoint("cells", club / "one.csv", "--out", club / "folder")
    assert (code, error.count("\n")) == (2, 1)
    assert "--shards" in error


def test_a_list_of_cells_is_that_of_its_games_where_order_plays_no_part(halfpoint, tmp_path):
    table = replica().training
    frame = pd.DataFrame({"white": table.white_names, "black": table.black_names, "score": table.score})
    frame = frame.assign(white_rating_elo=2600 + 5 * (table.white % 7), black_rating_elo=2600 + 5 * (table.black % 7))
    frame.to_csv(tmp_path / "games.csv", index=False)
    halfpoint("cells", tmp_path / "games.csv", "--out", tmp_path / "x.parquet")
    lists = {}
    for name in ("games.csv", "x.parquet"):
        code, _, error = halfpoint("list", tmp_path / name, "--system", "glicko", "--out", tmp_path / "list.csv")
        assert code == 0, error
        lists[name] = pd.read_csv(tmp_path / "list.csv").set_index("player")["rating_elo"]
    assert lists["x.parquet"].loc[lists["games.csv"].index].to_numpy() == pytest.approx(lists["games.csv"].to_numpy())
