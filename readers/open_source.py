"""Columns of cells from a file of any format of tables, or from a data frame."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars

from halfpoint.models.games.compressed import read_text_and_encoding
from halfpoint.models.games.encodings import note_on
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.polars_files import scan_file
from halfpoint.models.games.result_record import hash_of
from halfpoint.readers.cross_tables import cross_table_games
from halfpoint.readers.csv_files import CsvColumns, likely_delimiter
from halfpoint.readers.frames import collect, source_from_frame, source_from_lazy
from halfpoint.readers.json_files import source_from_array, source_from_lines
from halfpoint.readers.sound_cells import LONGEST, require_header
from halfpoint.readers.sources import Cells, Source
from halfpoint.readers.spreadsheet import as_spreadsheet

_SMALL_BYTES, _FEW_ROWS, _ROWS_A_BYTE = 10**9, 2_000_000, 0.6  # ordinary games take 3 bytes or more


def _require_rows(lazy: polars.LazyFrame, path: Path, location: str, kind: str) -> None:
    """Raise `GameTableError` for a file that repeats few bytes to many rows, or whose rows cannot be counted."""
    if path.is_file() and (size := path.stat().st_size) < _SMALL_BYTES:
        most = max(_FEW_ROWS, int(_ROWS_A_BYTE * size))
        rows = collect(lazy.select(polars.len()), location, kind).item()
        if rows > most:
            expected = f"at most {most:,} rows in {size:,} bytes"
            raise GameTableError(location, expected, f"{rows:,}", "Write it without compression.")


def open_source(source: object, kind: str | None, delimiter: str | None, name: str, location: str) -> Source:
    """The columns of a file or of a data frame."""
    if not isinstance(source, str | Path):
        return source_from_frame(source, name, location)
    if kind in ("parquet", "arrow"):
        lazy = scan_file(source, kind.capitalize())
        _require_rows(lazy, Path(source), location, kind.capitalize())
        sha256 = hash_of(Path(source)) if Path(source).is_file() else None
        return replace(source_from_lazy(lazy, kind, name, location), sha256=sha256)
    if kind == "jsonl":
        return replace(source_from_lines(source, name, location), sha256=hash_of(Path(source)))
    if kind == "json":
        return source_from_array(source, name, location)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '\r\n"'):
        raise GameTableError("delimiter", "one character", repr(delimiter))
    text, sha256, encoding = read_text_and_encoding(source)
    table = CsvColumns(text, delimiter or ("\t" if kind == "tsv" else likely_delimiter(text)), location, remarks=True)
    if table.odd and table.odd.remedy:
        raise table.odd
    require_header(table.header, location)
    comments = [f"left out: {count_noun(table.comments, 'line')} of comments, #"] if table.comments else []
    for first in table.below[:1]:
        comments.append(f"left out: {count_noun(len(table.below), 'line')} below the table, from {first[:60]!r}")
    notes = (*note_on(encoding), *comments, *as_spreadsheet(table), *cross_table_games(table, location))
    place = {column: k for k, column in reversed(list(enumerate(table.header)))}  # the first of one name

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        if rows is None:
            table.check_width()
        columns = [table.columns[place[column]][:rows] for column in wanted]
        if all(isinstance(column, polars.Series) for column in columns):  # stripped when they were read
            return dict(zip(wanted, columns, strict=True))
        frame = polars.DataFrame([polars.Series(str(k), column, polars.String) for k, column in enumerate(columns)])
        return dict(zip(wanted, frame.select(polars.all().str.strip_chars()), strict=True))

    line = np.array(table.lines, dtype=np.int64)
    short = table.longest is not None and table.longest <= LONGEST
    return Source(location, "csv", tuple(table.header), cells, name, line=line, sha256=sha256, notes=notes, short=short)
