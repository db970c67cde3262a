"""Independent work on executors: serial results, one copy of the data per worker, deaths of workers, refusals."""

import operator
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cloudpickle
import numpy as np
import pandas as pd
import pytest
from few_cases import few

from halfpoint.apps import workflows
from halfpoint.apps.workflows.backtest_answer import BacktestPlan
from halfpoint.apps.workflows.executor import Processes, each, each_done, executor_of
from halfpoint.models.games.errors import GameTableError, HalfpointError

HELPERS = Path(__file__).parents[2] / "helpers"
WAIT = 300  # seconds, after which a worker counts as stuck, also on a loaded machine; its task takes longer


class Written:
    """Data that write a line to a file whenever a process unpacks them."""

    def __init__(self, file):
        self.file = Path(file)

    def __getstate__(self):
        return {"file": self.file}

    def __setstate__(self, state):
        self.__dict__ |= state
        with self.file.open("a") as stream:
            stream.write(f"{os.getpid()}\n")


def drawn(shared, seed):
    """Numbers of a seed, and the process that made them."""
    time.sleep(0.05)  # so that both workers get some
    return np.random.default_rng(seed).normal(size=3).tolist(), os.getpid()


def dies_once(folder, number):
    """A number; the process of number 2 is killed at the first attempt."""
    mark = Path(folder, "died")
    if number == 2 and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return 10 * number


def dies(shared, number):
    """No result: the process is killed."""
    os.kill(os.getpid(), signal.SIGKILL)


def refuses(shared, number):
    """A number; 1 raises an error."""
    if number == 1:
        raise GameTableError("games.csv", "one thing", "another", "Mend it.")
    return number


def slow(folder, number):
    """Mark of the start of a task, with its process; takes long."""
    Path(folder, f"new-{number}").write_text(str(os.getpid()))
    Path(folder, f"new-{number}").rename(Path(folder, f"begun-{number}"))  # never seen without its number
    time.sleep(4 * WAIT)


@pytest.mark.further
@pytest.mark.parametrize("how", few(["processes", "any pool", "threads"], 2))
def test_results_are_those_of_the_loop_and_a_worker_unpacks_the_data_once(how, tmp_path):
    data, seeds = Written(tmp_path / "unpacked"), list(range(9))
    serial = [numbers for numbers, _ in each(drawn, data, seeds)]
    assert not data.file.exists()
    pools = {
        "processes": lambda: executor_of(workers=2),
        "any pool": lambda: ProcessPoolExecutor(2, get_context("spawn")),
        "threads": lambda: ThreadPoolExecutor(2),
    }
    with pools[how]() as executor:
        found = list(each(drawn, data, seeds, executor))
    assert [numbers for numbers, _ in found] == serial
    unpacked = data.file.read_text().split()
    assert len(unpacked) == len(set(unpacked))
    assert set(unpacked) == {str(process) for _, process in found}


def test_functions_without_a_module_travel():
    factor = 7  # a closure, as systems of an own file have them
    with executor_of(workers=2) as executor:
        assert list(each(lambda shared, one: factor * one + shared, 1, [1, 2, 3], executor)) == [8, 15, 22]


@pytest.mark.further
def test_a_task_whose_worker_is_killed_is_sent_again(tmp_path):
    with Processes(2) as executor:
        assert list(each(dies_once, tmp_path, range(6), executor)) == [0, 10, 20, 30, 40, 50]
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_a_cluster_gives_the_results_of_the_loop_where_a_worker_is_killed(tmp_path):
    from distributed import LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GB", "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, executor_of(cluster=cluster.scheduler_address) as executor:
        assert list(each(dies_once, tmp_path, range(6), executor)) == [0, 10, 20, 30, 40, 50]
    assert (tmp_path / "died").exists()


@pytest.mark.slow
def test_workers_that_always_die_are_reported_in_one_line():
    with pytest.raises(HalfpointError, match=r"4 workers died .*fewer --workers"), Processes(1) as executor:
        list(each(dies, None, range(2), executor))


def test_an_executor_that_cannot_go_on_is_reported_in_one_line(tmp_path):
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as executor,
        pytest.raises(
            HalfpointError,
            match=r"a worker of this executor died.* Use executor_of\(workers=...\)",
        ),
    ):
        list(each(dies_once, tmp_path, range(6), executor))


def test_an_error_of_a_task_arrives_with_its_parts():
    with executor_of(workers=1) as executor, pytest.raises(GameTableError, match=r"found another\. Mend it") as caught:
        list(each(refuses, None, range(4), executor))
    assert (caught.value.where, caught.value.remedy) == ("games.csv", "Mend it.")


class _Held(Executor):
    """Executor that ends nothing by itself."""

    def __init__(self):
        self.futures = []

    def submit(self, fn, /, *args, **kwargs):
        self.futures.append(Future())
        return self.futures[-1]


def test_a_caller_that_stops_early_cancels_the_rest():
    executor = _Held()
    run = each(operator.add, 1, [1, 2, 3], executor)
    threading.Timer(0.2, lambda: executor.futures[0].set_result(2)).start()
    assert next(run) == 2
    run.close()
    assert [one.cancelled() for one in executor.futures] == [False, True, True]


class _Lifo(_Held):
    """Executor that runs the last submitted task first."""

    def submit(self, fn, data, *rest):
        super().submit(fn)
        self.futures[-1].work = fn, data, rest
        return self.futures[-1]

    def do_all(self):
        for future in reversed(self.futures):
            fn, data, rest = future.work
            future.set_result(fn(data, *rest))


def test_costly_tasks_are_sent_first_and_results_keep_their_order():
    costs, tasks = [1.0, 5.0, 1.0, float("inf"), 3.0], [10, 20, 30, 40, 50]
    sent = []
    for function in (each, each_done):
        executor = _Lifo()
        threading.Timer(0.2, executor.do_all).start()
        found = list(function(operator.add, 1, tasks, executor, costs=costs))
        sent.append([cloudpickle.loads(future.work[2][0])[1] for future in executor.futures])
        serial = [11, 21, 31, 41, 51]
        assert found == serial if function is each else dict(found) == dict(enumerate(serial))
    assert sent == [[40, 20, 50, 10, 30]] * 2
    assert list(each(operator.add, 1, tasks, costs=costs)) == serial
    assert list(each_done(operator.add, 1, tasks, costs=costs)) == list(enumerate(serial))


def test_the_time_left_is_reported(monkeypatch):
    clock, lines = iter([0.0, 40.0, 45.0, 90.0]), []
    monkeypatch.setattr("halfpoint.apps.workflows.executor.time.monotonic", lambda: next(clock))
    assert list(each(operator.mul, 2, [1, 2, 3], say=lines.append, noun="fit")) == [2, 4, 6]
    assert lines == ["1 of 3 fits in 40 s; about 80 s more"]


SCRIPT = """
import sys
from pathlib import Path
sys.path[:0] = sys.argv[2:]
from test_executor import slow
from halfpoint.apps.workflows.executor import each, executor_of
if __name__ == "__main__":
    with executor_of(workers=2) as executor:
        list(each(slow, sys.argv[1], range(4), executor))
"""


@pytest.mark.further
def test_an_interrupt_ends_the_workers_at_once(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    words = [sys.executable, tmp_path / "script.py", tmp_path, Path(__file__).parent, HELPERS]
    with subprocess.Popen(words, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        until = time.monotonic() + WAIT
        while len(list(tmp_path.glob("begun-*"))) < 2 and time.monotonic() < until:
            time.sleep(0.05)
        assert len(list(tmp_path.glob("begun-*"))) == 2
        os.killpg(run.pid, signal.SIGINT)  # as a terminal does
        told = run.communicate(timeout=WAIT)[1]
    assert told.count("Traceback") == 1  # of this process; workers end without a word
    assert run.returncode != 0
    for mark in tmp_path.glob("begun-*"):
        with pytest.raises(ProcessLookupError):
            os.kill(int(mark.read_text()), 0)


@pytest.mark.parametrize(
    ("cluster", "workers", "said"),
    [
        ("tcp://127.0.0.1:1", None, r"--cluster: expected a Dask scheduler at 'tcp://127.0.0.1:1', found none\. Start"),
        ("nonsense://1", None, "--cluster: expected a Dask scheduler at 'nonsense://1', found none"),
        ("tcp://127.0.0.1:1", 2, "--workers and --cluster exclude each other. Leave one out."),
        (None, 0, "--workers: expected a whole number from 1 to 1,000, found 0"),
    ],
)
def test_wrong_addresses_and_numbers_are_refused_in_one_line(cluster, workers, said, monkeypatch):
    monkeypatch.setattr("halfpoint.apps.workflows.cluster._CONNECT_SECONDS", 1)
    with pytest.raises(HalfpointError, match=said) as caught, executor_of(workers, cluster):
        pass
    assert "\n" not in str(caught.value)


def test_a_missing_library_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr("halfpoint.models.games.lazy_import.find_spec", lambda name: None)
    said = r"--cluster: expected the library distributed, found none\. .*'halfpoint\[cluster\]'"
    with pytest.raises(HalfpointError, match=said), executor_of(cluster="tcp://127.0.0.1:8786"):
        pass


def games_of(folder):
    """File of 300 games of a year."""
    workflows.simulate(folder / "games.csv", games=300, players=12, seed=4)
    return folder / "games.csv"


def backtested(games, **options):
    """Scores of two systems and a model."""
    return workflows.backtest(games, "elo,glicko", "bt-common", begin=11, method="normal", **options).frame


def calibrated(folder, **options):
    """Ranks of a calibration of two parts."""
    return workflows.calibrate("bt", folder, simulations=30, method="normal", seed=3, **options).ranks.rank


def require_same(one, other):
    """Fail unless ranks are equal."""
    assert one.keys() == other.keys()
    for name in one:
        np.testing.assert_array_equal(one[name], other[name])


class Elsewhere(Executor):
    """Executor whose workers cannot read folders of the waiting process, as on other machines."""

    def submit(self, fn, data, *rest):
        done = Future()
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(BacktestPlan, "is_current", property(lambda plan: plan.mark is None))
            done.set_result(fn(data, *rest))
        return done


@pytest.mark.slow
def test_backtest_and_calibration_are_equal_everywhere(tmp_path):
    from distributed import LocalCluster

    games = games_of(tmp_path)
    scores, ranks = backtested(games), calibrated(tmp_path / "serial")
    with executor_of(workers=2) as executor:
        assert scores.equals(backtested(games, executor=executor))
        require_same(ranks, calibrated(tmp_path / "processes", executor=executor))
    options = {"n_workers": 2, "threads_per_worker": 1, "memory_limit": "2GB", "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, executor_of(cluster=cluster.scheduler_address) as executor:
        assert scores.equals(backtested(games, executor=executor))
        first = cluster.workers[0]
        victim = first.pid

        def kill():
            while not any(executor._client.processing().values()):
                time.sleep(0.05)
            time.sleep(1.0)
            os.kill(victim, signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        require_same(ranks, calibrated(tmp_path / "dask", executor=executor))
        killer.join()
        assert first.pid != victim
    assert scores.equals(backtested(games, executor=Elsewhere()))


@pytest.mark.slow
def test_groups_apart_are_equal_on_processes(tmp_path):
    """Lists, accounts, draws and pages of two groups that never meet."""
    frame = pd.read_csv(games_of(tmp_path))
    other = frame.assign(white=frame["white"].astype(str) + "*", black=frame["black"].astype(str) + "*")
    both = pd.concat([frame, other.iloc[: len(other) // 2]])
    options = {"model": "bt-common", "method": "normal"}
    with executor_of(workers=2) as executor:
        folders = [tmp_path / "alone", tmp_path / "apart"]
        how = zip(folders, (None, executor), strict=True)
        groups = [workflows.rate_groups(both, folder, executor=one, **options) for folder, one in how]
        for one, two in zip(*groups, strict=True):
            assert one.frame.equals(two.frame)
            same = {"account": two.about["account"].replace(str(folders[1]), str(folders[0]))}
            assert one.about == two.about | same
            np.testing.assert_array_equal(one.trace["posterior"]["strength"], two.trace["posterior"]["strength"])
    assert len(groups[0]) == 2
    for name in ("report.html", "ratings.csv", "history.csv"):
        files = [[folder / f"group-{number}" / name for folder in folders] for number in (1, 2)]
        assert all(one.read_text() == two.read_text().replace("/apart/", "/alone/") for one, two in files)
