"""Much work on many machines: tasks whose results are files, dealt out by a Dask scheduler.

A task is done when its file holds what was asked for, a valid trace of a fit for example. Running the same tasks again
does only those that are not done, here or on another machine. A worker that dies loses the task it was at and nothing
else: the scheduler gives that task to another worker, and no file is ever half-written. Client and workers share the
folder of the results (a network file system, or one machine).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import xarray as xr

from halfpoint.games.errors import HalfpointError, clipped
from halfpoint.games.select import Selection
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.traces import read, write
from halfpoint.models.catalogue import Edition, declare

CONNECT_SECONDS = 30
ADDRESS = re.compile(r"(tcp|tls|ucx|ws|wss)://(\[[0-9A-Fa-f:.%]+\]|[^\s/:\[\]]+):[0-9]{1,5}")


class Job(Protocol):
    """What `run` deals out; must be picklable. A `Task` makes a trace; other kinds of work bring their own."""

    @property
    def path(self) -> Path:
        """Where the result goes; no other job writes there."""

    def finished(self) -> bool:
        """Return whether the result that is asked for is there."""

    def make(self) -> None:
        """Make the result; a user's mistake is a ValueError."""


@dataclass(frozen=True)
class Task:
    """A trace to be made."""

    function: Callable[..., xr.DataTree]  # importable on the workers; returns a trace
    arguments: tuple[Any, ...]  # what it is called with; must be picklable
    path: Path  # where the trace goes
    # attributes that a trace at `path` must have to count as done
    wanted: Mapping[str, Any] = field(default_factory=dict)

    def finished(self) -> bool:
        """Return whether the file holds the trace that the task would make."""
        return trace_with(self.path, self.wanted) is not None

    def make(self) -> None:
        """Make the trace and write it."""
        write(self.function(*self.arguments), self.path)


def trace_with(path: Path, wanted: Mapping[str, Any]) -> xr.DataTree | None:
    """Return the trace in a file; None where it is not whole, or lacks one of some attributes."""
    try:
        tree = read(path)
    except InferenceError:
        return None
    return tree if all(tree.attrs.get(name) == value for name, value in wanted.items()) else None


@dataclass(frozen=True)
class Done:
    """What became of a task."""

    path: Path  # its file
    reused: bool  # whether a valid trace was there already
    fault: str = ""  # why it failed; empty if it did not


def fit_named(selection: Selection, name: str, edition: Edition, settings: Mapping[str, Any]) -> xr.DataTree:
    """Declare a model of the catalogue and fit it: the function of most tasks."""
    return fit(declare(name, selection, edition), **settings)


def perform(task: Job) -> Done:
    """Do a task unless it is done; a user's mistake is told, not raised, so that it ends this task only."""
    if task.finished():
        return Done(task.path, True)
    try:
        task.make()
    except HalfpointError as error:
        return Done(task.path, False, str(error))
    except ValueError as error:
        return Done(task.path, False, f"{type(error).__name__}: {error}")
    return Done(task.path, False)


def perform_there(task: Job) -> Done:
    """Do a task on a worker: a trace is written by one process, so xarray needs no lock of the scheduler's."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        return perform(task)


def check_address(scheduler: str | None) -> None:
    """Raise `InferenceError` unless an address names a protocol of Dask's, a host and a port; None is no address."""
    if scheduler is not None and ADDRESS.fullmatch(scheduler) is None:
        raise InferenceError(f"scheduler: expected an address such as tcp://host:8786, found {clipped(scheduler)!r}")


def run(tasks: Sequence[Job], scheduler: str | None = None) -> Iterator[Done]:
    """Do tasks and yield what became of each, as they end."""
    check_address(scheduler)
    if len({task.path for task in tasks}) != len(tasks):
        raise InferenceError("tasks: expected a path of its own for each, found one twice")
    if scheduler is None:
        yield from map(perform, tasks)
        return
    try:
        from distributed import Client, as_completed
    except ImportError as error:
        raise InferenceError("Dask: expected the extra large, found none: pip install 'halfpoint[large]'") from error
    try:
        client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise InferenceError(f"scheduler: expected a Dask scheduler at {scheduler!r}, found none ({error})") from error
    with client:
        # pure=False: whether a task is done is for its file to say, not for the scheduler's memory of an earlier run
        futures = {client.submit(perform_there, task, pure=False): task for task in tasks}
        for future in as_completed(list(futures), loop=client.loop):
            yield outcome(future, futures[future].path)


def outcome(future: Any, path: Path) -> Done:
    """Return what became of a task that a worker ended, or that the cluster gave up."""
    if future.status != "finished":
        return Done(path, False, f"the cluster gave it up: {future.exception()}")
    done: Done = future.result()
    if not done.fault and not path.is_file():
        return Done(path, False, "a worker wrote it where this machine cannot see it; share the folder")
    return done
