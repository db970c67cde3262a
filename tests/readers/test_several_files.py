"""Several files are one calendar, and football-data's columns are read without options."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.workflows.backtesting import backtest, timed_games
from halfpoint.apps.workflows.intake import Account, games_from, take_in
from halfpoint.apps.workflows.options import Dates, Intake
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.periods import concatenate_tables, period_at, with_periods
from halfpoint.readers.read import detect, read

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
    games = concatenate_tables([one, two])
    assert np.isnat(games.date).tolist() == [False, True]
    assert games.covariates["neutral"].tolist() == [1, 0]
    assert games.weight.tolist() == [1, 2]
    np.testing.assert_array_equal(games.white_rating_elo, [np.nan, 1500])
    numbered = read(pd.DataFrame({"white": ["b"], "black": ["c"], "score": [0.5], "period": [2]}))
    with pytest.raises(GameTableError, match=r"no periods, as in .* found periods"):
        concatenate_tables([one, numbered])
    sides = read(pd.DataFrame({"white": ["a + b"], "black": ["c + d"], "score": [1]}), sides="+")
    with pytest.raises(GameTableError, match="sides of several people"):
        concatenate_tables([one, sides])


def test_first_judged_period_by_day(seasons):
    games = with_periods(concatenate_tables([read(one) for one in seasons]))
    assert [period_at(day, games, "month") for day in ("2000-08", "2000-09-01", "2001-08-30")] == [1, 13, 13]
    for day, found in (("2001-09", "up to 2001-08-18"), ("soon", "YYYY-MM-DD")):
        with pytest.raises(GameTableError, match=found):
            period_at(day, games, "month")


def test_a_file_given_twice_is_refused(seasons, tmp_path):
    with pytest.raises(GameTableError, match="every file once"):
        backtest([*seasons, seasons[0]], "elo", out=tmp_path / "out")
    with pytest.raises(GameTableError, match="this source alone"):
        backtest(["study", seasons[0]], "elo", out=tmp_path / "out")


BATTLES = [
    {"model_a": "x", "model_b": "y", "winner": "model_a", "conv": {"turns": 1}},
    {"model_a": "y", "model_b": "z", "winner": "tie", "conv": {"turns": 2}},
    {"model_a": "z", "model_b": "x", "winner": "model_b", "conv": {"turns": 3}},
]


@pytest.mark.parametrize("indent", [None, 1])
def test_an_array_of_json_is_read_as_lines_of_it_are(tmp_path, indent):
    array, lines = tmp_path / "battles.json", tmp_path / "lines.json"
    array.write_text(json.dumps(BATTLES, indent=indent))
    lines.write_text("\n".join(map(json.dumps, BATTLES)))
    one, other = read(array), read(lines)
    assert (detect(array), detect(lines)) == ("json", "jsonl")
    assert (one.score.tolist(), one.white_names.tolist()) == (other.score.tolist(), other.white_names.tolist())
    array.write_text(json.dumps([*BATTLES, 4]))
    with pytest.raises(GameTableError, match=r"row 4: expected an object in each place of the array, found a int"):
        read(array)
    array.write_text(json.dumps(BATTLES)[:-2])
    with pytest.raises(GameTableError, match="expected a JSON array of objects, found Expecting"):
        read(array)


def test_judgements_of_several_files_are_one_board(tmp_path):
    array, lines = tmp_path / "one.json", tmp_path / "two.jsonl"
    array.write_text(json.dumps([one | {"judge": f"j{k}"} for k, one in enumerate(BATTLES[:2])]))
    lines.write_text(json.dumps(BATTLES[2] | {"judge": "j0", "language": "en"}))
    found = read_judgements([array, lines])
    assert found.games.score.tolist() == [1.0, 0.5, 0.0]
    assert found.games.covariates["judge"].tolist() == ["j0", "j1", "j0"]
    assert found.games.covariates["language"].tolist() == ["unknown", "unknown", "en"]


def test_files_without_a_day_are_a_period_each(tmp_path):
    for name, text in (("r1.csv", "white,black,score\nA,B,1\n"), ("r2.csv", "white,black,score\nB,A,1\nA,C,0\n")):
        (tmp_path / name).write_text(text)
    files = [tmp_path / "r1.csv", tmp_path / "r2.csv"]
    account = Account()
    games = take_in(files, None, account, Intake())
    assert (games.period.tolist(), games_from(files).period.tolist()) == ([1, 2, 2], [1, 2, 2])
    assert account.lines[:2] == [
        "r1.csv and r2.csv: 3 games among 3 players",
        "no game has a date: each file is a period, in the order given",
    ]
    assert games.sha256 == games_from(files).sha256 != games_from(files[::-1]).sha256


def test_a_note_on_one_of_several_files_names_it(tmp_path):
    (tmp_path / "spring.csv").write_text("white,black,result\nAsh,Birch,1-0\nBirch,Ash,+:-\n", encoding="utf-8")
    (tmp_path / "autumn.csv").write_text("white,black,result\nAsh,Cedar,1-0\nCedar,Ash,0-1\n", encoding="utf-8")
    games = read([tmp_path / "spring.csv", tmp_path / "autumn.csv"])
    (note,) = (line for line in games.notes if "rows: 2" in line)
    assert note == "spring.csv: rows: 2 = 1 game + 1 set apart"
