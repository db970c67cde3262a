"""Parquet and Arrow files as lazy frames of polars, with errors for damaged files."""

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from threading import Thread

import polars

from halfpoint.games.errors import FIRST_PROCESS, GameTableError

FAULTS = (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError)
_PROBE_SECONDS = 5.0  # polars takes milliseconds for a cell


def require_pool() -> None:
    """Raise `GameTableError` in a process forked from one that used polars: its threads are missing.

    Polars itself would wait for them indefinitely.
    """
    forked = os.getpid() != FIRST_PROCESS or multiprocessing.parent_process() is not None
    if forked and not _has_pool(os.getpid()):
        raise GameTableError(
            "reading games", "a process of its own", "one that was forked after polars had been used",
            'Start processes by multiprocessing.get_context("spawn") or "forkserver", or read games before the fork.',
        )  # fmt: skip


@cache
def _has_pool(process: int) -> bool:
    """True if polars computes a cell in this process; tested once."""
    cell = polars.Series("cells", [" 1"]).to_frame()
    probe = Thread(target=lambda: cell.select(polars.col("cells").str.strip_chars()), daemon=True)
    probe.start()
    probe.join(_PROBE_SECONDS)
    return not probe.is_alive()


@contextmanager
def without_panics() -> Iterator[None]:
    """Suppress messages of polars' threads on the terminal when a damaged file makes them panic.

    The panic itself arrives as an exception. The messages are shown after all if no exception arrives.
    """
    try:
        sys.stderr.flush()
        terminal = os.dup(2)
    except (OSError, ValueError, AttributeError):
        yield
        return
    with tempfile.TemporaryFile() as held:
        os.dup2(held.fileno(), 2)
        try:
            yield
        except FAULTS:
            held.truncate(0)
            raise
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
            held.seek(0)
            sys.stderr.write(held.read().decode(errors="replace"))


def readable(path: str | Path) -> Path | bytes:
    """File as polars opens it: by name, or its content if the name is not UTF-8 or looks like a pattern."""
    name = os.fspath(path)
    strange = any(mark in name for mark in "*?[") or name != name.encode(errors="replace").decode()
    return Path(path).read_bytes() if strange and Path(path).is_file() else Path(path)


def scan_file(path: str | Path, kind: str = "Parquet") -> polars.LazyFrame:
    """A lazy frame over a file of Parquet or Arrow (or a pattern such as ``games/*.parquet``)."""
    require_pool()
    try:
        with without_panics():
            lazy = (polars.scan_ipc if kind == "Arrow" else polars.scan_parquet)(readable(path))
            lazy.collect_schema()
            return lazy
    except FAULTS as error:
        raise unreadable(path, error, kind) from None


def unreadable(path: str | Path, error: BaseException, kind: str = "Parquet") -> GameTableError:
    """The error for a file that polars refuses."""
    found = " ".join(str(error).split())[:100] or type(error).__name__
    return GameTableError(str(path), f"{'an Arrow' if kind == 'Arrow' else f'a {kind}'} file that can be read", found)
