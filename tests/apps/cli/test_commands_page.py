"""Reference of the commands: every command and option with its description."""

import importlib.util
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from halfpoint.apps.cli.app import COMMANDS, application

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def page():
    found = importlib.util.spec_from_file_location("commands_page", ROOT / "docs/extensions/commands.py")
    module = importlib.util.module_from_spec(found)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs/extensions"))  # as Sphinx has it
        found.loader.exec_module(module)
    return module.page()


@pytest.mark.parametrize("name", [name for name in COMMANDS if name not in ("data", "bridge", "races")])
def test_every_option_of_the_help_stands_on_the_page(page, name):
    part = page.partition(f"## halfpoint {name}\n")[2].partition("\n## ")[0]
    shown = CliRunner().invoke(application([name]), [name, "--help"], env={"COLUMNS": "200", "NO_COLOR": "1"}).output
    options = set(re.findall(r"(?m)^\W*(--[a-z][\w-]+)", shown)) - {"--help"}
    assert "Usage" in shown
    assert {option for option in options if f"`{option}`" not in part} == set()


def test_every_command_says_what_it_is_for(page):
    sections = page.split("\n## ")[1:]
    assert len(sections) >= len(COMMANDS)
    for part in sections:
        lines = [line for line in part.splitlines()[1:] if line]
        assert lines[0].endswith((".", ":")), part[:80]
        empty = [line for line in lines if re.match(r"\| `--", line) and line.split(" | ")[1].strip() == ""]
        assert empty == []
