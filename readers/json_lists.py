"""Lists of objects in JSON, and objects used as lists: one object per key, all with the same keys, as in Firebase."""

from collections.abc import Iterator
from typing import Any

_FEWEST, _FEWEST_OF_IDS = 5, 3  # objects; of keys that all have a digit
_LEAST_SHARED = 0.5  # of the keys of all objects, in each
_DEEPEST = 12


def with_lists(value: Any, depth: int = 0) -> Any:
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


def lists_in(value: Any, depth: int = 0) -> Iterator[list[Any]]:
    """Yield the lists of objects within objects."""
    for inner in value.values() if isinstance(value, dict) and depth < _DEEPEST else ():
        if isinstance(inner, list) and inner and all(isinstance(part, dict) for part in inner):
            yield inner
        yield from lists_in(inner, depth + 1)
