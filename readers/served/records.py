"""Flat records of JSON files, from lines or one document, with each value under its path.

A path is written with dots in small letters: `teams.home.name`. A list of two values is a pair, `.0` and `.1`; a list
of objects is a table of its own, whose records also have the plain values of the objects around them.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.json_lists import with_lists

type Record = Mapping[str, Any]  # path to a plain value
type Table = list[tuple[int, Record]]  # the line or the row of each record
NAMES = ("name", "display_name", "displayname", "fullname", "title", "username", "shortname", "gamertag", "nickname")
AROUND = "^."  # begins the path of a value of an enclosing object
_DEEPEST = 12


@dataclass(frozen=True)
class Document:
    """Values of a JSON file."""

    values: Sequence[Any]  # the items of the document, or the value of each line
    lines: Sequence[int] | None  # the line of each value, None where the file is one document
    sha256: str

    def objects(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """Yield the objects of lines, of the document's list, or of the longest list within it, with their numbers."""
        values, numbers = self.values, self.lines
        if numbers is None and len(values) == 1 and isinstance(values[0], dict):
            values = max(lists_in(values[0]), key=len, default=values)
        for number, value in zip(numbers or range(1, len(values) + 1), values, strict=True):
            if isinstance(value, dict):
                yield number, value


def read_document(file: str | Path, where: str) -> Document:
    """Parse a file as one JSON document, else as JSON lines; `GameTableError` with the line if it is neither."""
    text, sha256 = read_text(file)
    try:
        whole = with_lists(json.loads(text))
    except (ValueError, RecursionError):
        lines = {number: line for number, line in enumerate(text.splitlines(), 1) if line.strip()}
        return Document([_value_of(line, where, number) for number, line in lines.items()], list(lines), sha256)
    return Document(whole if isinstance(whole, list) else [whole], None, sha256)


def _value_of(line: str, where: str, number: int) -> Any:
    """The value of a line of JSON."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise GameTableError(f"{where}, line {number}", "JSON", " ".join(str(error).split())[:80]) from None


def lists_in(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists of objects within objects."""
    for one in value.values() if isinstance(value, dict) and depth < _DEEPEST else ():
        if isinstance(one, list) and one and all(isinstance(part, dict) for part in one):
            yield one
        yield from lists_in(one, depth + 1)


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the plain values of an object with their paths; lists of other than two values are left out."""
    before = f"{path}." if path else ""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if inside is None:
        yield path, value
    elif isinstance(value, dict) or len(value) == 2:
        for key, one in inside if path.count(".") < _DEEPEST else ():
            yield from flatten(one, before + str(key).lower())


def tables_of(document: Document) -> dict[str, Table]:
    """Flat records by the path of their list."""
    found: dict[str, Table] = {}
    for number, value in zip(document.lines or [0] * len(document.values), document.values, strict=True):
        _add([value], "", {}, number, found)
    return found


def _add(rows: Sequence[Any], path: str, around: Record, number: int, found: dict[str, Table]) -> None:
    """Add the objects of a list, and of the lists within them, to the tables found so far."""
    table = found.setdefault(path, [])
    for row in rows:
        if isinstance(row, list):
            _add(row, path, around, number, found)
        elif isinstance(row, dict):
            own = {**around, **dict(flatten(row))}
            table.append((number or len(table) + 1, own))
            named = {key if key.startswith(AROUND) else f"{AROUND}{path}.{key}": one for key, one in own.items()}
            for below, one in _lists_below(row, path):
                _add(one, below, named, number, found)


def _lists_below(row: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects, or of lists of them, in an object, with their paths."""
    for key, one in row.items():
        below = f"{path}.{key}".strip(".").lower()
        if isinstance(one, list) and any(isinstance(part, dict | list) for part in one):
            yield below, one
        elif isinstance(one, dict) and below.count(".") < _DEEPEST:
            yield from _lists_below(one, below)


def names_by_id(document: Document) -> dict[str, str]:
    """The names of objects that have an id and a name, by id; ids of several names are left out."""
    found: dict[str, set[str]] = {}
    waiting = [*document.values]
    while waiting:
        value = waiting.pop()
        if isinstance(value, dict):
            attributes = value.get("attributes")  # of JSON:API
            plain = {str(key).lower(): one for key, one in value.items()}
            plain |= {str(key).lower(): one for key, one in attributes.items()} if isinstance(attributes, dict) else {}
            name = next((plain[one] for one in NAMES if isinstance(plain.get(one), str) and plain[one]), None)
            others = plain.get("group_player_ids")  # of one entrant in the groups of a tournament
            for key in (plain.get("id"), *(others if isinstance(others, list) else ())) if name else ():
                if isinstance(key, str | int):
                    found.setdefault(str(key), set()).add(str(name))
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return {key: names.pop() for key, names in found.items() if len(names) == 1}
