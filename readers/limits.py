"""Budgets of time, memory and rows for files of strangers, enforced in a process of its own.

Patterns and sizes of the readers are bounded, but libraries that decompress and decode (polars, HDF5, workbooks) can be
stopped only from outside. The process that reads has a limit on its addresses, and is ended when its time is up. It
parses a file that is not trusted, so that its answer is data and is not unpickled.
"""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import TIMEOUT_MAX, Timer
from typing import Any, BinaryIO, cast

from halfpoint.models.games.errors import GameTableError, HalfpointError
from halfpoint.models.games.memory import limit_addresses, used_addresses
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.table_bytes import bytes_of_error, bytes_of_games, games_or_error

_START_SECONDS = 120.0  # for an interpreter to begin and to import the readers
_BEGIN = ("import pickle, sys; sys.path[:] = pickle.load(sys.stdin.buffer); job = pickle.load(sys.stdin.buffer); "
          "from halfpoint.readers.limits import answer; answer(job)")  # fmt: skip


@dataclass(frozen=True)
class Limits:
    """Budgets of reading a file, each None for no limit.

    Attributes
    ----------
    seconds : float, optional
        Time by the clock, without the start of the process that reads.
    memory_bytes : int, optional
        Memory that reading may add to that process. It limits addresses (`RLIMIT_AS`), so that files mapped into memory
        count too; Windows and macOS do not enforce it.
    rows : int, optional
        Rows of the file, and games of the table.

    Raises
    ------
    GameTableError
        If a limit is not above 0.
    """

    seconds: float | None = None
    memory_bytes: int | None = None
    rows: int | None = None

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            if value is not None and not value > 0:
                raise GameTableError(f"limits, {name}", "a number above 0", repr(value))

    def require_rows(self, count: int, place: str) -> None:
        """Raise `GameTableError` for too many rows."""
        if self.rows is not None and count > self.rows:
            raise GameTableError(place, f"at most {self.rows:,} rows", f"{count:,}", "Raise limits.rows, or split it.")


def read_within(
    limits: Limits, read_here: Callable[..., GameTable], source: object, kind: str | None, options: Mapping[str, object]
) -> GameTable:
    """The games of a file, read by a function of a module in another process within limits."""
    if not isinstance(source, str | Path):
        raise GameTableError("limits", "the path of a file", type(source).__name__, "Frames are in memory already.")
    job = {"read_here": read_here, "limits": limits, "source": source, "kind": kind, "options": dict(options)}
    with subprocess.Popen([sys.executable, "-c", _BEGIN], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reader:
        try:
            with suppress(BrokenPipeError), cast(BinaryIO, reader.stdin) as pipe:
                pipe.write(pickle.dumps(sys.path) + pickle.dumps(job))
            begun = _read_until(reader, _START_SECONDS, 1)
            content = _read_until(reader, limits.seconds, -1)
        finally:
            reader.kill()
    if not begun:
        raise GameTableError(str(source), "a process that reads it", "none that begins")
    if content is None:
        duration, remedy = f"more than {limits.seconds:g} seconds", "Raise limits.seconds, or split it."
        raise GameTableError(str(source), "a file that can be read within the limit", duration, remedy)
    answered = None
    with suppress(ValueError):  # it ended before it answered
        answered = games_or_error(content)
    if isinstance(answered, GameTable):
        return answered
    if answered is not None:
        raise answered
    if limits.memory_bytes is not None:
        expected, remedy = f"at most {limits.memory_bytes:,} bytes of memory", "Raise limits.memory_bytes, or split it."
        raise GameTableError(str(source), expected, "more", remedy)
    raise GameTableError(str(source), "a readable file", "the reader's process ended")


def _read_until(reader: "subprocess.Popen[bytes]", seconds: float | None, count: int) -> bytes | None:
    """Bytes of a process; None, after ending it, if its time is up."""
    late = []

    def end() -> None:
        late.append(True)
        reader.kill()

    timer = Timer(TIMEOUT_MAX if seconds is None else seconds, end)
    timer.start()
    try:
        content = cast(BinaryIO, reader.stdout).read(count)
    finally:
        timer.cancel()
    return None if late else content


def answer(job: Mapping[str, Any]) -> None:
    """Read a file in the process begun for it, and write the games, or the error, to standard output."""
    from halfpoint.readers.plain_rows import frame_of_rows

    read_here = job["read_here"]
    read_here(frame_of_rows([("Ann", "Bob", 1.0)]), None, {})  # imports and threads, before memory is limited
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # nothing else is written to the pipe
    os.dup2(1, 2)
    limits = job["limits"]
    if limits.memory_bytes is not None:
        limit_addresses(lambda: used_addresses() + limits.memory_bytes)
    pipe.write(b"+")
    pipe.flush()
    try:
        answered = bytes_of_games(read_here(job["source"], job["kind"], job["options"], limits))
    except HalfpointError as error:
        answered = bytes_of_error(error)
    except MemoryError:
        os._exit(1)
    except Exception as error:  # a defect, which the waiting process reports in one line
        what = f"{type(error).__name__}: {str(error)[:200]}"
        answered = bytes_of_error(GameTableError(str(job["source"]), "a readable file", what))
    try:
        pipe.write(answered)
        pipe.flush()
    finally:
        os._exit(0)
