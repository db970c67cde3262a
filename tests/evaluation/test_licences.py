"""Third-party code in a page is listed with its licence, in the page and in the wheel."""

import re
import tomllib
from pathlib import Path

import pytest

from halfpoint.apps.pages.page import packaged_text

ROOT = Path(__file__).resolve().parent.parent.parent
TERMS = packaged_text("vendor/LICENSES.txt")


@pytest.mark.parametrize("file", ["d3.min.js", "plot.umd.min.js"])
def test_the_version_that_is_inlined_is_named(file):
    version = re.search(r"v(\d+\.\d+\.\d+)", packaged_text(f"vendor/{file}")[:60])
    assert version is not None
    assert re.search(rf"{re.escape(version[1])} \({re.escape(file)}\)", TERMS)


@pytest.mark.parametrize(
    "owner",
    [
        *("Mike Bostock", "Observable, Inc.", "Robert Penner", "Charles Karney", "Cynthia Brewer", "Mapbox"),
        *("Mikola Lysenko", "unlicense.org", "Apache License, Version 2.0"),
    ],
)
def test_whose_work_is_bundled_is_told(owner):
    assert owner in TERMS


def test_the_terms_are_in_every_page_and_in_the_wheel():
    assert "--" not in TERMS  # they stand in a comment of the page
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "apps/pages/vendor/LICENSES.txt" in project["license-files"]
