"""The cells of a CSV text by column: a header, then a line each; a spreadsheet's titles above the header are passed."""

import csv
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Self

from halfpoint.games.errors import GameTableError
from halfpoint.games.packaged import packaged_table
from halfpoint.games.readers.words import SIMULATED, is_mark, plain_word

_DELIMITERS = ",;\t|"
_SAMPLED_LINES = 40  # in which the header is looked for
_LEAST_WIDE = 3  # cells of a header below titles


def likely_delimiter(text: str) -> str:
    """The delimiter among comma, semicolon, tab and bar that splits most lines into as many cells as the header."""

    def parted(mark: str) -> int:
        rows = first_rows(text, mark)
        width = [len(row) for row in rows[_titles_above(rows) :]]
        return (width[0] - 1) * width.count(width[0]) if rows else 0

    return max(_DELIMITERS, key=parted)


def first_rows(text: str, delimiter: str, most: int | None = _SAMPLED_LINES) -> list[list[str]]:
    """Rows of the first lines, or of all, that hold something."""
    found: list[list[str]] = []
    with suppress(csv.Error):
        found.extend(csv.reader(islice(_each_line(text), most), delimiter=delimiter))
    return [row for row in found if any(map(str.strip, row))]


def _titles_above(rows: Sequence[Sequence[str]]) -> int:
    """Number of rows above the header: of one cell, or of two in a wider row, if more cells follow."""
    cells = [sum(map(bool, map(str.strip, row))) for row in rows]
    header = next((k for k, filled in enumerate(cells) if filled >= _LEAST_WIDE), 0)
    above = all(filled < 2 or 2 * filled < len(row) for filled, row in zip(cells[:header], rows[:header], strict=True))
    return header if header and above and [len(row) for row in rows[header:]].count(len(rows[header])) > 1 else 0


def _each_line(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends, without a copy of the whole."""
    start = 0
    while start < len(text):
        end = text.find("\n", start) + 1 or len(text)
        yield text[start:end]
        start = end


class CsvColumns:
    """The cells of a CSV text by column, each distinct text stored once."""

    def __init__(self, text: str, delimiter: str, source: str, remarks: bool = False) -> None:
        self.header: list[str] = []
        self.columns: list[list[str]] = []
        self.lines = array("q")
        self.odd: tuple[int, int] | None = None  # line and cells of the first row that is not as wide as the header
        self.width = 0  # of the header as it stands in the text
        known: dict[str, str] = {}
        if "\r" in text:
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        self.titles: list[str] = []  # what stands above the header
        self.remarks: dict[int, str] = {}  # rows of one cell, by how many rows stand before
        beginning = first_rows(text, delimiter)
        titles = _titles_above(beginning)
        reader = csv.reader(_each_line(text), delimiter=delimiter, strict=True)
        try:
            for row in reader:
                if not any(map(str.strip, row)):
                    continue
                if len(self.titles) < titles:
                    self.titles.append(" ".join(filter(None, map(str.strip, row))))
                    continue
                if not self.header:
                    self.header = [cell.strip() for cell in row]
                    self.columns, self.width = [[] for _ in row], len(row)
                    continue
                if remarks and self.is_remark(row):
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

    def is_remark(self, row: Sequence[str]) -> bool:
        """True if a row is no data: the header again, or one cell in a row of four or more, which is kept."""
        cells = list(map(str.strip, row))
        alone = cells.count("") == len(cells) - 1 and len(self.header) > _LEAST_WIDE
        if alone:
            self.remarks[len(self.lines)] = "".join(cells)
        return alone or cells == self.header

    @classmethod
    def whole(cls, text: str, source: str) -> Self:
        """The cells of a text whose rows all have the length of the header."""
        table = cls(text, likely_delimiter(text), source)
        table.check_width(source)
        return table

    @property
    def cells(self) -> dict[str, list[str]]:
        """The cells of each column."""
        return dict(zip(self.header, self.columns, strict=True))

    @property
    def simulated(self) -> bool:
        """True if a column of ones marks the rows as simulated."""
        return self.header.count(SIMULATED) == 1 and is_mark({*self.columns[self.header.index(SIMULATED)]})

    def check_width(self, source: str) -> None:
        """Raise `GameTableError` if a row has another number of cells than the header."""
        if self.odd is not None:
            line, count = self.odd
            raise GameTableError(f"{source}, line {line}", f"{self.width} cells", f"{count}")


def words_in(package: str) -> dict[str, list[str]]:
    """The words that identify the columns of a field, from columns.toml in its folder."""
    return {one: words.split() for one, words in packaged_table(package, "columns.toml").items()}


def columns_by_words(
    header: Sequence[str], words: Mapping[str, Sequence[str]], given: Mapping[str, str], where: str,
    one_only: bool = False,
) -> dict[str, str]:  # fmt: skip
    """The column of each field: as the user says, else the first by its words; none is two fields."""
    for field, column in given.items():
        if field not in words or column not in header:
            expected = f"FIELD=COLUMN, fields {', '.join(words)}, columns of the file"
            raise GameTableError(f"{where}, --columns", expected, f"{field}={column}")
    chosen = dict(given)
    for field, known in words.items():
        free = [name for name in header if name not in chosen.values()]
        found = [name for word in known for name in free if plain_word(name) == word]
        if field not in chosen and len(found) > 1 and one_only:
            remedy = f"Say which: --columns {field}={found[0]}, for example."
            raise GameTableError(where, f"one column for {field}", ", ".join(found), remedy)
        if field not in chosen and found:
            chosen[field] = found[0]
    return chosen
