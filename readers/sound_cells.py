"""Checks of a table before its cells are interpreted: limits of size, and valid characters."""

import re
from collections.abc import Callable, Iterable, Sequence

from halfpoint.models.games.errors import GameTableError

_MOST_COLUMNS = 5_000
LONGEST = 1_000  # letters of a cell, a name and a header
_HALF = re.compile("[\ud800-\udfff]")


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
            expected, fault = f"a cell of at most {LONGEST:,} letters", f"{len(cell):,} letters"
            remedy = "Shorten it, or read another column with --columns FIELD=COLUMN."
            raise GameTableError(f"{place(row)}, column {column}", expected, fault, remedy)


def require_text(text: str, location: str) -> None:
    """Raise `GameTableError` for a text with half of a surrogate pair, which is not a character."""
    if not text.isascii() and (half := _HALF.search(text)):
        fault = f"half of a surrogate pair, \\u{ord(half[0]):x}"
        raise GameTableError(location, "characters of Unicode", fault)
