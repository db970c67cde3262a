"""Reader options are in the help of every command that reads tables of games, and take effect."""

import pytest

TABLES = ("rate", "fit", "mle", "cells", "backtest", "forecast", "markets", "tournament", "pair", "list", "performance",
          "pool", "leaderboard", "judges", "data time-controls")  # fmt: skip
RACES = "event,date,driver,place\nA,13/04/2024,Ann,1\nA,13/04/2024,Bob,2\nB,05/04/2024,Bob,1\nB,05/04/2024,Ann,2\n"


@pytest.mark.parametrize("command", TABLES)
def test_the_help_has_the_options_of_tables(halfpoint, command):
    _, text, _ = halfpoint(*command.split(), "--help")
    assert all(option in text for option in ("--columns", "--outcomes", "--date-format"))


@pytest.mark.parametrize("command", ["rate", "list", "backtest"])
def test_the_help_of_races_has_theirs(halfpoint, command):
    _, text, _ = halfpoint("races", command, "--help")
    assert "--columns" in text
    assert "--date-format" in text
    assert "--outcomes" not in text


def test_the_form_of_dates_of_races_orders_them(halfpoint, tmp_path):
    path = tmp_path / "races.csv"
    path.write_text(RACES)
    code, _, error = halfpoint("races", "list", path, "--date-format", "%m/%d/%Y")
    assert code == 2
    assert "line 2, column date: expected a date written as %m/%d/%Y" in error
    assert "--ignore" not in error
    assert halfpoint("races", "list", path, "--date-format", "%d/%m/%Y")[0] == 0


def test_outcomes_of_races_are_places(halfpoint, tmp_path):
    path = tmp_path / "races.csv"
    path.write_text(RACES)
    code, _, error = halfpoint("races", "list", path, "--outcomes", "tie=0.5")
    assert (code, error.count("\n")) == (2, 1)
    assert "--columns place=COLUMN" in error


def test_data_time_controls_takes_names_of_columns(halfpoint, tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("A,B,C\nAnn,Bob,1-0\nBob,Ann,1-0\n")
    code, out, _ = halfpoint("data", "time-controls", path, "--columns", "white=A,black=B,score=C")
    assert code == 0
    assert "2 games" in out
