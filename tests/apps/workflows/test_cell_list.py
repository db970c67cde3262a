"""List of cells in shards: worker processes and a Dask cluster compared with a single process."""

import numpy as np
import pytest

from halfpoint.apps.workflows.cell_list import rate_cells
from halfpoint.models.games.simulate import outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.readers.cells import cells_of, write_cells

pytestmark = pytest.mark.slow


@pytest.fixture
def cells(tmp_path):
    """Cells of simulated games of 80 players."""
    rng = np.random.default_rng(7)
    strength, white = rng.normal(0.0, 1.0, 80), rng.integers(0, 80, 2000)
    black = (white + rng.integers(1, 80, 2000)) % 80
    score = scores_drawn(outcome_probabilities(strength[white] - strength[black] + 0.2, 0.1), rng)
    names = np.array([f"P{k:02d}" for k in range(80)])
    table = GameTable(names, white.astype(np.int32), black.astype(np.int32), score, simulated=True)
    write_cells(cells_of(table), tmp_path / "cells.parquet", simulated=True)
    return tmp_path / "cells.parquet"


def difference(one, other):
    """Largest difference of ratings, in standard deviations."""
    frames = [found.frame.set_index("player").sort_index() for found in (one, other)]
    return float(((frames[0]["rating_elo"] - frames[1]["rating_elo"]).abs() / frames[1]["sd_elo"]).max())


def test_worker_processes_make_the_list_of_this_process(cells):
    alone, many = rate_cells(cells), rate_cells(cells, workers=2)
    assert many.about["shards"] == 2
    assert difference(many, alone) < 1e-9


def test_a_dask_cluster_makes_the_list_of_this_process(cells):
    distributed = pytest.importorskip("distributed")
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster, set_as_default=False) as client:
        many = rate_cells(cells, client=client)
    assert many.about["shards"] == 2
    assert difference(many, rate_cells(cells)) < 1e-9
