"""Only the commands of the study and of fields, their tests and their reference import the command line."""

import ast
import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = ("cli/", "tests/cli/", "docs/extensions/commands.py")  # the last writes the reference of the commands
COMMANDS = re.compile(r"(study|fields/\w+)/commands\.py")
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "build")))


def allowed(path):
    return path.startswith(ALLOWED) or COMMANDS.fullmatch(path)


def files():
    """Return every Python file of the repository but the command line's own and their tests."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found += list((ROOT / ".ci").glob("*.py"))
    return [path for path in found if not allowed(str(path.relative_to(ROOT)))]


def imported(text):
    """Return the modules that Python code imports."""
    names = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def of_the_command_line(text):
    return any(name == "halfpoint.cli" or name.startswith("halfpoint.cli.") for name in imported(text))


@pytest.mark.parametrize(
    "text", ["import halfpoint.cli", "from halfpoint import cli", "def f():\n    from halfpoint.cli.app import main"]
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
        assert "import halfpoint.cli" not in text
        assert "from halfpoint.cli" not in text


def picture():
    return runpy.run_path(str(ROOT / ".ci" / "picture.py"))


def test_the_picture_of_the_imports_is_that_of_the_code():
    for path, text in picture()["drawn"]().items():
        assert path.read_text(encoding="utf-8") == text, "make picture"


def test_the_picture_has_every_import_between_folders_and_none_goes_upwards():
    """Counted from the sources, not by the library that draws."""
    layers = picture()["layers"]()
    level = {folder: number for number, row in enumerate(layers) for folder in row}
    edges = set()
    for folder in level:
        for path in (ROOT / folder).rglob("*.py"):
            names = imported(path.read_text(encoding="utf-8"))
            edges |= {(folder, name.split(".")[1]) for name in names if name.startswith("halfpoint.")}
    edges = {(one, other) for one, other in edges if one != other}
    assert all(level[one] < level[other] for one, other in edges)
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    lines = [
        [cell.strip(" *") for cell in line.split("|")[1:-1]] for line in page.splitlines() if line.startswith("| ")
    ]
    columns = lines[0][1:]
    drawn = {(line[0], other) for line in lines[2:] for other, mark in zip(columns, line[1:], strict=True) if mark}
    assert drawn == edges


def test_an_arrow_that_follows_from_others_is_not_drawn():
    edges = {("cli", "study"), ("study", "games"), ("cli", "games"), ("cli", "models"), ("models", "games")}
    assert picture()["shortest"](edges) == edges - {("cli", "games")}
