"""A square of counts of wins of the row's player over the column's player; the diagonal is ignored.

Rows and columns have the same names. (BradleyTerry2's `citations`, where a citation is a win of the cited journal; the
sociomatrices of studies of dominance, as of aniDom and compete.) A cross-table of points, with an empty diagonal and
each game in both players' rows, is no such square (`halfpoint.readers.cross_tables`).
"""

import re
from collections.abc import Sequence
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.csv_files import first_rows, likely_delimiter
from halfpoint.readers.first_rows import are_numbers, rows_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source

_LEAST, _MOST = 3, 5_000_000  # players, games
_EMPTY = re.compile(r"(?:[-–—x*#.]+|NA|NaN)?", re.IGNORECASE)
_POINTS = re.compile(r"(?:1/2|[01]?[.,]5|[01½])*+")


def _names_of(rows: Sequence[Sequence[str]]) -> list[str]:
    """Names of the columns of a square; empty if the rows are not part of one."""
    header = [cell.strip() for cell in rows[0]]
    wide = len(rows[1]) if len(rows) > 1 else 0
    names = header if wide == len(header) + 1 else header[1:]
    distinct = set(names)
    is_square = len(distinct) == len(names) >= _LEAST and all(len(row) == len(names) + 1 for row in rows[1:])
    return names if is_square and len(rows) > _LEAST and all(row[0].strip() in distinct for row in rows[1:]) else []


def recognises(path: str, head: bytes) -> bool:
    """True if rows have the names of columns, and cells have whole numbers other than points of a cross-table."""
    rows = rows_of(head)
    names = _names_of(rows) if len(rows) > _LEAST else []
    if not names:
        return False
    diagonal = [row[1 + names.index(row[0])] for row in rows[1:]]
    outside = (cell for row in rows[1:] for rival, cell in zip(names, row[1:], strict=True) if rival != row[0])
    counts = [cell for cell in outside if not _EMPTY.fullmatch(cell)]
    if not are_numbers(counts) or any(float(cell) != int(float(cell)) or float(cell) < 0 for cell in counts):
        return False
    return not (all(map(_EMPTY.fullmatch, diagonal)) and all(map(_POINTS.fullmatch, counts)))


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a square of counts."""
    text, sha256 = read_text(file)
    square = first_rows(text, likely_delimiter(text), None)
    names = _names_of(square)
    if not names or {row[0].strip() for row in square[1:]} != set(names):
        sizes = f"{len(square) - 1} rows, {len(names)} columns"
        raise GameTableError(location, "a row for the name of each column", sizes)
    counts: dict[tuple[str, str], int] = {}
    on_diagonal = 0
    for number, row in enumerate(square[1:], 2):
        for loser, cell in zip(names, map(str.strip, row[1:]), strict=True):
            if _EMPTY.fullmatch(cell):
                continue
            if not cell.removesuffix(".0").isdecimal():
                raise GameTableError(f"{location}, row {number}, column {loser}", "a whole number of wins", repr(cell))
            if loser == row[0].strip():
                on_diagonal += float(cell) > 0
            else:
                counts[row[0].strip(), loser] = int(float(cell))
    if sum(counts.values()) > _MOST:
        raise GameTableError(location, f"at most {_MOST:,} games", f"{sum(counts.values()):,}")
    if counts and all(counts.get((b, a), 0) == count for (a, b), count in counts.items()):
        raise GameTableError(location, "wins of rows over columns", "a symmetric table, as of meetings or distances")
    rows = [pair for pair, count in counts.items() for _ in range(count)]
    players = count_noun(len(names), "player")
    notes = [f"a square of counts: {len(rows):,} games among {players}, wins of the row over the column"]
    notes.append(f"not used: {count_noun(on_diagonal, 'number')} of the diagonal" if on_diagonal else "")
    return source_of_rows(("winner", "loser"), rows, name, location, None, sha256, notes)


SQUARES = Form(recognises, columns)
