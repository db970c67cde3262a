"""A model as plain numbers and texts, for traces: its parts with their priors, its formula by name.

A formula or a part of the library is found by its name. One of your own is Python code, which no file holds: it is
recorded by where it stands and by the hash of its source (`fingerprint`), and must be given again when a trace is
opened elsewhere. Nothing that a file says is ever run or imported: loaded modules and files given are searched.
"""

import math
import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import Field, fields, is_dataclass
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any, get_type_hints

from halfpoint import models
from halfpoint.games.errors import clip_text, printable
from halfpoint.games.weights import WEIGHTINGS
from halfpoint.models.errors import ModelError, OwnCodeError
from halfpoint.models.fingerprint import fingerprint
from halfpoint.models.formulas.outcome import Outcome
from halfpoint.models.model import Model
from halfpoint.models.own_file import own_models
from halfpoint.models.parts.part import Part
from halfpoint.models.parts.priors import check_prior as checked_prior
from halfpoint.models.parts.priors import is_family

type _Own = Outcome | type  # somebody's own formula, or kind of part


def _part_named(name: str) -> type:
    """The part of that name: of the catalogue's rows, else of any file of this folder."""
    found = _declared_parts()
    if name not in found:
        for module in walk_packages(models.__path__, f"{models.__name__}."):
            import_module(module.name)
        found = _declared_parts()
    return found[name]


def _declared_parts() -> dict[str, type]:
    """The parts that loaded files of this folder declare, by name."""
    import_module(f"{models.__name__}.catalogue")
    return {part.__name__: part for part in _subclasses(Part) if part.__module__.startswith(f"{models.__name__}.")}


def _subclasses(kind: type) -> Iterator[type]:
    """Yield all classes that derive from one."""
    one: type
    for one in kind.__subclasses__():
        yield one
        yield from _subclasses(one)


@cache
def _formulas_of_rows() -> dict[str, Outcome]:
    """The outcome formulas of the catalogue's rows, by name."""
    from halfpoint.models.catalogue import CORE  # rows carry their formulas

    return {row.outcome.name: row.outcome for row in CORE.values()}


def own_code(model: Model) -> list[_Own]:
    """What of a model is somebody's own code: its formula, the kinds of its parts."""
    known = _formulas_of_rows().get(model.outcome.name)
    formula = [] if known is not None and known.formula is model.outcome.formula else [model.outcome]
    return formula + [kind for kind in map(type, model.parts) if _declared_parts().get(kind.__name__) is not kind]


def _loaded_code(where: Mapping[str, str], known: Iterable[_Own]) -> Any:
    """Somebody's own formula or kind of part that a record says, of those known; nothing is run for it."""
    named = {_location(one)["sha256"]: one for one in known if _location(one)["name"] == where["name"]}
    if where.get("sha256") not in named:
        name, source = (printable(clip_text(str(where.get(key, "the library")))) for key in ("name", "source"))
        raise OwnCodeError(
            f"model: expected {name!r} of {source}{' as it was at the fit' if named else ''}, found "
            f"{'another one' if named else 'none'}. Give it again: --model FILE.py:NAME, or "
            'models.find("FILE.py:NAME") in Python.'
        )
    return named[where["sha256"]]


def _loaded_formulas(where: Mapping[str, str]) -> list[Outcome]:
    """The formulas of files given, and of the module that a record says if it is loaded; models have theirs."""
    module = sys.modules.get(str(where.get("source", "")).partition(":")[0])
    values = [one for names in [*own_models(), *([vars(module)] if module else [])] for one in list(names.values())]
    outcomes = [one.outcome if isinstance(one, Model) else one for one in values]
    return [one for one in outcomes if isinstance(one, Outcome)]


@cache
def _location(own: _Own) -> dict[str, str]:
    """Name, place and hash of a formula or of a kind of part."""
    if isinstance(own, type):
        return {"name": own.__qualname__, "source": f"{own.__module__}:{own.__qualname__}", "sha256": fingerprint(own)}
    margin = [] if own.margin is None else [getattr(own.margin, one.name) for one in fields(own.margin)]
    source = f"{own.formula.__module__}:{own.formula.__qualname__}"
    return {"name": own.name, "source": source, "sha256": fingerprint(own.formula, own.over, own.lam, *margin)}


def record_of(model: Model) -> dict[str, Any]:
    """A model as numbers and texts, ready for JSON."""
    own, outcome = own_code(model), model.outcome
    where: dict[str, str | bool] = {"name": outcome.name, "draws": outcome.draws}
    where |= _location(outcome) if outcome in own else {}
    parts = {kind: _location(kind) for kind in own if kind is not outcome}
    return {"outcome": None} | field_record(model, parts) | {"outcome": where}


def field_record(value: Any, own: Mapping[_Own, dict[str, str]]) -> dict[str, Any]:
    """The fields of a model or a part as numbers and texts, less those that are said only where they are set."""
    values = [(one, getattr(value, one.name)) for one in fields(value)]
    return {one.name: _plain_record(found, own) for one, found in values if "said" not in one.metadata or found}


def _plain_record(value: Any, own: Mapping[_Own, dict[str, str]]) -> Any:
    """A part, or one of its fields, as numbers and texts; kinds of somebody's own by where they stand."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"part": own.get(type(value), type(value).__name__)} | field_record(value, own)
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def model_of(record: Mapping[str, Any], given: Iterable[_Own] = ()) -> Model:
    """The model that a record describes; of formulas and kinds of parts of somebody's own some may be given."""
    from halfpoint.models.catalogue import CATALOGUE  # rows carry their formulas

    try:
        where = dict(record["outcome"])
        name, _ = str(where["name"]), bool(where["draws"])
        len(CATALOGUE)  # formulas and parts of whoever is installed are loaded, whatever the file says
        rest = {key: _part_of(value, given) for key, value in record.items() if key != "outcome"}
        known = {} if "source" in where else _formulas_of_rows()
        own = [one for one in given if isinstance(one, Outcome)]
        outcome = known[name] if name in known else _loaded_code(where, [*_loaded_formulas(where), *own])
        return _check_parts(Model(outcome=outcome, **rest))
    except OwnCodeError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError) as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error


def _check_parts(model: Model) -> Model:
    """A model whose parts are of their kinds."""
    kinds = get_type_hints(Model) | {"half_life": float | int | None, "parameters": dict}
    for name, kind in kinds.items():
        if not isinstance(getattr(model, name), kind):
            raise TypeError(f"{name} is a {type(getattr(model, name)).__name__}")
    if not all(isinstance(prior, tuple) and _is_prior(prior) for prior in model.parameters.values()):
        raise TypeError("a prior of a parameter is none")
    parts: list[Any] = model.parts
    for part in parts:
        if not is_dataclass(part):
            raise TypeError(f"{type(part).__name__} is no dataclass")
        library = _declared_parts().get(type(part).__name__) is type(part)
        for one in fields(part):
            value = getattr(part, one.name)
            if not (isinstance(value, Mapping) or (_of_its_kind(value, one) if library else _can_record(value))):
                raise TypeError(f"{type(part).__name__}.{one.name} is no {one.type}"[:100])
    if len(model.name) > 200 or not model.name.isprintable():
        raise TypeError("a name of more than 200 characters, or with some that cannot be printed")
    if model.weighting not in WEIGHTINGS:
        raise TypeError("weighting is none of " + ", ".join(WEIGHTINGS))
    return model


def _of_its_kind(value: object, one: Field[Any]) -> bool:
    """Whether a field of a part has a finite number, two of them with the second positive, or what it may."""
    if value is None:
        return one.default is None
    if isinstance(one.default, bool) or isinstance(value, bool):
        return isinstance(value, bool) and isinstance(one.default, bool)
    if isinstance(value, tuple):
        return ("str" if is_family(value) else "tuple") in str(one.type) and _is_prior(value)
    alone = "tuple" not in str(one.type) or str(one.type).startswith("float |")
    return alone and isinstance(value, int | float) and math.isfinite(value)


def _is_prior(value: tuple[Any, ...]) -> bool:
    """Whether a tuple is a family with its numbers, or two finite numbers of which the second is positive."""
    if is_family(value):
        return bool(checked_prior(value))
    return len(value) == 2 and all(isinstance(x, int | float) and math.isfinite(x) for x in value) and value[1] > 0


def _can_record(value: object) -> bool:
    """Whether JSON says a field of somebody's own part: a number, a text, nothing, or a tuple of them."""
    each = value if isinstance(value, tuple) else (value,)
    return all(one is None or isinstance(one, int | float | str) for one in each)


def _part_of(value: Any, given: Iterable[_Own] = ()) -> Any:
    """A part, or one of its fields, from numbers and texts."""
    if isinstance(value, Mapping) and "part" in value:
        said = value["part"]
        own = [*_subclasses(Part), *(one for one in given if isinstance(one, type))]  # parts alone are ever made
        kind = _loaded_code(said, own) if isinstance(said, Mapping) else _part_named(str(said))
        return kind(**{str(key): _part_of(one) for key, one in value.items() if key != "part"})
    if isinstance(value, Mapping):
        return {key: _part_of(one) for key, one in value.items()}
    return tuple(value) if isinstance(value, list) else value
