"""Output of a command with `--json`, checked against its JSON Schema."""

import json
from functools import cache
from pathlib import Path

import jsonschema

import halfpoint

SCHEMAS = Path(halfpoint.__file__).parent / "apps" / "workflows" / "schemas"


@cache
def validator(name):
    """Validator of a schema of the package by name, `halfpoint.rank.v1`."""
    schema = json.loads((SCHEMAS / f"{name.removeprefix('halfpoint.')}.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@cache
def strict_validator(name):
    """Validator of a schema that allows only described keys."""
    return jsonschema.Draft202012Validator(_closed(validator(name).schema))


def _closed(part):
    """A schema whose objects have no further keys."""
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    further = {"additionalProperties": False} if isinstance(part.get("properties"), dict) else {}
    return further | {key: _closed(value) for key, value in part.items()}


def _no_constant(text):
    raise AssertionError(f"{text} is no JSON")


def _each_once(pairs):
    assert len(dict(pairs)) == len(pairs), "a key twice"
    return dict(pairs)


def record_in(out, exit_code, validator_of=validator):
    """Record that a command printed: JSON only, valid by its schema, with the exit code of the command."""
    record = json.loads(out, parse_constant=_no_constant, object_pairs_hook=_each_once)
    validator_of(record["schema"]).validate(record)
    assert record["status"]["exit_code"] == exit_code
    assert (exit_code not in (0, 1, 3)) == (record["schema"] == "halfpoint.error.v1")
    return record


def answer_in(out):
    """The record without the keys that the command adds to the answer of its function."""
    return {name: value for name, value in json.loads(out).items() if name not in ("schema", "status")}
