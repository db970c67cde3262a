"""Keys of the records that commands print, as lines of a place, a type, and the keys that have this type there.

`rank.v1 rows[] integer|null?: games rank`: the objects of the array `rows` may have `games` and `rank`, whole numbers
or null. A status has the type of its code and of its exit code. `python tests/helpers/record_keys.py` writes the lines
of the present types into the listing.
"""

from itertools import groupby
from pathlib import Path

from halfpoint.apps.workflows.schemas.make import schemas

LISTING = Path(__file__).parents[1] / "apps" / "workflows" / "record_keys.txt"


def present_types():
    """Type of each key of all records, by place and key."""
    return {where: kind for schema in schemas().values() for where, kind in keys_of(schema).items()}


def keys_of(schema, place=None):
    """Type of each key of a schema, by place and key."""
    place, types = place or schema["title"].removeprefix("halfpoint."), {}
    choices = {f"{place} {number}": choice for number, choice in enumerate(schema.get("anyOf", ()), 1)}
    for choice_place, choice in (choices or {place: schema}).items():
        required = choice.get("required", ())
        for key, part in choice.get("properties", {}).items():
            optional = "" if key in required else "?"
            if key == "status":
                code, exit_code = part["properties"].values()
                types[choice_place, key] = f"{type_of(code)},{type_of(exit_code)}{optional}"
            elif key != "schema":  # the place has its value
                types[choice_place, key] = type_of(part) + optional
                types |= keys_of(part, f"{choice_place} {key}") | keys_of(
                    part.get("items", {}), f"{choice_place} {key}[]"
                )
    return types


def type_of(part):
    """Type of a value in one word."""
    if "const" in part or "enum" in part:
        return "|".join(str(value) for value in part.get("enum", [part.get("const")]))
    kinds = part.get("type", "never" if "not" in part else "any")
    kind = kinds if isinstance(kinds, str) else "|".join(kinds)
    return f"{kind}[{type_of(part['items'])}]" if "items" in part else kind


def lines_of(types):
    """Lines of the types, in alphabetical order."""
    in_order = sorted((place, kind, key) for (place, key), kind in types.items())
    groups = groupby(in_order, lambda each: each[:2])
    return [f"{place} {kind}: {' '.join(key for *_, key in group)}" for (place, kind), group in groups]


def types_in(lines):
    """Type of each key in lines, by place and key."""
    parts = [(*line.partition(": ")[0].rpartition(" ")[::2], line.partition(": ")[2].split()) for line in lines]
    return {(place, key): kind for place, kind, keys in parts for key in keys}


if __name__ == "__main__":
    LISTING.write_text("".join(f"{line}\n" for line in lines_of(present_types())), encoding="utf-8")
