"""A model as plain numbers and texts, for traces: its parts with their priors, its formula by name.

A formula of the library is found by its name. A formula of your own is Python code, which no file holds: it is recorded
by where it stands and by the hash of its source, and must be given again when a trace is opened elsewhere. Nothing that
a file says is ever executed.
"""

import hashlib
import inspect
import math
import sys
from collections.abc import Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import Any, get_type_hints

from halfpoint import models
from halfpoint.games.weights import WEIGHTINGS
from halfpoint.models.errors import ModelError, OwnFormulaError
from halfpoint.models.model import Model
from halfpoint.models.outcome import Outcome
from halfpoint.models.own_file import in_files
from halfpoint.models.part import Part
from halfpoint.models.priors import checked as checked_prior
from halfpoint.models.priors import is_family


def part_named(name: str) -> type:
    """Return the part of that name: of the catalogue's rows, else of any file of this folder."""
    found = declared_parts()
    if name not in found:
        for module in iter_modules(models.__path__):
            import_module(f"{models.__name__}.{module.name}")
        found = declared_parts()
    return found[name]


def declared_parts() -> dict[str, type]:
    """Return the parts that loaded files of this folder declare, by name."""
    import_module(f"{models.__name__}.catalogue")
    return {part.__name__: part for part in below(Part) if part.__module__.startswith(f"{models.__name__}.")}


def below(kind: type) -> Iterator[type]:
    """Yield all classes that derive from one."""
    one: type
    for one in kind.__subclasses__():
        yield one
        yield from below(one)


@cache
def formulas_of_rows() -> dict[str, Outcome]:
    """Return the outcome formulas of the catalogue's rows, by name."""
    from halfpoint.models.catalogue import BEYOND, STUDY  # rows carry their formulas

    return {row.outcome.name: row.outcome for row in (*STUDY.values(), *BEYOND.values())}


def own_formula(where: Mapping[str, Any]) -> Outcome | None:
    """Return somebody's own formula of a loaded module or of a file given as a model's; nothing is run for it."""
    other = None  # of that name, as it was not at the fit: the caller says so
    module = sys.modules.get(str(where.get("source", "")).partition(":")[0])
    for names in ([vars(module)] if module is not None else []) + in_files():
        for value in list(names.values()):
            outcome = value.outcome if isinstance(value, Model) else value
            named = isinstance(outcome, Outcome) and outcome.name == where["name"]
            if named and fingerprint(outcome) == where.get("sha256"):
                return outcome
            other = outcome if named else other
    return other


def fingerprint(outcome: Outcome) -> str:
    """Return the hash of the source of a formula, or of its compiled code where the source cannot be had."""
    try:
        text = inspect.getsource(outcome.formula).encode()
    except (OSError, TypeError):
        text = getattr(getattr(outcome.formula, "__code__", None), "co_code", b"")
    return hashlib.sha256(text).hexdigest()


def record_of(model: Model) -> dict[str, Any]:
    """Return a model as numbers and texts, ready for JSON."""
    outcome = model.outcome
    known = formulas_of_rows().get(outcome.name)
    where: dict[str, Any] = {"name": outcome.name, "draws": outcome.draws}
    if known is None or known.formula is not outcome.formula:
        source = f"{outcome.formula.__module__}:{outcome.formula.__qualname__}"
        where |= {"source": source, "sha256": fingerprint(outcome)}
    return {"outcome": None} | said(model) | {"outcome": where}


def said(value: Any) -> dict[str, Any]:
    """Return the fields of a model or a part as numbers and texts, less those that are said only where they are set."""
    values = [(one, getattr(value, one.name)) for one in fields(value)]
    return {one.name: plain(found) for one, found in values if "said" not in one.metadata or found}


def plain(value: Any) -> Any:
    """Return a part, or one of its fields, as numbers and texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"part": type(value).__name__} | said(value)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def model_of(record: Mapping[str, Any], formulas: Mapping[str, Outcome] | None = None) -> Model:
    """Return the model that a record describes."""
    try:
        where = dict(record["outcome"])
        name, _ = str(where["name"]), bool(where["draws"])
        rest = {key: part_of(value) for key, value in record.items() if key != "outcome"}
        given = (formulas or {}).get(name)
        outcome = formulas_of_rows().get(name) if "source" not in where else given or own_formula(where)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error
    if outcome is None:
        raise OwnFormulaError(
            f"model: expected the formula {name!r} of {where.get('source', 'the library')}, found none. "
            "Give it again: --model FILE.py:NAME, or formulas={...} in Python."
        )
    if "sha256" in where and fingerprint(outcome) != where["sha256"]:
        raise OwnFormulaError(f"model: expected the formula {name!r} as it was at the fit, found another one")
    try:
        return checked(Model(outcome=outcome, **rest))
    except (TypeError, AttributeError, OverflowError, ModelError) as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error


def checked(model: Model) -> Model:
    """Return a model whose parts are of their kinds."""
    for name, kind in get_type_hints(Model).items():
        if not isinstance(getattr(model, name), kind | int if name == "half_life" else kind):
            raise TypeError(f"{name} is a {type(getattr(model, name)).__name__}")
    for part in (model.strength, model.advantage, model.draws, model.anchors, model.effects):
        if part is None:
            continue
        if not is_dataclass(part):
            raise TypeError(f"{type(part).__name__} is no dataclass")
        for one in fields(part):
            if not (isinstance(getattr(part, one.name), Mapping) or of_its_kind(getattr(part, one.name), one)):
                raise TypeError(f"{type(part).__name__}.{one.name} is no {one.type}"[:100])
    if len(model.name) > 200 or not model.name.isprintable():
        raise TypeError("a name of more than 200 characters, or with some that cannot be printed")
    if model.weighting not in WEIGHTINGS:
        raise TypeError("weighting is none of " + ", ".join(WEIGHTINGS))
    return model


def of_its_kind(value: Any, one: Field[Any]) -> bool:
    """Return whether a field of a part has a finite number, two of them with the second positive, or what it may."""
    if value is None:
        return one.default is None
    if isinstance(one.default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(one.default, bool)
    if is_family(value):
        return "str" in str(one.type) and bool(checked_prior(value))
    if isinstance(value, tuple):
        right = "tuple" in str(one.type) and len(value) == 2
        return right and all(isinstance(x, int | float) and math.isfinite(x) for x in value) and value[1] > 0
    alone = "tuple" not in str(one.type) or str(one.type).startswith("float |")
    return alone and isinstance(value, int | float) and math.isfinite(value)


def part_of(value: Any) -> Any:
    """Return a part, or one of its fields, from numbers and texts."""
    if isinstance(value, Mapping) and "part" in value:
        kind = part_named(str(value["part"]))
        return kind(**{str(key): part_of(one) for key, one in value.items() if key != "part"})
    return tuple(value) if isinstance(value, list) else value
