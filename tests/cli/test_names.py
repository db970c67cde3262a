"""Names of files and folders: bytes that are no UTF-8, both normal forms, case, length, spaces, newlines, markup.

Every command that writes is run with its inputs and its outputs so named. It must answer as under plain names, file for
file, what is printed must be lines that a terminal shows and does not obey, and every link of a page must lead to a
file; or, of a name that no file system takes, it ends in one line and leaves nothing.
"""

import os
import re
from pathlib import Path
from urllib.parse import unquote_to_bytes

import pytest
from good_results import DONE, files_of, is_run
from writing_commands import LONG, WRITING

from halfpoint.games.errors import printable
from halfpoint.games.single_files import files

NAMES = {
    "bytes": "caf\udce9 \udcff\udcfe",
    "composed": "caf\u00e9",
    "decomposed": "cafe\u0301",
    "upper": "GAMES",
    "spaces": "  a  b  ",
    "newline": "a\nb\r\tc",
    "escapes": "\x1b[31m\x07\u202egnp",
    "markup": "<b>&amp;'\"`[red]x[\\]",
    "formula": "=1+1",
    "option": "--out",
    "pattern": "*?[a-z]{x}%s%20~$HOME\\n",
    "dots": "x..csv.",
    "length": "x" * 240,
    "letters": "\u4f8b" * 80,
    "mixed": "=1 \x1b[31m\u202e a\nb\rcafe\u0301 <b>&amp;'\"`[red]x[\\] *?{x}%s%20~$HOME\\n..csv.",
}
FEW = ("rate", "leaderboard", "bridge score", "list", "backtest", "lineups", "races forecast", "rank, page")


def renamed(word, name):
    """Return a word of a command with its path under another name; folders and suffixes as they were."""
    path = Path(word)
    if path.parts[:1] == ("inputs",):
        return f"inputs/{name}{path.stem}{path.suffix}"
    if path.parts[:1] == ("run",):
        return str(Path(name, *(f"{name}{path.stem}{path.suffix}" for _ in path.parts[1:])))
    return word


def under(name, words, place):
    """Return the words of a command under other names, and name its inputs so."""
    given = [renamed(word, name) for word in words]
    if name.startswith("-"):  # what is no value of an option would be taken for one
        given = [word if old == word or before.startswith("--") else f"./{word}"
                 for before, old, word in zip(("", *words), words, given, strict=False)]  # fmt: skip
    for word, new in zip(words, given, strict=True):
        if word.startswith("inputs/") and not os.path.lexists(place / new):
            (place / word).rename(place / new)
    return given


def answers(name, command, place, zygote):
    """Run a command under plain names and under others; check that they answer alike."""
    one = WRITING[command]
    words = [*one.words, *one.old]
    code, _, errors, _ = zygote.run(words, place)
    assert code in DONE, errors
    plain = files_of(place / "run")
    folder, given = place / name, under(name, words, place)
    folder.mkdir()
    beside = place / name.swapcase()
    if name.swapcase() != name and not beside.exists():
        beside.write_text("of somebody else")
    code, out, errors, _ = zygote.run(given, place)
    assert code in DONE, errors
    assert errors == ""
    assert all(line.isprintable() for line in out.splitlines())
    said = printable(name).encode()  # games without an event have their file's name
    made = {file.replace(name, ""): content.replace(said, b"") for file, content in files_of(folder).items()}
    assert made.keys() == plain.keys()
    named = {file for file in made if file.endswith((".json", ".md"))}  # which say what the data are called
    assert is_run(*({key: value for key, value in one.items() if key not in named} for one in (made, plain)), False)
    for file, content in made.items():
        if file.endswith((".csv", ".json", ".html", ".md")):
            content.decode()
    for page in folder.rglob("*.html"):
        for link in re.findall(r'<a href="([^#"][^"]*)"', page.read_text()):
            assert (page.parent / os.fsdecode(unquote_to_bytes(link))).exists(), link
    assert not beside.is_file() or beside.read_text() == "of somebody else"


@pytest.mark.parametrize("command", FEW)
def test_bytes_that_are_no_utf8_change_no_answer(command, place, zygote):
    answers(NAMES["bytes"], command, place, zygote)


def test_two_files_of_one_command_whose_long_names_begin_alike(tmp_path):
    outputs = {option: tmp_path / ("x" * 100 + option) for option in ("--out", "--places")}
    with files(outputs) as places:
        for option in outputs:
            places.text(option, option)
    assert {path.name: path.read_text() for path in outputs.values()} == {"x" * 100 + one: one for one in outputs}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command in WRITING if command not in LONG for name in ("bytes", "mixed", "option", "length")]
    + [("rate", name) for name in NAMES],
)
def test_a_command_answers_alike_whatever_files_are_called(command, name, place, zygote):
    answers(NAMES[name], command, place, zygote)
