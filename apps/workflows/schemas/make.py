"""JSON Schemas of the records that commands print, made from their types: `make schemas`.

The build of a wheel, of a source archive and of an editable installation writes them as `COMMAND.v1.json` beside this
file (setup.py). Nothing else imports the types. An object has the keys of a `TypedDict`; a key that is not required
may be absent, and further keys may be present.
"""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, Never, NotRequired, Union, get_args, get_origin, is_typeddict
from typing import get_type_hints as hints_of

from halfpoint.apps.workflows.schemas.commands import ANSWERS
from halfpoint.apps.workflows.schemas.errors import ErrorRecord, ErrorStatus

FOLDER = Path(__file__).resolve().parent
_KINDS = {int: "integer", float: "number", str: "string", bool: "boolean", list: "array", dict: "object"}
_ANSWER = "What halfpoint {} prints with --json. Further keys may come within a version."
_ERROR = "What any command prints with --json where it has no answer. Further codes and keys may come within a version."


def part_of(kind: Any) -> dict[str, Any]:
    """JSON Schema of a type; text in `Annotated` is its description, a mapping has further keywords."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind is object:
        return {}
    if kind is Never:
        return {"not": {}}
    if origin is NotRequired:
        return part_of(arguments[0])
    if origin is Annotated:
        keywords = [{"description": extra} if isinstance(extra, str) else extra for extra in arguments[1:]]
        return {key: value for part in (part_of(arguments[0]), *keywords) for key, value in part.items()}
    if origin is Literal:
        return {"const": arguments[0]} if len(arguments) == 1 else {"enum": list(arguments)}
    if origin in (Union, UnionType):
        (part,) = (part_of(each) for each in arguments if each is not type(None))
        return part | {"type": [part["type"], "null"]}
    if is_typeddict(origin or kind):
        return object_of(kind)
    items = part_of(arguments[0]) if origin is list else {}
    return {"type": _KINDS[origin or kind]} | ({"items": items} if items else {})


def object_of(kind: Any, added: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """JSON Schema of the objects of a `TypedDict`, with added required keys before its own."""
    origin = get_origin(kind) or kind
    added = added or {}
    hints = {**added, **hints_of(origin, include_extras=True)}
    rows = get_args(kind)  # of a generic type, whose only parameter is the type of its rows
    hints = {key: hint[rows] if getattr(hint, "__parameters__", ()) else hint for key, hint in hints.items()}
    properties = {key: part_of(hint) for key, hint in hints.items()}
    required = [key for key in hints if key in added or key in origin.__required_keys__]
    return {"type": "object"} | ({"required": required} if required else {}) | {"properties": properties}


def schema_of(command: str, status: object, kind: Any, description: str = _ANSWER) -> dict[str, Any]:
    """JSON Schema of the record of a command, whose answer is of one of the types of a union."""
    name = command.replace(" ", "-")
    kinds = get_args(kind) if isinstance(kind, UnionType) else (kind,)
    added = {"schema": Annotated[Literal[f"halfpoint.{name}.v1"], "This schema, with its version"], "status": status}
    objects = [object_of(each, added) for each in kinds]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:halfpoint:{name}:v1",
        "title": f"halfpoint.{name}.v1",
        "description": description.format(command),
    } | (objects[0] if len(objects) == 1 else {"anyOf": objects})


def schemas() -> dict[str, dict[str, Any]]:
    """JSON Schemas by file name."""
    answers = [
        schema_of(command, Annotated[status, "How the command ended"], kind)
        for status, commands in ANSWERS.items()
        for command, kind in commands.items()
    ]
    error = schema_of("error", ErrorStatus, ErrorRecord, _ERROR)
    return {f"{schema['title'].removeprefix('halfpoint.')}.json": schema for schema in (*answers, error)}


def write_schemas(folder: Path = FOLDER) -> None:
    """Write the files whose content is not the present one, and remove those of commands that no longer exist."""
    texts = {name: json.dumps(schema, indent=1) + "\n" for name, schema in schemas().items()}
    for path in folder.glob("*.json"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    write_schemas()
    sys.stdout.write(f"schemas: {len(schemas())} files in {FOLDER}\n")
