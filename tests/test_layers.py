"""The command line is the outermost layer: nothing but its own tests imports it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
ALLOWED = ("cli", "tests/cli")
FOLDERS = sorted(path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "build")))


def files():
    """Return every Python file of the repository but the command line's own and their tests."""
    found = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")]
    found += list((ROOT / ".ci").glob("*.py"))
    return [path for path in found if not str(path.relative_to(ROOT)).startswith(tuple(f"{one}/" for one in ALLOWED))]


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
