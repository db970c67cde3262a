"""The cells of a Parquet file are those of its games read whole."""

import numpy as np
import pandas
import polars
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from halfpoint.games.errors import GameTableError
from halfpoint.games.larger_than_memory import aggregate_parquet
from halfpoint.games.readers.read import read
from halfpoint.games.select import merge, select

ROW = st.tuples(
    st.sampled_from("ABCDE"),
    st.sampled_from("ABCDE"),
    st.sampled_from([0.0, 0.5, 1.0]),
    st.integers(0, 40),
    st.integers(1, 3),
).filter(lambda row: row[0] != row[1])


def frame_of(rows):
    frame = pandas.DataFrame(rows, columns=["white", "black", "score", "month", "rating"])
    ratings = 2000.0 + 100.0 * frame["rating"]
    date = pandas.Timestamp("2012-01-15") + pandas.to_timedelta(30 * frame["month"], unit="D")
    return frame.drop(columns=["month", "rating"]).assign(
        white_rating_elo=ratings, black_rating_elo=ratings + 50, date=date.dt.date
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(ROW, min_size=1, max_size=60), st.integers(1, 4), st.sampled_from(["all", "year", "month"]))
def test_cells_are_those_of_the_games(tmp_path_factory, rows, at_least, period):
    frame = frame_of(rows)
    path = tmp_path_factory.mktemp("parquet") / "games.parquet"
    polars.DataFrame({column: frame[column].to_list() for column in frame}).write_parquet(path)
    games = read(frame)
    played = frame["white"].value_counts().add(frame["black"].value_counts(), fill_value=0)
    monitored = sorted(played.index[played >= at_least])
    if not monitored:
        with pytest.raises(GameTableError, match="a player with at least"):
            aggregate_parquet(path, at_least=at_least, period=period)
        return
    found = aggregate_parquet(path, at_least=at_least, period=period)
    selection = select(games, monitored)
    date = selection.games.date.astype("datetime64[M]").astype(int) + 1970 * 12
    key = {"all": 0 * date, "year": date // 12, "month": date}[period]
    expected = merge(selection, key)
    assert found.cells.players.tolist() == monitored
    assert (found.games, found.left_out) == (len(selection), len(games) - len(selection))

    def rows_of(cells):
        anchor = np.nan_to_num(cells.anchor_elo, nan=-1.0)
        return sorted(zip(cells.white, cells.black, anchor, cells.key, *cells.weight.T, strict=True))

    assert rows_of(found.cells) == rows_of(expected)


def test_text_dates_results_and_other_words_are_understood(tmp_path):
    polars.DataFrame(
        {"HomeTeam": ["Ann", "Bob"], "AwayTeam": ["Bob", "Ann"], "FTHG": [3, 1], "FTAG": [1, 1], "Odds": [1.5, 2.0]}
    ).write_parquet(tmp_path / "goals.parquet")
    cells = aggregate_parquet(tmp_path / "goals.parquet").cells
    assert cells.weight.tolist() == [[0, 0, 1], [0, 1, 0]]
    games = read(tmp_path / "goals.parquet", ignore=["Odds"])
    assert games.score.tolist() == [1.0, 0.5]
    polars.DataFrame(
        {"white": ["Ann"] * 2, "black": ["Bob"] * 2, "result": ["1-0", "1/2-1/2"], "date": ["2012.11.30", "2012-12-01"]}
    ).write_parquet(tmp_path / "texts.parquet")
    cells = aggregate_parquet(tmp_path / "texts.parquet", period="month").cells
    assert cells.key.tolist() == [2012 * 12 + 10, 2012 * 12 + 11]
    assert cells.weight.tolist() == [[0, 0, 1], [0, 1, 0]]


GOOD = {"white": ["Ann", "Bob"], "black": ["Bob", "Ann"], "score": [1.0, 0.5]}


@pytest.mark.parametrize(
    ("changed", "options", "expected"),
    [
        ({"score": [1.0, 0.7]}, {}, "White's score 0, 0.5 or 1, found 1 rows without"),
        ({"score": ["1-0", "victory"]}, {}, "White's score 0, 0.5 or 1, found 1 rows without"),
        ({"white": ["Ann", ""]}, {}, "a name of White and of Black, found 1 rows without"),
        ({"white": ["Ann", None]}, {}, "a name of White and of Black, found 1 rows without"),
        ({"black": ["Ann", "Ann"]}, {}, "two different players, found 1 rows without"),
        ({"white_rating_elo": [2000, 5000]}, {}, "white_rating_elo from 0 to 4000, found 1 rows without"),
        ({"date": ["2012-02-30", "2012-01-01"]}, {"period": "year"}, "a complete date or period, found 1 rows"),
        ({}, {"period": "month"}, "a column for date"),
        ({}, {"monitored": ["Cid"]}, "a player who is rated, found 'Cid'"),
        ({}, {"monitored": ["Ann"]}, "a rating on the day for every opponent who is not monitored, found 2 games"),
        ({}, {"at_least": 3}, "a player with at least 3 games, found at most 2"),
        ({"white": [], "black": [], "score": []}, {}, "at least one game, found no rows"),
    ],
)
def test_faults_are_told(tmp_path, changed, options, expected):
    polars.DataFrame(GOOD | changed).write_parquet(tmp_path / "games.parquet")
    with pytest.raises(GameTableError, match=expected):
        aggregate_parquet(tmp_path / "games.parquet", **options)


def test_what_is_not_parquet_is_told(tmp_path):
    (tmp_path / "games.parquet").write_bytes(b"PAR1 and then nothing")
    for reader in (aggregate_parquet, read):
        with pytest.raises(GameTableError, match="a Parquet file that can be read"):
            reader(tmp_path / "games.parquet")
        with pytest.raises(GameTableError, match="a Parquet file that can be read"):
            reader(tmp_path / "none.parquet")
