"""The first rows of a table in text, by which forms recognise their files."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from halfpoint.models.games.compressed import decode, read_text
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns, first_rows, likely_delimiter
from halfpoint.readers.form_notes import not_used

type Rows = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"\A[-+]?(?:\d++(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


def text_of_head(head: bytes) -> str:
    """The whole lines of the first 64 KiB of a file as text."""
    text = decode(head)
    return text if len(head) < 65536 else text[: text.rfind("\n") + 1]


def begins_as(head: bytes, marks: bytes) -> bool:
    """True if the first character of a file, other than blanks, is one of some marks, or if there is none."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in marks


@lru_cache(maxsize=4)
def rows_of(head: bytes) -> Rows:
    """Header and first rows of a table in the first bytes of a file; empty for JSON, PGN and binary files."""
    if begins_as(head, b"{[<%(") or b"\0" in head[:4096]:
        return ()
    complete = text_of_head(head)
    rows = first_rows(complete, likely_delimiter(complete))
    return tuple(tuple(cell.strip() for cell in row) for row in rows)


def place_of(words: Sequence[str], plain: Sequence[str]) -> int | None:
    """Column of the first of some words that a header has; None if it has none."""
    return next((plain.index(word) for word in words if word in plain), None)


class Sheet(NamedTuple):
    """A table in text, or of records of JSON."""

    header: Sequence[str]
    plain: Sequence[str]  # the header without case, blanks and punctuation
    rows: Sequence[tuple[int, list[Any]]]  # each with its line
    sha256: str

    def not_used(self, used: Collection[int | None]) -> str:
        """Note on the columns that are not used."""
        return not_used(column for k, column in enumerate(self.header) if k not in used)


def read_sheet(file: str | Path, location: str) -> Sheet:
    """The table in a file of text, whose rows all have the length of the header."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    cells = zip(*([cell.strip() for cell in column] for column in table.columns), strict=True)
    rows = list(zip(table.lines, map(list, cells), strict=True))
    return Sheet(table.header, [plain_word(name) for name in table.header], rows, sha256)


def are_numbers(cells: "list[str] | tuple[str, ...]") -> bool:
    """True if there are cells, and all nonempty cells are numbers."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))
