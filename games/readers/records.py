"""Columns of a file or a frame by name, nested ones unfolded: JSON lines, Parquet, CSV and data frames alike.

The names are known before the values are read, so that of wide files only the columns that are wanted are: texts of
conversations never reach the memory. A nested field is called by its path, ``conv_metadata.sum_assistant_a_tokens``.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.compressed import open_stream
from halfpoint.games.readers.csv_files import CsvColumns, likely_delimiter
from halfpoint.games.readers.parquet import FAULTS, not_parquet, scan_parquet, without_panics
from halfpoint.games.readers.text_file import read_bytes, read_text

SAMPLED_BYTES = 4 * 2**20
SAMPLED_LINES = 1000
PLAIN_TYPES = (bool, int, float, str, type(None))


@dataclass(frozen=True, eq=False)
class Records:
    """Where columns are to be had.

    Parameters
    ----------
    source : str
        File or object, for messages.
    kind : str
        jsonl, parquet, csv or frame.
    names : tuple of str
        Columns, nested ones by their path; lists are left out.
    content : object
        What the values are read from.
    lines : sequence of int or None
        Line of each row in the source.
    """

    source: str
    kind: str
    names: tuple[str, ...]
    content: Any
    lines: Sequence[int] | None = None

    def place(self, row: int) -> str:
        """Return where a row stands, for messages."""
        if self.lines is None:
            return f"{self.source}, {'record' if self.kind == 'jsonl' else 'row'} {row + 1}"
        return f"{self.source}, line {self.lines[row]}"

    def read(self, wanted: Sequence[str]) -> polars.DataFrame:
        """Return some columns by their names; of JSON lines numbers and texts are texts.

        Raises
        ------
        GameTableError
            If the file cannot be read to its end.
        """
        names = list(dict.fromkeys(wanted))
        if self.kind == "jsonl":
            return read_lines(self, names)
        if self.kind == "parquet":
            try:
                with without_panics():
                    frame: polars.DataFrame = self.content.select([expression(name) for name in names]).collect()
                    return frame
            except FAULTS as error:
                raise not_parquet(self.source, error) from None
        return polars.DataFrame({name: self.content(name) for name in names})


def expression(name: str) -> polars.Expr:
    """Return the expression of a column by its path."""
    first, *rest = name.split(".") if "." in name else [name]
    found = polars.col(first)
    for part in rest:
        found = found.struct.field(part)
    return found.alias(name)


def records_of(source: Any) -> Records:
    """Return the columns of a file (JSON lines, Parquet, CSV, each by its suffix or first bytes) or of a data frame.

    Raises
    ------
    GameTableError
        If it cannot be read, or is nothing of this.
    """
    if isinstance(source, pandas.DataFrame):
        return records_of_frame(source)
    path = Path(source)
    beginning = read_bytes(path, SAMPLED_BYTES)
    if beginning.startswith(b"PAR1"):
        lazy, _ = scan_parquet(path)
        names = [name for key, kind in lazy.collect_schema().items() for name in unfolded(key, kind)]
        return Records(str(path), "parquet", tuple(names), lazy)
    if beginning.removeprefix(BOM_UTF8).lstrip().startswith(b"{"):
        return Records(str(path), "jsonl", tuple(names_of_lines(beginning, path)), path)
    text, _ = read_text(path)
    table = CsvColumns(text, likely_delimiter(text), str(path))
    table.check_width(str(path))
    repeated = next((name for name in table.header if table.header.count(name) > 1), None)
    if repeated is not None:
        raise GameTableError(f"{path}, header", "every column once", f"column {repeated[:60]!r} again")
    columns = dict(zip(table.header, table.columns, strict=True))
    return Records(str(path), "csv", tuple(table.header), lambda name: columns[name], table.lines)


def records_of_frame(frame: pandas.DataFrame) -> Records:
    """Return the columns of a data frame, cells that are mappings unfolded."""
    names: list[str] = []
    for k, column in enumerate(map(str, frame.columns)):
        cells = frame.iloc[:, k].dropna()
        first = cells.iloc[0] if len(cells) else None
        names += [f"{column}.{path}" for path in paths_of(first)] if isinstance(first, dict) else [column]
    by_name = {str(column): frame.iloc[:, k] for k, column in enumerate(frame.columns)}

    def cells_of(name: str) -> polars.Series:
        if name in by_name:
            values = by_name[name]
            if isinstance(values.dtype, np.dtype) and values.dtype.kind in "biufM":
                return polars.Series(name, values.to_numpy())
            return polars.Series(name, [None if missing(one) else str(one) for one in values], dtype=polars.String)
        column, _, path = name.partition(".")
        return polars.Series(name, [at_path(cell, path) for cell in by_name[column]], dtype=polars.String)

    return Records("data frame", "frame", tuple(names), cells_of)


def missing(value: Any) -> bool:
    """Return whether a cell is empty."""
    return value is None or value is pandas.NA or (isinstance(value, float) and value != value)


def at_path(cell: Any, path: str) -> str | None:
    """Return the text at a path of a mapping, None where there is none."""
    for part in path.split("."):
        cell = cell.get(part) if isinstance(cell, dict) else None
    return None if missing(cell) else str(cell)


def unfolded(name: str, kind: polars.DataType) -> Iterator[str]:
    """Yield the paths of a column of Parquet; lists are left out."""
    if isinstance(kind, polars.Struct):
        for one in kind.fields:
            yield from unfolded(f"{name}.{one.name}", one.dtype)  # type: ignore[arg-type]
    elif not isinstance(kind, polars.List | polars.Array):
        yield name


def paths_of(value: Any, before: str = "") -> Iterator[str]:
    """Yield the paths of the plain values of a mapping; names with a dot have none."""
    for key, one in value.items():
        if isinstance(one, dict) and "." not in key:
            yield from paths_of(one, f"{before}{key}.")
        elif isinstance(one, PLAIN_TYPES) and "." not in key:
            yield f"{before}{key}"


def names_of_lines(beginning: bytes, path: Path) -> list[str]:
    """Return the names that the first lines of JSON hold."""
    whole = beginning.rpartition(b"\n")[0] if len(beginning) == SAMPLED_BYTES else beginning
    names: dict[str, None] = {}
    for number, line in enumerate(whole.splitlines()[:SAMPLED_LINES], 1):
        if line.strip():
            names |= dict.fromkeys(paths_of(object_of(line, f"{path}, line {number}")))
    return list(names)


def object_of(line: bytes, place: str) -> dict[str, Any]:
    """Return the mapping that a line of JSON holds.

    Raises
    ------
    GameTableError
        If it holds something else.
    """
    try:
        value = json.loads(line.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        found = f"{' '.join(str(error).split())[:80]}"
        raise GameTableError(place, "one JSON object a line", found) from None
    if not isinstance(value, dict):
        raise GameTableError(place, "one JSON object a line", f"a {type(value).__name__}")
    return value


def schema_of(names: Sequence[str]) -> dict[str, Any]:
    """Return the schema that has these paths as texts and nothing else."""
    tree: dict[str, Any] = {}
    for name in names:
        here = tree
        *path, last = name.split(".")
        for part in path:
            here = here.setdefault(part, {})
        here[last] = polars.String

    def of(branch: Any) -> Any:
        if not isinstance(branch, dict):
            return branch
        return polars.Struct({key: of(one) for key, one in branch.items()})

    return {key: of(one) for key, one in tree.items()}


@contextmanager
def plain_file(path: Path) -> Iterator[Any]:
    """Give what polars can read: the path of a plain file, else the unpacked bytes without a mark."""
    with open_stream(path) as stream:
        packed = stream.content is not stream.raw
        marked = stream.read(len(BOM_UTF8)) == BOM_UTF8
    if packed or marked:
        yield BytesIO(read_bytes(path).removeprefix(BOM_UTF8))
    else:
        yield path


def read_lines(records: Records, names: Sequence[str]) -> polars.DataFrame:
    """Return columns of JSON lines as texts.

    Raises
    ------
    GameTableError
        At the first line that holds no JSON object.
    """
    try:
        with without_panics(), plain_file(records.content) as file:
            lazy = polars.scan_ndjson(file, schema=schema_of(names), low_memory=True)
            frame: polars.DataFrame = lazy.select([expression(name) for name in names]).collect(engine="streaming")
            return frame
    except GameTableError:
        raise
    except FAULTS as error:
        with open_stream(records.content) as stream:  # polars does not tell the line
            rest, number = b"", 0
            while block := stream.read(SAMPLED_BYTES):
                *whole, rest = (rest + block).split(b"\n")
                for line in whole:
                    number += 1
                    if line.strip():
                        object_of(line, f"{records.source}, line {number}")
            if rest.strip():
                object_of(rest, f"{records.source}, line {number + 1}")
        found = " ".join(str(error).split())[:100] or type(error).__name__
        raise GameTableError(records.source, "JSON lines that can be read", found) from None
