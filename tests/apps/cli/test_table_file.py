"""`--table FILE.toml`: `--columns`, `--ignore`, `--date-format`, `--outcomes` and `--sides` in a file."""

import json

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.options import options_in
from halfpoint.readers.read import read

GAMES = "H,V,Pts,When,Referee\n" + "Ann,Bob,won,31/12/2023,X\nBob,Cid,level,1/2/2024,Y\nCid,Ann,lost,3/2/2024,X\n" * 8
FLAGS = ("--columns", "white=H,black=V,score=Pts,date=When", "--date-format", "%d/%m/%Y", "--ignore", "Referee")
WORDS = ("--outcomes", "won=1,level=0.5,lost=0")
TABLE = """
columns = {white = "H", black = "V", score = "Pts", date = "When"}
date_format = "%d/%m/%Y"
ignore = ["Referee"]
outcomes = {won = 1, level = 0.5, lost = 0}
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games.csv").write_text(GAMES, encoding="utf-8")
    (tmp_path / "table.toml").write_text(TABLE, encoding="utf-8")
    return tmp_path


def test_a_file_says_what_flags_say(folder, halfpoint):
    code, by_flags, error = halfpoint("list", "games.csv", "--system", "elo", *FLAGS, *WORDS, "--json")
    assert (code, error) == (0, "")
    code, by_file, error = halfpoint("list", "games.csv", "--system", "elo", "--table", "table.toml", "--json")
    assert (code, error) == (0, "")
    assert json.loads(by_file) == json.loads(by_flags)
    assert len(json.loads(by_file)["rows"]) == 3


def test_the_same_file_serves_python(folder):
    assert read("games.csv", **options_in("table.toml")).score.tolist() == [1.0, 0.5, 0.0] * 8


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "colums = {}",
            "table.toml, colums: expected columns | ignore | date_format | outcomes | form | trust | better | rope | "
            "sides",
        ),
        ("columns = 3", 'table.toml, columns: expected names, such as columns = {white = "home", black = "away"}'),
        ("columns = {white = 3}", "table.toml, columns: expected names, such as columns = "),
        ('ignore = "Referee"', "table.toml, ignore: expected names, such as ignore = "),
        ("date_format = 2012-01-01", "table.toml, date_format: expected a text, such as date_format = "),
        ("columns = {", "table.toml: expected options of a table as TOML, found "),
        (TABLE.replace("won = 1", "won = 7"), "--outcomes won: expected first | second | tie"),
    ],
)
def test_what_is_wrong_with_a_file_is_told_by_file_and_key(folder, halfpoint, text, told):
    (folder / "table.toml").write_text(text, encoding="utf-8")
    code, out, error = halfpoint("list", "games.csv", "--system", "elo", "--table", "table.toml")
    assert (code, out, error.count("\n")) == (2, "", 1)
    assert told in error


def test_what_is_said_twice_is_refused(folder, halfpoint):
    code, _, error = halfpoint("list", "games.csv", *FLAGS[:2], "--table", "table.toml")
    assert code == 2
    assert "--columns: expected it here or in table.toml, found both" in error


def test_a_board_takes_words_of_outcomes_from_the_file(folder, halfpoint):
    (folder / "board.toml").write_text('outcomes = {a = "first", b = "second", neither = "tie"}\n', encoding="utf-8")
    rows = "model_a,model_b,winner\n" + "x,y,a\ny,z,neither\nz,x,b\nx,y,b\n" * 20
    (folder / "battles.csv").write_text(rows, encoding="utf-8")
    words = ("leaderboard", "battles.csv", "--method", "normal", "--no-checks", "--quiet", "--json")
    _, by_file, _ = halfpoint(*words, "--out", "one", "--table", "board.toml")
    _, by_flag, _ = halfpoint(*words, "--out", "two", "--outcomes", "a=first,b=second,neither=tie")
    assert json.loads(by_file)["rows"] == json.loads(by_flag)["rows"]


def test_a_file_that_is_not_there_is_told(folder, halfpoint):
    code, _, error = halfpoint("list", "games.csv", "--table", "none.toml")
    assert code == 2
    assert "none.toml: cannot be read or written: No such file" in error


def test_unknown_keys_name_those_that_there_are(folder):
    (folder / "x.toml").write_text('sides = "+"', encoding="utf-8")
    with pytest.raises(GameTableError, match="sides: expected columns"):
        options_in("x.toml", ("columns",))


def test_a_form_of_the_users_own_and_trust_are_options(folder, halfpoint):
    form = 'signature = ["H", "V", "Pts"]\ncolumns = {white = "H", black = "V", score = "Pts"}\n[words.score]\n'
    (folder / "club.toml").write_text(form + 'won = "first"\nlevel = "first"\nlost = "first"\n', encoding="utf-8")
    arguments = ("list", "games.csv", "--system", "elo", "--form", "club.toml", "--json")
    code, _, error = halfpoint(*arguments)
    assert code == 2
    assert "the second side never wins in 24 decided games" in error
    code, out, error = halfpoint(*arguments, "--trust")
    assert (code, error) == (0, "")
    assert "accepted (--trust)" in out
