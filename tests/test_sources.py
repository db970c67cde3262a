"""The page of the sources: every function it names exists, and it is what its file says."""

import csv
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
with (ROOT / "docs" / "sources.csv").open(encoding="utf-8", newline="") as file:
    ROWS = list(csv.DictReader(file))


@pytest.mark.parametrize("row", ROWS, ids=[row["row"] for row in ROWS])
def test_what_a_row_names_exists(row):
    assert row["state"] in ("works", "partial", "absent")
    names = row["names"].split()
    assert bool(names) == (row["state"] != "absent")
    assert row["note"] or row["state"] == "works"
    for name in names:
        module, _, attribute = name.rpartition(".")
        found = getattr(import_module(f"halfpoint.{module}"), attribute)
        assert callable(found)
        assert found.__doc__


def test_rows_are_unique_and_the_page_is_up_to_date():
    assert len({row["row"] for row in ROWS}) == len(ROWS)
    subprocess.run([sys.executable, ROOT / ".ci" / "sources.py", "--check"], check=True)
