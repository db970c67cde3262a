"""The documents keep their word: README's commands and the page on Python run, tables are the code's."""

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import halfpoint as hp
from halfpoint.fields.arena.simulate import simulate_arena

ROOT = Path(__file__).resolve().parent.parent.parent
PYTHON = re.compile(r"```python\n(.*?)```", re.DOTALL)


@pytest.mark.slow
def test_the_python_of_the_page_runs_as_it_is_written(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    hp.simulate("games.pgn", games=800, players=8)
    blocks = PYTHON.findall((ROOT / "docs/python.md").read_text(encoding="utf-8"))
    assert len(blocks) == 3
    names = {}
    exec(blocks[0], names)
    table = capsys.readouterr().out
    assert "converged" in names["rated"].about["verdict"]
    assert "Player" in table
    assert "Expected score" in table
    exec(blocks[1], names)
    assert names["trace"].attrs["converged"], names["trace"].attrs["verdict"]
    edited = names["trace"]["posterior"]["strength"].mean()
    plain = hp.sample(hp.declare("davidson-common", names["chosen"]), seed=1)["posterior"]["strength"].mean()
    assert float(plain) > 15.75
    assert abs(float(edited) - 15.6) < abs(float(plain) - 15.6) / 2  # the added term pulls the level to 15.6
    exec(blocks[2], names)
    assert (names["trace"].attrs["model"], names["trace"].attrs["converged"]) == ("narrow", True)


@pytest.mark.slow
def test_the_commands_of_the_readme_run(tmp_path):
    """Those on games of one's own, in a folder where there are some; `make` of a fresh clone is what CI does."""
    typed = re.findall(
        r"^\.venv/bin/halfpoint (.*?)(?:\s+#.*)?$", (ROOT / "README.md").read_text(encoding="utf-8"), re.M
    )
    assert [words.split()[0] for words in typed] == ["rate", "list", "leaderboard", "--help"]
    simulate_arena(models=5, battles=600, judges=12).battles.to_json(
        tmp_path / "arena.jsonl", orient="records", lines=True
    )
    halfpoint = Path(sys.executable).with_name("halfpoint")
    for words in ["simulate games.pgn --games 600 --players 8", *typed]:
        if words.startswith("list"):  # of games with ratings
            games = (tmp_path / "games.pgn").read_text(encoding="utf-8")
            rated = re.sub(r'\[(White|Black) "Player (\d)"\]', r'\g<0>\n[\1Elo "1\g<2>00"]', games)
            (tmp_path / "games.pgn").write_text(rated, encoding="utf-8")
        done = subprocess.run([halfpoint, *words.split()], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert ("Sampler: converged" in done.stdout) == words.startswith("rate")
    assert {path.name for path in (tmp_path / "ratings").iterdir()} >= {"ratings.csv", "report.html", "trace.nc"}


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


def test_every_document_that_is_linked_exists():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_every_test_that_a_page_names_exists():
    names = {"reliability.md": 100}  # how many at least: else the pattern finds nothing
    known = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    for path in (ROOT / "tests").rglob("*.py"):
        known |= set(re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE))
    for page in (ROOT / "docs").glob("*.md"):
        cited = re.findall(r"`([^`\s]*\btest_[^`\s]*|[^`\s]*…[^`\s]*)`", page.read_text(encoding="utf-8"))
        assert len(cited) >= names.get(page.name, 0), page
        for name in cited:
            assert name.rpartition("::")[2].rpartition("/")[2] in known, f"{page.name} names {name}"


def test_actions_are_pinned_to_commits():
    for path in (ROOT / ".github" / "workflows").glob("*.yml"):
        used = re.findall(r"uses: (.*)", path.read_text(encoding="utf-8"))
        assert used, path
        for one in used:
            assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one), f"{path.name}: {one}"
