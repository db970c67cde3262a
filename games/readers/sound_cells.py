"""Checks of a table before its cells are read: not too many columns, characters only, each key once."""

import json
import re
from collections.abc import Iterable, Iterator

from halfpoint.games.errors import GameTableError

_MOST_COLUMNS = 10_000


def require_width(columns: int, where: str) -> None:
    """Raise `GameTableError` for a table of more columns than anybody's."""
    if columns > _MOST_COLUMNS:
        raise GameTableError(where, f"at most {_MOST_COLUMNS:,} columns", f"{columns:,}")


def require_text(text: str, where: str) -> None:
    """Raise `GameTableError` for a text that holds half of a surrogate pair, which is no character."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError as error:
            half = f"half of a surrogate pair, \\u{ord(text[error.start]):x}"
            raise GameTableError(where, "characters of Unicode", half) from None


def doubled_keys(lines: Iterable[tuple[int, bytes]], names: Iterable[str]) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of JSON that may have one of these keys twice in one object, of which polars would take one."""
    keys = [rb"%s\s*:" % re.escape(json.dumps(name, ensure_ascii=False).encode()) for name in names]
    doubled = [re.compile(rb"%s[^\n]*%s" % (key, key)) for key in keys]
    for number, line in lines:
        if any(one.search(line) for one in doubled):
            yield number, line
