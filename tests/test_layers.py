"""Only the commands of the study and of fields, their tests and their reference import the command line."""

import ast
import re
import runpy
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = (
    "apps/cli/",
    "apps/face/__main__.py",
    "tests/apps/cli/",
    "tests/helpers/zygote.py",  # a server of commands
    "docs/extensions/commands.py",  # reference of the commands
)
COMMANDS = re.compile(r"apps/(study|fields/\w+)/commands\.py")
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "build")))


parsed = cache(ast.parse)  # of one text once


def allowed(path):
    return path.startswith(ALLOWED) or COMMANDS.fullmatch(path)


def files():
    """Every Python file of the repository except the command line and its tests."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found += list((ROOT / ".ci").glob("*.py"))
    return [path for path in found if not allowed(str(path.relative_to(ROOT)))]


def imported(text):
    """Modules imported by Python code."""
    names = set()
    for node in ast.walk(parsed(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def of_the_command_line(text):
    return "cli" in text and any(
        name == "halfpoint.apps.cli" or name.startswith("halfpoint.apps.cli.") for name in imported(text)
    )


@pytest.mark.parametrize(
    "text",
    [
        "import halfpoint.apps.cli",
        "from halfpoint.apps import cli",
        "def f():\n    from halfpoint.apps.cli.app import main",
    ],
)
def test_such_an_import_would_be_found(text):
    assert of_the_command_line(text)
    assert not of_the_command_line(text.replace("cli", "workflows"))


def test_nothing_but_its_own_tests_imports_the_command_line():
    code = files()
    assert len(code) > 250
    assert [str(path.relative_to(ROOT)) for path in code if of_the_command_line(path.read_text(encoding="utf-8"))] == []


def test_no_document_imports_the_command_line():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "import halfpoint.apps.cli" not in text
        assert "from halfpoint.apps.cli" not in text


def test_nothing_imports_the_face():
    folders = {path.name for path in ROOT.iterdir() if path.is_dir()}
    for folder in ("models", "inference", "evaluation", "readers", "systems", "apps"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(parsed(text)) if re.search(r"(import|from)\s+halfpoint\b(?!\.)", text) else ():
                if isinstance(node, ast.Import):
                    assert "halfpoint" not in {alias.name for alias in node.names}, path
                elif isinstance(node, ast.ImportFrom) and node.module == "halfpoint":
                    assert {alias.name for alias in node.names} <= folders, path


@pytest.fixture
def picture(monkeypatch):
    monkeypatch.syspath_prepend(ROOT / ".ci")
    return runpy.run_path(str(ROOT / ".ci" / "picture.py"))


@pytest.mark.further  # make check runs them
@pytest.mark.parametrize(
    "command",
    [
        [sys.executable, ".ci/picture.py", "--check"],
        [Path(sys.executable).with_name("lint-imports"), "--no-cache"],
    ],
    ids=["picture", "contracts"],
)
def test_the_picture_is_that_of_the_code_and_tools_find_the_package_as_files(command):
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_picture_has_every_import_between_folders_and_none_goes_upwards(picture):
    layers = picture["layers"]()
    level = {folder: number for number, row in enumerate(layers) for folder in row}
    edges = set()
    for folder in level:
        for path in (ROOT / folder).rglob("*.py"):
            names = imported(path.read_text(encoding="utf-8"))
            edges |= {(folder, name.split(".")[1]) for name in names if name.startswith("halfpoint.")}
    edges = {(one, other) for one, other in edges if one != other}
    assert all(level[one] < level[other] for one, other in edges)
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("<!-- imports: begin -->")[2]
    lines = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")
    ]
    columns = lines[0][1:]
    drawn = {(line[0], other) for line in lines[2:] for other, mark in zip(columns, line[1:], strict=True) if mark}
    assert drawn == edges


def test_an_arrow_that_follows_from_others_is_not_drawn(picture):
    edges = {("cli", "study"), ("study", "games"), ("cli", "games"), ("cli", "models"), ("models", "games")}
    assert picture["shortest"](edges) == edges - {("cli", "games")}


def test_every_folder_is_installed_and_in_its_layer():
    about = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("__init__.py")]
    folders = {path.parent.relative_to(ROOT).as_posix() for path in files}
    code = "import sys, runpy; sys.argv[1:] = ['--name']; print(*runpy.run_path('setup.py')['found'])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    installed = {"apps/face", *(one.replace(".", "/") for one in done.stdout.split()[1:])}
    assert installed == {one for one in folders if not one.startswith(("tests", "docs", "notebooks"))}
    rows = about["importlinter"]["contracts"][0]["layers"]
    layers = {name.split(".")[1] for row in rows for name in row.split(" | ")}
    assert layers == {one.split("/")[0] for one in installed}
