"""`halfpoint --help` lists the first commands, `--help --all` all commands, without importing their libraries."""

import re
import subprocess
import sys
from inspect import getdoc

import pytest
import typer

from halfpoint.apps.cli.app import COMMANDS, FLAG, FRONT, PANELS, in_help
from halfpoint.readers.datasets.examples import example_file

HEAVY = ("arviz", "matplotlib", "numba", "nutpie", "pymc", "scipy", "xarray")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_words_are_those_of_the_command(name):
    target = COMMANDS[name]
    panel, _, listed, words = in_help(name)
    assert words == (target.info.help if isinstance(target, typer.Typer) else getdoc(target))
    assert words
    assert listed == name
    assert panel < len(PANELS)


def test_the_help_without_all_has_the_first_commands_and_says_how_to_see_the_rest():
    done = subprocess.run([sys.executable, "-m", "halfpoint", "--help"], capture_output=True, text=True, check=True)
    assert re.findall(r"^│ ([a-z]+) ", done.stdout, re.MULTILINE) == [*FRONT]
    assert f"halfpoint --help --all lists all {len(COMMANDS)} commands." in done.stdout
    assert len(done.stdout.splitlines()) < 40


@pytest.mark.parametrize("option", ["--ignore", "--sides", "--rope", "--better"])
def test_options_of_reading_that_messages_name_are_in_the_help(option, halfpoint):
    assert option in FLAG.findall(halfpoint("rate", "--help")[1])


def test_the_help_has_five_groups_and_the_study_and_its_report_stand_last():
    done = subprocess.run(
        [sys.executable, "-m", "halfpoint", "--help", "--all"], capture_output=True, text=True, check=True
    )
    found = re.findall(r"─ ([A-Z][\w ]+) ─|^│ ([a-z]+) ", done.stdout, re.MULTILINE)
    assert [panel for panel, _ in found if panel] == ["Options", *PANELS]
    assert [name for _, name in found if name][-2:] == ["study", "report"]
    assert next(name for _, name in found if name) == "rate"


@pytest.mark.cases(2)
@pytest.mark.parametrize("words", [["--help"], [], ["--help", "--all"], ["--all"]])
def test_the_help_names_all_and_imports_no_sampler(words):
    code = (
        f"import sys; sys.argv = {['halfpoint', *words]!r}\n"
        "from halfpoint.apps.cli.app import main\n"
        "try: main()\n"
        f"finally: print('loaded', sorted(set({HEAVY!r}) & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "loaded []" in done.stderr
    for name in COMMANDS if "--all" in words else FRONT:
        assert f" {name} " in done.stdout


def test_an_unknown_command_is_told_with_the_nearest(halfpoint):
    code, out, error = halfpoint("rnak")
    assert (code, out) == (2, "")
    assert error.startswith("halfpoint: No such command 'rnak'. Did you mean 'rank'? See ")
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "begin"),
    [
        (
            ["mle", "GAMES", "--model", "davidson-comon"],
            "model: 'davidson-comon' is unknown. Did you mean 'davidson-common'? ",
        ),
        (["mle", "GAMES", "--model", "zzzz"], "model: 'zzzz' is unknown. `halfpoint models` lists all "),
        (
            ["list", "GAMES", "--system", "glico"],
            "rating system: expected a name, found 'glico'. Did you mean 'glicko'?",
        ),
        (["rate", "GAMES", "--columns", "name"], "--columns: expected FIELD=COLUMN"),
    ],
)
def test_a_mistyped_name_has_the_nearest_first(words, begin, halfpoint):
    games = str(example_file("club"))
    code, _, error = halfpoint(*(games if word == "GAMES" else word for word in words))
    assert (code, error.count("\n")) == (2, 1)
    assert error.startswith(f"halfpoint: {begin}")
    assert len(error) < 140
