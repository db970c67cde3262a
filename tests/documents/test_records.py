"""Pages of benchmarks name the command, the commit and the machine of their figures; headlines are on their pages."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import records

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = sorted((ROOT / "benchmarks").glob("*.md"))


def faults(page):
    """Missing marks of a page, and marks that name no command of this repository, a line each."""
    marks = list(records.MARK.finditer(page))
    lines = [] if marks else ["no mark"]
    for mark in marks:
        command = " ".join(mark["command"].split())
        if not re.match(r"python (?:benchmarks|\.ci)/\w+\.py|halfpoint |make |pytest |time bash ", command):
            lines.append(f"{command}: no command of this repository")
        files = re.findall(r"[\w.]+/[\w./]+\.py", command)
        lines += [f"{file}: no such file" for file in files if not (ROOT / file).is_file()]
    return lines


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_figures_of_a_page_have_a_run(path):
    assert faults(path.read_text(encoding="utf-8")) == []


MARK = "<!-- run: python benchmarks/records.py; commit: 0123abc; machine: two -->"


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        (f"# X\n\n{MARK}\n\nIt took 12.5 s (0.2).\n", None),
        ("# X\n\nIt took 12.5 s (0.2).\n", "no mark"),
        (f"# X\n\n{MARK.replace('records', 'nowhere')}\n", "no such file"),
        (f"# X\n\n{MARK.replace('python benchmarks/records.py', 'as measured')}\n", "no command"),
    ],
)
def test_a_figure_without_a_run_is_a_fault(page, fault):
    lines = faults(page)
    assert (fault is None) == (lines == [])
    assert fault is None or any(fault in line for line in lines)


def test_a_mark_names_the_commit_of_the_run():
    found = records.MARK.match(records.mark("python benchmarks/records.py"))
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert found is not None
    assert head.startswith(found["commit"])


def test_a_section_replaces_its_own_text_alone(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Page\n\n## First\n\nold\n\n### Part\n\nold\n\n## Second\n\nkept\n", encoding="utf-8")
    records.section(page, "# First\n\nnew\n\n## Part\n\n```sh\n# no heading\n```\n", "make x")
    text = re.sub(r"<!-- run: .*?-->\n\n", "", page.read_text(encoding="utf-8"))
    assert text == ("# Page\n\n## First\n\nnew\n\n### Part\n\n```sh\n# no heading\n```\n\n## Second\n\nkept\n")
    records.section(page, "# Third\n\nadded\n", "make x")
    assert page.read_text(encoding="utf-8").endswith("added\n")
    assert re.findall("^## .*", page.read_text(encoding="utf-8"), re.MULTILINE) == ["## First", "## Second", "## Third"]


def test_a_script_runs_the_command_that_its_first_word_names_or_all(monkeypatch):
    called = []
    commands = {name: lambda name=name: called.append((name, *sys.argv[1:])) for name in ("one", "two")}
    monkeypatch.setattr(sys, "argv", ["bench_x.py", "two", "3"])
    records.run(**commands)
    monkeypatch.setattr(sys, "argv", ["bench_x.py"])
    records.run(**commands)
    assert called == [("two", "3"), ("one",), ("two",)]
    monkeypatch.setattr(sys, "argv", ["bench_x.py", "three"])
    with pytest.raises(SystemExit, match=r"^bench_x.py: expected one \| two, found 'three'$"):
        records.run(**commands)


@pytest.mark.parametrize("one", records.HEADLINES, ids=lambda one: one.name)
def test_a_headline_stands_on_its_page(one):
    page = (ROOT / one.page).read_text(encoding="utf-8")
    assert re.search(rf"(?<![\d.]){one.printed:.4f}(?!\d)", page)
    assert (ROOT / one.command.split()[1]).is_file()


@pytest.mark.slow
@pytest.mark.skipif("HALFPOINT_DATA_DIR" not in os.environ, reason="HALFPOINT_DATA_DIR names no folder")
@pytest.mark.parametrize("one", records.HEADLINES, ids=lambda one: one.name)
def test_a_headline_is_what_its_command_gives(one):
    value, _ = one.now()
    assert value == pytest.approx(one.printed, abs=one.within)
