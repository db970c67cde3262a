"""Flat records of JSON files, from lines or one document, with each value under its path.

A path is written with dots in small letters: `teams.home.name`. A list of two values is a pair, `.0` and `.1`; a list
of objects is a table of its own, whose records also have the plain values of the objects around them.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halfpoint.models.games.compressed import read_text
from halfpoint.readers.json_files import lists_below, longest_list, value_of, with_lists

type Record = Mapping[str, object]  # path to a plain value
type Table = list[tuple[int, Record]]  # the line or the row of each record
NAMES = ("name", "display_name", "displayname", "fullname", "title", "username", "shortname", "gamertag", "nickname")
AROUND = "^."  # begins the path of a value of an enclosing object
_DEEPEST = 12


@dataclass(frozen=True)
class Document:
    """Values of a JSON file."""

    values: Sequence[object]  # the items of the document, or the value of each line
    lines: Sequence[int] | None  # the line of each value, None where the file is one document
    sha256: str

    def rows(self) -> Iterator[tuple[int, object]]:
        """Yield the values of lines, of the document's list, or of the longest list within it, with their numbers."""
        values, numbers = self.values, self.lines
        if numbers is None and len(values) == 1 and isinstance(values[0], dict):
            values = longest_list(values[0]) or values
        yield from zip(numbers or range(1, len(values) + 1), values, strict=True)


def read_document(file: str | Path, location: str) -> Document:
    """Parse a file as one JSON document, else as JSON lines; `GameTableError` with the line if it is neither."""
    text, sha256 = read_text(file)
    try:
        value = with_lists(json.loads(text))
    except (ValueError, RecursionError):
        lines = {number: line for number, line in enumerate(re.split(r"\r\n?|\n", text), 1) if line.strip()}
        values = [value_of(line, f"{location}, line {k}", "JSON", json.loads) for k, line in lines.items()]
        return Document(values, list(lines), sha256)
    return Document(value if isinstance(value, list) else [value], None, sha256)


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield the plain values of an object with their paths; lists of other than two values are left out."""
    before = f"{path}." if path else ""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inside is None:
        yield path, value
    elif isinstance(value, dict) or len(value) == 2:
        for key, inner in inside if path.count(".") < _DEEPEST else ():
            yield from flatten(inner, before + str(key).lower())


def tables_of(document: Document) -> dict[str, Table]:
    """Flat records by the path of their list."""
    tables: dict[str, Table] = {}
    for number, value in zip(document.lines or [0] * len(document.values), document.values, strict=True):
        _add([value], "", {}, number, tables)
    return tables


def _add(rows: Sequence[object], path: str, around: Record, number: int, tables: dict[str, Table]) -> None:
    """Add the objects of a list, and of the lists within them, to the tables found so far."""
    table = tables.setdefault(path, [])
    for row in rows:
        if isinstance(row, list):
            _add(row, path, around, number, tables)
        elif isinstance(row, dict):
            record = {**around, **dict(flatten(row))}
            table.append((number or len(table) + 1, record))
            named = {key if key.startswith(AROUND) else f"{AROUND}{path}.{key}": value for key, value in record.items()}
            for below, inner in lists_below(row, path):
                _add(inner, below, named, number, tables)


def names_by_id(document: Document) -> dict[str, str]:
    """The names of objects that have an id and a name, by id; ids of several names are left out."""
    names_of_id: dict[str, set[str]] = {}
    waiting = [*document.values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            attributes = value.get("attributes")  # of JSON:API
            both = {**value, **attributes} if isinstance(attributes, dict) else value
            plain = {str(key).lower(): inner for key, inner in both.items()}
            name = next((plain[word] for word in NAMES if isinstance(plain.get(word), str) and plain[word]), None)
            member_ids = plain.get("group_player_ids")  # of one entrant in the groups of a tournament
            for key in (plain.get("id"), *(member_ids if isinstance(member_ids, list) else ())) if name else ():
                if isinstance(key, str | int):
                    names_of_id.setdefault(str(key), set()).add(str(name))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return {key: names.pop() for key, names in names_of_id.items() if len(names) == 1}
