"""Cells of a shard: counts of any size as in the file, and sums by player computed by hand."""

import polars

from halfpoint.inference.gaussian.shard import Shard
from halfpoint.models.games.cells_file import SCHEMA
from halfpoint.readers.cells import write_cells


def test_a_shard_has_the_counts_of_its_cells_and_their_sums(tmp_path):
    rows = [
        # white, black, neutral ground, loss, draw, win, games with a rating of each side, sums of ratings
        ("Ann", "Bo", False, 3, 0, 300, 303, 2, 303 * 2000.0, 2 * 1500.0),
        ("Bo", "Cy", True, 0, 70_000, 1, 0, 0, 0.0, 0.0),
    ]
    write_cells(polars.DataFrame(rows, schema=SCHEMA, orient="row"), tmp_path / "cells.parquet", simulated=False)
    shard = Shard([tmp_path / "cells.parquet"])
    assert shard.counts.tolist() == [[3, 0], [0, 70_000], [300, 1]]
    assert shard.neutral.tolist() == [False, True]
    players = {row["player"]: row for row in shard.players().to_dicts()}
    results = [tuple(players[name][key] for key in ("wins", "draws", "losses")) for name in ("Ann", "Bo", "Cy")]
    assert results == [(300, 0, 3), (4, 70_000, 300), (0, 70_000, 1)]
    assert [players[name]["rated"] for name in ("Ann", "Bo", "Cy")] == [303, 2, 0]
    assert [players[name]["rating_sum_elo"] for name in ("Ann", "Bo", "Cy")] == [606_000.0, 3000.0, 0.0]
    assert players["Bo"]["neutral"] == 70_001
