"""Pages of benchmarks show what their records hold: each figure with its command, commit and machine."""

import json
import re
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
from test_numbers import RESULT, blocks

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDS = sorted(path for path in (ROOT / "benchmarks" / "records").glob("*.json") if path.name != "schema.json")
SCHEMA = json.loads((ROOT / "benchmarks" / "records" / "schema.json").read_text(encoding="utf-8"))


def shown(text, value):
    """Return whether a number of a page is a value, rounded to the digits that the page gives."""
    number = Decimal(text.replace(",", ""))
    return abs(number - abs(Decimal(repr(value)))) <= Decimal((0, (5,), number.as_tuple().exponent - 1))


def faults(record, page):
    """Return what a page says that its record does not, and the figures that it does not show, a line each."""
    told, results = [], [one for block in blocks(page) for one in RESULT.findall(block.text)]
    every = re.findall(r"(?<![\w.])(?:\d[\d,]*(?:\.\d+)?|\.\d+)", page)
    known = [value for run in record["runs"] for value in run["settings"].values()]
    for run in record["runs"]:
        values = [one[key] for one in run["figures"] for key in ("value", "error") if key in one]
        known += values
        told += [f"{value}: on the page nowhere" for value in values if not any(shown(one, value) for one in every)]
        told += [f"{run['command']}: on the page nowhere"] * (run["command"] not in " ".join(page.split()))
    return told + [f"{one}: of no run" for one in results if not any(shown(one, value) for value in known)]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_page_of_benchmarks_shows_its_record(path):
    record = json.loads(path.read_text(encoding="utf-8"))
    jsonschema.validate(record, SCHEMA)
    for run in record["runs"]:
        scripts = re.findall(r"benchmarks/\w+\.py", run["command"])
        assert scripts or run["command"].startswith("halfpoint ")
        assert all((ROOT / one).is_file() for one in scripts)
    told = faults(record, (ROOT / record["page"]).read_text(encoding="utf-8"))
    assert not told, "\n".join(told)


FIGURE = {"name": "seconds", "value": 12.345, "error": 0.21, "unit": "s"}
RUN = {"command": "python benchmarks/x.py", "commit": "0123abc", "machine": "two", "settings": {}, "figures": [FIGURE]}
RECORD = {"page": "benchmarks/x.md", "runs": [RUN]}


@pytest.mark.parametrize(
    ("page", "told"),
    [
        ("By `python benchmarks/x.py`: 12.3 s (0.2).", None),
        ("By `python benchmarks/x.py`: 12 s, error 0.21.", None),
        ("By `python benchmarks/x.py`: 12.4 s (0.2).", "12.345: on the page nowhere"),
        ("By `python benchmarks/x.py`: 12.3 s (0.2), and 0.7 s before.", "0.7: of no run"),
        ("12.3 s (0.2)", "python benchmarks/x.py: on the page nowhere"),
    ],
)
def test_a_figure_that_page_or_record_lacks_is_told(page, told):
    found = faults(RECORD, page)
    assert (told is None) == (found == [])
    assert told is None or told in found


@pytest.mark.parametrize("lost", ["command", "commit", "machine", "figures"])
def test_a_run_without_its_origin_is_no_record(lost):
    jsonschema.validate(RECORD, SCHEMA)
    with pytest.raises(jsonschema.ValidationError, match=f"'{lost}' is a required property"):
        jsonschema.validate({**RECORD, "runs": [{key: one for key, one in RUN.items() if key != lost}]}, SCHEMA)
