"""Columns of small files that accompany the games, and of files of the fields: by their words, and unused ones."""

import csv
from collections.abc import Collection, Mapping, Sequence
from io import StringIO
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import csv_fault, likely_delimiter
from halfpoint.readers.words import SIMULATED, list_names


def unused_columns(header: Sequence[str], used: Collection[str], file: str | Path | None = None) -> tuple[str, ...]:
    """A note on the columns that are not used, which names the file if given; empty if all columns are used.

    Examples
    --------
    >>> unused_columns(["player", "cost", "vendor"], ["player", "cost"], "costs.csv")
    ("costs.csv, columns not used: 'vendor'",)
    """
    unused = [name for name in header if name.strip() and name not in used and name != SIMULATED]
    place = "" if file is None else f"{printable(Path(file).name)}, "
    return (f"{place}columns not used: {list_names(unused)}",) if unused else ()


def notes_of_file(notes: Sequence[str], file: object) -> tuple[str, ...]:
    """The notes on a file beside the games, each with the name of the file."""
    name = printable(Path(file).name) if isinstance(file, str | Path) else ""
    return tuple(f"{name}, {note}" if name else note for note in notes)


def csv_rows(path: str | Path, expected: str, delimiter: str | None = None) -> list[tuple[int, list[str]]]:
    """Rows of a small CSV file with their lines, without empty rows; `GameTableError` if it is no CSV."""
    text, _ = read_text(path)
    lines, delimiter = StringIO(text, newline=""), delimiter or likely_delimiter(text)
    parsed = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    try:
        rows = [(parsed.line_num, [cell.strip() for cell in row]) for row in parsed]
    except csv.Error as error:
        raise GameTableError(str(path), expected, *csv_fault(error)) from None
    return [(line, row) for line, row in rows if any(row)]


def columns_by_words(
    header: Sequence[str], words: Mapping[str, Sequence[str]], user_columns: Mapping[str, str], location: str,
    one_only: bool = False,
) -> dict[str, str]:  # fmt: skip
    """Column of each field: by the user's option, else the first by its words; never one for two fields."""
    for field, column in user_columns.items():
        if field not in words or column not in header:
            expected = f"FIELD=COLUMN, fields {', '.join(words)}, columns of the file"
            raise GameTableError(f"{location}, --columns", expected, f"{field}={column}")
    chosen = dict(user_columns)
    for field, synonyms in words.items():
        free = [name for name in header if name not in chosen.values()]
        candidates = [name for word in synonyms for name in free if plain_word(name) == word]
        if field not in chosen and len(candidates) > 1 and one_only:
            remedy = f"Say which: --columns {field}={candidates[0]}, for example."
            raise GameTableError(location, f"one column for {field}", ", ".join(candidates), remedy)
        if field not in chosen and candidates:
            chosen[field] = candidates[0]
    return chosen
