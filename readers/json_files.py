"""Columns of cells from JSON: one object per line, an array of objects, or the longest array within an object.

An object of similar objects, one per key as in Firebase, is a list of them.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

from halfpoint.models.games.atomic_write import each_key_once
from halfpoint.models.games.compressed import open_stream, read_bytes, read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.frames import at_path, cells_of_values, paths_of
from halfpoint.readers.sound_cells import require_width
from halfpoint.readers.sources import Cells, Source

_SAMPLED_BYTES = 4 * 2**20
_SAMPLED_LINES = 1000
_decode = json.JSONDecoder(object_pairs_hook=each_key_once).decode


def source_from_lines(file: str | Path, name: str, location: str) -> Source:
    """The columns of JSON lines, from the first lines, or of an array within one object."""
    beginning = read_bytes(file, _SAMPLED_BYTES)
    complete = beginning.rpartition(b"\n")[0] if len(beginning) == _SAMPLED_BYTES else beginning
    lines = complete.splitlines()[:_SAMPLED_LINES]
    if len(lines) < 2 or not lines[0].rstrip().endswith(b"}"):
        with suppress(GameTableError):
            return source_from_array(file, name, location)
    first = [_object_of(line, f"{location}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]

    def rows() -> Iterator[_Placed]:
        for number, line in enumerate(_lines_of(file), 1):
            if line.strip():
                place = f"{location}, line {number}"
                yield place, _object_of(line, place)

    return _source_of(first, rows, "jsonl", name, location)


def source_from_array(file: str | Path, name: str, location: str) -> Source:
    """The columns of a JSON array of objects, or of the longest array within an object."""
    text, sha256 = read_text(file)
    value = with_lists(value_of(text, location, "a JSON array of objects"))
    objects = value if isinstance(value, list) else longest_list(value)
    if not isinstance(value, list) and not objects:
        raise GameTableError(location, "a JSON array of objects", "none in the object")
    strange = next((k for k, row in enumerate(objects, 1) if not isinstance(row, dict)), None)
    if strange is not None:
        type_name = type(objects[strange - 1]).__name__
        raise GameTableError(f"{location}, row {strange}", "an object in each place of the array", f"a {type_name}")
    rows = [(f"{location}, row {k}", row) for k, row in enumerate(objects, 1)]
    return replace(_source_of(objects, lambda: rows, "frame", name, location), sha256=sha256)


def value_of(text: str | bytes, place: str, expected: str, decode: Callable[[Any], object] = _decode) -> Any:
    """The value of a text of JSON; `GameTableError` with the expected form if it is not JSON."""
    try:
        return decode(text)
    except (ValueError, RecursionError) as error:
        raise GameTableError(place, expected, " ".join(str(error).split())[:80]) from None


type _Placed = tuple[str, Mapping[str, object]]  # an object with its place, for messages


def _source_of(
    first: Iterable[Mapping[str, object]], rows: Callable[[], Iterable[_Placed]], kind: str, name: str, location: str
) -> Source:
    """Columns at the paths of the first objects; `rows` returns all objects."""
    path_of: dict[str, tuple[str, ...]] = {}
    for path in (path for row in first for path in paths_of(row)):
        path_of.setdefault(".".join(path), path)
        require_width(len(path_of), location)

    def cells(wanted: Sequence[str], count: int | None) -> dict[str, Cells]:
        places, values = list[str](), [list[Any]() for _ in wanted]
        for place, row in islice(rows(), count):
            places.append(place)
            for column, key in zip(values, wanted, strict=True):
                column.append(at_path(row, path_of[key]))
        place_of = None if count else places.__getitem__
        return {key: cells_of_values(column, place_of, key) for key, column in zip(wanted, values, strict=True)}

    nested = frozenset(column for column, path in path_of.items() if len(path) > 1)
    return Source(location, kind, tuple(path_of), cells, name, nested)


def _object_of(line: bytes, place: str) -> dict[str, object]:
    """The mapping in a line of JSON."""
    value = value_of(line, place, "one JSON object a line", lambda text: _decode(text.decode("utf-8-sig")))
    if not isinstance(value, dict):
        raise GameTableError(place, "one JSON object a line", f"a {type(value).__name__}")
    return value


def _lines_of(file: str | Path) -> Iterator[bytes]:
    """Yield the lines of a file."""
    tail = b""
    with open_stream(file) as stream:
        while block := stream.read(_SAMPLED_BYTES):
            *lines, tail = (tail + block).split(b"\n")
            yield from lines
    yield tail


_FEWEST, _FEWEST_OF_IDS = 5, 3  # objects; of keys that all have a digit
_LEAST_SHARED = 0.5  # of the keys of all objects, in each
_DEEPEST = 12


def with_lists(value: object, depth: int = 0) -> Any:
    """The value, with objects of similar objects as lists; a missing `id` is the key.

    Examples
    --------
    >>> with_lists({"g1": {"a": 1}, "g2": {"a": 2}, "g3": {"a": 3, "b": 4}})
    [{'id': 'g1', 'a': 1}, {'id': 'g2', 'a': 2}, {'id': 'g3', 'a': 3, 'b': 4}]
    """
    if depth > _DEEPEST:
        return value
    if isinstance(value, list):
        return [with_lists(row, depth + 1) for row in value]
    if not isinstance(value, dict):
        return value
    inside = {key: with_lists(inner, depth + 1) for key, inner in value.items()}
    return [{"id": key, **row} for key, row in inside.items()] if _are_rows(inside) else inside


def _are_rows(value: dict[str, Any]) -> bool:
    """True if all values are objects that share most of their keys."""
    least = _FEWEST_OF_IDS if all(any(map(str.isdecimal, key)) for key in value) else _FEWEST
    if len(value) < least or not all(isinstance(row, dict) and row for row in value.values()):
        return False
    keys = {key for row in value.values() for key in row}
    return all(len(row) >= _LEAST_SHARED * len(keys) for row in value.values())


def lists_below(value: object, path: str = "") -> Iterator[tuple[str, list[Any]]]:
    """Yield the lists of objects, or of lists of them, in an object and the objects in it, with their paths."""
    for key, inner in value.items() if isinstance(value, dict) and path.count(".") < _DEEPEST else ():
        below = f"{path}.{key}".strip(".").lower()
        if isinstance(inner, list) and any(isinstance(part, dict | list) for part in inner):
            yield below, inner
        yield from lists_below(inner, below)


def longest_list(value: object) -> list[Any]:
    """The longest list of objects in an object, other than a conversation; empty without one."""
    lists = (rows for _, rows in lists_below(value) if all(isinstance(row, dict) for row in rows))
    return max((rows for rows in lists if "role" not in rows[0]), key=len, default=[])
