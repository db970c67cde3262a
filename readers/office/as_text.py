"""CSV text of a sheet, of a table of HTML or of aligned text, read as a file.

Titles, remarks, cross-tables and forms are then recognised as in any CSV file.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.office.csv_of_rows import Rows, csv_of_rows, widest
from halfpoint.readers.sources import Source

MOST_CELLS = 20_000_000  # blank ones included


def read_rows(rows: Rows, name: str, location: str, sha256: str, notes: Sequence[str]) -> Source:
    """Columns of rows whose header is among the first, with notes before the notes of the reader of tables."""
    require_cells(widest(rows) * len(rows), location)
    text = csv_of_rows([[" ".join(cell.split()) for cell in row] for row in rows])
    return read_csv_text(text, name, location, sha256, notes)


def read_csv_text(text: str, name: str, location: str, sha256: str, notes: Sequence[str]) -> Source:
    """Columns of a CSV text, with notes before the notes of the reader of tables."""
    from halfpoint.readers.read import open_table

    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.csv"
        file.write_text(text, encoding="utf-8")
        opened, _ = open_table(file, options={"name": name, "source": location, "delimiter": ","})
    return replace(opened, sha256=sha256, notes=(*notes, *opened.notes))


def require_cells(count: int, location: str) -> None:
    """Raise `GameTableError` for too many cells."""
    if count > MOST_CELLS:
        raise GameTableError(location, f"at most {MOST_CELLS:,} cells", f"{count:,}", "Save the table as CSV.")
