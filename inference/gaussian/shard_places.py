"""Places of shards: this process, processes of this machine, or the workers of a Dask cluster.

A shard has a state, the rows of its cells, so it is a separate process or a Dask actor: an executor may run a task
anywhere. If a worker is lost, so are its rows, and the fit ends with an error.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.gaussian.shard import Shard
from halfpoint.inference.gaussian.sharded_fit import Call, Shards
from halfpoint.models.games.errors import GameTableError

if TYPE_CHECKING:
    from distributed import Actor, Client, Future

_LOOK_SECONDS = 1.0  # between two looks at a cluster
_HERE: list[Shard] = []  # the shard of this process, where it is one of a pool


@dataclass(frozen=True)
class _Done:
    """Finished result, as a future."""

    value: object

    def result(self) -> Any:
        """Return the result."""
        return self.value


@contextmanager
def shards_here(files: Sequence[str], count: int = 1) -> Iterator[Shards]:
    """Shards of files of cells in this process, one after the other."""
    shards = [Shard(files, number, count) for number in range(count)]

    def calling(shard: Shard) -> Call:
        return lambda name, arguments: _Done(shard.call(name, arguments))

    yield Shards([calling(shard) for shard in shards])


@contextmanager
def shards_in_processes(files: Sequence[str], count: int) -> Iterator[Shards]:
    """Shards of files of cells in several processes of this machine."""
    with ExitStack() as stack, _reported(BrokenExecutor):
        pools = [
            stack.enter_context(
                ProcessPoolExecutor(1, get_context("spawn"), initializer=_begin, initargs=_part(files, number, count))
            )
            for number in range(count)
        ]

        def calling(pool: ProcessPoolExecutor) -> Call:
            return lambda name, arguments: pool.submit(_call, name, arguments)

        yield Shards([calling(pool) for pool in pools])


@dataclass(frozen=True)
class _Awaited:
    """Result of a worker of a cluster, awaited while the cluster is available."""

    future: "Future"
    look: Callable[[], None]  # raises an error if the cluster is lost

    def result(self) -> Any:
        """Return the result."""
        while True:
            try:
                return self.future.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                self.look()
            except (OSError, CancelledError):
                self.look()
                raise


@contextmanager
def shards_on_cluster(
    files: Sequence[str], client: "Client", look: Callable[[], None] = lambda: None
) -> Iterator[Shards]:
    """Shards of files of cells as actors on every worker of a Dask client, which all have access to the files.

    `look` is called every second while results are awaited, and raises an error if the cluster is lost.
    """
    workers = sorted(client.scheduler_info(n_workers=-1)["workers"])
    if not workers:
        raise InferenceError("--cluster: expected workers, found a scheduler without any. Start workers: dask worker")
    with _reported(OSError, CancelledError), client.as_current():  # actors find their client by it
        started = [
            client.submit(Shard, *_part(files, number, len(workers)), actor=True, workers=[worker], pure=False)
            for number, worker in enumerate(workers)
        ]
        try:
            actors = [_Awaited(future, look).result() for future in started]
        except GameTableError as error:
            raise InferenceError(
                f"--cluster: a worker cannot read its cells ({error}). All workers must see the files under the same "
                "name."
            ) from error

        def calling(actor: "Actor") -> Call:
            return lambda name, arguments: _Awaited(actor.call(name, arguments), look)

        yield Shards([calling(actor) for actor in actors])


def _part(files: Sequence[str], number: int, count: int) -> tuple[Sequence[str], int, int]:
    """Files of one shard, and its cells of them: whole files if there are enough."""
    if len(files) >= count:
        return files[number::count], 0, 1
    return files, number, count


@contextmanager
def _reported(*lost: type[BaseException]) -> Iterator[None]:
    """Report a lost worker in one line."""
    try:
        yield
    except lost as error:
        raise InferenceError(
            "shards: a worker was lost, and its cells with it; probably too little memory. Use more "
            "workers, or workers with more memory."
        ) from error


def _begin(files: Sequence[str], number: int, count: int) -> None:
    """Make the shard of this process."""
    _HERE[:] = [Shard(files, number, count)]


def _call(name: str, arguments: tuple[object, ...]) -> object:
    """Call a method of the shard of this process."""
    return _HERE[0].call(name, arguments)
