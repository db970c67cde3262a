"""Numbers in the documents have a source: a file that a benchmark wrote, or a test that computes or asserts them.

A comment in a block of text (a paragraph, a list, a table), or by itself above it, names the sources:

    <!-- numbers: benchmarks/large.md -->                       each number of the block stands in that file
    <!-- numbers: benchmarks/large.md; given: 4, 500 -->        but those that are settings or names
    <!-- numbers: tests/apps/study/test_x.py::test_y -->             that test reads this page and compares it
    <!-- numbers: outside, thesis, table 4 -->                  a quotation; nothing here computes it

In the pages below each block with a number that could be a result must have one. Numbers in code and formulas are free.
"""

import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
HELD = ("beat-the-list", "bridge", "default", "engine-matches", "leaderboards", "peers", "scaling", "several-people")
PAGES = ("README.md", *(f"docs/{name}.md" for name in HELD))
MARK = re.compile(r"<!-- numbers: (.*?)(?:; given: (.*?))? -->", re.DOTALL)
NUMBER = re.compile(r"(?<![\w.^/])(?:\d[\d,_]*(?:\.\d+)?|\.\d+)(?:e-?\d+)?")
UNIT = r"(?: ?%|(?: CPU| processor)? (?:s|seconds?|minutes?|hours?|per cent|Elo|nats|[MG]i?B|times)\b)"
FORMS = (r"\d[\d,]*\.\d+", r"\.\d+", r"\d{1,3}(?:,\d{3})+", rf"\d+(?={UNIT})")
RESULT = re.compile(rf"(?<![\w.^/])(?<!\w-)(?:{'|'.join(FORMS)})(?![\w.])")
FREE = (
    r"(?s)```.*?```",  # code, formulas, commands, links
    r"(?s)\$\$.*?\$\$",
    r"(?<=\n\n)(?: {4}.*\n)+",
    r"`[^`\n]+`",
    r"\$[^$\n]+\$",
    r"\]\([^)]*\)",
    r"doi:\S+",
    r"arXiv\s[\d.]+",
    r"(?:[Ss]ections?|eqs?\.|[Cc]hapter|[Tt]able|[Ff]igure) [\d.]+(?:, [\d.]+)*",  # places in a source
)


@dataclass
class Block:
    """Block of a page: place, text without code and formulas, sources, given numbers."""

    line: int
    text: str
    sources: list[str]
    given: set[Decimal]


def values(text):
    """Numbers of a text as decimals, without signs and separators."""
    return {Decimal(re.sub("[,_]", "", found)) for found in NUMBER.findall(text)}


def blocks(text):
    """Blocks of a page."""
    for pattern in FREE:
        text = re.sub(pattern, lambda found: " x " + "\n" * found[0].count("\n"), text)
    found, waiting, line = [], [], 1
    for part in re.split(r"(\n[ \t]*\n)", text):
        marks, plain = [*waiting, *MARK.findall(part)], MARK.sub("", part)
        if plain.strip():
            named = [[one] if one.startswith("outside") else one.split(",") for one, _ in marks]
            given = values(" ".join(given for _, given in marks))
            found.append(Block(line, plain, [one.strip() for several in named for one in several], given))
            marks = []
        waiting = marks
        line += part.count("\n")
    return found


@cache
def numbers_of(source):
    return values((ROOT / source).read_text(encoding="utf-8"))


def faults(page, text):
    """List wrong numbers on a page, a line each."""
    told = []
    for block in blocks(text):
        results = RESULT.findall(block.text)
        if results and not block.sources:
            told.append(f"{page}:{block.line}: expected a source of {', '.join(results)}, found none")
        files = []
        for source in block.sources:
            path, _, test = source.partition("::")
            if path.startswith("outside"):
                files = None
                break
            if not (ROOT / path).is_file():
                told.append(f"{page}:{block.line}: {path}: no such file")
            elif test:
                code = (ROOT / path).read_text(encoding="utf-8")
                if f"def {test}(" not in code or Path(page).name not in code:
                    told.append(f"{page}:{block.line}: expected {test} in {path} to read {page}, found none")
                files = None
                break
            else:
                files.append(path)
        if files:
            known = set().union(*map(numbers_of, files)) | block.given
            missing = sorted({one for one in results if not values(one) <= known})
            if missing:
                told.append(f"{page}:{block.line}: {', '.join(missing)} not in {', '.join(files)}")
    return told


@pytest.mark.parametrize("page", PAGES)
def test_every_number_of_a_page_stands_where_the_page_says(page):
    told = faults(page, (ROOT / page).read_text(encoding="utf-8"))
    assert not told, "\n".join(told)


def test_the_numbers_in_print_add_up():
    page = (ROOT / "benchmarks" / "tables" / "study.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (?:paper|thesis) \| \w+ \|((?: \d+ \|){6})$", page, re.MULTILINE)
    match, near, misprint, slip, no, every = (
        sum(column) for column in zip(*([int(one) for one in re.findall(r"\d+", row)] for row in rows), strict=True)
    )
    assert match + near + misprint + slip + no == every
    for name in ("README.md", "docs/reproduce-a-paper.md"):
        said = " ".join((ROOT / name).read_text(encoding="utf-8").split())
        assert (
            f"Of the {every:,} numbers that the study prints, {match:,} match, {near} are near, {misprint} are "
            f"misprints, {slip} follow from an identified slip, and {no} cannot be reproduced"
        ) in said
    assert f"each of the {every:,} numbers" in page


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("It takes 12.5 s.", "expected a source of 12.5"),
        ("<!-- numbers: a.md -->\n\nIt takes 12.5 s.", "a.md: no such file"),
        ("It takes 99.5 s.\n<!-- numbers: benchmarks/bridge.md -->", "99.5 not in benchmarks/bridge.md"),
        ("It takes 99.5 s.\n<!-- numbers: benchmarks/bridge.md; given: 99.5 -->", None),
        ("It takes 21.38 s, 46,780 a second.\n<!-- numbers: benchmarks/bridge.md -->", None),
        ("| a |\n|---|\n| -13.333 |", "expected a source of 13.333"),
        ("<!-- numbers: tests/documents/test_numbers.py::test_nothing -->\n\n5 seconds", "expected test_nothing"),
        ("A year such as 2011, `12.5 s`, $0.5$, eq. 4.7, [x](a-1.5.md) and three.", None),
    ],
)
def test_a_number_without_its_source_is_told(text, told):
    found = faults("x.md", text)
    assert (told is None) == (found == [])
    assert told is None or told in found[0]
