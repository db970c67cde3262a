"""Games from a CSV file: a header, then one line a game."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from halfpoint.games.column_map import assign_columns
from halfpoint.games.columns import build_table
from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable
from halfpoint.games.text_file import read_text


def read_csv(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (),
    ignore: Sequence[str] = (),
    delimiter: str = ",",
    name: str | None = None,
    date_format: str | None = None,
) -> GameTable:
    """Return the games of a CSV file.

    Parameters
    ----------
    path : str or Path
        UTF-8 or Latin-1 text, plain or compressed, with a header: white, black and score (or white_goals and
        black_goals), and any of period, date, white_rating_elo, black_rating_elo, event, weight; or the words of other
        sports (`halfpoint.games.column_map`), such as HomeTeam, AwayTeam, FTHG, FTAG.
    columns : mapping of str to str, optional
        Field to the file's column, where the names differ: ``{"white": "W", "black": "B", "score": "y"}``.
    covariates, ignore : sequence of str
        Columns to keep as covariates, and to leave out.
    delimiter : str
        One character between cells.
    name : str, optional
        Name of the data set; the file's name if not given.
    date_format : str, optional
        How dates are written if not with the year first, for example ``%d/%m/%Y``.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If the file cannot be read or is not text, a column is unknown, missing or repeated, a value breaks a rule, or
        there are no rows; the message gives file and line.
    """
    if len(delimiter) != 1 or delimiter in '\r\n"':
        raise GameTableError("delimiter", "one character", repr(delimiter))
    text, sha256 = read_text(path)
    header, rows, lines = split_rows(text, delimiter, str(path))
    chosen = assign_columns(header, columns or {}, covariates, ignore, f"{path}, header")
    for row, number in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise GameTableError(f"{path}, line {number}", f"{len(header)} cells", f"{len(row)}")
    cells = dict(zip(header, np.asarray(rows, dtype=object).reshape(-1, len(header)).T, strict=True))
    raw = {field: cells[column] for field, column in chosen.items()}
    further = {column: cells[column] for column in covariates}
    line = np.asarray(lines, dtype=np.int64)
    return build_table(raw, str(path), line, name or Path(path).name, chosen, further, sha256, date_format)


def split_rows(text: str, delimiter: str, source: str) -> tuple[list[str], list[list[str]], list[int]]:
    """Return the header, the rows, and the line on which each row ends; blank lines are skipped.

    Raises
    ------
    GameTableError
        If there is no header, or a quote is not closed.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    header: list[str] = []
    rows: list[list[str]] = []
    lines: list[int] = []
    try:
        for row in reader:
            if not any(cell.strip() for cell in row):
                continue
            if not header:
                header = [cell.strip() for cell in row]
            else:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise GameTableError(f"{source}, line {reader.line_num}", "CSV", str(error)) from None
    if not header:
        raise GameTableError(source, "a header line", "no rows")
    return header, rows, lines
