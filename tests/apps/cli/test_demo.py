"""`halfpoint demo`: six examples, their pages, and the mark of simulated games on each."""

import pytest
from typed import typed

from halfpoint.readers.datasets.examples import EXAMPLES, load


@pytest.mark.slow
def test_the_demo_writes_pages_that_say_simulated(tmp_path):
    code, out, error = typed("demo", "--out", str(tmp_path / "demo"), "--no-browser")
    assert code == 0, error
    assert "$ halfpoint rate club.pgn --out club" in out
    pages = sorted((tmp_path / "demo").glob("*/*.html"))
    assert len(pages) >= 8
    assert all("SIMULATED" in page.read_text(encoding="utf-8") for page in pages)
    index = (tmp_path / "demo" / "index.html").read_text(encoding="utf-8")
    assert all(file in index for file in EXAMPLES.values())


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_load_and_are_marked(name):
    made = load(name)
    if name != "clubs":
        assert made.simulated if hasattr(made, "people") else (made["simulated"] == 1).all()
    assert len(made) >= 10
