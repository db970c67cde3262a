"""The cells of a CSV text by column: a header, then one line per row; titles above the header are skipped."""

import csv
import re
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import accumulate, islice
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.packaged import packaged_table
from halfpoint.readers.words import SIMULATED, is_mark

if TYPE_CHECKING:
    import polars

_polars = LazyModule("polars")
_WIDE = 200  # columns beyond which a text is read row by row

_DELIMITERS = ",;\t|"
_SAMPLED_LINES = 40  # in which the header is searched
_DIGIT, _LINE = re.compile(r"\d"), re.compile(r"[^\n]*+\n|[^\n]++")
_COMMENT = "# "  # the beginning of lines that are not rows
_NO_ROW = re.compile(r"#(?!\d+ )")  # likewise, in a file with such lines; "#5 Duke" is a name
_LEAST_WIDE = 3  # cells of a header below titles
_FEWEST_BELOW = 3  # rows of one width below a table, which are another table
_SECOND = "If another table begins here, write each to a file of its own; a command reads several files of games."
_LARGE = 1_000_000  # characters, from which on a text is first scanned as a whole


def likely_delimiter(text: str) -> str:
    """The delimiter among comma, semicolon, tab and bar that splits most lines into as many cells as the header."""

    def count_of_parts(mark: str) -> int:
        rows = first_rows(text, mark)
        width = [len(row) for row in rows[_titles_above(rows) :]]
        return (width[0] - 1) * width.count(width[0]) if rows else 0

    return max(_DELIMITERS, key=count_of_parts)


def first_rows(text: str, delimiter: str, most: int | None = _SAMPLED_LINES) -> list[list[str]]:
    """Nonempty rows of the first lines, or of all lines, without comments."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows.extend(csv.reader(islice(_each_line(text), most), delimiter=delimiter))
    rows = [row for row in rows if any(map(str.strip, row))]
    return _without_comments(rows) or rows


def _without_comments(rows: Sequence[list[str]]) -> list[list[str]]:
    """Rows that do not begin with #, if "# " begins some, and if these are most and begin with a header; else empty."""
    plain = [row for row in rows if not _NO_ROW.match(row[0])]
    if not any(row[0].startswith(_COMMENT) for row in rows) or 2 * len(plain) <= len(rows):
        return []
    return plain if all(cell not in column for cell, *column in zip(*plain, strict=False) if cell) else []


def _titles_above(rows: Sequence[Sequence[str]]) -> int:
    """Number of rows above the header: of one cell, or of two in a wider row, if more cells follow."""
    cells = [sum(map(bool, map(str.strip, row))) for row in rows]
    header = next((k for k, filled in enumerate(cells) if filled >= _LEAST_WIDE), 0)
    above = all(filled < 2 or 2 * filled < len(row) for filled, row in zip(cells[:header], rows[:header], strict=True))
    return header if header and above and [len(row) for row in rows[header:]].count(len(rows[header])) > 1 else 0


def _names_of_two(rows: Sequence[Sequence[str]]) -> tuple[Sequence[str], list[str]] | None:
    """The upper row of a two-row header, and the combined names; None if the rows are not such a header.

    The upper row has the names of groups of columns, Home and Away, above names that the lower row repeats.
    """
    if len(rows) < 2 or len(rows[0]) != len(rows[1]):
        return None
    upper, lower = ([cell.strip() for cell in row] for row in rows)
    doubled = {name for name, times in Counter(lower).items() if name and times > 1}
    if not doubled or any(map(_DIGIT.search, (*upper, *lower))) or "" not in upper:
        return None
    groups: Iterator[str] = accumulate(upper, lambda group, over: over or group)
    pairs = [(group if name in doubled or not name else "", name) for group, name in zip(groups, lower, strict=True)]
    names = [" ".join(filter(None, pair)) for pair in pairs]
    filled = [name for name in names if name]
    return (rows[0], names) if len({*filled}) == len(filled) else None


def _each_line(text: str) -> Iterator[str]:
    """The lines of a text with their ends, without a copy of the whole."""
    return (match[0] for match in _LINE.finditer(text))


def plain_columns(text: str, delimiter: str) -> "tuple[list[str], list[polars.Series], int] | None":
    """Header, columns and bytes of the longest line of a text with one row per line, all of one width; else None.

    Cells have no blanks around them. Such a text has no quotes, no empty line, and no row that `CsvColumns` skips.
    """
    text = text.rstrip("\n")
    header = [cell.strip() for cell in text.partition("\n")[0].split(delimiter)]
    if any(mark in text for mark in ('"', "\n\n", f"\n{_COMMENT}")) or "\n" not in text or not delimiter.isascii():
        return None
    if len(header) > _WIDE or not any(header):
        return None
    body = text.encode()[len(text.partition("\n")[0].encode()) + 1 :]
    letters = np.frombuffer(body, dtype=np.uint8)
    starts = np.concatenate([[0], np.flatnonzero(letters == ord("\n")) + 1])
    marks = np.flatnonzero(letters == ord(delimiter))
    if marks.size != starts.size * (len(header) - 1) or marks.size == 0:
        return None
    of_line = marks.reshape(starts.size, -1)  # if the marks of each line are inside it
    if (of_line[:, 0] < starts).any() or (of_line[:-1, -1] >= starts[1:]).any():
        return None
    names = [str(place) for place in range(len(header))]
    frame = _polars.read_csv(
        body, has_header=False, new_columns=names, separator=delimiter, quote_char=None, infer_schema=False,
    ).select(_polars.all().fill_null("").str.strip_chars())  # fmt: skip
    filled = frame.select(_polars.sum_horizontal(_polars.all() != "")).to_series()
    again = frame.filter(_polars.col("0") == header[0]).rows()
    if len(frame) != starts.size or filled.min() < (2 if len(header) > _LEAST_WIDE else 1) or tuple(header) in again:
        return None
    return header, frame.get_columns(), int(np.diff(starts, append=letters.size + 1).max())


def csv_fault(error: csv.Error) -> tuple[str, str]:
    """What a CSV text has instead of rows, and the remedy."""
    remedy = "Close each quotation mark, and write one within a cell twice"
    if "field larger" not in str(error):
        return str(error), f"{remedy}."
    return f"a cell of more than {csv.field_size_limit():,} letters", f"{remedy}, or shorten the cell."


class CsvColumns:
    """The cells of a CSV text by column, each distinct text stored once."""

    def __init__(self, text: str, delimiter: str, source: str, remarks: bool = False) -> None:
        self.header: list[str] = []
        self.columns: list[Any] = []  # of texts; polars' own of a large plain text
        self.lines = array("q")
        self.odd: GameTableError | None = None  # of the first row that is not as wide as the header
        self.longest: int | None = None  # bytes of a line, None if they were not counted
        interned: dict[str, str] = {}
        text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self.titles: list[str] = []  # text above the header
        self.merged = False  # whether the header has the names of two rows
        self.remarks: dict[int, str] = {}  # rows of one cell, by number of rows before
        beginning = first_rows(text, delimiter)
        self.comments = 0  # rows that begin with #
        commented = bool(beginning) and not any(_NO_ROW.match(row[0]) for row in beginning)
        commented &= text.startswith(_COMMENT) or f"\n{_COMMENT}" in text
        titles = _titles_above(beginning)
        two = remarks and (_names_of_two(beginning[titles : titles + 2]) or
                           (_names_of_two(beginning[titles - 1 : titles + 1]) if titles else None))  # fmt: skip
        above, gap = list[str](), False
        self.below: list[str] = []  # lines of text below the table, behind an empty line
        large = len(text) > _LARGE and remarks and not (titles or two or commented)
        plain = plain_columns(text, delimiter) if large else None
        if plain is not None:
            self.header, self.columns, self.longest = plain
            self.lines = array("q", range(2, len(self.columns[0]) + 2))
            return
        reader, last = csv.reader(_each_line(text), delimiter=delimiter, strict=True), 0
        try:
            for row in reader:
                last = reader.line_num
                if not any(map(str.strip, row)):
                    gap = True
                    continue
                if commented and _NO_ROW.match(row[0]):
                    self.comments += 1
                    continue
                if two and not above and row == two[0]:
                    above = row
                    titles = min(titles, len(self.titles))
                    continue
                if len(self.titles) < titles:
                    self.titles.append(" ".join(filter(None, map(str.strip, row))))
                    continue
                if not self.header:
                    self.header = two[1] if two and above else [cell.strip() for cell in row]
                    self.merged = bool(above)
                    self.columns = [[] for _ in row]
                    continue
                if remarks and self.is_remark(row):
                    continue
                if len(row) == len(self.header) + 1 and not self.lines and row[0].strip() in self.header:
                    self.header, self.columns = ["", *self.header], [[], *self.columns]
                if len(row) != len(self.header):
                    place, below = f"{source}, line {reader.line_num}", [row, *reader] if gap and remarks else []
                    widths = Counter(len(cells) for cells in below if len(cells) > 1)
                    if below and max(widths.values(), default=0) < _FEWEST_BELOW:
                        self.below = [" ".join(cells).strip() for cells in below]
                    else:
                        advice = _SECOND * bool(below)
                        self.odd = GameTableError(place, f"{len(self.header)} cells", f"{len(row)}", advice)
                    break
                for column, cell in zip(self.columns, row, strict=True):
                    column.append(interned.setdefault(cell, cell))
                self.lines.append(reader.line_num)
                gap = False
        except csv.Error as error:
            lines = f"line {last + 1}" if reader.line_num == last + 1 else f"lines {last + 1} to {reader.line_num}"
            raise GameTableError(f"{source}, {lines}", "CSV", *csv_fault(error)) from None
        if not self.header:
            raise GameTableError(source, "a header line", "no rows")

    def is_remark(self, row: Sequence[str]) -> bool:
        """True if a row has no data: the header again, or one cell in a row of four or more, which is kept."""
        cells = list(map(str.strip, row))
        alone = cells.count("") == len(cells) - 1 and len(self.header) > _LEAST_WIDE
        if alone:
            self.remarks[len(self.lines)] = "".join(cells)
        return alone or cells == self.header

    @classmethod
    def whole(cls, text: str, source: str) -> Self:
        """The cells of a text whose rows all have the length of the header."""
        table = cls(text, likely_delimiter(text), source)
        table.check_width()
        return table

    @property
    def cells(self) -> dict[str, list[str]]:
        """The cells of each column."""
        return dict(zip(self.header, self.columns, strict=True))

    @property
    def simulated(self) -> bool:
        """True if a column of ones marks the rows as simulated."""
        return self.header.count(SIMULATED) == 1 and is_mark({*self.columns[self.header.index(SIMULATED)]})

    def check_width(self) -> None:
        """Raise `GameTableError` if a row has another number of cells than the header."""
        if self.odd is not None:
            raise self.odd


def words_in(package: str) -> dict[str, list[str]]:
    """The words that identify the columns of a field, from columns.toml in its folder."""
    return {field: words.split() for field, words in packaged_table(package, "columns.toml").items()}
