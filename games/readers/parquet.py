"""Games from a Parquet file, read whole; `halfpoint.games.larger_than_memory` takes those that memory cannot hold."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import assign_columns
from halfpoint.games.readers.columns import build_table
from halfpoint.games.table import GameTable

FAULTS = (polars.exceptions.PolarsError, polars.exceptions.PanicException, OSError, ValueError)


@contextmanager
def without_panics() -> Iterator[None]:
    """Keep off the terminal what polars' threads write there when a damaged file makes them panic.

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


def scan_parquet(path: str | Path) -> tuple[polars.LazyFrame, list[str]]:
    """Return a lazy frame over a Parquet file (or a pattern such as ``games/*.parquet``) and its columns.

    Raises
    ------
    GameTableError
        If there is no such file or it is not Parquet.
    """
    try:
        with without_panics():
            frame = polars.scan_parquet(path)
            return frame, frame.collect_schema().names()
    except FAULTS as error:
        raise not_parquet(path, error) from None


def not_parquet(path: str | Path, error: BaseException) -> GameTableError:
    """Return the error for a file that polars refuses."""
    found = " ".join(str(error).split())[:100] or type(error).__name__
    return GameTableError(str(path), "a Parquet file that can be read", found)


def read_parquet(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (),
    ignore: Sequence[str] = (),
    name: str | None = None,
    date_format: str | None = None,
    scored: bool = True,
    sides: str | None = None,
    margin: bool = False,
) -> GameTable:
    """Return the games of a Parquet file.

    Parameters
    ----------
    path : str or Path
        The file; columns as in `halfpoint.games.readers.csv_files.read_csv`.
    columns : mapping of str to str, optional
        Field to the file's column, where the names differ.
    covariates, ignore : sequence of str
        Columns to keep as covariates, and to leave out.
    name : str, optional
        Name of the data set; the file's name if not given.
    date_format : str, optional
        How dates are written, where they are text and not with the year first.
    scored : bool
        Whether to read scores; if not, none are needed, and every game stands as a draw (games to come).
    sides : str, optional
        What stands between the people of a side in one cell, such as +, or "whole" for names as they stand. People may
        also have columns of their own (white_1, white_2), or stand in lists; see `halfpoint.games.readers.side_cells`.
    margin : bool
        Whether goals are kept beside a score, for models of margins.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If the file is not Parquet, a column is unknown, missing or repeated, a value breaks a rule, or there are no
        rows.
    """
    lazy, present = scan_parquet(path)
    assigned = assign_columns(present, columns or {}, covariates, ignore, str(path), scored, margin=margin)
    chosen = assigned.every
    try:
        with without_panics():
            frame = lazy.select(list(dict.fromkeys([*chosen.values(), *covariates]))).collect()
    except FAULTS as error:
        raise not_parquet(path, error) from None
    cells = {column: frame[column].to_numpy() for column in frame.columns}
    cells = {
        key: v.astype("datetime64[D]").astype(str) if np.issubdtype(v.dtype, np.datetime64) else v
        for key, v in cells.items()
    }
    raw = {field: cells[column] for field, column in chosen.items()}
    if not scored:
        raw["score"] = np.full(frame.height, 0.5)
    further = {column: cells[column] for column in covariates}
    return build_table(
        raw,
        str(path),
        None,
        name or Path(path).name,
        chosen,
        further,
        date_format=date_format,
        assigned=assigned,
        sides=sides,
    )
