"""A model as plain numbers and texts, for traces: its parts with their priors, its formula by name.

A formula of the library is found by its name. A formula of your own is Python code, which no file holds: it is recorded
by where it stands and by the hash of its source, and must be given again when a trace is opened elsewhere. Nothing that
a file says is ever executed.
"""

import hashlib
import inspect
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from halfpoint.models.advantage import Common, Nothing, PerPlayer, Pooled
from halfpoint.models.anchors import Anchors
from halfpoint.models.bradley_terry import HALF_POINTS
from halfpoint.models.davidson import DAVIDSON
from halfpoint.models.draw_curve import DRAW_CURVE
from halfpoint.models.draw_parameter import DrawParameter
from halfpoint.models.effects import Effects
from halfpoint.models.errors import ModelError
from halfpoint.models.listed import Listed, ListedDraws
from halfpoint.models.model import Model
from halfpoint.models.outcome import Outcome
from halfpoint.models.rao_kupper import RAO_KUPPER
from halfpoint.models.strength import Free, Population, Rated, Walk

FORMULAS: dict[str, Outcome] = {outcome.name: outcome for outcome in (HALF_POINTS, DAVIDSON, RAO_KUPPER, DRAW_CURVE)}
PARTS: dict[str, type] = {
    part.__name__: part
    for part in (
        *(Free, Population, Rated, Walk, Listed),
        *(Nothing, Common, PerPlayer, Pooled, DrawParameter, ListedDraws, Anchors, Effects),
    )
}


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
    where: dict[str, Any] = {"name": outcome.name}
    if known is None or known.scores is not outcome.scores:
        source = f"{outcome.scores.__module__}:{outcome.scores.__qualname__}"
        where |= {"source": source, "sha256": fingerprint(outcome)}
    rest = {one.name: plain(getattr(model, one.name)) for one in fields(model) if one.name != "outcome"}
    return {"outcome": where, **rest}


def plain(value: Any) -> Any:
    """Return a part, or one of its fields, as numbers and texts."""
    if is_dataclass(value) and not isinstance(value, type):
        return {"part": type(value).__name__} | {one.name: plain(getattr(value, one.name)) for one in fields(value)}
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
        Formulas of your own, by name.

    Raises
    ------
    ModelError
        If a formula of your own is not given or is another one, or the record is not of this kind.
    """
    try:
        where = dict(record["outcome"])
        name = str(where["name"])
        rest = {key: part_of(value) for key, value in record.items() if key != "outcome"}
        outcome = {**FORMULAS, **(formulas or {})}.get(name) if "source" not in where else (formulas or {}).get(name)
    except (KeyError, TypeError, ValueError) as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error
    if outcome is None:
        raise ModelError(
            f"model: expected the formula {name!r} of {where.get('source', 'the library')}, found none. "
            "Give it again: --model FILE.py:NAME, or formulas={...} in Python."
        )
    if "sha256" in where and fingerprint(outcome) != where["sha256"]:
        raise ModelError(f"model: expected the formula {name!r} as it was when the trace was made, found another one")
    try:
        return Model(outcome=outcome, **rest)
    except TypeError as error:
        raise ModelError(f"model: expected the record of a model, found one that cannot be read ({error})") from error


def part_of(value: Any) -> Any:
    """Return a part, or one of its fields, from numbers and texts."""
    if isinstance(value, Mapping) and "part" in value:
        kind = PARTS[str(value["part"])]
        return kind(**{str(key): part_of(one) for key, one in value.items() if key != "part"})
    return tuple(value) if isinstance(value, list) else value
