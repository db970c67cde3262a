"""`halfpoint --help` lists every command in its own words, without importing what they need."""

import re
import subprocess
import sys
from inspect import getdoc

import pytest
import typer

from halfpoint.cli.app import COMMANDS, PANELS, in_help

HEAVY = ("arviz", "matplotlib", "numba", "nutpie", "pymc", "scipy", "xarray")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_words_are_those_of_the_command(name):
    target = COMMANDS[name]
    panel, _, listed, words = in_help(name)
    assert words == (target.info.help if isinstance(target, typer.Typer) else getdoc(target))
    assert words
    assert listed == name
    assert panel < len(PANELS)


def test_the_help_has_five_groups_and_the_study_and_its_report_stand_last():
    done = subprocess.run([sys.executable, "-m", "halfpoint", "--help"], capture_output=True, text=True, check=True)
    found = re.findall(r"─ ([A-Z][\w ]+) ─|^│ ([a-z]+) ", done.stdout, re.MULTILINE)
    assert [panel for panel, _ in found if panel] == ["Options", *PANELS]
    assert [name for _, name in found if name][-2:] == ["study", "report"]
    assert next(name for _, name in found if name) == "rate"


@pytest.mark.parametrize("words", [["--help"], []])
def test_the_help_names_all_and_imports_no_sampler(words):
    code = (
        f"import sys; sys.argv = {['halfpoint', *words]!r}\n"
        "from halfpoint.cli.app import main\n"
        "try: main()\n"
        f"finally: print('loaded', sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "loaded []" in done.stderr
    for name in COMMANDS:
        assert f" {name} " in done.stdout


def test_an_unknown_command_is_told_with_the_nearest(halfpoint):
    code, out, error = halfpoint("rnak")
    assert (code, out) == (2, "")
    assert "Did you mean 'rank'" in error
    assert error.count("\n") == 1
