"""Spreadsheets of clubs and pairing programs: titles, paired columns, languages, forfeits, byes."""

import shlex

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.csv_files import likely_delimiter
from halfpoint.readers.read import read
from halfpoint.readers.words import parse_score

GERMAN = """Vereinsmeisterschaft, Saison 2024, Gruppe A;;;;;;;;

Rd.;Br.;Name;Elo;Ergebnis;;Name;Elo;Nr.
1;1;Müller, Hans;1500,5;1 : 0;;Groß, Jörg;1570;2
1;2;Schäfer, Eva;1640;½ : ½;FM;Weber, Uwe;1710;4
1;3;Neu, Otto;;+;;spielfrei;;
2;1;Groß, Jörg;1570;+ : -;;Schäfer, Eva;1640;3
2;2;Weber, Uwe;1710;0:1;;Müller, Hans;1500;1
"""
SPANISH = """Torneo del Club;;;;;;
Ronda;Fecha;Blancas;Elo;Resultado;Negras;Elo
1;05/02/2024;Ana Ruiz;1832;1–0;Luis Sanz;1640
2;06/02/2024;Luis Sanz;1640;½–½;Ana Ruiz;1832
2;06/02/2024;Eva Gil;1700;1;BYE;
"""
ENGLISH = """Club evening,,,,,
Season 2023/24,,,,,
Round,Home player (White),Rating,Result,Away player (Black),Rating
1,"Small, Tom",1350 F,1 - 0,"Tall, Ann","1,480"
2,"Tall, Ann",1480,½ - ½,"Small, Tom",1350
3,"Tall, Ann",1480,- - +,"Small, Tom",1350
"""
ROUNDS = """Open of Bern,,,,
Round 1 on 2024/03/01,,,,
Bo.,Name,Rtg,Result,Name,Rtg
1,Ann,1800,1 - 0,Bob,1700
Round 2 on 2024/03/08,,,,,
Bo.,Name,Rtg,Result,Name,Rtg
1,Bob,1700,0 - 1,Ann,1800
"""


def written(tmp_path, text, name="games.csv", encoding="utf-8"):
    path = tmp_path / name
    path.write_text(text, encoding=encoding)
    return path


def test_a_german_pairing_list_has_twin_columns_forfeits_and_byes(tmp_path):
    games = read(written(tmp_path, GERMAN, encoding="cp1252"))
    assert games.white_names.tolist() == ["Müller, Hans", "Schäfer, Eva", "Weber, Uwe"]
    assert games.score.tolist() == [1.0, 0.5, 0.0]
    assert games.period.tolist() == [1, 1, 2]
    assert games.white_rating_elo.tolist() == [1500.5, 1640.0, 1710.0]
    assert games.black_rating_elo.tolist() == [1570.0, 1710.0, 1500.0]
    told = " ".join(games.notes)
    for part in ("the first is White's", "Vereinsmeisterschaft", "1 game, bye (line 6)", "1 game, forfeit (line 7)"):
        assert part in told


def test_spanish_words_and_dates_with_the_day_first_are_known(tmp_path):
    games = read(written(tmp_path, SPANISH, encoding="utf-8-sig"))
    assert (games.score.tolist(), games.seats) == ([1.0, 0.5], "white")
    assert games.date.astype(str).tolist() == ["2024-02-05", "2024-02-06"]
    assert games.black_rating_elo.tolist() == [1640.0, 1832.0]
    with pytest.raises(GameTableError, match="--date-format"):  # an English "Date" may have the month first
        read(written(tmp_path, SPANISH.replace("Fecha", "Date")))


def test_home_players_who_have_white_are_players_and_white(tmp_path):
    games = read(written(tmp_path, ENGLISH))
    assert (games.seats, len(games), games.period.tolist()) == ("white", 2, [1, 2])
    assert games.white_rating_elo.tolist() == [1350.0, 1480.0]
    assert games.black_rating_elo.tolist() == [1480.0, 1350.0]  # a comma before three digits parts thousands
    league = read(written(tmp_path, 'Home,Away,Result\n"A, Ann","B, Bob",1\n"B, Bob","A, Ann",0\n'))
    assert league.seats == "home player"


def test_rows_of_one_cell_tell_the_round_of_those_below(tmp_path):
    games = read(written(tmp_path, ROUNDS))
    assert (games.covariates["Round"].tolist(), games.white_names.tolist()) == ([1, 2], ["Ann", "Bob"])
    assert games.date.astype(str).tolist() == ["2024-03-01", "2024-03-08"]
    with_rounds = ROUNDS.replace("Bo.", "Rd")  # a column of rounds goes before
    assert read(written(tmp_path, with_rounds)).covariates["Rd"].tolist() == [1, 1]


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Ronde,Blancs,Classement Blancs,Résultat,Noirs,Classement Noirs", '1,Ann,1800 F,"0,5",Bob,1700 E'),
        ("Runda,Białe,Ranking,Wynik,Czarne,Ranking", "1,Ann,1800,½:½,Bob,1700"),
        ("Тур,Белые,Рейтинг,Результат,Чёрные,Рейтинг", "1,Ann,,1/2–1/2,Bob,"),
        ("Turno,Bianco,Elo,Risultato,Nero,Elo", "1,Ann,1800,patta,Bob,1700"),
        ("Ronde,Wit,Elo Wit,Uitslag,Zwart,Elo Zwart", "1,Ann,1800,remise,Bob,1700"),
    ],
)
def test_white_black_and_results_are_known_in_languages(tmp_path, header, row):
    games = read(written(tmp_path, f"{header}\n{row}\n"))
    assert (games.white_names[0], games.black_names[0], games.score[0], games.period[0]) == ("Ann", "Bob", 0.5, 1)
    if "Р" not in header:
        assert (games.white_rating_elo[0], games.black_rating_elo[0]) == (1800.0, 1700.0)


def test_titles_are_passed_only_above_a_table(tmp_path):
    assert likely_delimiter("white;black;result\nŽižek, Š.;Müller, J.;1-0\nO'Brien, S.;Ed, Y.;½-½\n") == ";"
    with pytest.raises(GameTableError, match=r"line 3: expected 3 cells, found 1"):  # cut off, no remark
        read(written(tmp_path, "white,black,score\nAnn,Bob,1\nAn"))
    with pytest.raises(GameTableError, match="Each row must be a game of two players"):
        read(written(tmp_path, "one,,\na,b,c\nd,e,f\n"))


@pytest.mark.parametrize("text", ["½:½", "½ – ½", "0,5-0,5", "1/2 : 1/2", "remis"])
def test_a_draw_is_written_in_many_ways(text):
    assert parse_score(text) == 0.5


def test_a_bye_in_the_column_of_results_and_remarks_of_any_width(tmp_path):
    text = "Round,White,Black,Result\nRunde 1,\n1,Ann,Bob,1-0\n1,Cem,,bye\n2,Bob,Ann,½-½\n"
    games = read(written(tmp_path, text))
    assert games.score.tolist() == [1.0, 0.5]
    assert any("1 game, bye (line 4)" in note for note in games.notes)


def test_whites_score_may_stand_alone_and_a_hint_names_who_won(tmp_path):
    games = read(written(tmp_path, "Round,Player 1,Player 2,Date\n1,Ann,Bob,13/05/2024 19:30\n"), scored=False)
    assert (games.white_names.tolist(), games.date.astype(str).tolist()) == (["Ann"], ["2024-05-13"])
    both = read(written(tmp_path, "White,Black,White score,Black score\nAnn,Bob,0.5,0.5\nBob,Ann,1,0\n"))
    assert both.score.tolist() == [0.5, 1.0]
    path = written(tmp_path, "one,other,finer\nAnn,Bob,Ann\nBob,Cem,draw\nCem,Ann,Ann\nBob,Ann,Bob\n")
    with pytest.raises(
        GameTableError, match="Say which is which: --columns white=one,black=other,winner=finer"
    ) as hint:
        read(path)
    said = dict(pair.split("=") for pair in str(hint.value).rpartition("--columns ")[2].strip(".").split(","))
    assert read(path, columns=said).score.tolist() == [1.0, 0.5, 0.0, 1.0]


def test_words_of_a_club_evening_are_known(tmp_path):
    (tmp_path / "e.csv").write_text(
        "Date played,white player,white pts,black pts,black player\n31/01/2024,Ann,1,0,Bob\n1/2/2024,Bob,0.5,0.5,Ann\n"
    )
    table = read(tmp_path / "e.csv")
    assert table.score.tolist() == [1.0, 0.5]
    assert table.date.astype(str).tolist() == ["2024-01-31", "2024-02-01"]


def test_days_of_the_week_are_passed_and_dates_that_are_none_are_told(tmp_path):
    rows = ["Round,Date,Team 1,FT,Team 2", "1,Sat Aug 12 2023,Ann,2-1,Bob", "2,Sun Aug 20 2023,Bob,0-0,Ann"]
    (tmp_path / "f.csv").write_text("\n".join(rows))
    assert read(tmp_path / "f.csv").date.astype(str).tolist() == ["2023-08-12", "2023-08-20"]
    (tmp_path / "g.csv").write_text("\n".join(rows).replace("Sat", "Round").replace("Sun", "Last"))
    assert any("no days: 'Round Aug 12 2023' in Date" in note for note in read(tmp_path / "g.csv").notes)


def test_winners_and_losers_to_come_are_fixtures_without_a_seat(tmp_path):
    games = read(written(tmp_path, "winner_name,loser_name\nAnn,Bob\n"), scored=False)
    assert (games.white_names[0], games.covariates["neutral"].tolist(), games.score[0]) == ("Ann", [1.0], 0.5)


def test_dates_that_show_their_day_first_say_so(tmp_path):
    head = "HomeTeam,AwayTeam,Result,When\n"
    for day, first in (("13/05/2024", True), ("05/13/2024", False), ("2024-05-13", False)):
        games = read(written(tmp_path, f"{head}A,B,1,{day}\n"), columns={"date": "When"})
        assert (games.day_first, str(games.date[0])) == (first, "2024-05-13")
    path = written(tmp_path, f"{head}A,B,1,03/08/2024\n")
    with pytest.raises(GameTableError, match="--date-format"):
        read(path, columns={"date": "When"})
    assert str(read(path, columns={"date": "When"}, date_format="day first").date[0]) == "2024-08-03"


@pytest.mark.parametrize("words", ["ab", "AB"])
@pytest.mark.parametrize(
    ("header", "seats"),
    [
        ("a1,a2,b1,b2", "a1 a2 b1 b2"),
        ("left p,left q,right p,right q", "left p:left q:right p:right q"),
        ("p1,p2,p3,p4", "p1 p2 p3 p4"),
        ("player1,player3,player2,player4", "player1 player3 player2 player4"),
    ],
)
def test_partners_are_never_read_as_rivals(tmp_path, header, seats, words):
    rows = ["ABCDEFGH"[k % 8 :] + "ABCDEFGH"[: k % 8] for k in range(24)]
    lines = [f"P{row[0]},P{row[3]},P{row[1]},P{row[6]},{words[k % 2]}" for k, row in enumerate(rows)]
    path = written(tmp_path, "\n".join([f"{header},winner", *lines]))
    names = seats.split(":" if ":" in seats else " ")
    columns = dict(zip(("white_1", "white_2", "black_1", "black_2"), names, strict=True))
    with pytest.raises(GameTableError) as raised:
        read(path)
    assert f"--columns {shlex.quote(','.join(f'{field}={name}' for field, name in columns.items()))}" in str(
        raised.value
    )
    games = read(path, columns=columns)
    assert games.white_names[0] == "PA + PD"
    assert games.black_names[0] == "PB + PG"
    assert games.score.tolist() == [1.0, 0.0] * 12
