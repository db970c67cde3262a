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

from halfpoint.models.games.errors import FIRST_PROCESS, GameTableError
from halfpoint.models.games.memory import names_of_threads

FAULTS = (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError)
_PROBE_SECONDS = 5.0  # polars takes milliseconds for two cells


class _Threads:
    """Threads of polars, which a fork does not copy."""

    in_use = False  # by halfpoint in this process
    in_use_at_fork = False  # when this process was last forked
    missing = False  # in use in a process that this one was forked from

    @classmethod
    def before_fork(cls) -> None:
        """Note whether polars was used: by halfpoint or, as its named threads show on Linux, by any code."""
        names = names_of_threads()
        by_anyone = any(name.startswith("polars-") and name[7:].strip().isdigit() for name in names)
        cls.in_use_at_fork = cls.in_use or by_anyone

    @classmethod
    def in_child(cls) -> None:
        """Take over the notes of the parent."""
        cls.missing, cls.in_use = cls.missing or cls.in_use_at_fork, False


if hasattr(os, "register_at_fork"):
    os.register_at_fork(before=_Threads.before_fork, after_in_child=_Threads.in_child)


def require_pool() -> None:
    """Raise `GameTableError` in a process forked from one that used polars: its threads are missing.

    Polars itself would wait for them indefinitely. A process forked before halfpoint was imported tries polars for five
    seconds.
    """
    forked = os.getpid() != FIRST_PROCESS or multiprocessing.parent_process() is not None
    if _Threads.missing or (forked and not _has_pool(os.getpid())):
        raise GameTableError(
            "reading games", "a process of its own", "a process that was forked after the first use of polars",
            'Start processes by multiprocessing.get_context("spawn") or "forkserver", or read games before the fork.',
        )  # fmt: skip
    _Threads.in_use = True


@cache
def _has_pool(process: int) -> bool:
    """True if polars computes two columns in this process, which takes its threads; tested once."""
    cells = polars.DataFrame({"one": [" 1"], "other": [" 2"]})
    probe = Thread(target=lambda: cells.select(polars.all().str.strip_chars()), daemon=True)
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
    with tempfile.TemporaryFile() as messages:
        os.dup2(messages.fileno(), 2)
        try:
            yield
        except FAULTS:
            messages.truncate(0)
            raise
        finally:
            os.dup2(terminal, 2)
            os.close(terminal)
            messages.seek(0)
            sys.stderr.write(messages.read().decode(errors="replace"))


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
    reason = " ".join(str(error).split())[:100] or type(error).__name__
    return GameTableError(str(path), f"a readable {kind} file", reason)
