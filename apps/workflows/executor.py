"""Independent work on an executor: a function of shared data and one task, here or on the executor's workers.

Any `concurrent.futures.Executor` works: a pool of processes, or executors of Dask (`Client.get_executor()`), loky or
MPI. Results come in the order of the tasks and equal the results of a serial loop, since a task depends only on its
arguments. A worker gets the shared data once: Dask moves them between workers, and processes of this machine read a
file; any other executor sends them with each task, and a worker unpacks them once. A worker process runs one task at a
time.
"""

import hashlib
import os
import signal
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cloudpickle

from halfpoint.apps.workflows.cluster import LOOK_SECONDS, Watch, dask_client, other_version, versions
from halfpoint.apps.workflows.options import WORKERS
from halfpoint.models.games.errors import HalfpointError, count_noun

if TYPE_CHECKING:
    from distributed import Client

    from halfpoint.apps.workflows.options import Say

_TRIES = 4  # of a task whose worker dies
_SILENT_SECONDS = 30.0  # between two lines of progress
_ONE_AT_A_TIME = threading.Lock()  # compiled models and their buffers serve one thread
_UNPACKED: dict[str, object] = {}  # the shared data that this process has unpacked last, by their hash


@dataclass(frozen=True)
class _Parcel:
    """Shared data for transfer to a worker."""

    mark: str  # hash of the bytes
    file: str | None = None  # a file of this machine with the bytes
    data: bytes | None = None  # the bytes, where workers may be on other machines

    def unpack(self) -> object:
        """The data, unpacked once in a process."""
        if self.mark not in _UNPACKED:
            _UNPACKED.clear()
            data = self.data if self.file is None else Path(self.file).read_bytes()
            _UNPACKED[self.mark] = cloudpickle.loads(data)
        return _UNPACKED[self.mark]


def each[S, T, R](
    function: Callable[[S, T], R],
    shared: S,
    tasks: Sequence[T],
    executor: Executor | None = None,
    say: "Say" = lambda line: None,
    noun: str = "task",
    costs: Sequence[float] = (),
) -> Generator[R]:
    """Yield `function(shared, task)` of each task, in the order of the tasks.

    Arguments and errors are those of `each_done`.
    """
    results: dict[int, R] = {}
    with closing(each_done(function, shared, tasks, executor, say, noun, costs)) as numbered:
        for number in range(len(tasks)):
            while number not in results:
                place, result = next(numbered)
                results[place] = result
            yield results.pop(number)


def each_done[S, T, R](
    function: Callable[[S, T], R],
    shared: S,
    tasks: Sequence[T],
    executor: Executor | None = None,
    say: "Say" = lambda line: None,
    noun: str = "task",
    costs: Sequence[float] = (),
) -> Generator[tuple[int, R]]:
    """Yield the number of each task and `function(shared, task)`, as they are done; in order without an executor.

    Parameters
    ----------
    function : callable
        A function of the shared data and a task. With an executor its results must be picklable.
    shared : object
        Data of all tasks, sent to each worker once.
    tasks : sequence
        The tasks.
    executor : concurrent.futures.Executor, optional
        Executor of the tasks; by default this process, one task after the other.
    say : callable
        Called with a line on the time left, at most every half minute.
    noun : str
        Noun for a task in these lines.
    costs : sequence of float, optional
        Relative costs of the tasks, shape (task,): an executor gets the most expensive tasks first, so that no worker
        begins a long task when the others end. By default the order of the tasks.

    Yields
    ------
    tuple of int and object

    Raises
    ------
    HalfpointError
        If a task raises one, workers die repeatedly or have another version, or a cluster is lost. Unfinished tasks
        are then cancelled, as on Ctrl-C and when the caller stops early.
    """
    progress = _Progress(len(tasks), noun, say)
    if executor is None:
        for number, task in enumerate(tasks):
            yield number, function(shared, task)
            progress.at(number + 1)
        return
    works, expected = [cloudpickle.dumps((function, task)) for task in tasks], versions()
    sent: dict[Future[R], int] = {}
    tries = [0] * len(works)
    client = dask_client_of(executor)
    with _sent_once(executor, shared) as data:
        watch = None if client is None else Watch(client, data)

        def send(number: int) -> None:
            if watch is not None:
                watch.look()
            try:
                sent[executor.submit(_work, data, works[number], tries[number], expected)] = number
            except BrokenExecutor as error:
                raise HalfpointError(
                    "executor: a worker of this executor died, so it takes no tasks. Use executor_of(workers=...)"
                    " of halfpoint.apps.workflows, which restarts workers."
                ) from error

        try:
            for number in sorted(range(len(works)), key=lambda number: -costs[number] if costs else 0.0):
                send(number)
            while sent:
                results: list[tuple[int, R]] = []
                for future in wait_for(sent, None if watch is None else LOOK_SECONDS, FIRST_COMPLETED).done:
                    task_number = sent.pop(future)
                    try:
                        results.append((task_number, future.result()))
                    except (BrokenExecutor, CancelledError) as error:
                        tries[task_number] += 1
                        if tries[task_number] == _TRIES:
                            raise _lost(noun) from error
                        send(task_number)
                    except Exception as error:
                        if type(error).__name__ == "KilledWorker":  # Dask has sent it again itself
                            raise _lost(noun) from error
                        if watch is not None and isinstance(error, ImportError):  # of a worker that came later
                            raise other_version(f"one without a library: {error}") from error
                        raise
                if watch is not None:
                    watch.look()
                progress.at(len(works) - len(sent))
                yield from results
        finally:
            for future in sent:
                future.cancel()


def _lost(noun: str) -> HalfpointError:
    """Error of a task whose workers die."""
    return HalfpointError(
        f"workers: {count_noun(_TRIES, 'worker')} died at the same {noun}, most often of too "
        "little memory. Use fewer --workers, or a --cluster whose workers have more."
    )


class _Progress:
    """Lines on the work done and the time left."""

    def __init__(self, tasks: int, noun: str, say: "Say") -> None:
        self.tasks, self.noun, self.say = tasks, noun, say
        self.begun = self.last = time.monotonic()

    def at(self, done: int) -> None:
        """Report the number of tasks done, every half minute at most."""
        moment = time.monotonic()
        if 0 < done < self.tasks and moment - self.last > _SILENT_SECONDS:
            self.last, seconds = moment, (moment - self.begun) / done * (self.tasks - done)
            self.say(f"{done} of {self.tasks} {self.noun}s in {moment - self.begun:.0f} s; about {seconds:.0f} s more")


def dask_client_of(executor: Executor) -> "Client | None":
    """Client of an executor of Dask; None for any other executor."""
    return getattr(executor, "_client", None) if "distributed" in sys.modules else None


def _work(data: object, work: bytes, attempt: int, expected: str) -> Any:
    """Result of one task in a worker; the attempt's number makes a retry a new task for a cluster.

    The versions are checked again, because a worker may join after the first task.
    """
    if versions() != expected:
        raise other_version(versions())
    with _ONE_AT_A_TIME:
        function, task = cloudpickle.loads(work)
        return function(data.unpack() if isinstance(data, _Parcel) else data, task)


@contextmanager
def _sent_once(executor: Executor, shared: object) -> Iterator[object]:
    """Shared data in a form that is sent once to each worker of an executor."""
    data = cloudpickle.dumps(shared)
    mark = hashlib.sha256(data).hexdigest()
    client = dask_client_of(executor)
    if client is not None:  # Dask moves the data between its workers
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "Sending large graph")
            yield client.submit(cloudpickle.loads, data)  # a task: data that a worker takes with it are made anew
    elif isinstance(executor, Processes | ProcessPoolExecutor):
        handle, file = tempfile.mkstemp(prefix="halfpoint-", suffix=".pickle")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            yield _Parcel(mark, file=file)
        finally:
            with suppress(OSError):
                Path(file).unlink()
    else:
        yield _Parcel(mark, data=data)


class Processes(Executor):
    """Pool of processes of this machine that restarts when one of them dies."""

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.pool = self._started()

    def _started(self) -> ProcessPoolExecutor:
        """New pool of spawned processes: a fork of a process with threads may wait indefinitely."""
        return ProcessPoolExecutor(self.workers, get_context("spawn"), _end_on_interrupt)

    def submit[**P, R](self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        """Submit a task, to a new pool if a process of the old pool died."""
        try:
            return self.pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self.pool.shutdown(wait=False)
            self.pool = self._started()
            return self.pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes when they are done."""
        self.pool.shutdown(wait, cancel_futures=cancel_futures)

    def __exit__(self, kind: object, *error: object) -> None:
        """End the processes; at once after an error or Ctrl-C."""
        if kind is not None:
            for process in list((getattr(self.pool, "_processes", None) or {}).values()):
                process.kill()
        self.shutdown(cancel_futures=True)


def _end_on_interrupt() -> None:
    """End this worker without a traceback on Ctrl-C, which reaches every process of a terminal."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextmanager
def executor_of(
    workers: int | None = None, cluster: str | None = None, say: "Say" = lambda line: None
) -> Iterator[Executor | None]:
    """Open an executor by the options `--workers` and `--cluster`; None without either.

    Parameters
    ----------
    workers : int, optional
        Number of processes of this machine; 1 is this process.
    cluster : str, optional
        Address of a Dask scheduler, such as "tcp://127.0.0.1:8786"; needs the extra `cluster`.
    say : callable
        Called with a line while the cluster has no workers.

    Yields
    ------
    concurrent.futures.Executor or None

    Raises
    ------
    HalfpointError
        If both are given, there is no scheduler at the address, or its workers lack this version of halfpoint.
    """
    if workers is not None and cluster is not None:
        raise HalfpointError("--workers and --cluster exclude each other. Leave one out.")
    if cluster is not None:
        with dask_client(cluster, say) as client:
            yield client.get_executor()
    elif workers is None or workers == 1:
        yield None
    else:
        WORKERS.require("--workers", workers)
        with Processes(workers) as executor:
            yield executor
