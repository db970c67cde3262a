"""Page on reproducing a paper: its code runs and prints the output on the page."""

import contextlib
import io
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "reproduce-a-paper.md"


@pytest.fixture(scope="module")
def run():
    """Output of each block of the page, and the names that the blocks define."""
    text = PAGE.read_text(encoding="utf-8")
    names, printed = {}, []
    for block in re.findall(r"```python\n(.*?)```", text, flags=re.DOTALL):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(block, str(PAGE), "exec"), names)
        printed.append(out.getvalue())
    return printed, names


def test_the_page_prints_what_it_says(run):
    printed, _ = run
    said = re.findall(
        r"<!-- printed: begin \d -->\n```text\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL
    )
    assert printed == said


def test_the_table_comes_out_again(run):
    _, names = run
    assert set(names["first"]["verdict"]) == {"match"}


def test_the_table_is_that_of_the_source(run):
    _, names = run
    assert (len(names["baseball"]), int(names["baseball"]["score"].sum())) == (273, 154)


def test_a_wrong_digit_is_not_a_match(run):
    _, names = run
    cells = [names["Cell"]("a paper", "table", "Boston", "estimate", "1.1449", 1.1438)]
    assert names["reproduce"](cells)["verdict"][0].startswith("not reproducible")
