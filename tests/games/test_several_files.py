"""Several files are one calendar, and football-data's columns are read without options."""

import numpy as np
import pandas as pd
import pytest

from halfpoint.games.errors import GameTableError
from halfpoint.games.periods import period_at, united, with_periods
from halfpoint.games.readers.read import read
from halfpoint.workflows.backtesting import Dates, backtest, timed_games

SEASONS = {
    "E0_0001.csv": "Date,HomeTeam,AwayTeam,FTHG,FTAG,FTR,Referee,HS,AS,HST,AST,B365H,B365D,B365A\n"
    "19/08/2000,Ash,Elm,4,0,H,R Rob,17,8,14,4,,,\n20/08/2000,Oak,Ash,1,1,D,G Bar,6,,4,2,,,\n",
    "E0_0102.csv": "Div,Date,Time,HomeTeam,AwayTeam,FTHG,FTAG,FTR,HS,AS,HST,AST,B365H,B365D,B365A\n"
    "E0,18/08/01,15:00,Elm,Fir,0,2,A,5,12,3,7,2.5,3.4,2.8\n",
}


@pytest.fixture
def seasons(tmp_path):
    for name, text in SEASONS.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in SEASONS]


def test_football_datas_columns_have_names_of_their_own(seasons):
    games = read(seasons[0])
    assert games.margin.tolist() == [4, 0]
    expected = {"white_goals": [4, 1], "black_goals": [0, 1], "white_shots": [17, 6], "black_shots": [8, np.nan]}
    expected |= {"white_shots_on_target": [14, 4], "black_shots_on_target": [4, 2]}
    for name, values in expected.items():
        np.testing.assert_array_equal(games.covariates[name], values)
    assert not {"HS", "AS", "FTHG"} & set(games.covariates)


def test_half_a_pair_and_columns_that_are_asked_for_keep_their_names(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("home,away,FTR,HS,AST\nAsh,Elm,H,3,4\n")
    assert {"HS", "AST"} == set(read(path).covariates)
    path.write_text("home,away,FTR,HS,AS\nAsh,Elm,H,3,4\n")
    assert set(read(path, covariates=["HS"]).covariates) == {"HS", "AS"}


def test_several_files_are_one_calendar_in_any_order(seasons):
    for files in (seasons, seasons[::-1]):
        games, later, _ = timed_games(files, Dates())
        assert later is None
        assert games.period.tolist() == [1, 1, 13]
        assert games.players.tolist() == ["Ash", "Elm", "Fir", "Oak"]
        assert games.white_names.tolist() == ["Ash", "Oak", "Elm"]
        np.testing.assert_array_equal(games.covariates["B365H"], [np.nan, np.nan, 2.5])
        np.testing.assert_array_equal(games.covariates["white_shots"], [17, 6, 5])
        assert games.seats == "home"


def test_what_a_table_does_not_tell_is_unknown():
    one = read(pd.DataFrame({"white": ["a"], "black": ["b"], "score": [1.0], "date": ["2012-01-01"], "neutral": [1]}))
    two = read(pd.DataFrame({"white": ["b"], "black": ["c"], "score": [0.5], "weight": [2], "whiteelo": [1500]}))
    games = united([one, two])
    assert np.isnat(games.date).tolist() == [False, True]
    assert games.covariates["neutral"].tolist() == [1, 0]
    assert games.weight.tolist() == [1, 2]
    np.testing.assert_array_equal(games.white_rating_elo, [np.nan, 1500])
    numbered = read(pd.DataFrame({"white": ["b"], "black": ["c"], "score": [0.5], "period": [2]}))
    with pytest.raises(GameTableError, match=r"no periods, as in .* found periods"):
        united([one, numbered])
    sides = read(pd.DataFrame({"white": ["a + b"], "black": ["c + d"], "score": [1]}), sides="+")
    with pytest.raises(GameTableError, match="sides of several people"):
        united([one, sides])


def test_first_judged_period_by_day(seasons):
    games = with_periods(united([read(one) for one in seasons]))
    assert [period_at(day, games, "month") for day in ("2000-08", "2000-09-01", "2001-08-30")] == [1, 13, 13]
    for day, found in (("2001-09", "up to 2001-08-18"), ("soon", "YYYY-MM-DD")):
        with pytest.raises(GameTableError, match=found):
            period_at(day, games, "month")


def test_a_file_given_twice_is_refused(seasons, tmp_path):
    with pytest.raises(GameTableError, match="every file once"):
        backtest([*seasons, seasons[0]], "elo", out=tmp_path / "out")
    with pytest.raises(GameTableError, match="no other games"):
        backtest(["study", seasons[0]], "elo", out=tmp_path / "out")
