"""A model as plain numbers and texts, for traces: its name, its function by place and hash, its keywords.

A row of the catalogue is found by its name and edition. A user's function is Python code, which no file contains: it is
recorded by its place and by the hash of its source (`fingerprint`), and must be given again when a trace is opened
elsewhere. A record names a function and never leads to one: name and hash are compared with those of the functions that
this process was given as models (`model_functions`), and nothing that it names is imported.
"""

import math
from collections.abc import Mapping
from types import FunctionType
from typing import Any

from halfpoint.models.declaration.earlier_functions import keywords_now, row_of
from halfpoint.models.declaration.fingerprint import fingerprint
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.games.errors import clip_text, printable
from halfpoint.models.games.plugins import Installed
from halfpoint.models.games.weights import WEIGHTINGS
from halfpoint.models.language.model import Model
from halfpoint.models.language.model_functions import MODEL_FUNCTIONS, place_of
from halfpoint.models.rows.effects import Effects

_FIELDS = {"name", "edition", "function", "keywords", "weighting", "mean_one", "half_life", "effects", "grades"}
_LONGEST_NAME = 200
_ABSENT = "absent"  # place of a function that no process has
_OF_FIELDS = Installed("halfpoint.functions")  # of models that are no rows of the catalogue


def _is_of_package(place: str) -> bool:
    """True if a module, or a function by its place, is part of this package."""
    return place.startswith("halfpoint.")


def record_of(model: Model) -> dict[str, object]:
    """Model as numbers and texts, ready for JSON; `ModelError` if keywords are neither."""
    edition = _edition_in_catalogue(model)
    keywords = {} if edition else {name: _plain(model, name, value) for name, value in model.keywords.items()}
    return {
        "name": model.name,
        "edition": edition,
        "function": {"place": "catalogue"}
        if edition
        else {"place": place_of(model.function), "sha256": fingerprint(model.function)},
        "keywords": keywords,
        "weighting": model.weighting,
        "mean_one": model.mean_one,
        "half_life": model.half_life,
        "effects": dict(model.effects.formulas),
        "grades": model.grades,
    }


def _edition_in_catalogue(model: Model) -> str:
    """Edition in which the catalogue has a model, empty if absent."""
    from halfpoint.models.declaration.catalogue import (  # rows carry their functions
        CATALOGUE,
        EDITIONS,
        TWELVE,
        find,
        split_effects,
    )

    base = split_effects(model.name)[0]
    if base not in CATALOGUE:
        return ""
    names = EDITIONS[::-1] if base in TWELVE else EDITIONS[-1:]
    return next((edition for edition in names if find(model.name, edition) == model), "")


def _plain(model: Model, name: str, value: object) -> Any:
    """Keyword in the form that JSON has."""
    if value is None or isinstance(value, int | float | str):
        return value
    if isinstance(value, tuple | list):
        return [_plain(model, name, part) for part in value]
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return {key: _plain(model, name, part) for key, part in value.items()}
    raise ModelError(
        f"model {model.name}: expected keywords that a trace can store (numbers, texts, tuples and mappings of them), "
        f"found {name}={type(value).__name__}. Set it inside the function."
    )


def _from_json(value: object) -> Any:
    """Keyword in the form that a function takes, lists of JSON as tuples; `TypeError` unless it is of JSON's types."""
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, list | tuple):
        return tuple(_from_json(part) for part in value)
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _from_json(part) for key, part in value.items()}
    raise TypeError("a keyword that is neither numbers nor texts")


def model_of(record: Mapping[str, Any]) -> Model:
    """Rebuild the model from a record.

    Raises
    ------
    OwnCodeError
        If its function is a user's and was not given in this process.
    ModelError
        If the record describes no model.
    """
    from halfpoint.models.declaration.catalogue import CATALOGUE, find, split_effects, with_effects

    try:
        check_record(record)
        function = record["function"]
        name, formulas = split_effects(record["name"])
        if function["place"] == "catalogue":
            if name not in CATALOGUE:
                raise ValueError(f"no model {name!r} in the catalogue")
            return with_effects(find(name, record["edition"]), formulas)
        if function["place"] == _ABSENT:
            raise OwnCodeError(f"model {record['name']}: {printable(clip_text(function['why'], _LONGEST_NAME))}.")
        keywords = {key: _from_json(value) for key, value in record["keywords"].items()}
        earlier = row_of(function["place"])
        if earlier is not None:
            row = find(earlier)
            code, keywords = row.function, dict(row.keywords) | keywords_now(keywords)
        else:
            code = _function_of(function)
        return Model(
            record["name"], code, keywords, record["weighting"], record["mean_one"],
            record["half_life"], Effects(record["effects"]), record["grades"],
        )  # fmt: skip
    except OwnCodeError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelError(f"model: the record of a model cannot be read ({error})") from error


def record_without_function(name: str, why: str) -> dict[str, Any]:
    """Record of a model that has no function, with the reason: `model_of` refuses it by name."""
    about = {"name": name, "edition": "", "function": {"place": _ABSENT, "why": why}, "keywords": {}}
    return about | {"weighting": "equal", "mean_one": False, "half_life": None, "effects": {}, "grades": 0}


def check_record(record: Mapping[str, Any]) -> None:
    """Raise TypeError unless a record has the fields of a model, of their kinds."""
    if not isinstance(record, Mapping) or set(record) != _FIELDS:
        raise TypeError("it has other fields")
    name, half_life, function = record["name"], record["half_life"], record["function"]
    if not isinstance(name, str) or len(name) > _LONGEST_NAME or not name.isprintable():
        raise TypeError(f"a name of more than {_LONGEST_NAME} characters, or with some that cannot be printed")
    if not isinstance(function, Mapping) or not all(isinstance(text, str) for text in function.values()):
        raise TypeError("an invalid function")
    if record["weighting"] not in WEIGHTINGS or not isinstance(record["mean_one"], bool):
        raise TypeError("weighting is not one of " + ", ".join(WEIGHTINGS))
    numbers = isinstance(half_life, int | float) and not isinstance(half_life, bool) and math.isfinite(half_life)
    if half_life is not None and not numbers:
        raise TypeError("a half-life that is not a number")
    if not isinstance(record["grades"], int) or not isinstance(record["keywords"], Mapping):
        raise TypeError("invalid keywords")
    Effects(record["effects"])


def _function_of(reference: Mapping[str, str]) -> FunctionType:
    """Function that a record names, among those that this process was given as models."""
    place = str(reference["place"])
    name = place.partition(":")[2]
    functions = MODEL_FUNCTIONS.named(name) or _installed(place, name)
    for function in functions:
        of_package = _is_of_package(place) and _is_of_package(str(function.__module__))  # whose modules may move
        if of_package or fingerprint(function) == reference.get("sha256"):
            return function
    raise _other_code(place, bool(functions))


def require_function(record: Mapping[str, Any], function: Any) -> None:
    """Raise `OwnCodeError` if a record is of a user's function that differs from the given function."""
    place = str(record["function"]["place"])
    if place == place_of(function) or place.partition(":")[2] == function.__qualname__:
        if fingerprint(function) != record["function"].get("sha256"):
            raise _other_code(place, True)
    elif place not in ("catalogue", _ABSENT):
        _function_of(record["function"])


def _other_code(place: str, differs: bool) -> OwnCodeError:
    """Error of a function that is missing or whose source differs from the source at the fit."""
    shown, source = printable(clip_text(place.partition(":")[2])), printable(clip_text(place))
    return OwnCodeError(
        f"model: the function {shown!r} of {source} {'differs from that of the fit' if differs else 'is missing'}. "
        'Pass it again: --model FILE.py:NAME, or halfpoint.models.find("FILE.py:NAME") or Model(NAME, function) '
        "in Python."
    )


def _installed(place: str, name: str) -> list[FunctionType]:
    """Functions of a name in the installed catalogue, and of an installed field whose entry point is a place."""
    from halfpoint.models.declaration.catalogue import CATALOGUE

    len(CATALOGUE)  # its rows are models, whose functions are added when they are loaded
    for key in _OF_FIELDS:
        if _OF_FIELDS.entry(key).value == place or (_is_of_package(place) and key == name):
            MODEL_FUNCTIONS.add(_OF_FIELDS[key])
    return MODEL_FUNCTIONS.named(name)
