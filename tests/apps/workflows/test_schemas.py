"""JSON Schemas of the records: made from their types, and changed within a version only by new keys."""

import json
from importlib.resources import files
from typing import Annotated, Literal, Never, NotRequired, TypedDict

import jsonschema
import pytest
from record_keys import LISTING, lines_of, present_types, types_in

from halfpoint.apps.workflows.schemas.make import part_of, schemas, write_schemas
from halfpoint.apps.workflows.schemas.shared import Table

WRITE = "`python tests/helpers/record_keys.py`"


def test_schemas_are_files_of_the_package():
    folder = files("halfpoint.apps.workflows") / "schemas"
    texts = {part.name: part.read_text(encoding="utf-8") for part in folder.iterdir() if part.name.endswith(".json")}
    assert {name: json.loads(text) for name, text in texts.items()} == json.loads(json.dumps(schemas()))


def test_keys_of_records_change_only_with_the_listing():
    before, now = types_in(LISTING.read_text(encoding="utf-8").splitlines()), present_types()
    broken = [f"{' '.join(where)}: {before[where]} is now {now.get(where, 'absent')}" for where in before
              if now.get(where) != before[where]]  # fmt: skip
    assert not broken, (
        "scripts that read version 1 of these records depend on the changed keys; keep them, or print version 2 "
        f"(apps/cli/scripting.py). Before the first release: {WRITE}.\n" + "\n".join(broken)
    )
    new = [" ".join(where) for where in now if where not in before]
    assert not new, f"new keys; list them by {WRITE}, and commit {LISTING.name}.\n" + "\n".join(new)


def test_lines_of_the_listing_have_every_key():
    assert types_in(lines_of(present_types())) == present_types()


class Point(TypedDict):
    x: Annotated[float | None, "Abscissa"]
    kind: NotRequired[Literal["a", "b"]]


class Group(TypedDict):
    points: Annotated[list[Point], {"minItems": 1}]
    free: object
    simulated: Literal[True]
    absent: NotRequired[Never]


GOOD = {"points": [{"x": None}], "free": [1], "simulated": True}


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({}, None),
        ({"further": 1}, None),
        ({"points": [{"x": 0.5, "kind": "b"}, {"x": 1}]}, None),
        ({"points": []}, "should be non-empty"),
        ({"points": [{"x": "0.5"}]}, "'number', 'null'"),
        ({"points": [{"kind": "a"}]}, "'x' is a required property"),
        ({"points": [{"x": 1, "kind": None}]}, "is not one of"),
        ({"simulated": False}, "True was expected"),
        ({"absent": 1}, "should not be valid under"),
    ],
)
def test_a_schema_accepts_the_values_of_its_type_alone(change, wrong):
    validator = jsonschema.Draft202012Validator(part_of(Group))
    messages = [error.message for error in validator.iter_errors(GOOD | change)]
    assert len(messages) == (wrong is not None)
    assert all(wrong in message for message in messages)


def test_descriptions_are_beside_the_types():
    schema = part_of(Table[Point])
    assert schema["required"] == ["title", "rows"]
    assert schema["properties"]["rows"]["description"] == "One object a row, as in the CSV"
    assert schema["properties"]["rows"]["items"] == part_of(Point)
    assert part_of(Point)["properties"]["x"] == {"type": ["number", "null"], "description": "Abscissa"}


def test_files_of_former_commands_are_removed_and_equal_files_kept(tmp_path):
    (tmp_path / "former.v1.json").write_text("{}")
    write_schemas(tmp_path)
    times = {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    assert times.keys() == schemas().keys()
    write_schemas(tmp_path)
    assert {path.name: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == times


def keys_in(schema):
    """Yield name and schema of each key of the objects in a schema."""
    for name, part in schema.get("properties", {}).items():
        yield name, part
        yield from keys_in(part)
    for part in (*schema.get("anyOf", ()), *([schema["items"]] if "items" in schema else [])):
        yield from keys_in(part)


@pytest.mark.parametrize("file", schemas())
def test_every_key_says_what_it_holds(file):
    silent = [name for name, part in keys_in(schemas()[file]) if "description" not in part and part != {"not": {}}]
    assert not silent, f"without a description beside the type: {', '.join(silent)}"
