"""Tables of HTML pages and of XML spreadsheets, also in files named .xls: the longest table is read."""

import re
from html.parser import HTMLParser
from pathlib import Path

from halfpoint.games.errors import GameTableError, count_noun
from halfpoint.games.readers.compressed import read_text
from halfpoint.games.readers.forms import Form
from halfpoint.games.readers.office.as_text import read_rows, table_within
from halfpoint.games.readers.sources import Source

_BEGIN = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*+(?:<\?xml[^>]*+>\s*+)?(?:<\?mso-application[^>]*+>\s*+)?(?:<!--(?:(?!-->).)*+-->\s*+)*+"
    rb"<(?:!doctype html|html|head|body|meta|table|style|div|workbook|ss:workbook)\b",
    re.IGNORECASE | re.DOTALL,
)

_SAME = {"row": "tr", "cell": "td", "worksheet": "section"}  # of XML spreadsheets


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as HTML and has a table, or is long."""
    return _BEGIN.match(head) is not None and (b"<tr" in head.lower() or b"row" in head.lower() or len(head) >= 65536)


class _Tables(HTMLParser):
    """Cells of tables; nested tables are separate."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.done: list[list[list[str]]] = []
        self.open: list[list[list[str]]] = []
        self.inside = False  # a cell
        self.hidden = 0  # of scripts and styles
        self.span = 1

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a table, a row or a cell; cells of an XML spreadsheet may give their place."""
        tag = _SAME.get(tag.removeprefix("ss:"), tag)
        self.hidden += tag in ("script", "style")
        if tag == "table":
            self.open.append([])
            self.inside = False
        elif self.open and tag == "tr":
            self.open[-1].append([])
            self.inside = False
        elif self.open and tag in ("td", "th"):
            if not self.open[-1]:
                self.open[-1].append([])
            told = dict(attrs)
            span, place = told.get("colspan") or "1", told.get("ss:index") or ""
            if place.isdecimal() and len(place) < 5:
                self.open[-1][-1].extend([""] * (int(place) - 1 - len(self.open[-1][-1])))
            self.open[-1][-1].append("")
            self.inside, self.span = True, int(span) if span.isdecimal() and len(span) < 4 else 1
        elif tag == "br" and self.inside:
            self.handle_data(" ")

    def handle_endtag(self, tag: str) -> None:
        """End a table or a cell, which may be several columns wide."""
        tag = _SAME.get(tag.removeprefix("ss:"), tag)
        self.hidden -= tag in ("script", "style") and self.hidden > 0
        if tag == "table" and self.open:
            self.done.append(self.open.pop())
            self.inside = False
        elif tag in ("td", "th") and self.inside and self.open and self.open[-1]:
            self.open[-1][-1].extend([""] * (self.span - 1))
            self.inside = False

    def handle_data(self, data: str) -> None:
        """Add text to the open cell."""
        if self.inside and self.open and self.open[-1] and self.open[-1][-1] and not self.hidden:
            self.open[-1][-1][-1] += data


def columns(file: str | Path, name: str, where: str) -> Source:
    """The columns of the table with the most rows."""
    text, sha256 = read_text(file)
    parser = _Tables()
    parser.feed(text)
    parser.close()
    tables = [table for table in (*parser.done, *parser.open) if any(table)]
    if not tables:
        raise GameTableError(where, "a table in the HTML", "none")
    best = table_within(tables)
    rows = [[" ".join(cell.split()) for cell in row] for row in tables[best]]
    others = len(tables) - 1
    notes = [f"HTML: table {best + 1} of {len(tables)}" if others else "HTML: a table"]
    notes += [f"not read: {count_noun(others, 'other table')}"] if others else []
    return read_rows(rows, name, where, sha256, notes)


HTML_TABLES = Form(recognises, columns)
