"""Checks of a table before its cells are understood: bounded size, characters only, each key once."""

import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from halfpoint.models.games.errors import GameTableError

_MOST_COLUMNS = 5_000
LONGEST = 1_000  # letters of a cell, a name and a header
_END_OF_KEY = re.compile(rb'"\s*:')
_HALF_PAIR = re.compile(
    rb"\\u[dD][89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]", re.DOTALL
)  # half of a surrogate pair, as JSON escapes it


def require_width(columns: int, location: str) -> None:
    """Raise `GameTableError` for a table with too many columns."""
    if columns > _MOST_COLUMNS:
        raise GameTableError(location, f"at most {_MOST_COLUMNS:,} columns", f"{columns:,}")


def require_header(names: Sequence[str], location: str) -> None:
    """Raise `GameTableError` for a table with too many columns, or with too long a name of one."""
    require_width(len(names), location)
    for k, name in enumerate(names, 1):
        if len(name) > LONGEST:
            expected = f"a name of at most {LONGEST:,} letters"
            raise GameTableError(f"{location}, header, column {k}", expected, f"{len(name):,} letters", "Shorten it.")


def require_short(cells: Iterable[str], column: str, place: Callable[[int], str]) -> None:
    """Raise `GameTableError` for too long a cell of a column; `place` names the place of a row."""
    for row, cell in enumerate(cells):
        if len(cell) > LONGEST:
            raise GameTableError(
                f"{place(row)}, column {column}", f"a cell of at most {LONGEST:,} letters", f"{len(cell):,} letters",
                "Shorten it, or read another column with --columns FIELD=COLUMN.",
            )  # fmt: skip


def require_text(text: str, location: str) -> None:
    """Raise `GameTableError` for a text with half of a surrogate pair, which is not a character."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"half of a surrogate pair, \\u{ord(text[error.start]):x}"
            raise GameTableError(location, "characters of Unicode", half) from None


def suspect_lines(lines: Iterable[tuple[int, bytes]], names: Collection[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of JSON that polars may misread: repeated keys, or half of a surrogate pair.

    Polars keeps one value of a repeated key, and reads half of a pair as a zero byte. The time for a line does not
    depend on the number of keys.
    """
    endings = {json.dumps(name, ensure_ascii=False).encode()[:-1].rpartition(b'"')[2] for name in names}
    for number, line in lines:
        ends = (end.start() for end in _END_OF_KEY.finditer(line))
        keys = [key for end in ends if (key := line[line.rfind(b'"', 0, end) + 1 : end]) in endings]
        if len(keys) > len(set(keys)) or (b"\\u" in line and has_half_pair(line)):
            yield number, line


def has_half_pair(text: bytes) -> bool:
    """True if a text of JSON may escape half of a surrogate pair."""
    return _HALF_PAIR.search(text) is not None
