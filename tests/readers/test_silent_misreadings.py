"""Files whose careless reading is a wrong list: days, points, rounds, seats, votes and sentences."""

import json
from collections import Counter

import numpy as np
import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

GAMES = [("Ann", "Bob", 1), ("Bob", "Cid", 0), ("Cid", "Ann", 0.5), ("Ann", "Cid", 1), ("Bob", "Ann", 0),
         ("Cid", "Bob", 1)]  # fmt: skip
RESULTS = {1: "1-0", 0.5: "1/2-1/2", 0: "0-1"}
DAYS = ["2024-03-30", "2024-03-31", "2024-04-06", "2024-04-13", "2024-05-04", "2024-05-11"]


def games_of(path, **options):
    """The games of a file as (first, second, score)."""
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def written(folder, name, *lines):
    """The path of a file of lines."""
    (folder / name).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder / name


@pytest.mark.parametrize("mark", [".", "/", "-", ". "])
@pytest.mark.parametrize("time", ["", " 19:30"])
def test_days_with_two_digits_of_the_year_first(tmp_path, mark, time):
    rows = [f"{day[2:].replace('-', mark)}{time},{a},{b},{RESULTS[s]}"
            for day, (a, b, s) in zip(DAYS, GAMES, strict=True)]  # fmt: skip
    games = read(written(tmp_path, "games.csv", "Date,White,Black,Result", *rows))
    assert games.date.astype(str).tolist() == DAYS


@pytest.mark.parametrize("form", ["{2}.{1}.{0}", "{1}/{2}/{0}", "{2}/{1}/{0}"])
def test_days_with_two_digits_of_the_year_last(tmp_path, form):
    rows = [f"{form.format(*day[2:].split('-'))},{a},{b},{RESULTS[s]}"
            for day, (a, b, s) in zip(DAYS, GAMES, strict=True)]  # fmt: skip
    games = read(written(tmp_path, "games.csv", "Date,White,Black,Result", *rows))
    assert games.date.astype(str).tolist() == DAYS


def test_the_first_days_of_months_of_many_years_have_two_readings(tmp_path):
    rows = [f"01.0{3 + k % 4}.{5 + 2 * k:02d},{a},{b},{RESULTS[s]}" for k, (a, b, s) in enumerate(GAMES)]
    with pytest.raises(GameTableError, match=r"--date-format %d\.%m\.%y or --date-format %y\.%m\.%d"):
        read(written(tmp_path, "games.csv", "Date,White,Black,Result", *rows))


def test_few_days_of_two_digits_are_refused_unless_their_column_has_the_day_first(tmp_path):
    rows = [f"24.04.{6 + k // 3:02d},{a},{b},{RESULTS[s]}" for k, (a, b, s) in enumerate(GAMES)]
    path = written(tmp_path, "games.csv", "Played,White,Black,Result", *rows)
    with pytest.raises(GameTableError, match=r"--date-format %d\.%m\.%y or --date-format %y\.%m\.%d"):
        read(path)
    assert read(path, date_format="%y.%m.%d").date.astype(str).tolist() == ["2024-04-06"] * 3 + ["2024-04-07"] * 3
    path = written(tmp_path, "games.csv", "Datum,White,Black,Result", *rows)
    assert read(path).date.astype(str).tolist() == ["2006-04-24"] * 3 + ["2007-04-24"] * 3


@pytest.mark.parametrize(
    "names", [("Home", "Away", "Home Score", "Away Score"), ("Team 1", "Team 2", "Score 1", "Score 2")]
)
def test_goals_and_points_of_gaelic_games(tmp_path, names):
    points = {1: ("2-10", "0-15"), 0: ("2-10", "1-15"), 0.5: ("1-12", "0-15")}  # 16-15, 16-18, 15-15
    rows = [f"{a},{points[s][0]},{b},{points[s][1]}" for a, b, s in GAMES]
    header = ",".join(names[k] for k in (0, 2, 1, 3))
    games = read(written(tmp_path, "games.csv", header, *rows))
    assert games_of(tmp_path / "games.csv") == GAMES
    assert not any("left out" in note for note in games.notes)


@pytest.mark.parametrize("cells", [("12.8 (80)", "11.9 (75)"), ("2-10 (16)", "1-12 (15)")])
def test_cells_of_one_side_are_no_result(tmp_path, cells):
    rows = [f"{a},{cells[0]},{b},{cells[1]}" for a, b, _ in GAMES]
    with pytest.raises(GameTableError, match="expected a column for score"):
        read(written(tmp_path, "games.csv", "Home,Home Score,Away,Away Score", *rows))


SCORES = {1: "98-101", 0.5: "99-99", 0: "104-97"}  # of the side away first


@pytest.mark.parametrize(
    ("header", "cells"),
    [
        ("Match,Final", "{b} @ {a},{score}"),
        ("Game,Final score", "{b} at {a},{score}"),
        ("Match,Score 1,Score 2", "{b} @ {a},{away},{home}"),
        ("Match,Away score,Home score", "{b} @ {a},{away},{home}"),
        ("Match,Day", "{b} @ {a} {score},{day}"),
        ("Match,Winner,Score", "{b} @ {a},{winner},{score}"),
        ("Match,Winner", "{b} @ {a},{winner}"),
        ("Match,Result", "{b} @ {a},{side}"),
    ],
)
def test_scores_beside_away_at_home(tmp_path, header, cells):
    rows = []
    for day, (a, b, s) in zip(DAYS, GAMES, strict=True):
        away, home = SCORES[s].split("-")
        words = {"winner": {1: a, 0.5: "tie", 0: b}[s], "side": {1: "H", 0.5: "D", 0: "A"}[s]}
        rows.append(cells.format(a=a, b=b, day=day, score=SCORES[s], away=away, home=home, **words))
    assert games_of(written(tmp_path, "games.csv", header, *rows)) == GAMES


VOTES = {1: "model_a", 0.5: "tie", 0: "model_b"}


@pytest.mark.parametrize(
    ("key", "withdrawn", "valid"),
    [
        ("status", "superseded", "active"),
        ("status", "retracted", "active"),
        ("state", "invalidated", "counted"),
        ("is_deleted", True, False),
        ("superseded", True, False),
        ("voided", "yes", "no"),
    ],
)
def test_votes_that_were_withdrawn(tmp_path, key, withdrawn, valid):
    rows = [json.dumps({"model_a": a, "model_b": b, "winner": VOTES[s], key: withdrawn if k in (1, 4) else valid})
            for k, (a, b, s) in enumerate(GAMES)]  # fmt: skip
    path = written(tmp_path, "votes.jsonl", *rows)
    assert games_of(path) == [game for k, game in enumerate(GAMES) if k not in (1, 4)]
    assert "rows: 6 = 4 games + 2 set apart" in read(path).notes


@pytest.mark.parametrize("key", ["forfeit", "isForfeit", "walkover", "is_dq"])
def test_a_forfeit_marked_at_a_side_of_json(tmp_path, key):
    goals = {1: (2, 1), 0.5: (1, 1), 0: (0, 2)}
    rows = [{"opponents": [{"participant": {"name": name}, "score": count, key: (row, side) == (1, 0)}
                           for side, (name, count) in enumerate(zip((a, b), goals[s], strict=True))]}
            for row, (a, b, s) in enumerate(GAMES)]  # fmt: skip
    path = written(tmp_path, "matches.json", json.dumps(rows))
    assert games_of(path) == [GAMES[0], *GAMES[2:]]


@pytest.mark.parametrize(
    "lines",
    [
        ("Name,R1 Opp,R1 Res,R2 Opp,R2 Res", "Ann,Bob,W,Cid,L", "Bob,Ann,L,Dee,W", "Cid,Dee,D,Ann,W",
         "Dee,Cid,D,Bob,L"),
        ("Spieler,Gegner 1,Ergebnis 1,Gegner 2,Ergebnis 2,Gegner 3,Ergebnis 3", "Ann,Bob,1,Cid,0,Dee,1",
         "Bob,Ann,0,Dee,1,Cid,½", "Cid,Dee,½,Ann,1,Bob,½", "Dee,Cid,½,Bob,0,Ann,0"),
        ("Player,Class,R1 Opp,R1 Res,R2 Opp,R2 Res,R3 Opp,R3 Res", "Ann,5a,Bob,W,Cid,D,Dee,W",
         "Bob,5b,Ann,L,Dee,W,Cid,L", "Cid,5a,Dee,D,Ann,D,Bob,W", "Dee,6a,Cid,D,Bob,L,Ann,L"),
    ],
)  # fmt: skip
def test_opponents_of_two_rounds_are_no_two_sides(tmp_path, lines):
    with pytest.raises(GameTableError, match="expected a column for white and black"):
        read(written(tmp_path, "rounds.csv", *lines))


@pytest.mark.parametrize("verb", ["was defeated by", "was beaten by", "got beaten by", "defeated by", "lost to"])
def test_sentences_in_the_passive_voice(tmp_path, verb):
    lines = [f"{a} {verb} {b}" for a, b in (("Ann", "Bob"), ("Cid", "Ann"), ("Bob", "Cid"), ("Ann", "Cid"))]
    path = written(tmp_path, "games.txt", *lines, "Ann beat Bob")
    assert games_of(path) == [
        ("Ann", "Bob", 0),
        ("Cid", "Ann", 0),
        ("Bob", "Cid", 0),
        ("Ann", "Cid", 0),
        ("Ann", "Bob", 1),
    ]


def page_of(*tables):
    """A page with a table of results for each of some lists of rows."""
    head = "<tr><th>Białe</th><th>Wynik</th><th>Czarne</th></tr>"
    rows = [[f"<tr><td>{a}</td><td>{RESULTS[s]}</td><td>{b}</td></tr>" for a, b, s in games] for games in tables]
    return "<html><body>" + "".join(f"<h2>Runda</h2><table>{head}{''.join(some)}</table>" for some in rows)


def test_tables_of_rounds_with_one_header_are_read_together(tmp_path):
    path = written(tmp_path, "rounds.html", page_of(GAMES[:2], GAMES[2:4], GAMES[4:]))
    assert games_of(path) == GAMES
    assert "HTML: table 1, 2, 3 of 3" in read(path).notes


def test_a_table_of_the_latest_results_is_not_read_again(tmp_path):
    path = written(tmp_path, "results.html", page_of(GAMES[4:], GAMES))
    assert games_of(path) == GAMES
    assert {"HTML: table 2 of 2", "not read: 1 other table"} <= {*read(path).notes}


def test_reports_of_one_or_both_players_are_a_game_each(tmp_path):
    rows = ["2024-01-08,Ann,Bob,11,7", "2024-01-08,Bob,Ann,7,11", "2024-01-08,Cid,Dee,9,11",
            "2024-01-15,Bob,Cid,11,5", "2024-01-15,Cid,Bob,5,11", "2024-01-15,Dee,Ann,8,11"]  # fmt: skip
    games = games_of(written(tmp_path, "reports.csv", "Date,I am,Opponent,I scored,Opponent scored", *rows))
    winners = Counter((a, b) if s == 1 else (b, a) for a, b, s in games)
    assert winners == Counter([("Ann", "Bob"), ("Dee", "Cid"), ("Bob", "Cid"), ("Ann", "Dee")])


def test_the_hint_on_a_row_with_an_opponent_alone_folds_the_reports_of_both(tmp_path):
    rows = ["2024-01-08,Ann,Bob,11-7", "2024-01-08,Bob,Ann,7-11", "2024-01-15,Bob,Cid,11-5", "2024-01-15,Dee,Ann,8-11"]
    path = written(tmp_path, "reports.csv", "Date,Reporter,Opponent,Score", *rows)
    with pytest.raises(GameTableError, match=r"only the opponent: .* --columns own=COLUMN"):
        read(path)
    winners = Counter((a, b) if s == 1 else (b, a) for a, b, s in games_of(path, columns={"own": "Reporter"}))
    assert winners == Counter([("Ann", "Bob"), ("Bob", "Cid"), ("Ann", "Dee")])


def test_results_of_go_in_korean_name_the_colour(tmp_path):
    words = {1: "백 불계승", 0: "흑 3.5집승"}
    rows = [f"{b},{a},{words[s]}" for a, b, s in GAMES if s != 0.5]
    assert games_of(written(tmp_path, "go.csv", "흑,백,결과", *rows)) == [game for game in GAMES if game[2] != 0.5]


def test_the_hint_on_unknown_results_names_the_first_colour(tmp_path):
    rows = [f"{b},{a},{'bela' if s == 1 else 'kara'}x" for a, b, s in GAMES]
    with pytest.raises(GameTableError, match="expected Weiß's score"):
        read(written(tmp_path, "games.csv", "Schwarz,Weiß,Ergebnis", *rows))


def test_a_square_of_circles(tmp_path):
    lines = [",青木,石川,上田,勝", "青木,＼,○,△,1", "石川,●,＼,○,1", "上田,△,●,＼,0"]
    games = games_of(written(tmp_path, "square.csv", *lines))
    assert games == [("青木", "石川", 1), ("青木", "上田", 0.5), ("石川", "上田", 1)]


def test_byes_and_counts_of_games_beside_the_result(tmp_path):
    rows = ["1,Ann,Bob,Ann won 2-1-0", "1,Cid,,Cid was assigned a bye", "2,Bob,Cid,1-1-1 Draw",
            "2,Ann,,Ann was assigned a bye", "3,Cid,Ann,Ann won 2-0-0"]  # fmt: skip
    path = written(tmp_path, "rounds.csv", "Table,Player 1,Player 2,Result", *rows)
    assert games_of(path) == [("Ann", "Bob", 1), ("Bob", "Cid", 0.5), ("Cid", "Ann", 0)]


def test_weeks_with_names_beside_days(tmp_path):
    weeks = ["1", "2", "3", "4", "WildCard", "Division"]
    rows = [f"{week},{day},{a},{b},{RESULTS[s]}" for week, day, (a, b, s) in zip(weeks, DAYS, GAMES, strict=True)]
    games = read(written(tmp_path, "games.csv", "Week,Date,Home,Away,Result", *rows))
    assert games.date.astype(str).tolist() == DAYS
    assert any(note.startswith("columns left out: 'Week'") for note in games.notes)


def test_sets_in_german_columns(tmp_path):
    sets = {1: "25:20;20:25;25:18;25:21;", 0: "25:23;20:25;19:25;23:25;"}
    rows = [f"{a};{b};{sets[s]}" for a, b, s in GAMES if s != 0.5]
    path = written(tmp_path, "sets.csv", "Heim;Gast;1. Satz;2. Satz;3. Satz;4. Satz;5. Satz", *rows)
    assert games_of(path) == [game for game in GAMES if game[2] != 0.5]


def test_a_tournament_of_tom(tmp_path):
    people = {"11": "Ann", "12": "Bob", "13": "Cid"}
    ids = {name: key for key, name in people.items()}
    players = "".join(
        f'<player userid="{key}"><firstname>{name}</firstname><lastname>X</lastname></player>'
        for key, name in people.items()
    )
    outcome = {1: "1", 0: "2", 0.5: "3"}
    matches = "".join(
        f'<round number="{k}"><matches><match outcome="{outcome[s]}"><player1 userid="{ids[a]}"/>'
        f'<player2 userid="{ids[b]}"/></match><match outcome="5"><player userid="11"/></match></matches></round>'
        for k, (a, b, s) in enumerate(GAMES, 1)
    )
    text = (f"<tournament><data><startdate>03/16/2024</startdate></data><players>{players}</players>"
            f"<pods><pod><rounds>{matches}</rounds></pod></pods></tournament>")  # fmt: skip
    games = read(written(tmp_path, "league.xml", text))
    assert games_of(tmp_path / "league.xml") == [(f"{a} X", f"{b} X", s) for a, b, s in GAMES]
    assert games.period.tolist() == [1, 2, 3, 4, 5, 6]
    assert np.unique(games.date.astype(str)).tolist() == ["2024-03-16"]
    assert any(note.startswith("set apart: 6 rows, outcome") for note in games.notes)


@pytest.mark.parametrize(
    ("header", "words"),
    [
        ("Giocatore 1,Giocatore 2,Chi ha vinto?", ("{a}", "Pareggio", "{b}")),
        ("Affirmative,Negative,Winner", ("Aff", "tie", "Neg")),
        ("Hazai,Vendég,Félidő,Végeredmény", ("0-1,2-1", "1-0,1-1", "1-0,1-2")),
        ("home,away,predicted,actual", ("0-1,2-1", "1-0,1-1", "1-0,1-2")),
    ],
)
def test_further_words_of_columns(tmp_path, header, words):
    of_score = dict(zip((1, 0.5, 0), words, strict=True))
    rows = [f"{a},{b},{of_score[s].format(a=a, b=b)}" for a, b, s in GAMES]
    assert games_of(written(tmp_path, "games.csv", header, *rows)) == GAMES
