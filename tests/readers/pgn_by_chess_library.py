"""Games from a PGN file by the chess library, headers only; reference for the faster scan.

Source of the format: Edwards (1994), Portable Game Notation Specification, sections 8.1 and 9.
"""

import io
from pathlib import Path

import numpy as np
import polars

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import GameTable
from halfpoint.readers.build_table import build_table
from halfpoint.readers.column_names import Assignment
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.sources import Source

COLUMN_OF_FIELD = {
    "white": "White",
    "black": "Black",
    "score": "Result",
    "date": "Date",
    "white_rating_elo": "WhiteElo",
    "black_rating_elo": "BlackElo",
    "event": "Event",
}
UNFINISHED = "*"


class CountingLines:
    """Text by line with the line number of the first header since `forget` was called."""

    def __init__(self, text: str) -> None:
        self.rows = iter(io.StringIO(text))
        self.number = 0
        self.first_header = 0

    def forget(self) -> None:
        """Start the search for the next game's first header."""
        self.first_header = 0

    def readline(self) -> str:
        """Next line, empty at the end."""
        row = next(self.rows, "")
        self.number += 1
        if not self.first_header and row.startswith("["):
            self.first_header = self.number
        return row


def read_pgn(path: str | Path, name: str | None = None) -> GameTable:
    """The finished games of a PGN file; games with the result ``*`` are left out.

    The text is held whole; `halfpoint.readers.pgn.read_pgn_headers` takes files of any size.

    Parameters
    ----------
    path : str or Path
        UTF-8 or Latin-1 text.
    name : str, optional
        Name of the data set; the file's name if not given.

    Returns
    -------
    GameTable
        With the date NaT where a part of it is unknown, and ratings NaN where they are unknown.

    Raises
    ------
    GameTableError
        If the file cannot be read, is not text, or holds no game with a header; if a name is missing, a result, date
        or rating is not one, or no game is finished. The message gives file and line.
    """
    import chess.pgn  # slow to import and needed here only

    text, sha256 = read_text(path)
    handle = CountingLines(text)
    cells: dict[str, list[str]] = {field: [] for field in COLUMN_OF_FIELD}
    lines: list[int] = []
    unfinished = 0
    while (headers := chess.pgn.read_headers(handle)) is not None:
        line = handle.first_header
        handle.forget()
        if not line:
            raise GameTableError(f"{path}, line {handle.number}", "PGN headers such as [White ...]", "none")
        if headers.get("Result") == UNFINISHED:
            unfinished += 1
            continue
        lines.append(line)
        for field, column in COLUMN_OF_FIELD.items():
            cells[field].append(headers.get(column, ""))
        if "?" in cells["date"][-1]:
            cells["date"][-1] = headers.get("UTCDate", cells["date"][-1])
    if not lines:
        raise GameTableError(str(path), "at least one finished game", f"{unfinished} games with the result '*'")
    columns = {COLUMN_OF_FIELD[field]: polars.Series(values).str.strip_chars() for field, values in cells.items()}
    line = np.asarray(lines, dtype=np.int64)
    name = name or Path(path).name
    source = Source(str(path), "pgn", tuple(columns), lambda *_: columns, name, line=line, sha256=sha256)
    return build_table(source, Assignment(COLUMN_OF_FIELD), ReaderOptions())
