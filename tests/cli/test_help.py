"""`halfpoint --help` lists every command in its own words, without importing what they need."""

import subprocess
import sys
from importlib import import_module
from inspect import getdoc

import pytest
import typer

from halfpoint.cli.app import COMMANDS, summary_of

HEAVY = ("arviz", "matplotlib", "numba", "nutpie", "pymc", "scipy", "xarray")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_words_are_those_of_the_command(name):
    module, attribute = COMMANDS[name].split(":")
    target = getattr(import_module(module), attribute)
    assert summary_of(name) == (target.info.help if isinstance(target, typer.Typer) else getdoc(target))
    assert summary_of(name)


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
