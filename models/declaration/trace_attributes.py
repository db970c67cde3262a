"""Attributes of a trace that describe its model: its record, the columns it reads, its traits."""

import json
from collections.abc import Hashable, Mapping
from typing import Any

from halfpoint.models.declaration.record import check_record, model_of, require_function
from halfpoint.models.errors import ModelError
from halfpoint.models.language.model import Model
from halfpoint.models.language.model_functions import MODEL_FUNCTIONS
from halfpoint.models.reading.reads import Reads
from halfpoint.models.reading.traits import Traits

READS, TRAITS, WALKS, WORTH = "model_reads", "model_traits", "model_walks", "model_worth"  # attributes of a trace
GOALS = "goals_product"  # attribute: mean product of the goals of both sides
THINNING = "thinning"  # attribute: number of draws of which the trace has one, if more than one
BY_HAND = "finished by hand"  # attribute `edited` of a trace whose model has no function for other games


def record_in(attributes: Mapping[Hashable, object]) -> dict[str, Any]:
    """Record of a model in the attributes of a trace."""
    text = attributes.get("model_record")
    try:
        record = json.loads(text) if isinstance(text, str) else None
    except (ValueError, RecursionError):
        record = None
    if not isinstance(record, dict):
        raise ModelError(f"trace: expected the record of its model, found {str(text)[:40]!r}")
    try:
        check_record(record)
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise ModelError(f"model: the record of a model cannot be read ({error})") from error
    return record


def model_in(attributes: Mapping[Hashable, object]) -> Model:
    """Model that the attributes of a trace describe."""
    return model_of(record_in(attributes))


def require_function_asked_for(attributes: Mapping[Hashable, object]) -> None:
    """Raise `OwnCodeError` if the user gave a function for a trace, and the trace was fitted with another source."""
    function = MODEL_FUNCTIONS.of_traces
    if function is not None:
        require_function(record_in(attributes), function)


def reads_in(attributes: Mapping[Hashable, object]) -> Reads:
    """Columns that the function of a trace's model reads of games."""
    return Reads.from_record(json_in(attributes, READS))


def traits_in(attributes: Mapping[Hashable, object]) -> Traits:
    """Traits of a trace's model as a whole."""
    try:
        return Traits.from_record(json_in(attributes, TRAITS))
    except (TypeError, KeyError) as error:
        raise ModelError(f"trace: the traits of its model are missing ({error}). Fit the model again.") from error


def json_in(attributes: Mapping[Hashable, object], name: str) -> dict[str, Any]:
    """Attribute of a trace, parsed as JSON."""
    try:
        parsed = json.loads(str(attributes.get(name, "")))
    except (ValueError, RecursionError):
        parsed = None
    if not isinstance(parsed, dict):
        raise ModelError(f"trace: expected the attribute {name!r}, found none. Fit the model again.")
    return parsed
