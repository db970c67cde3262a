"""A model as plain numbers and texts, for traces: its parts with their priors, its formula by name.

A formula of the library is found by its name. A formula of your own is Python code, which no file holds: it is recorded
by where it stands and by the hash of its source, and must be given again when a trace is opened elsewhere. Nothing that
a file says is ever executed.
"""

import hashlib
import inspect
import math
from collections.abc import Mapping
from dataclasses import Field, fields, is_dataclass
from typing import Any

from halfpoint.games.weights import WEIGHTINGS
from halfpoint.models.advantage import Common, Nothing, PerPlayer, Pooled
from halfpoint.models.anchors import Anchors
from halfpoint.models.bradley_terry import HALF_POINTS
from halfpoint.models.correlated import Correlated
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.draw_curve import DRAW_CURVE
from halfpoint.models.draw_parameter import DrawParameter
from halfpoint.models.effects import Effects
from halfpoint.models.errors import ModelError, OwnFormulaError
from halfpoint.models.listed import Listed, ListedDraws
from halfpoint.models.margin import MARGIN_NORMAL, MARGIN_T, MarginSpread
from halfpoint.models.model import Model
from halfpoint.models.outcome import Outcome
from halfpoint.models.rao_kupper import RAO_KUPPER
from halfpoint.models.strength import Free, PooledWalk, Population, Rated, Walk

FORMULAS: dict[str, Outcome] = {
    outcome.name: outcome for outcome in (HALF_POINTS, DAVIDSON, RAO_KUPPER, DRAW_CURVE, MARGIN_NORMAL, MARGIN_T)
}
PARTS: dict[str, type] = {
    part.__name__: part
    for part in (
        *(Free, Population, Rated, Walk, PooledWalk, Correlated, Listed),
        *(Nothing, Common, PerPlayer, Pooled, DrawParameter, ListedDraws, MarginSpread, Anchors, Effects),
    )
}


OWN: dict[str, Outcome] = {}  # formulas that were declared in this process, so that its traces can be read in it


def remember(outcome: Outcome) -> None:
    """Keep a formula of somebody's own, so that traces made with it can be read until the process ends."""
    if FORMULAS.get(outcome.name) is not outcome:
        OWN[outcome.name] = outcome


def fingerprint(outcome: Outcome) -> str:
    """Return the hash of the source of a formula, or of its compiled code where the source cannot be had."""
    try:
        text = inspect.getsource(outcome.scores).encode()
    except (OSError, TypeError):
        text = getattr(getattr(outcome.scores, "__code__", None), "co_code", b"")
    return hashlib.sha256(text).hexdigest()


def record_of(model: Model) -> dict[str, Any]:
    """Return a model as numbers and texts, ready for JSON."""
    outcome = model.outcome
    known = FORMULAS.get(outcome.name)
    where: dict[str, Any] = {"name": outcome.name, "draws": outcome.draws}
    if known is None or known.scores is not outcome.scores:
        source = f"{outcome.scores.__module__}:{outcome.scores.__qualname__}"
        where |= {"source": source, "sha256": fingerprint(outcome)}
    rest = {one.name: plain(getattr(model, one.name)) for one in fields(model) if one.name != "outcome"}
    return {"outcome": where, **rest}


def plain(value: Any) -> Any:
    """Return a part, or one of its fields, as numbers and texts."""
    if is_dataclass(value) and not isinstance(value, type):
        said = [one.name for one in fields(value) if "said" not in one.metadata or getattr(value, one.name)]
        return {"part": type(value).__name__} | {name: plain(getattr(value, name)) for name in said}
    if isinstance(value, Mapping):
        return dict(value)
    return list(value) if isinstance(value, tuple) else value


def model_of(record: Mapping[str, Any], formulas: Mapping[str, Outcome] | None = None) -> Model:
    """Return the model that a record describes.

    Parameters
    ----------
    record : mapping
        From `record_of`.
    formulas : mapping of str to Outcome, optional
        Formulas of your own, by name; those declared in this process are known (`remember`).

    Raises
    ------
    ModelError
        If a formula of your own is not given or is another one, or the record is not of this kind.
    """
    try:
        where = dict(record["outcome"])
        name, _ = str(where["name"]), bool(where["draws"])
        rest = {key: part_of(value) for key, value in record.items() if key != "outcome"}
        outcome = FORMULAS.get(name) if "source" not in where else {**OWN, **(formulas or {})}.get(name)
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
    except (TypeError, AttributeError, OverflowError) as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error


def checked(model: Model) -> Model:
    """Return a model whose parts are of their kinds.

    Raises
    ------
    TypeError
        If one is not.
    """
    kinds: dict[str, tuple[type, ...]] = {
        "name": (str,),
        "strength": (Free, Walk, Listed),
        "advantage": (Nothing,),
        "draws": (DrawParameter, ListedDraws, MarginSpread, type(None)),
        "anchors": (Anchors,),
        "effects": (Effects,),
        "weighting": (str,),
        "mean_one": (bool,),
    }
    for name, kind in kinds.items():
        if not isinstance(getattr(model, name), kind):
            raise TypeError(f"{name} is a {type(getattr(model, name)).__name__}")
    for part in (model.strength, model.advantage, model.draws, model.anchors, model.effects):
        for one in fields(part) if part is not None else ():
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
    if isinstance(value, tuple):
        right = "tuple" in str(one.type) and len(value) == 2
        return right and all(isinstance(x, int | float) and math.isfinite(x) for x in value) and value[1] > 0
    return "tuple" not in str(one.type) and isinstance(value, int | float) and math.isfinite(value)


def part_of(value: Any) -> Any:
    """Return a part, or one of its fields, from numbers and texts."""
    if isinstance(value, Mapping) and "part" in value:
        kind = PARTS[str(value["part"])]
        return kind(**{str(key): part_of(one) for key, one in value.items() if key != "part"})
    return tuple(value) if isinstance(value, list) else value
