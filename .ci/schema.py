"""Draft the JSON Schema of a command from its output: `python .ci/schema.py one.json two.json ...`.

The files contain the output of one command with `--json` under several options. Keys that occur in all files are
required; numbers may be null, since a number that is not finite is printed as null. Describe each key, then save the
text in apps/workflows/schemas. `tests/apps/cli/test_json.py` compares the output of every command with its schema.
"""

import json
import sys
from pathlib import Path
from typing import Any

STATUS = {
    "type": "object",
    "description": "How the command ended",
    "required": ["code", "exit_code"],
    "properties": {
        "code": {"enum": ["ok", "converged", "approximate", "not-converged"]},
        "exit_code": {"enum": [0, 3], "description": "The exit code of the command"},
    },
}
NAMES = {type(None): "null", bool: "boolean", int: "integer", float: "number", str: "string", list: "array"}


def kind_of(values: list[Any]) -> dict[str, Any]:
    """Type of values."""
    found = {NAMES.get(type(value), "object") for value in values}
    if "number" in found:
        found = (found - {"integer"}) | {"null"}
    names = sorted(found - {"null"}) + ["null"] * ("null" in found)
    if names == ["null"]:
        return {}
    made: dict[str, Any] = {"type": names[0] if len(names) == 1 else names}
    inner = [one for value in values if isinstance(value, list) for one in value]
    if names == ["array"] and inner:
        made["items"] = object_of(inner) if all(isinstance(one, dict) for one in inner) else kind_of(inner)
    return made


def object_of(records: list[dict[str, Any]]) -> dict[str, Any]:
    """Schema of objects."""
    keys = list(dict.fromkeys(key for one in records for key in one))
    properties = {key: kind_of([one[key] for one in records if key in one]) for key in keys}
    required = [key for key in keys if all(key in one for one in records)]
    return {"type": "object", "required": required, "properties": properties}


def main(paths: list[str]) -> None:
    """Print the schema."""
    records = [json.loads(Path(path).read_text(encoding="utf-8")) for path in paths]
    name = records[0]["schema"]
    _, command, version = name.split(".")
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:halfpoint:{command}:{version}",
        "title": name,
        "description": f"What halfpoint {command} prints with --json. Further keys may come within a version.",
    }
    body = object_of(records)
    body["properties"] |= {"schema": {"const": name}, "status": STATUS}
    print(json.dumps(head | body, indent=1))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
