"""Games in the study's text format: whitespace between cells, header `Site Data WR W B BR y`.

WR and BR are FIDE ratings on the day, y White's score, Data a month number or a date YYYY.MM.DD (Pires 2014, the
authors' repository CodeThesis).
"""

from dataclasses import replace
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.table import GameTable
from halfpoint.readers.build_table import build_table
from halfpoint.readers.column_names import Assignment
from halfpoint.readers.forms import source_of_rows
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.words import STUDY_HEADER as HEADER

_COLUMN_OF_FIELD = {"white": "W", "black": "B", "score": "y", "white_rating_elo": "WR", "black_rating_elo": "BR",
                    "event": "Site"}  # fmt: skip


def read_study(path: str | Path, name: str | None = None) -> GameTable:
    """The games of a file in the study's format."""
    text, sha256 = read_text(path)
    numbered = [(number, row.split()) for number, row in enumerate(text.split("\n"), start=1) if row.strip()]
    if not numbered:
        raise GameTableError(str(path), "at least one game", "no rows")
    first, header = numbered[0]
    if tuple(header) != HEADER:
        unknown = [column for column in header if column not in HEADER]
        fault = f"unknown columns {', '.join(map(repr, unknown[:8]))}" if unknown else repr(" ".join(header)[:80])
        raise GameTableError(f"{path}, line {first}", f"the header {' '.join(HEADER)!r}", fault)
    for number, row in numbered[1:]:
        if len(row) != len(HEADER):
            raise GameTableError(f"{path}, line {number}", f"{len(HEADER)} cells without blanks", f"{len(row)}")
    rows, lines = [row for _, row in numbered[1:]], [number for number, _ in numbered[1:]]
    columns = _COLUMN_OF_FIELD | {"date" if rows and "." in rows[0][HEADER.index("Data")] else "period": "Data"}
    source = source_of_rows(HEADER, rows, name or printable(Path(path).name), str(path), lines, sha256)
    return build_table(replace(source, kind="study"), Assignment(columns), ReaderOptions())
