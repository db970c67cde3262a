"""Tables of HTML pages and of XML spreadsheets, also in files named .xls: the longest table is read."""

import re
from collections.abc import Mapping
from html import unescape
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form
from halfpoint.readers.office.as_text import read_rows, require_cells
from halfpoint.readers.office.csv_of_rows import table_within
from halfpoint.readers.sources import Source

_BEGIN = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<\?mso-application[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+"
    rb"<(?:!doctype html|html|head|body|meta|table|style|div|workbook|ss:workbook)\b",
    re.IGNORECASE | re.DOTALL,
)

_TOKEN = re.compile(  # a comment or a declaration; the mark, name and attributes of a tag; text
    r"<!--.*?(?:-->|\Z)|<[!?][^>]*+>?"
    r"|<(/?)([A-Za-z][\w:.-]*+)((?:[^<>=]++|=\s*+\"[^\"]*+\"?|=\s*+'[^']*+'?|=)*+)>?|([^<]++|<)",
    re.DOTALL,
)
_END_OF_CODE = re.compile(r"</(?:script|style)\b", re.IGNORECASE)
_NUMBERED = re.compile(r"(?<!\S)(colspan|rowspan|ss:index)\s*+=\s*+[\"']?(\d{1,4})(?!\d)", re.IGNORECASE)

_SAME = {"row": "tr", "cell": "td", "worksheet": "section"}  # of XML spreadsheets


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as HTML and has a table, or is long."""
    return _BEGIN.match(head) is not None and (b"<tr" in head.lower() or b"row" in head.lower() or len(head) >= 65536)


class _Tables:
    """Cells of tables; nested tables are separate. Tags are read in a single pass."""

    def __init__(self, text: str, location: str) -> None:
        self.where = location
        self.done: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []
        self.cell: tuple[list[str], list[str], int] | None = None  # row, parts of the text, and columns of an open cell
        self.blank = 0  # cells
        # of each open table: rows of cells that reach into further rows, by row and place; blank there if of headers
        self.tall: list[dict[tuple[int, int], tuple[int, bool]]] = []
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
            if not self.open[-1]:
                self.open[-1].append([])
            row = self.open[-1][-1]
            numbers = {key.lower(): int(number) for key, number in _NUMBERED.findall(attributes)} if attributes else {}
            self.skip(row, numbers.get("ss:index", 0) - 1 - len(row))
            rows, columns = numbers.get("rowspan", 1), numbers.get("colspan", 1)
            for k in range(columns if rows > 1 else 0):
                self.tall[-1][len(self.open[-1]) - 1, len(row) + k] = rows, tag == "th"
            row.append("")
            self.cell = row, [], columns
        elif tag == "br" and self.cell is not None:
            self.cell[1].append(" ")

    def end(self, tag: str) -> None:
        """End a table or a cell, which may be several columns wide."""
        if tag == "table" and self.open:
            self.close()
            self.done.append(self.filled(self.open.pop(), self.tall.pop()))
        elif tag in ("td", "th") and self.cell is not None:
            row, _, wide = self.cell
            self.close()
            self.skip(row, wide - 1)

    def close(self) -> None:
        """Put the text of the open cell into its place."""
        if self.cell is not None:
            row, parts, _ = self.cell
            row[-1] = unescape("".join(parts))
            self.cell = None

    def filled(self, table: list[list[str]], tall: Mapping[tuple[int, int], tuple[int, bool]]) -> list[list[str]]:
        """A table with the text of cells of several rows in each of these rows."""
        above: dict[int, tuple[int, str]] = {}  # column to the rows that are left, and the text
        for number, row in enumerate(table if tall else []):
            cells, below, place = list[str](), dict[int, tuple[int, str]](), 0
            end = max(above, default=-1)
            while place < len(row) or len(cells) <= end:
                left, text = above.get(len(cells), (0, ""))
                if not left and place < len(row):
                    text, (rows, heads) = row[place], tall.get((number, place), (1, False))
                    below |= {len(cells): (rows - 1, "" if heads else text)} if rows > 1 else {}
                    place += 1
                else:
                    self.blank += 1
                    below |= {len(cells): (left - 1, text)} if left > 1 else {}
                cells.append(text)
            require_cells(self.blank, self.where)
            row[:], above = cells, below
        return table

    def skip(self, row: list[str], columns: int) -> None:
        """Add blank cells to a row; `GameTableError` if there are too many in all."""
        self.blank += max(columns, 0)
        require_cells(self.blank, self.where)
        row.extend([""] * columns)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The columns of the table with the most rows."""
    text, sha256 = read_text(file)
    parser = _Tables(text, location)
    tables = [*parser.done, *map(parser.filled, parser.open, parser.tall)]
    tables = [table for table in tables if any(table)]
    if not tables:
        raise GameTableError(location, "a table in the HTML", "none")
    best = table_within(tables)
    notes = ["HTML: a table"]
    if len(tables) > 1:
        notes = [f"HTML: table {best + 1} of {len(tables)}", f"not read: {count_noun(len(tables) - 1, 'other table')}"]
    return read_rows(tables[best], name, location, sha256, notes)


HTML_TABLES = Form(recognises, columns)
