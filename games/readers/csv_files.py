"""Games from a CSV file: a header, then one line a game."""

import csv
from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import assign_columns
from halfpoint.games.readers.columns import build_table
from halfpoint.games.readers.score_cells import is_score
from halfpoint.games.readers.text_file import read_text
from halfpoint.games.table import GameTable

DELIMITERS = ",;\t|"


def read_csv(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (),
    ignore: Sequence[str] = (),
    delimiter: str | None = None,
    name: str | None = None,
    date_format: str | None = None,
    scored: bool = True,
    sides: str | None = None,
    margin: bool = False,
) -> GameTable:
    """Return the games of a CSV file.

    Parameters
    ----------
    path : str or Path
        UTF-8 or Windows-1252 text, plain or compressed, with a header: white, black and score (or white_goals and
        black_goals), and any of period, date, white_rating_elo, black_rating_elo, event, weight; or the words of other
        sports (`halfpoint.games.readers.column_names`), such as HomeTeam, AwayTeam, FTHG, FTAG; or winner and loser.
    columns : mapping of str to str, optional
        Field to the file's column, where the names differ: ``{"white": "W", "black": "B", "score": "y"}``.
    covariates, ignore : sequence of str
        Columns to keep as covariates, and to leave out. Others are left out too and named in the table's notes, unless
        `ignore` has ``*``.
    delimiter : str, optional
        One character between cells; if not given, that of comma, semicolon, tab and bar which the header has most of.
    name : str, optional
        Name of the data set; the file's name if not given.
    date_format : str, optional
        How dates are written if not with the year first, for example ``%d/%m/%Y``.
    scored : bool
        Whether to read scores; if not, none are needed, and every game stands as a draw (games to come).
    sides : str, optional
        What stands between the people of a side in one cell, such as +, or "whole" for names as they stand. People may
        also have columns of their own (white_1, white_2); see `halfpoint.games.readers.side_cells`.
    margin : bool
        Whether goals are kept beside a score, for models of margins.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If the file cannot be read or is not text, a column is unknown, missing or repeated, a value breaks a rule, or
        there are no rows; the message gives file and line.
    """
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '\r\n"'):
        raise GameTableError("delimiter", "one character", repr(delimiter))
    text, sha256 = read_text(path)
    table = CsvColumns(text, delimiter or likely_delimiter(text), str(path))
    del text
    texts = dict(zip(table.header, table.columns, strict=True))
    where = f"{path}, header"
    assigned = assign_columns(table.header, columns or {}, covariates, ignore, where, scored, texts, is_score, margin)
    table.check_width(str(path))
    chosen = assigned.every
    cells = {column: np.array(texts[column], dtype=object) for column in {*chosen.values(), *covariates}}
    raw = {field: cells[column] for field, column in chosen.items()}
    if not scored:
        raw["score"] = np.full(len(table.lines), 0.5)
    further = {column: cells[column] for column in covariates}
    line = np.array(table.lines, dtype=np.int64)
    return build_table(
        raw, str(path), line, name or Path(path).name, chosen, further, sha256, date_format, assigned, sides
    )


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
    """The cells of a CSV text by column, each distinct text held once.

    Parameters
    ----------
    text : str
        The text; blank lines are skipped.
    delimiter : str
        Between cells.
    source : str
        For messages.

    Raises
    ------
    GameTableError
        If there is no header, or a quote is not closed.
    """

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

    def check_width(self, source: str) -> None:
        """Raise `GameTableError` if a row has another number of cells than the header."""
        if self.odd is not None:
            line, count = self.odd
            raise GameTableError(f"{source}, line {line}", f"{len(self.header)} cells", f"{count}")
