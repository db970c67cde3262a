"""A task of a finished run does not write into its folder, which may belong to a later run."""

from concurrent.futures import Executor

import numpy as np
import pytest
from rating_games import simulated

from halfpoint.apps import workflows
from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.backtest_run import run_one
from halfpoint.models.games.errors import HalfpointError
from halfpoint.systems.catalogue import SYSTEMS

GAMES = simulated(81, players=8, games=200, periods=6)[0]


class Gone(Executor):
    """Executor whose driver is interrupted as soon as tasks are sent; the tasks remain on its workers."""

    def __init__(self):
        self.tasks = []

    def submit(self, fn, /, *args, **kwargs):
        self.tasks.append((fn, args))
        raise KeyboardInterrupt


def content(folder):
    """Bytes of every file, including hidden ones."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_task_that_begins_after_its_run(tmp_path):
    executor = Gone()
    with pytest.raises(KeyboardInterrupt):
        workflows.backtest(GAMES, "elo", begin=4, out=tmp_path, executor=executor)
    workflows.backtest(GAMES, "elo", begin=5, out=tmp_path)
    later = content(tmp_path)
    ((work, arguments),) = executor.tasks
    assert work(*arguments)[0].name == "fide-rating"  # computed, and of no use
    assert content(tmp_path) == later


@pytest.mark.parametrize("period", [1, 6])
def test_a_task_that_goes_on_after_its_run(period, tmp_path):
    mark = tmp_path / ".run-1"
    mark.touch()
    everything = {"all": np.ones(len(GAMES), dtype=np.bool_)}
    plan = BacktestPlan(GAMES, 3, everything, "all", GAMES.players, tmp_path, mark=mark)

    def ends(number):
        if number == period:
            mark.unlink()

    with pytest.raises(HalfpointError, match="the run of this task has ended"):
        run_one(plan, SYSTEMS["base-rates"], ends)
    assert not list(tmp_path.rglob("*.npz"))
