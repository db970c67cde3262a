"""Options named in messages exist, with the place of each message."""

import ast
import re
from pathlib import Path

import pytest

from halfpoint.apps.cli.app import COMMANDS, FLAG, in_reach, options_of

ROOT = Path(__file__).parents[3]
FOREIGN = {"--help", "--all", "--version", "--quick", "--tried"}  # of every command, and of a program of its own
STYLES = {"--share"}  # of a page
FOLDERS = ("models", "inference", "evaluation", "readers", "systems", "apps")
READING = {"--columns", "--ignore", "--date-format", "--outcomes", "--sides"}


@pytest.fixture(scope="module")
def options():
    """Options of each command and sub-command."""
    return {name: words for command in COMMANDS for name, words in options_of(command).items()}


def messages():
    """Yield every text of the package's code that names a flag, except documentation."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    assert len(paths) > 400
    for path in paths:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        spoken = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in spoken:
                for flag in FLAG.findall(node.value):
                    yield path.relative_to(ROOT).as_posix(), flag


@pytest.mark.further
def test_every_flag_of_a_message_is_an_option(options):
    known = set().union(*options.values())
    assert sorted({(where, flag) for where, flag in messages() if flag not in known | FOREIGN | STYLES}) == []


def test_what_the_reader_advises_is_there_where_tables_are_read(options):
    for name in ("rate", "fit", "list", "performance", "pool", "forecast"):
        assert options[name] >= READING, name


def test_an_option_of_another_command_is_told_by_its_command():
    said = in_reach("a.csv: expected more. Add --monitor 20 --json.", ["list", "a.csv"])
    assert said == "a.csv: expected more. Add --monitor 20 --json. (--monitor: halfpoint rate, fit.)"
    assert in_reach("Give --columns.", ["list", "a.csv"]) == "Give --columns."
    assert in_reach("Give --columns.", ["bridge", "rate", "a.pbn"]) == "Give --columns."


def test_groups_that_never_meet_are_told_in_options_of_the_command(options):
    assert "--groups" in options["bridge rate"]
    assert "--groups" in options["leaderboard"]
    assert re.search("--groups", in_reach("Add --groups largest.", ["bridge", "rate"]))
