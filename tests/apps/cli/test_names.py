"""Names of files and folders: a short form of the campaign; two outputs with a common prefix."""

import pytest
from few_cases import few
from names_campaign import COMMANDS, NAMES, answers, make_formats, plain
from writing_commands import LONG

from halfpoint.models.games.single_files import files

FEW = (
    "cells",
    "leaderboard",
    "bridge score",
    "rate",
    "list",
    "backtest",
    "lineups",
    "races forecast",
    "rank, page",
    "summary",
)


@pytest.mark.cases(2)
@pytest.mark.parametrize("command", few(FEW, 4))
def test_bytes_that_are_no_utf8_change_no_answer(command, place, zygote):
    answers(NAMES["bytes"], command, place, zygote, plain(command, place, zygote))


def test_two_files_of_one_command_whose_long_names_begin_alike(tmp_path):
    outputs = {option: tmp_path / ("x" * 100 + option) for option in ("--out", "--places")}
    with files(outputs) as places:
        for option in outputs:
            places.text(option, option)
    assert {path.name: path.read_text() for path in outputs.values()} == {"x" * 100 + one: one for one in outputs}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name"),
    [(command, "mixed") for command in COMMANDS if command not in LONG]
    + [(command, "option") for command in FEW]
    + [("rate", name) for name in NAMES if name not in ("mixed", "option")],
)
def test_a_command_answers_alike_whatever_files_are_called(command, name, place, zygote):
    make_formats(place / "inputs")
    answers(NAMES[name], command, place, zygote, plain(command, place, zygote))
