"""Games in the study's text format: whitespace between cells, header `Site Data WR W B BR y`.

WR and BR are FIDE ratings on the day, y White's score, Data a month number or a date YYYY.MM.DD (Pires 2014, the
authors' repository CodeThesis).
"""

from pathlib import Path

import numpy as np
import polars

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.polars_files import require_pool
from halfpoint.models.games.table import GameTable
from halfpoint.readers.build_table import build_table
from halfpoint.readers.column_names import Assignment
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.sources import Source
from halfpoint.readers.words import STUDY_HEADER as HEADER

_COLUMN_OF_FIELD = {
    "white": "W",
    "black": "B",
    "score": "y",
    "white_rating_elo": "WR",
    "black_rating_elo": "BR",
    "event": "Site",
}


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
    require_pool()
    cells = polars.DataFrame([row for _, row in numbered[1:]], dict.fromkeys(HEADER, polars.String), orient="row")
    dated = "." in "".join(cells["Data"][:1])
    columns = _COLUMN_OF_FIELD | {"date" if dated else "period": "Data"}
    line = np.asarray([number for number, _ in numbered[1:]], dtype=np.int64)
    name = name or printable(Path(path).name)
    source = Source(
        str(path), "study", HEADER, lambda wanted, rows: {column: cells[column] for column in wanted}, name, line=line,
        sha256=sha256,
    )  # fmt: skip
    return build_table(source, Assignment(columns), ReaderOptions())
