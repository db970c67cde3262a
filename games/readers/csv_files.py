"""The cells of a CSV text by column: a header, then a line each."""

import csv
from array import array
from collections.abc import Iterator

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.words import SIMULATED, is_mark

DELIMITERS = ",;\t|"


def likely_delimiter(text: str) -> str:
    """Return which of comma, semicolon, tab and bar the first line that is not blank has most of."""
    header = next((row for row in each_line(text) if row.strip()), "")
    return max(DELIMITERS, key=header.count)


def each_line(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, without a copy of the whole."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


class CsvColumns:
    """The cells of a CSV text by column, each distinct text held once."""

    def __init__(self, text: str, delimiter: str, source: str) -> None:
        self.header: list[str] = []
        self.columns: list[list[str]] = []
        self.lines = array("q")
        self.odd: tuple[int, int] | None = None  # line and cells of the first row that is not as wide as the header
        known: dict[str, str] = {}
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        reader = csv.reader(each_line(text), delimiter=delimiter, strict=True)
        try:
            for row in reader:
                if not any(map(str.strip, row)):
                    continue
                if not self.header:
                    self.header = [cell.strip() for cell in row]
                    self.columns = [[] for _ in row]
                    continue
                if len(row) != len(self.header):
                    self.odd = (reader.line_num, len(row))
                    break
                for column, cell in zip(self.columns, row, strict=True):
                    column.append(known.setdefault(cell, cell))
                self.lines.append(reader.line_num)
        except csv.Error as error:
            raise GameTableError(f"{source}, line {reader.line_num}", "CSV", str(error)) from None
        if not self.header:
            raise GameTableError(source, "a header line", "no rows")

    @property
    def simulated(self) -> bool:
        """Whether a column of ones marks what stands there as simulated."""
        return self.header.count(SIMULATED) == 1 and is_mark({*self.columns[self.header.index(SIMULATED)]})

    def check_width(self, source: str) -> None:
        """Raise `GameTableError` if a row has another number of cells than the header."""
        if self.odd is not None:
            line, count = self.odd
            raise GameTableError(f"{source}, line {line}", f"{len(self.header)} cells", f"{count}")
