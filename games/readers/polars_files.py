"""Parquet and Arrow files as lazy frames of polars, with errors for damaged files."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import polars

from halfpoint.games.errors import GameTableError

FAULTS = (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError)


@contextmanager
def without_panics() -> Iterator[None]:
    """Suppress messages of polars' threads on the terminal when a damaged file makes them panic.

    The panic itself arrives as an exception. What was written is shown after all if there is none.
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


def scan_file(path: str | Path, kind: str = "Parquet") -> polars.LazyFrame:
    """A lazy frame over a file of Parquet or Arrow (or a pattern such as ``games/*.parquet``)."""
    try:
        with without_panics():
            lazy = polars.scan_ipc(path) if kind == "Arrow" else polars.scan_parquet(path)
            lazy.collect_schema()
            return lazy
    except FAULTS as error:
        raise unreadable(path, error, kind) from None


def unreadable(path: str | Path, error: BaseException, kind: str = "Parquet") -> GameTableError:
    """The error for a file that polars refuses."""
    found = " ".join(str(error).split())[:100] or type(error).__name__
    return GameTableError(str(path), f"{'an Arrow' if kind == 'Arrow' else f'a {kind}'} file that can be read", found)
