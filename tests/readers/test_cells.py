"""Cells: counts of meetings, exact in any grouping; batches of a file equal the whole; refusals in one line."""

from collections import Counter

import numpy as np
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfpoint import readers
from halfpoint.models import games
from halfpoint.models.games.cells_file import is_cells
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable
from halfpoint.readers import cells as of_cells
from halfpoint.readers.cells import cells_of, expand_cells, merge_cells, reduce_file, write_cells
from halfpoint.readers.read import detect, read
from halfpoint.readers.sources import SAMPLED_ROWS

PAIRS = st.tuples(st.integers(0, 3), st.integers(1, 3), st.sampled_from([0.0, 0.5, 1.0]), st.booleans())


def table_of(rows, rated=False):
    """Table of games (White, steps to Black, score, neutral) of four players, with or without ratings."""
    white, step, score, neutral = (np.array(column) for column in zip(*rows, strict=True))
    rating = {"white_rating_elo": 1500.0 + 7.0 * np.arange(len(rows))} if rated else {}
    players = np.array(["Ann", "Bob", "Cem", "Dan"])
    black = ((white + step) % 4).astype(np.int32)
    kept = {"covariates": {"neutral": neutral.astype(float)}}
    return GameTable(players, white.astype(np.int32), black, score, **kept, **rating)


def counted(table):
    """Number of results of each kind by pair, by a plain count."""
    neutral = np.asarray(table.covariates.get("neutral", np.zeros(len(table))))
    return Counter(zip(table.white_names, table.black_names, neutral == 1.0, table.score.tolist(), strict=True))


@settings(max_examples=40, deadline=None)
@given(st.lists(PAIRS, min_size=1, max_size=40), st.integers(0, 40))
def test_cells_are_plain_counts_in_any_grouping(rows, cut):
    whole = cells_of(table_of(rows, rated=True))
    parts = [cells_of(table_of(part, rated=True)) for part in (rows[:cut], rows[cut:]) if part]
    told = {
        (row["white"], row["black"], row["neutral"], score): row[name]
        for row in whole.to_dicts()
        for name, score in zip(("loss", "draw", "win"), (0.0, 0.5, 1.0), strict=True)
        if row[name]
    }
    assert told == dict(counted(table_of(rows)))
    together = merge_cells([part.lazy() for part in parts])
    assert together.drop("white_rating_sum_elo").equals(whole.drop("white_rating_sum_elo"))
    assert together["white_rated"].sum() == len(rows)


def test_expanded_cells_have_the_same_games_and_mean_ratings(tmp_path):
    table = readers.replica().training
    write_cells(cells_of(table), tmp_path / "cells.parquet", simulated=True)
    again = expand_cells([tmp_path / "cells.parquet"])
    assert counted(again) == counted(table)
    assert again.simulated
    chosen = [games.select(one, one.players) for one in (table, again)]
    assert chosen[1].ratings_elo() == pytest.approx(chosen[0].ratings_elo(), abs=1e-9, nan_ok=True)


def test_a_file_in_batches_has_the_cells_of_the_whole(tmp_path, monkeypatch):
    """Games sorted by result, so that no batch has all results."""
    rows = 2 * SAMPLED_ROWS
    result = np.repeat(["1-0", "0-1", "1/2-1/2"], [rows, rows, 10])
    names = np.array([f"P{k}" for k in range(50)])
    frame = polars.DataFrame({
        "white": names[np.arange(result.size) % 50], "black": names[(np.arange(result.size) + 1) % 50], "result": result
    })  # fmt: skip
    frame.write_parquet(tmp_path / "games.parquet")
    whole, *_ = reduce_file(tmp_path / "games.parquet")
    monkeypatch.setattr(of_cells, "BATCH", 1500)
    parts, *_ = reduce_file(tmp_path / "games.parquet")
    assert parts.equals(whole)
    assert [int(parts[name].sum()) for name in ("loss", "draw", "win")] == [rows, 10, rows]


@pytest.mark.parametrize("odd", [None, "case", "walkover", "blank", "rating"])
def test_plain_games_have_the_cells_of_their_table(tmp_path, monkeypatch, odd):
    rng, count = np.random.default_rng(7), 3000
    white = rng.integers(0, 40, count)
    black = (white + rng.integers(1, 40, count)) % 40
    names = np.array([f"Player-{k}" for k in range(40)], dtype=object)
    result = rng.choice(["1-0", "0-1", "1/2-1/2"], count).astype(object)
    rating = np.where(rng.random(count) < 0.1, np.nan, np.rint(rng.normal(1800.0, 300.0, count)))
    columns = {"white": names[white], "black": names[black], "result": result, "white_rating_elo": rating}
    if odd == "case":
        columns["black"][columns["black"] == "Player-7"] = "player-7"
        columns["white"][columns["black"] == "player-7"] = "Player-8"
    elif odd == "walkover":
        result[5] = "+/-"
    elif odd == "blank":
        columns["white"][white == 3] = "Player 3 "
    elif odd == "rating":
        rating[0] = 1500.5
    polars.DataFrame(columns, strict=False).write_parquet(tmp_path / "games.parquet")
    whole, notes, _ = reduce_file(tmp_path / "games.parquet")  # few games are read as a table
    taken, plainly = [], of_cells.PlainGames.cells
    monkeypatch.setattr(of_cells, "_FEW", 0)
    monkeypatch.setattr(of_cells.PlainGames, "cells", lambda *some: taken.append(plainly(*some)) or taken[-1])
    found, again, _ = reduce_file(tmp_path / "games.parquet")
    assert found.equals(whole)
    assert again == notes
    assert (odd is None) == any(one is not None for one in taken)


def test_readers_of_games_refuse_cells_by_name(tmp_path):
    write_cells(cells_of(readers.replica().training), tmp_path / "x.parquet", simulated=False)
    assert detect(tmp_path / "x.parquet") == "cells"
    with pytest.raises(GameTableError, match="expected single games, found cells"):
        read(tmp_path / "x.parquet")


@pytest.mark.parametrize(("column", "value"), [("win", -1), ("black", "Ann"), ("draw", None)])
def test_faulty_cells_are_refused(tmp_path, column, value):
    made = cells_of(readers.read([("Ann", "Bob", 1.0)]))
    made = made.with_columns(polars.lit(value, dtype=made.schema[column]).alias(column))
    write_cells(made, tmp_path / "x.parquet", simulated=False)
    with pytest.raises(GameTableError, match="counts of at least 0 of two different players"):
        expand_cells([tmp_path / "x.parquet"])


def test_sides_and_broken_weights_are_refused():
    with pytest.raises(GameTableError, match="whole weights"):
        cells_of(GameTable(np.array(["A", "B"]), np.array([0], np.int32), np.array([1], np.int32), np.array([1.0]),
                           weight=np.array([0.5])))  # fmt: skip


def test_a_file_of_cells_is_a_parquet_file_with_their_columns(tmp_path):
    write_cells(cells_of(table_of([(0, 1, 1.0, False)])), tmp_path / "cells.parquet", simulated=False)
    polars.DataFrame({"white": ["Ann"], "black": ["Bob"]}).write_parquet(tmp_path / "games.parquet")
    (tmp_path / "games.csv").write_text("white,black,score\nAnn,Bob,1\n")
    assert is_cells(tmp_path / "cells.parquet")
    assert not is_cells(tmp_path / "games.parquet")
    assert not is_cells(tmp_path / "games.csv")
