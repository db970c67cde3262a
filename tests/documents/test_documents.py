"""Commands of README and Python code of the documents run, tables equal the code, and links exist."""

import json
import re
import runpy
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pandas as pd
import pytest

import halfpoint as hp

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


def test_further_models_of_the_page_run_as_they_are_written(monkeypatch):
    blocks = PYTHON.findall((ROOT / "docs/edit-a-model.md").read_text(encoding="utf-8"))
    page = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)
    names = vars(page)
    for block in (blocks[0], *blocks[5:10]):
        exec(block, names)
    fixtures = pd.DataFrame({"white": ["Ajax"], "black": ["Boca"], "rest": [names["league"].rest.mean()]})
    shown = hp.forecast(names["trace"], fixtures).frame.win_percent[0]
    at_the_mean = hp.match(names["trace"], "Ajax", "Boca", colours="white").frame.probability_percent.iloc[-1]
    assert shown == pytest.approx(at_the_mean, abs=1e-9)
    for function in ("walking", "of_countries"):
        assert len(hp.declare(names[function], names["matches"]).model.free_RVs) >= 4


@pytest.mark.slow
def test_the_python_of_the_page_runs_as_it_is_written(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = PYTHON.findall((ROOT / "docs/edit-a-model.md").read_text(encoding="utf-8"))
    assert len(blocks) == 13
    page = ModuleType("page")  # a trace finds functions of a module again
    monkeypatch.setitem(sys.modules, "page", page)
    names, run = (
        vars(page),
        iter([*blocks[:5], *blocks[10:12]]),
    )  # the last needs scikit-learn, and games of the reader's
    for block in run:
        exec(block, names)
        if "pm.Potential" in block:
            break
    assert names["trace"].attrs["converged"], names["trace"].attrs["verdict"]
    edited = names["trace"]["posterior"]["strength"].mean()
    plain = hp.sample(hp.declare("davidson-common", names["chosen"]), seed=1)["posterior"]["strength"].mean()
    assert float(plain) > 15.75
    assert abs(float(edited) - 15.6) < abs(float(plain) - 15.6) / 2  # the added term pulls the level to 15.6
    exec(next(run), names)
    assert names["narrow"].name == "narrow"
    exec(next(run), names)
    assert "converged" in capsys.readouterr().out
    assert names["trace"].attrs["model"] == "skewed"
    assert len(names["rated"].frame) > 40
    exec(next(run), names)
    assert "log_likelihood" in names["trace"]


@pytest.mark.slow
def test_the_commands_of_the_readme_run(tmp_path):
    """Commands on an example file; the model is typed in the tutorial."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    typed = [one for one in re.findall(r"^halfpoint (.*?)(?:\s+#.*)?$", readme, re.M)]
    assert [words.split()[0] for words in typed] == ["demo", "rate"]
    halfpoint = Path(sys.executable).with_name("halfpoint")
    for words in (["demo", "--out", "."], typed[1].split()):
        done = subprocess.run([halfpoint, *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    assert {path.name for path in (tmp_path / "ratings").iterdir()} >= {"ratings.csv", "report.html", "trace.nc"}


@pytest.mark.further  # make check runs it
def test_the_tables_of_the_catalogue_are_the_codes():
    script = ROOT / ".ci" / "catalogue.py"
    finished = subprocess.run([sys.executable, script, "--check"], capture_output=True, text=True)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize(("cell", "fault"), [({"outputs": []}, False), ({"outputs": [{"text": "1"}]}, True)])
def test_a_notebook_with_outputs_is_refused(cell, fault, tmp_path):
    notebook = tmp_path / "one.ipynb"
    notebook.write_text(json.dumps({"cells": [{"cell_type": "code", "source": "1", **cell}]}))
    faults = runpy.run_path(str(ROOT / ".ci" / "notebooks.py"))["faults"]
    assert bool(faults(notebook)) == fault


def target_of(page, link):
    """The file that a link of a page leads to, None outside the repository."""
    return None if re.match(r"\w+:", link) else page.parent / link


def anchors_of(page):
    """The anchors of a page's headings, as MyST and GitHub make them."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", head.lower()).replace(" ", "-") for head in heads}


def test_every_document_and_heading_that_is_linked_exists():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "benchmarks").rglob("*.md")]
    found = 0
    for page in pages:
        text = re.sub(r"(?s)```.*?```|`[^`\n]+`", "", page.read_text(encoding="utf-8"))
        for link in re.findall(r"\]\(([^)\s]+)\)", text):
            place, _, anchor = link.partition("#")
            target = target_of(page, place) if place else page
            if target is None or place.startswith("gallery/"):
                continue
            found += 1
            assert target.exists(), f"{page.name} links to {link}"
            assert not anchor or anchor in anchors_of(target), f"{page.name} links to {link}"
    assert found > 100


def test_no_public_address_is_claimed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "urls" not in project
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / ".github").rglob("*.yml")]
    claimed = re.compile(r"(?:github\.com|githubusercontent\.com)/halfpoint|halfpoint\.(?:github\.io|readthedocs)")
    assert [page.name for page in pages if claimed.search(page.read_text(encoding="utf-8"))] == []


def test_actions_are_pinned_to_commits():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
        assert used, path
        for one in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), f"{path.name}: {one}"
