"""Foreign names of columns: understood, left out by name, or refused with the option to add."""

import numpy as np
import pandas
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read


def scores(tmp_path, text, name="games.csv", **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return read(path, **options)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Home,Away,Score\nA,B,3-2\nB,A,0-0\nA,B,1-4\n", [1, 0.5, 0]),
        ("Home,Away,FT\nA,B,3:2\nB,A,2 – 2\nA,B,1 - 4\n", [1, 0.5, 0]),
        ("White,Black,Result\nA,B,1 - 0\nB,A,½ - ½\nA,B,0 - 1\n", [1, 0.5, 0]),
        ("HomeTeam,AwayTeam,FTHG,FTAG,FTR\nA,B,3,2,H\nB,A,1,1,D\nA,B,0,2,A\n", [1, 0.5, 0]),
        ("player1,player2,score1,score2\nA,B,11,9\nB,A,7,7\nA,B,3,11\n", [1, 0.5, 0]),
        ("model_a,model_b,winner\nA,B,model_a\nB,A,tie (bothbad)\nA,B,model_b\n", [1, 0.5, 0]),
        ("model_a,model_b,winner\nx,y,A\ny,x,tie\nx,y,b\n", [1, 0.5, 0]),
        ("white,black,winner\nAnn,Bob,Ann\nBob,Ann,draw\nAnn,Bob,Bob\n", [1, 0.5, 0]),
        ("white,black,result\nA,B,A\nB,C,draw\nC,A,A\n", [1, 0.5, 0]),  # players of one letter, not away
        ("white,black,result\n1,2,1\n2,1,1\n2,1,0\n", [1, 1, 0]),
        ("white,black,winner\nBlack,White,Black\nWhite,Black,tie\nBlack,White,White\n", [1, 0.5, 0]),  # the players
        ("team1,team2,result\nA,B,Win\nB,A,DRAW\nA,B,loss\n", [1, 0.5, 0]),
    ],
)
def test_scores_in_their_many_forms(tmp_path, text, expected):
    games = scores(tmp_path, text)
    assert games.score.tolist() == expected
    assert len(games.notes) == ("bothbad" in text)
    if "FTHG" in text:  # the goals beside a result are its margin
        assert games.margin.tolist() == [1, 0, -2]


def test_winner_and_loser_seat_the_winner_first_and_say_that_seats_are_not_told(tmp_path):
    text = "tourney_date,winner_name,loser_name,score,round\n20240101,Ann,Bob,6-4 6-3,R32\n20240102,Bob,Cid,7-5,F\n"
    games = scores(tmp_path, text)
    assert games.white_names.tolist() == ["Ann", "Bob"]
    assert games.black_names.tolist() == ["Bob", "Cid"]
    assert games.score.tolist() == [1, 1]
    assert games.covariates["neutral"].tolist() == [1, 1]
    assert games.date.astype(str).tolist() == ["2024-01-01", "2024-01-02"]
    assert games.period is None
    assert any(note.startswith("columns left out: 'round' ") for note in games.notes)  # scores of sets are read
    named = scores(tmp_path, "W,L\nAnn,Bob\nBob,Cid\n", columns={"winner": "W", "loser": "L"})
    assert named.white_names.tolist() == ["Ann", "Bob"]


def test_neutral_grounds_are_a_covariate_and_its_words_are_checked(tmp_path):
    text = "home_team,away_team,home_score,away_score,neutral\nA,B,2,1,TRUE\nB,A,0,0,FALSE\nA,B,1,3,{}\n"
    assert scores(tmp_path, text.format("")).covariates["neutral"].tolist() == [1, 0, 0]
    with pytest.raises(GameTableError, match="line 4, column neutral: expected a neutral ground or not: TRUE or FALSE"):
        scores(tmp_path, text.format("maybe"))
    frame = pandas.DataFrame({"white": ["A", "B"], "black": ["B", "A"], "score": [1, 0.5], "Neutral": [True, False]})
    assert read(frame).covariates["neutral"].tolist() == [1, 0]


def test_a_frame_and_a_parquet_file_leave_out_what_they_do_not_know(tmp_path):
    frame = pandas.DataFrame({"winner": ["A", "B"], "loser": ["B", "C"], "odds": [1.5, 2.5], "place": ["x", "y"]})
    frame.to_parquet(tmp_path / "games.parquet")
    for games in (read(frame), read(tmp_path / "games.parquet")):
        assert games.white_names.tolist() == ["A", "B"]
        assert games.covariates["odds"].tolist() == [1.5, 2.5]
        assert any(
            note.startswith("columns left out: 'place' (--columns FIELD=COLUMN selects a column")
            for note in games.notes
        )
    assert len(read(frame, ignore=["*"]).notes) == 1  # that of the seats


@pytest.mark.parametrize("kind", ["datetime64[s]", "datetime64[ms]", "datetime64[ns]", "datetime64[us, UTC]", object])
def test_days_of_a_frame_in_any_unit(kind):
    days = pandas.Series(pandas.to_datetime(["2024-02-29", None, "1999-12-31"]))
    days = days.dt.tz_localize("UTC").astype(kind) if "UTC" in str(kind) else days.astype(kind)
    frame = pandas.DataFrame({"white": ["A", "B", "A"], "black": ["B", "A", "B"], "score": [1, 0.5, 0], "date": days})
    assert read(frame).date.astype(str).tolist() == ["2024-02-29", "NaT", "1999-12-31"]


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        (["11/08/2023", "25/08/2023"], ["2023-08-11", "2023-08-25"]),
        (["08/11/2023", "08/25/2023"], ["2023-08-11", "2023-08-25"]),
        (["11/08/23", "25/08/23"], ["2023-08-11", "2023-08-25"]),
        (["11.08.2023", ""], ["2023-08-11", "NaT"]),
        (["20230811", "20230825"], ["2023-08-11", "2023-08-25"]),
        (["11 Aug 2023", "25 Aug 2023"], ["2023-08-11", "2023-08-25"]),
        (["2023-08-11T15:00:00Z", "2023-08-25 19:45"], ["2023-08-11", "2023-08-25"]),
    ],
)
def test_dates_are_read_in_the_one_form_that_fits_them_all(tmp_path, dates, expected):
    rows = [f"A,B,1,{dates[0]}", f"B,A,0,{dates[1]}"]
    assert scores(tmp_path, "\n".join(["white,black,score,Date", *rows])).date.astype(str).tolist() == expected


def test_dates_that_can_be_read_in_two_ways_are_refused_with_the_options(tmp_path):
    text = "white,black,score,Date\nA,B,1,11/08/2023\nB,A,0,12/08/2023\n"
    with pytest.raises(GameTableError, match=r"Say --date-format %d/%m/%Y or --date-format %m/%d/%Y\.$"):
        scores(tmp_path, text)
    assert scores(tmp_path, text, date_format="%d/%m/%Y").date[0].item().month == 8


@pytest.mark.parametrize(
    ("header", "flags"),
    [
        ("H,V,Pts,When", "--columns score=Pts."),
        ("Home,V,Pts,When", "--columns black=V,score=Pts."),
        ("The host,The guest,Pts,When", "--columns 'white=The host,black=The guest,score=Pts'."),
    ],
)
def test_the_hint_has_the_very_option(tmp_path, header, flags):
    text = f"{header}\nAnn,Bob,1,x\nBob,Cid,0.5,y\nCid,Ann,0,z\n"
    with pytest.raises(GameTableError) as caught:
        scores(tmp_path, text)
    assert flags in str(caught.value)
    if " and " not in flags:
        chosen = dict(pair.split("=") for pair in flags.removeprefix("--columns ").strip("'.").split(","))
        assert scores(tmp_path, text, columns=chosen).score.tolist() == [1, 0.5, 0]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "white,black,winner\nAnn,Bob,Cid\n",
            "line 2, column winner: expected 'Ann', 'Bob', a side, tie or both_bad, found 'Cid'",
        ),
        (
            "home,home_team,away,score\nA,B,C,1\n",
            "expected one column for white, found 'home', 'home_team'. Say which:",
        ),
        ("winner,note\nA,x\n", "expected a column for white and black, found columns 'winner', 'note'"),
        ("white,black,score\nA,B,2-x\n", "column score: expected White's score: 0, 0.5 or 1, found '2-x'"),
        ("white,black,score\nA,B,1-0\nB,A,0-0\n", "column score: expected White's score: 0, 0.5 or 1, found '0-0'"),
        ("white,black,score,period\nA,B,1,R32\nB,A,1,F\n", "column period: expected a period"),
        ("white,black,score,round\nA,B,1,1\nB,A,1,2\nA,B,0,x\n", "line 4, column round: expected a period"),
    ],
)
def test_what_cannot_be_told_is_refused(tmp_path, text, told):
    with pytest.raises(GameTableError) as caught:
        scores(tmp_path, text)
    assert told in str(caught.value)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["games.tsv", "games.txt", "games.csv"])
def test_tabs_and_marks(tmp_path, encoding, name):
    (tmp_path / name).write_bytes("Home\tAway\tScore\nKöln\tŁódź\t3-2\n".encode(encoding))
    games = read(tmp_path / name)
    assert games.players.tolist() == ["Köln", "Łódź"]
    assert games.score.tolist() == [1]


def test_a_repeated_column_that_nothing_asks_for_is_left_out(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text("white,FED,black,FED,score\nA,1,B,2,1\n", encoding="utf-8")
    assert "'FED'" in read(path).notes[0]


def test_players_of_boards_precede_their_teams():
    frame = pandas.DataFrame({
        "home_team": ["X", "X"], "away_team": ["Y", "Z"], "home_player": ["Ann", "Bob"], "away_player": ["Cem", "Dan"],
        "result": ["1-0", "0-1"],
    })  # fmt: skip
    games = read(frame)
    assert games.players.tolist() == ["Ann", "Bob", "Cem", "Dan"]
    assert "'home_team', 'away_team'" in " ".join(games.notes)


def test_proposals_of_columns_repeat_those_of_the_user():
    frame = pandas.DataFrame({"home": ["X"], "white": ["X"], "away": ["Y"], "visitor": ["Y"], "result": ["1-0"]})
    with pytest.raises(GameTableError, match="white=home,black=away"):
        read(frame, columns={"white": "home"})


def test_first_lines_that_are_games_of_players_of_one_letter(tmp_path):
    (tmp_path / "a.csv").write_text("A,B,0.5\nB,C,1\nC,A,0.5\nA,C,1\nB,A,0\n")
    assert len(read(tmp_path / "a.csv")) == 5
    (tmp_path / "b.txt").write_text("P1 P2 1-0\nP2 P1 0-1\nP2 P1 1-0\nP1 P2 0-1\n")
    assert read(tmp_path / "b.txt").score.tolist() == [1.0, 0.0, 1.0, 0.0]
    for names, words in (
        ("ABC", "if the first line is a game"),
        (("Ann", "Bob", "Cem"), "first line is like the others"),
    ):
        one, two, three = names
        text = f"{one},{two},{one}\n{two},{three},{three}\n{three},{one},{three}\n"
        (tmp_path / "a.csv").write_text(text)
        with pytest.raises(GameTableError, match=f"{words}.*write names of columns above it"):
            read(tmp_path / "a.csv")
    (tmp_path / "a.csv").write_text("white,black,result\nA,B,A\nB,C,C\nC,A,C\n")
    assert read(tmp_path / "a.csv").score.tolist() == [1.0, 0.0, 1.0]


def test_words_of_go_and_of_guests():
    frame = pandas.DataFrame({"home": ["Ann", "Bob"], "guest": ["Cem", "Ann"], "result": ["Jigo", "1-0"]})
    assert read(frame.assign(result=["Drew", "Won"])).score.tolist() == [0.5, 1.0]
    games = read(frame)
    assert games.score.tolist() == [0.5, 1.0]
    assert games.black_names.tolist() == ["Cem", "Ann"]


def test_days_of_a_season_and_ratings_of_the_unrated():
    frame = pandas.DataFrame({
        "Season": 2003, "DayNum": [10, 11], "WTeamID": [1104, 1272], "WScore": [68, 70], "LTeamID": [1328, 1393],
        "LScore": [62, 63], "WLoc": "N",
    })  # fmt: skip
    assert read(frame).period.tolist() == [10, 11]
    rated = pandas.DataFrame({"white": ["Ann", "Bob"], "black": ["Cem", "Ann"], "result": "1-0"})
    rated = rated.assign(white_elo=["1800", "unr."], black_elo=["Unrated", "0"])
    assert np.isnan(read(rated).white_rating_elo).tolist() == [False, True]
    assert np.isnan(read(rated).black_rating_elo).all()
