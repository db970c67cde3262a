"""A table of games, or an error, as bytes of data, in which another process answers: no pickle, whose reader runs code.

The bytes are a line of JSON, then the arrays that it lists, one after the other in NumPy's format.
"""

import json
from collections.abc import Mapping
from dataclasses import fields
from io import BytesIO
from typing import Any, cast

import numpy as np

from halfpoint.models.games.errors import GameTableError, HalfpointError, PlacedError
from halfpoint.models.games.sides import Sides
from halfpoint.models.games.table import GameTable

_GAMES, _SIDES, _COVARIATES = "games", "sides", "covariates"


def bytes_of_games(games: GameTable) -> bytes:
    """Bytes of a table; `ValueError` for a column of Python objects."""
    groups: dict[str, Mapping[str, Any] | None] = {
        _GAMES: {name: value for name, value in _parts(games).items() if name not in (_SIDES, _COVARIATES)},
        _SIDES: None if games.sides is None else _parts(games.sides),
        _COVARIATES: games.covariates,
    }
    arrays, about = dict[tuple[str, str], Any](), dict[str, object]()
    for group, values in groups.items():
        columns = {name: value for name, value in (values or {}).items() if isinstance(value, np.ndarray)}
        arrays |= {(group, name): value for name, value in columns.items()}
        about[group] = None if values is None else {name: part for name, part in values.items() if name not in columns}
    stream = BytesIO()
    stream.write(json.dumps(about | {"arrays": list(arrays)}).encode() + b"\n")
    for column in arrays.values():
        np.lib.format.write_array(stream, column, allow_pickle=False)
    return stream.getvalue()


def _parts(record: Any) -> dict[str, object]:
    """Values of a dataclass by their names."""
    return {item.name: getattr(record, item.name) for item in fields(record)}


def bytes_of_error(error: HalfpointError) -> bytes:
    """Bytes of an error, with the places of further rows that have the same fault."""
    parts = [str(error)]
    if isinstance(error, PlacedError):
        parts = [error.where, error.expected, error.found, error.remedy]
    return json.dumps({"error": parts, "places": list(getattr(error, "places", ()))}).encode() + b"\n"


def games_or_error(content: bytes) -> GameTable | HalfpointError:
    """The table, or the error, that bytes describe; `ValueError` for other bytes, nothing of which is run."""
    stream = BytesIO(content)
    try:
        about = json.loads(stream.readline())
        if "error" in about:
            return _error_of([str(part) for part in about["error"]], [str(place) for place in about["places"]])
        for group, name in about.pop("arrays"):
            about[group][name] = np.lib.format.read_array(stream, allow_pickle=False)
        sides = None if about[_SIDES] is None else Sides(**about[_SIDES])
        notes = tuple(map(str, about[_GAMES].pop("notes")))
        return GameTable(**about[_GAMES], notes=notes, sides=sides, covariates=about[_COVARIATES])
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, MemoryError) as error:
        raise ValueError(f"{type(error).__name__} in the answer of the reading process") from error


def _error_of(parts: list[str], places: list[str]) -> HalfpointError:
    """An error of its parts: with a place, or a message alone."""
    if len(parts) == 1:
        return HalfpointError(parts[0])
    error = GameTableError(*cast(tuple[str, str, str, str], tuple(parts)))
    error.places = places
    return error
