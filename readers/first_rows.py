"""The first rows of a table in text, by which forms recognise their files."""

import re
from functools import lru_cache

from halfpoint.models.games.compressed import decode
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns, first_rows, likely_delimiter

type Rows = tuple[tuple[str, ...], ...]
NUMBER = re.compile(r"\A[-+]?(?:\d++(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


@lru_cache(maxsize=4)
def rows_of(head: bytes) -> Rows:
    """Header and first rows of a table in the first bytes of a file; empty for JSON, PGN and binary files."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in b"{[<%(" or b"\0" in head[:4096]:
        return ()
    text = decode(head)
    complete = text if len(head) < 65536 else text[: text.rfind("\n") + 1]
    rows = first_rows(complete, likely_delimiter(complete))
    return tuple(tuple(cell.strip() for cell in row) for row in rows)


@lru_cache(maxsize=4)
def words_of(head: bytes) -> tuple[str, ...]:
    """The header of a table in the first bytes of a file, in small letters without punctuation."""
    rows = rows_of(head)
    return tuple(map(plain_word, rows[0])) if rows else ()


def cells_of(table: CsvColumns) -> list[tuple[int, list[str]]]:
    """The rows of a table with their lines."""
    rows = zip(*table.columns, strict=True)
    return [(line, [cell.strip() for cell in row]) for line, row in zip(table.lines, rows, strict=True)]


def are_numbers(cells: "list[str] | tuple[str, ...]") -> bool:
    """True if there are cells, and all nonempty cells are numbers."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(map(NUMBER.fullmatch, filled))
