"""Conversion of rows of cells, from a sheet or a table of HTML, to CSV text, which is then read.

Titles, remarks, cross-tables and forms are then recognised as in any CSV file.
"""

import csv
import datetime
from collections.abc import Sequence
from dataclasses import replace
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.sources import Source

type Cells = Sequence[Sequence[Any]]
_MOST_CELLS = 20_000_000  # blank ones included


def read_rows(rows: Cells, name: str, where: str, sha256: str, notes: Sequence[str]) -> Source:
    """Columns of rows whose header is among the first, with notes before the notes of the reader of tables."""
    from halfpoint.games.readers.read import open_table

    width = max((len(row) for row in rows), default=0)
    require_cells(width * len(rows), where)
    made = StringIO(newline="")
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows([[*map(_text_of, row), *[""] * (width - len(row))] for row in rows])
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        file.write_text(made.getvalue(), encoding="utf-8")
        found, _ = open_table(file, name=name, source=where, delimiter=",")
        if not found.names:
            return found
        # text is in memory, a frame may be a file
        cells = found.read(found.names, labels=found.names) if found.kind != "csv" else None
    source = (
        found if cells is None else replace(found, cells=lambda wanted, count: {k: cells[k][:count] for k in wanted})
    )
    return replace(source, sha256=sha256, notes=(*notes, *source.notes))


def require_cells(count: int, where: str) -> None:
    """Raise `GameTableError` for too many cells."""
    if count > _MOST_CELLS:
        raise GameTableError(where, f"at most {_MOST_CELLS:,} cells", f"{count:,}", "Save the table as CSV.")


def table_within(tables: Sequence[Cells]) -> int:
    """Index of the table with the most rows of three or more cells."""
    if len(tables) == 1:
        return 0
    return max(range(len(tables)), key=lambda k: sum(sum(map(bool, map(_text_of, row))) > 2 for row in tables[k]))


def _text_of(cell: Any) -> str:
    """A cell as text in one line: whole numbers without a point, days with the year first."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return "" if cell is None else " ".join(str(cell).split())
