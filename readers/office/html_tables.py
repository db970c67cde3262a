"""Tables of HTML pages and XML spreadsheets, also in files named .xls: the longest, and all with its header."""

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path
from typing import NamedTuple

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form
from halfpoint.readers.office.as_text import read_rows, require_cells
from halfpoint.readers.office.csv_of_rows import table_within, tables_alike
from halfpoint.readers.sources import Source

_BEGIN = re.compile(rb"(?is)\A(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<\?mso-application[^>]*+>\s*+)?"
                    rb"(?:<!--(?:(?!-->).)*+-->\s*+)*+"
                    rb"<(?:!doctype html|html|head|body|meta|table|style|div|workbook|ss:workbook)\b")  # fmt: skip

# a comment or a declaration; the mark, name and attributes of a tag; text
_TOKEN = re.compile(r"(?s)<!--.*?(?:-->|\Z)|<[!?][^>]*+>?|<(/?)([A-Za-z][\w:.-]*+)"
                    r"((?:[^<>=]++|=\s*+\"[^\"]*+\"?|=\s*+'[^']*+'?|=)*+)>?|([^<]++|<)")  # fmt: skip
_END_OF_CODE = re.compile(r"</(?:script|style)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<!\S)(colspan|rowspan|ss:index)\s*+=\s*+[\"']?(\d{1,4})(?!\d)", re.IGNORECASE)

_MOST_SPREAD = 2_000_000  # cells, some two seconds
_SAME = {"row": "tr", "cell": "td", "worksheet": "section"}  # of XML spreadsheets


class _Span(NamedTuple):
    """Rows and columns of a cell."""

    rows: int = 1
    columns: int = 1
    is_header: bool = False


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as HTML and has a table, or is long."""
    return _BEGIN.match(head) is not None and (b"<tr" in head.lower() or b"row" in head.lower() or len(head) >= 65536)


class _Tables:
    """Cells of tables; nested tables are separate. Tags are read in a single pass."""

    def __init__(self, text: str, location: str) -> None:
        self.where = location
        self.done: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []
        self.cell: tuple[list[str], list[str], _Span] | None = None  # row, parts of the text, and size of an open cell
        self.blank, self.spread = 0, 0  # cells; cells of tables in which some reach into further rows
        self.tall: list[dict[tuple[int, int], _Span]] = []  # of each open table: such cells, by row and place
        self.read(text)
        self.close()

    def read(self, text: str) -> None:
        """Cells of all tags and texts."""
        place = 0
        while match := _TOKEN.match(text, place):
            place = match.end()
            kind, name, data = match[1], (match[2] or "").lower(), match[4]
            if data is not None:
                if self.cell is not None:
                    self.cell[1].append(data)
            elif kind == "/":
                self.end(_SAME.get(name.removeprefix("ss:"), name))
            elif name in ("script", "style"):
                closing = _END_OF_CODE.search(text, place)
                place = closing.start() if closing else len(text)
            elif name:
                self.begin(_SAME.get(name.removeprefix("ss:"), name), match[3])

    def begin(self, tag: str, attributes: str) -> None:
        """Begin a table, a row or a cell; cells of an XML spreadsheet may give their place."""
        if tag == "table":
            self.close()
            self.open.append([])
            self.tall.append({})
        elif self.open and tag == "tr":
            self.close()
            self.open[-1].append([])
        elif self.open and tag in ("td", "th"):
            self.close()
            self.open[-1] += [] if self.open[-1] else [[]]
            row = self.open[-1][-1]
            numbers = {key.lower(): int(number) for key, number in _NUMBERED.findall(attributes)} if attributes else {}
            self.skip(row, numbers.get("ss:index", 0) - 1 - len(row))
            row.append("")
            self.cell = row, [], _Span(numbers.get("rowspan", 1), numbers.get("colspan", 1), tag == "th")
        elif tag == "br" and self.cell is not None:
            self.cell[1].append(" ")

    def end(self, tag: str) -> None:
        """End a table or a cell."""
        if tag == "table" and self.open:
            self.close()
            self.done.append(self.filled(self.open.pop(), self.tall.pop()))
        elif tag in ("td", "th"):
            self.close()

    def close(self) -> None:
        """Put the text of the open cell, which may be several columns wide, into its place."""
        if self.cell is not None:
            row, parts, span = self.cell
            row[-1] = unescape("".join(parts))
            if span.rows > 1:
                self.tall[-1][len(self.open[-1]) - 1, len(row) - 1] = span
            self.skip(row, span.columns - 1)
            self.cell = None

    def filled(self, table: list[list[str]], tall: Mapping[tuple[int, int], _Span]) -> list[list[str]]:
        """A table with the text of cells of several rows in each of these rows; blank below headers."""
        above: dict[int, tuple[int, str]] = {}  # column to the rows that are left, and the text
        for number, row in enumerate(table if tall else []):
            cells, below, place, covered = list[str](), dict[int, tuple[int, str]](), 0, 0
            end, span = max(above, default=-1), _Span()
            self.require_spread(max(len(row), end + 1))
            while place < len(row) or len(cells) <= end:
                left, text = above.get(len(cells), (0, ""))
                if not left and place < len(row):
                    text = row[place]
                    if (number, place) in tall:
                        span = tall[number, place]
                        covered = place + span.columns
                    if place < covered:
                        below[len(cells)] = span.rows - 1, "" if span.is_header else text
                    place += 1
                elif left > 1:
                    below[len(cells)] = left - 1, text
                cells.append(text)
            self.require_spread(len(cells) - len(row))
            row[:], above = cells, below
        return table

    def require_spread(self, cells: int) -> None:
        """Count cells of tables in which some have several rows; `GameTableError` if there are too many in all."""
        self.spread += cells
        if self.spread > _MOST_SPREAD:
            expected = f"at most {_MOST_SPREAD:,} cells where some have several rows"
            raise GameTableError(self.where, expected, "more", "Save the table as CSV.")

    def skip(self, row: list[str], columns: int) -> None:
        """Add blank cells to a row; `GameTableError` if there are too many in all."""
        self.blank += max(columns, 0)
        require_cells(self.blank, self.where)
        row.extend([""] * columns)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The columns of the table with the most rows, and of others with the same header."""
    text, sha256 = read_text(file)
    parser = _Tables(text, location)
    tables = [*parser.done, *map(parser.filled, parser.open, parser.tall)]
    tables = [table for table in tables if any(table)]
    if not tables:
        raise GameTableError(location, "a table in the HTML", "none")
    alike = tables_alike(tables, table_within(tables))
    notes = [f"HTML: table {', '.join(str(k + 1) for k in alike)} of {len(tables)}"]
    notes += [f"not read: {count_noun(len(tables) - len(alike), 'other table')}"] if len(alike) < len(tables) else []
    rows = [*tables[alike[0]], *(row for k in alike[1:] for row in tables[k][1:])]
    return read_rows(rows, name, location, sha256, notes)


HTML_TABLES = Form(recognises, columns)
