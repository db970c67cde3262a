"""Tasks are done once, wherever they run; a worker that is killed costs only the task it was at."""

import pickle
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from cluster_tasks import marked_fit
from dask_processes import dask_cluster, wait_for

from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.traces import read
from halfpoint.workflows.cluster import Done, Task, run

HERE = Path(__file__).resolve().parent


def tasks_in(folder, count):
    return [
        Task(marked_fit, (folder, seed), folder / f"{seed}.nc", {"seed": seed, "model": "davidson-common"})
        for seed in range(count)
    ]


def starts(folder, seed):
    return len(list(folder.glob(f"started-{seed}-*")))


def test_tasks_are_done_once_and_again_only_where_the_file_is_not_theirs(tmp_path):
    tasks = tasks_in(tmp_path, 3)
    assert [done.reused for done in run(tasks)] == [False] * 3
    assert [done.reused for done in run(tasks)] == [True] * 3
    (tmp_path / "0.nc").write_bytes(b"half a file")
    (tmp_path / "1.nc").write_bytes((tmp_path / "2.nc").read_bytes())
    assert [done.reused for done in run(tasks)] == [False, False, True]
    assert [starts(tmp_path, seed) for seed in range(3)] == [2, 2, 1]
    assert [read(task.path).attrs["seed"] for task in tasks] == [0, 1, 2]


def refuse(reason):
    raise InferenceError(reason)


def test_a_mistake_ends_its_task_only(tmp_path):
    tasks = [Task(refuse, ("no such model",), tmp_path / "wrong.nc"), *tasks_in(tmp_path, 1)]
    assert list(run(tasks)) == [
        Done(tmp_path / "wrong.nc", False, "no such model"),
        Done(tmp_path / "0.nc", False),
    ]
    assert not (tmp_path / "wrong.nc").exists()


def test_two_tasks_for_one_file_and_an_absent_scheduler_are_told(tmp_path, monkeypatch):
    with pytest.raises(InferenceError, match="a path of its own"):
        list(run(tasks_in(tmp_path, 1) * 2))
    monkeypatch.setattr("halfpoint.workflows.cluster.CONNECT_SECONDS", 0.2)
    with pytest.raises(InferenceError, match=r"expected a Dask scheduler at 'tcp://127\.0\.0\.1:9'"):
        list(run(tasks_in(tmp_path, 1), "tcp://127.0.0.1:9"))


def test_a_table_survives_the_journey_to_another_process():
    truth = Truth(np.array(["Anna", "Boris"]), np.array([0.0, 1.0]))
    games = simulate(truth, round_robin(2, 3), 1)
    again = pickle.loads(pickle.dumps(games))
    np.testing.assert_array_equal(again.score, games.score)
    assert again.name == games.name
    with pytest.raises(ValueError, match="read-only"):
        again.score[0] = 1.0


@pytest.fixture
def cluster(tmp_path):
    """Start a scheduler and two workers that can import the tasks of this folder."""
    with dask_cluster(tmp_path, workers=2, modules=HERE) as started:
        yield started


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_costs_only_its_task(cluster, tmp_path):
    """Both workers are at a task when one is killed: that task is begun again by the other, no other task is."""
    address, workers = cluster
    folder = tmp_path / "results"
    folder.mkdir()
    (folder / "wait").touch()
    tasks = tasks_in(folder, 6)
    collector = ThreadPoolExecutor(1)
    collected = collector.submit(list, run(tasks, address))
    running = {worker.pid: worker for worker in workers}

    def at_work():
        return {int(mark.read_text() or 0): mark for mark in folder.glob("started-*")}

    wait_for(lambda: collected.done() or set(at_work()) == set(running))
    pid, mark = sorted(at_work().items())[0]
    lost = int(mark.name.split("-")[1])
    running[pid].kill()
    running[pid].wait(30)
    (folder / "wait").unlink()
    found = collected.result(180)
    collector.shutdown()
    assert sorted(done.path for done in found) == sorted(task.path for task in tasks)
    assert not [done for done in found if done.fault or done.reused]
    assert [starts(folder, seed) for seed in range(6)] == [2 if seed == lost else 1 for seed in range(6)]
    for seed in range(6):
        assert read(folder / f"{seed}.nc").attrs["seed"] == seed
    assert all(done.reused for done in run(tasks, address))
    assert sum(starts(folder, seed) for seed in range(6)) == 7
