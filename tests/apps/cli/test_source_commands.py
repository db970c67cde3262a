"""Commands on the page of the sources exist, with their options."""

import csv
import re
import shlex
from pathlib import Path

import pytest
from typer.main import get_command

from halfpoint.apps.cli.app import application

with (Path(__file__).parents[3] / "docs" / "sources.csv").open(encoding="utf-8", newline="") as file:
    NOTES = [row["note"] for row in csv.DictReader(file)]

COMMANDS = sorted({one for note in NOTES for one in re.findall(r"`(halfpoint [^`]*)`", note)})


@pytest.mark.parametrize("words", COMMANDS)
def test_a_command_of_a_note_exists_with_its_options(words):
    _, *rest = shlex.split(words)
    command = get_command(application([rest[0]]))
    while hasattr(command, "commands") and rest and rest[0] in command.commands:
        command = command.commands[rest.pop(0)]
    options = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
    asked = [word for word in rest if word.startswith("-")]
    assert not hasattr(command, "commands")
    assert not set(asked) - options
