"""Pages of benchmarks show what their records hold: each figure with its command, commit and machine."""

import json
import re
from decimal import Decimal
from pathlib import Path

import jsonschema
import pytest
import records
from test_numbers import RESULT, blocks

ROOT = Path(__file__).resolve().parent.parent.parent
RECORDS = sorted(path for path in (ROOT / "benchmarks" / "records").glob("*.json") if path.name != "schema.json")
SCHEMA = json.loads((ROOT / "benchmarks" / "records" / "schema.json").read_text(encoding="utf-8"))


def shown(text, value):
    """True if a number of a page is a value, rounded to the digits that the page gives."""
    number = Decimal(text.replace(",", ""))
    return abs(number - abs(Decimal(repr(value)))) <= Decimal((0, (5,), number.as_tuple().exponent - 1))


def faults(record, page):
    """List statements of a page that its record lacks, and figures that the page does not show, a line each."""
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
        assert re.match(r"python benchmarks/\w+\.py|halfpoint |make |pytest |time bash ", run["command"])
        assert all((ROOT / one).is_file() for one in re.findall(r"[\w.]+/[\w./]+", run["command"]))
    page = (ROOT / record["page"]).read_text(encoding="utf-8")
    told = faults(record, page)
    assert not told, "\n".join(told)
    if records.MARK.search(page):
        assert records.of_page(path.stem, page) == record, f"python benchmarks/records.py {path.stem} writes it anew"


def test_every_page_of_benchmarks_has_a_record():
    pages = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "benchmarks").glob("*.md")}
    parts = {name for name, text in pages.items() if any(text.strip() in pages[one] for one in pages.keys() - {name})}
    assert pages.keys() - parts == {path.stem for path in RECORDS}


def test_a_page_is_read_figure_by_figure():
    page = (
        "# X\n\n<!-- run: python benchmarks/x.py; commit: 0123abc; machine: two; given: 60 -->\n\n"
        "Of 60 it took 12.5 s (0.2), `rate --top 3.5` on 1 May 2024 not.\n\n"
        "| row | games | gain, Elo | held |\n|---|--:|--:|--:|\n| `a` | 1,000 | -3.5 ± 0.4 | 89.5% to 91% |\n\n"
        "<!-- run: make slow; commit: 4567def (of the page); machine: not noted -->\n\nPeak memory 1.2 GB.\n"
    )
    first, second = records.of_page("x", page)["runs"]
    found = [(one["name"], one["value"], one["unit"], one.get("error")) for one in first["figures"]]
    assert found == [
        ("Of 60 it took ... s (0.2), `rate --top #.#` on not.", 12.5, "s", 0.2),
        ("`a`: games", 1000.0, "", None),
        ("`a`: gain, Elo", -3.5, "Elo", 0.4),
        ("`a`: held", 89.5, "%", None),
        ("`a`: held, 2", 91.0, "%", None),
    ]
    assert first["settings"] == {"given: 60": 60.0}
    assert (second["commit"], second["commit_is"], second["figures"][0]["unit"]) == ("4567def", "of the page", "GB")


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
