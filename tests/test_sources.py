"""Page of the sources: every named function exists and matches its file."""

import csv
import re
from importlib import import_module
from pathlib import Path

import pytest

from halfpoint.systems.catalogue import system

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


def test_rows_are_unique():
    assert len({row["row"] for row in ROWS}) == len(ROWS)


def test_every_row_of_the_four_sources_and_their_neighbours_works():
    expected = {f"{letter}{number}" for letter, last in zip("ABCDE", (75, 25, 32, 57, 13), strict=True)
                for number in range(1, last + 1)} - {"D35"}  # fmt: skip
    assert {row["row"] for row in ROWS} == expected
    assert len(expected) == 196 + len({"C30", "C31", "C32", "D56", "D57"})
    assert {row["state"] for row in ROWS} == {"works"}


def test_systems_of_notes_exist():
    names = {name for row in ROWS for name in re.findall(r"--system ([a-z-]+)", row["note"])}
    assert {"sonas", "egf", "performance-bcf", "elo-normal"} <= names
    assert all(system(name).name == name for name in names - {"weng-lin", "trueskill"})  # of races
