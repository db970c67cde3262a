"""A backtest accepts the options of the reader of tables."""

import pytest

from halfpoint.apps.workflows.backtesting import timed_games
from halfpoint.apps.workflows.options import Dates
from halfpoint.models.games.errors import GameTableError


def test_dates_in_two_readings_are_read_as_asked(tmp_path):
    rows = [f"{month}/{day}/2024,Ann,Bob,1-0" for month, day in ((1, 2), (3, 4), (5, 6))]
    (tmp_path / "games.csv").write_text("\n".join(["when,home,away,result", *rows]) + "\n")
    reader = {"columns": {"date": "when"}, "date_format": "%m/%d/%Y"}
    table, later, _ = timed_games([tmp_path / "games.csv"], Dates(reader=reader))
    assert table.date.astype(str).tolist() == ["2024-01-02", "2024-03-04", "2024-05-06"]
    assert later is None
    with pytest.raises(GameTableError, match="--date-format"):
        timed_games([tmp_path / "games.csv"], Dates(reader={"columns": {"date": "when"}}))


def test_options_of_tables_are_refused_for_pgn(tmp_path):
    (tmp_path / "games.pgn").write_text('[White "Ann"]\n[Black "Bob"]\n[Result "1-0"]\n\n1. e4 1-0\n')
    with pytest.raises(GameTableError, match="--date-format: expected a CSV or Parquet file"):
        timed_games([tmp_path / "games.pgn"], Dates(reader={"date_format": "%d/%m/%Y"}))
