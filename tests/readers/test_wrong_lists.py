"""Files whose careless reading is another list: matches of teams, handicaps, parts of games, owners, and hints."""

import re

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

RING = [("Ann", "Bob", 1), ("Bob", "Cid", 0), ("Cid", "Ann", 1), ("Ann", "Cid", 0)]


def games_of(path, **options):
    """The games of a file as (first, second, score)."""
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def written(folder, header, *rows):
    """The path of a file of lines."""
    (folder / "games.csv").write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return folder / "games.csv"


def stopped(path, **options):
    """The line with which the reader stops."""
    with pytest.raises(GameTableError) as error:
        read(path, **options)
    return str(error.value)


BOARDS = [
    ("Nord", "Süd", "{}", ["1-0", "0-1", "1/2-1/2", "1-0"], "2.5-1.5"),
    ("West", "Nord", "{}", ["0-1", "1-0", "0-1", "0-1"], "1-3"),
]
PLAYERS = {"Nord": "ABCD", "Süd": "EFGH", "West": "IJKL"}


def league(mark, before, forfeit=""):
    """Rows of two matches of teams, and the games of the boards; the last game is a forfeit if asked."""
    rows, games = [], []
    for home, away, _, results, total in BOARDS:
        results = [*results[:3], forfeit or results[3]]
        boards = [f"{k},{a},{b},{result}" for k, (a, b, result) in
                  enumerate(zip(PLAYERS[home], PLAYERS[away], results, strict=True), 1)]  # fmt: skip
        points = {"1-0": 1, "0-1": 0, "1/2-1/2": 0.5}
        games += [(a, b, points[result]) for a, b, result in zip(PLAYERS[home], PLAYERS[away], results, strict=True)
                  if result in points]  # fmt: skip
        match = f",{home},{away},{total}"
        rows += [match, *boards] if before else [*boards, match]
    return [row.replace("-", mark) for row in rows], games


@pytest.mark.parametrize("mark", ["-", ":", " : "])
@pytest.mark.parametrize("before", [True, False])
def test_matches_of_teams_are_no_games_beside_their_boards(tmp_path, mark, before):
    rows, games = league(mark, before)
    path = written(tmp_path, "Board,Home,Away,Result", *rows)
    assert games_of(path) == games
    assert any(note.startswith("set apart: 2 games, a total") for note in read(path).notes)


def test_a_match_of_one_pair_of_teams_above_its_boards(tmp_path):
    rows, games = league(":", True)
    assert games_of(written(tmp_path, "Board,Home,Away,Result", *rows[:5])) == games[:4]


def test_matches_of_teams_with_sets_and_with_a_forfeit(tmp_path):
    rows = [",Oost,West,2-2", "1,Ann,Bob,3-1", "2,Cid,Dan,+--", "3,Eva,Fay,0-3", "4,Gus,Hal,2-3",
            ",Noord,Oost,3-1", "1,Ida,Ann,3-0", "2,Jon,Cid,3-2", "3,Kim,Eva,3-1", "4,Lou,Gus,1-3"]  # fmt: skip
    games = games_of(written(tmp_path, "Tafel,Thuis,Uit,Uitslag", *rows))
    assert games == [("Ann", "Bob", 1), ("Eva", "Fay", 0), ("Gus", "Hal", 0), ("Ida", "Ann", 1), ("Jon", "Cid", 1),
                     ("Kim", "Eva", 1), ("Lou", "Gus", 0)]  # fmt: skip


@pytest.mark.parametrize("last", ["1-0", "3-1"])
def test_games_are_no_matches_if_their_players_play_others_or_sums_differ(tmp_path, last):
    rows = ["Ann,Bob,2-1", "Cid,Dan,1-0", "Eva,Fay,2-0", f"Ann,Cid,{last}", "Bob,Dan,0-1", "Gus,Hal,0-1"]
    assert len(read(written(tmp_path, "Home,Away,Score", *rows))) == 6


def test_a_match_of_two_games_in_a_row_is_reported(tmp_path):
    rows = [f"{a},{b},{'1½-½' if s else '0-2'}" for a, b, s in RING]
    path = written(tmp_path, "White,Black,Result", *rows)
    assert games_of(path) == RING
    assert any("rows of 2 points" in note for note in read(path).notes)


RACES = [("Tom", "Jess", 5, 3, 4, 3, 0), ("Raj", "Tom", 6, 4, 6, 2, 1), ("Jess", "Raj", 3, 7, 3, 6, 1),
         ("Tom", "Mina", 5, 2, 4, 2, 0)]  # fmt: skip


@pytest.mark.parametrize("header", ["race_a,race_b", "Target A,Target B", "A race to,B race to"])
def test_the_winner_of_a_handicap_race_is_the_side_that_reaches_its_own_number(tmp_path, header):
    rows = [",".join(map(str, row[:6])) for row in RACES]
    path = written(tmp_path, f"Player A,Player B,{header},Score A,Score B", *rows)
    assert games_of(path) == [(a, b, won) for a, b, *_, won in RACES]


@pytest.mark.parametrize(("given", "noted"), [((0, 30), True), ((0, 0), False)])
def test_points_that_are_given_are_reported(tmp_path, given, noted):
    rows = [f"{a},{b},{given[0]},{given[1]},{100 + 20 * s},110" for a, b, s in RING]
    path = written(tmp_path, "Home,Away,Home handicap,Away handicap,Home score,Away score", *rows)
    assert games_of(path) == RING
    assert any("not added" in note for note in read(path).notes) == noted


@pytest.mark.parametrize("word", ["Programado", "geplant", "Ej spelad", "Planlagt", "à venir", "запланирован", "Zzz"])
def test_games_to_come_are_no_draws(tmp_path, word):
    rows = [f"2024-03-0{k},{a},{b},{2 * s},{1 - s},Finished" for k, (a, b, s) in enumerate(RING, 1)]
    rows += [f"2024-04-01,Ann,Bob,0,0,{word}", f"2024-04-02,Bob,Ann,0,0,{word}", "2024-03-09,Cid,Bob,0,0,Finished"]
    path = written(tmp_path, "Date,Home,Away,Home goals,Away goals,Status", *rows)
    assert games_of(path) == [*RING, ("Cid", "Bob", 0.5)]


OWNED = [("Zed", "Bob", "Won", 1), ("Cid", "Zed", "Won", 0), ("Zed", "Dan", "Lost", 0), ("Bob", "Zed", "Lost", 1),
         ("Zed", "Cid", "Draw", 0.5)]  # fmt: skip


@pytest.mark.parametrize("header", ["My result", "Your result", "my_result"])
def test_results_of_the_owner_of_a_file(tmp_path, header):
    path = written(tmp_path, f"White,Black,{header}", *(f"{a},{b},{word}" for a, b, word, _ in OWNED))
    assert games_of(path) == [(a, b, s) for a, b, _, s in OWNED]


@pytest.mark.parametrize(("result", "noted"), [("W", True), ("Won", True), ("1-0", False)])
def test_letters_in_a_file_of_one_players_games_are_reported(tmp_path, result, noted):
    path = written(tmp_path, "Home,Away,Result", f"Zed,Bob,{result}", f"Cid,Zed,{result}", f"Zed,Dan,{result}")
    assert [score for _, _, score in games_of(path)] == [1, 1, 1]
    assert any("'Zed'" in note for note in read(path).notes) == noted


@pytest.mark.parametrize(
    ("cell", "score"),
    [
        ("(1-0) 2-3", 0), ("(0:2) 3:2 n.V.", 1), ("(4-6) (6-3) (7-5)", 1), ("(6-4) (3-6) (2-6)", 0),
        ("1 (4) - 1 (3)", 0.5), ("1 (4) x (3) 1", 0.5), ("2(3):2(5)", 0.5), ("3-1 25-20 23-25 25-19 25-22", 1),
        ("2-3 25-10 25-12 22-25 23-25 13-15", 0), ("1-1 4-3 pens", 0.5), ("2-1 (1-1)", 1),
    ],
)  # fmt: skip
def test_the_score_of_a_cell_with_further_scores(tmp_path, cell, score):
    others = ["3-1", "0-2", "2-0"]
    path = written(
        tmp_path, "Home;Away;Score", *(f"{a};{b};{c}" for (a, b, _), c in zip(RING, [cell, *others], strict=True))
    )
    assert games_of(path)[0] == ("Ann", "Bob", score)


@pytest.mark.parametrize("cell", ["6-4 2-3 ret.", "2-1 1-0", "1-0 2-1", "3-1 2-3 2-3", "6-1 3-0 (ret)"])
def test_two_scores_that_may_be_of_parts_are_no_result(tmp_path, cell):
    rows = [f"{a};{b};{c}" for (a, b, _), c in zip(RING, [cell, "6-4 6-2", "4-6 7-5 6-1", "6-4 6-0"], strict=True)]
    line = stopped(written(tmp_path, "Player 1;Player 2;Score", *rows))
    assert repr(cell) in line
    assert "6-2" not in line


def test_a_column_of_winners_counts_where_scores_are_open(tmp_path):
    cells = ["6-4 6-2", "6-4 2-3 ret.", "3-6 7-5 4-6", "6-1 3-0 ret."]
    rows = [f"{a},{b},{a if s else b},{cell}" for (a, b, s), cell in zip(RING, cells, strict=True)]
    assert games_of(written(tmp_path, "Player 1,Player 2,Winner,Score", *rows)) == RING


def test_goals_and_points_of_both_sides_in_a_cell_are_no_sets(tmp_path):
    rows = [
        f"{a},{b},{c}" for (a, b, _), c in zip(RING, ["2-10 1-15", "0-20 4-05", "1-12 2-09", "0-11 2-07"], strict=True)
    ]
    assert "'2-10 1-15'" in stopped(written(tmp_path, "Home,Away,Score", *rows))


@pytest.mark.parametrize(("column", "cells"), [("Total", "37 23 44 45"), ("Games", "4 5 3 5"), ("Matches", "2 3 2 2")])
def test_sums_beside_goals_are_no_counts(tmp_path, column, cells):
    rows = [f"{a},{b},{2 * s},{1 - s},{n}" for (a, b, s), n in zip(RING, cells.split(), strict=True)]
    assert games_of(written(tmp_path, f"Home,Away,Home score,Away score,{column}", *rows)) == RING
    rows = [f"{a},{b},{2 * s}-{1 - s},{n}" for (a, b, s), n in zip(RING, cells.split(), strict=True)]
    assert games_of(written(tmp_path, f"Home,Away,Score,{column}", *rows)) == RING


@pytest.mark.parametrize("letters", ["G V", "G V U"])
def test_german_letters_of_won_and_lost(tmp_path, letters):
    words = dict(zip((1, 0), letters.split(), strict=False))
    rows = [f"{a};{b};{words[s]}" for a, b, s in RING] + ["Ann;Bob;U"] * ("U" in letters)
    scores = [score for *_, score in games_of(written(tmp_path, "Spieler;Gegner;Ergebnis", *rows))]
    assert scores == [1, 0, 1, 0] + [0.5] * ("U" in letters)


@pytest.mark.parametrize("column", ["correct", "Accuracy", "is_correct", "Predicted", "Tip", "Halbzeit", "1T", "HT"])
def test_no_hint_names_a_column_that_is_no_result(tmp_path, column):
    rows = [f"{a},{b},{s},x{k}" for k, (a, b, s) in enumerate(RING)]
    line = stopped(written(tmp_path, f"stimulus_1,stimulus_2,{column},note", *rows))
    assert f"score={column}" not in line


@pytest.mark.parametrize("column", ["rejected", "worse", "disliked"])
def test_no_hint_names_a_column_of_losers_as_the_result(tmp_path, column):
    rows = [f"{a},{b},{'a' if s else 'b'}" for a, b, s in RING]
    line = stopped(written(tmp_path, f"option_a,option_b,{column}", *rows))
    assert f"score={column}" not in line


NAMES = ["REED, SCOTT", "BAKER, ARNOLD", "CRUZ, MATT", "DIAZ, MARIA"]
CROSS_TABLE = """Spring Quads
No. Name               Rate   Rd 1   Rd 2   Rd 3   Tot
 1  REED, SCOTT        1640   W 4    D 2    W 3    2.5
 2  BAKER, ARNOLD      1602   W 3    D 1    L 4    1.5
 3  CRUZ, MATT         1588   L 2    X 4    L 1    1.0
 4  DIAZ, MARIA        1520   L 1    F 3    W 2    1.0
"""


def test_names_that_end_in_a_letter_of_a_result_and_forfeits_in_a_wall_chart(tmp_path):
    (tmp_path / "chart.txt").write_text(CROSS_TABLE)
    games = read(tmp_path / "chart.txt")
    assert games.players.tolist() == sorted(NAMES)
    assert sorted(games_of(tmp_path / "chart.txt")) == sorted(
        [("REED, SCOTT", "DIAZ, MARIA", 1), ("BAKER, ARNOLD", "CRUZ, MATT", 1), ("REED, SCOTT", "BAKER, ARNOLD", 0.5),
         ("REED, SCOTT", "CRUZ, MATT", 1), ("BAKER, ARNOLD", "DIAZ, MARIA", 0)]
    )  # fmt: skip
    assert set(games.white_rating_elo.tolist()) == {1640, 1602}


@pytest.mark.parametrize(
    ("header", "row"),
    [
        ("Thuis,Uit,IMP thuis,IMP uit,VP thuis,VP uit", "{a},{b},{x},{y},10,10"),
        ("Local,Visitante,GL 1T,GV 1T,GL,GV", "{a},{b},1,1,{x},{y}"),
        ("Affirmative,Negative,Ballot,Decision", "{a},{b},{side},2-1"),
        ("Squadra casa,Squadra ospite,Gol casa,Gol ospite", "{a},{b},{x},{y}"),
        ("Your name,Opponent's name,Opponent's score,Your score", "{a},{b},{y},{x}"),
        ("Boxer,Opponent,Result", "{a},{b},{letter}-TKO"),
        ("Joukkue,Vastustaja,Tulos", "{a},{b},{finnish}"),
        ("Team A,Score A,Score B,Team B", "{a},{x}*,{y}^,{b}"),
    ],
)
def test_columns_of_bridge_football_debates_and_boxing(tmp_path, header, row):
    rows = [row.format(a=a, b=b, x=2 * s, y=1 - s, side="Aff" if s else "Neg", letter="W" if s else "L",
                       finnish="V" if s else "H") for a, b, s in RING]  # fmt: skip
    assert games_of(written(tmp_path, header, *rows)) == RING


def test_signed_results_beside_opponents_are_no_cross_table(tmp_path):
    rows = [f"{a},{b},{'+17' if s else '-3'}" for a, b, s in RING]
    line = stopped(written(tmp_path, "Player,Opponent,Result", *rows))
    assert re.search(r"line 2, column Result: .*--outcomes '\+17=", line)


@pytest.mark.parametrize("names", [("A lost", "B lost"), ("home_loser", "away_loser"), ("a_rejected", "b_rejected")])
def test_flags_of_the_loser_of_both_sides(tmp_path, names):
    rows = [f"{a},{b},{1 - s},{s}" for a, b, s in RING]
    assert games_of(written(tmp_path, f"Item A,Item B,{names[0]},{names[1]}", *rows)) == RING


@pytest.mark.parametrize(
    "names",
    [
        ("a_correct", "b_correct"),
        ("Home goals conceded", "Away goals conceded"),
        ("Home bonus points", "Away bonus points"),
    ],
)
def test_columns_of_both_sides_that_are_no_points_of_the_game(tmp_path, names):
    rows = [f"{a},{b},{s},{1 - s}" for a, b, s in RING]
    assert "expected a column for score" in stopped(written(tmp_path, f"Home,Away,{names[0]},{names[1]}", *rows))


@pytest.mark.parametrize("cells", ["1.5,3.2,5.0", "0.5,0.2,0.3"])
def test_odds_and_chances_are_no_goals(tmp_path, cells):
    rows = [f"{a},{b},{cells if s else ','.join(cells.split(',')[::-1])}" for a, b, s in RING]
    line = stopped(written(tmp_path, "Home,Away,H,D,A", *rows))
    assert "white_goals=H" not in line
    assert "score=" not in line
    goals = [f"{a},{b},{2 * s},{1 - s}" for a, b, s in RING]
    assert games_of(written(tmp_path, "Home,Away,H,A", *goals)) == RING
    flags = [f"{a},{b},{s},0,{1 - s}" for a, b, s in RING]
    assert games_of(written(tmp_path, "Home,Away,H,D,A", *flags)) == RING


def test_a_double_forfeit_among_games_with_half_points(tmp_path):
    path = written(tmp_path, "White,Black,Result", "Ann,Bob,1-0", "Bob,Cid,0-0", "Cid,Ann,½-½", "Ann,Cid,0-1")
    assert games_of(path) == [("Ann", "Bob", 1), ("Cid", "Ann", 0.5), ("Ann", "Cid", 0)]


def test_matches_of_teams_with_points_in_two_columns(tmp_path):
    rows, games = league(",", True)
    rows = [row.replace("1/2,1/2", "0.5,0.5") for row in rows]
    assert games_of(written(tmp_path, "Board,Home,Away,Home points,Away points", *rows)) == games


@pytest.mark.parametrize(
    ("header", "letters"),
    [
        ("Igrač;Protivnik;Rezultat", "P N I"), ("Joueur;Adversaire;Résultat", "G N P"),
        ("Spieler;Gegner;Ergebnis", "G U V"), ("Spiller;Modstander;Resultat", "V U T"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("drawn", [True, False])
def test_letters_of_results_beside_players_and_opponents(tmp_path, header, letters, drawn):
    words = dict(zip((1, 0.5, 0), letters.split(), strict=True))
    games = [*RING, *[("Bob", "Ann", 0.5)] * drawn]
    path = written(tmp_path, header, *(f"{a};{b};{words[s]}" for a, b, s in games))
    assert games_of(path) == games


@pytest.mark.parametrize(("letters", "scores"), [("N P", (0.5, 0)), ("U N", (0.5, 0)), ("V U", (1, 0.5))])
def test_letters_without_a_win_or_a_loss(tmp_path, letters, scores):
    words = letters.split() * 2
    rows = [f"{a};{b};{word}" for (a, b, _), word in zip(RING, words, strict=True)]
    assert [s for *_, s in games_of(written(tmp_path, "Team;Opponent;Result", *rows))] == [*scores, *scores]


def test_a_first_round_of_a_cup_has_no_matches_of_teams(tmp_path):
    rows = ["Aston,Barry,3-1", "Cork,Derry,2-0", "Esk,Fife,1-0", "Gosport,Hull,4-2", "Ilkley,Jarrow,0-1"]
    assert len(read(written(tmp_path, "Home,Away,Score", *rows))) == 5


def test_a_forfeit_behind_a_set_is_a_forfeit(tmp_path):
    rows = [f"{a};{b};{c}" for (a, b, _), c in zip(RING, ["6-4 6-2", "6-4 2-3 DEF", "7-5 6-1", "6-4 6-0"], strict=True)]
    for header in ("Player 1;Player 2;Score", "Winner;Loser;Score"):
        games = read(written(tmp_path, header, *rows))
        assert len(games) == 3
        assert any("forfeit (line 3)" in note for note in games.notes)


FLAGS = ["home_forfeit,away_forfeit", "walkover1,walkover2", "p1_dq,p2_dq", "Walkover1,Walkover2"]


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize(("yes", "no"), [("true", "false"), ("1", "0"), ("TRUE", "")])
def test_a_forfeit_of_either_side_is_no_game(tmp_path, flags, yes, no):
    rows = [f"{a},{b},{2 * s},{1 - s},{no},{no}" for a, b, s in RING]
    rows += [f"Bob,Ann,3,0,{no},{yes}", f"Bob,Cid,0,3,{yes},{no}"]
    path = written(tmp_path, f"home,away,home_goals,away_goals,{flags}", *rows)
    assert games_of(path) == RING


@pytest.mark.parametrize("word", ["ikke parret", "eşlendirilmedi", "sans adversaire"])
def test_a_point_without_an_opponent_is_no_game(tmp_path, word):
    rows = [f"{a},{'1 - 0' if s else '0 - 1'},{b}" for a, b, s in RING] + [f"Bob,1,{word}", f"Cid,0,{word}"]
    path = written(tmp_path, "White,Result,Black", *rows)
    assert games_of(path) == RING
    assert any(note.startswith("set apart: 2 games, bye") for note in read(path).notes)


@pytest.mark.parametrize(
    "rows", [["Bob,1,Ann"], ["Bob,1,Dan", "Dan,1-0,Ann"], ["Dan,1,Ann"], ["Bob,1,Dan", "Cid,0,Eva"]]
)
def test_a_point_against_a_player_of_other_games_is_a_game(tmp_path, rows):
    games = [f"{a},{'1-0' if s else '0-1'},{b}" for a, b, s in RING]
    assert len(read(written(tmp_path, "White,Result,Black", *games, *rows))) == len(RING) + len(rows)


def test_results_of_points_alone_have_two_players(tmp_path):
    rows = [f"{a},{s},{b}" for a, b, s in RING]
    assert games_of(written(tmp_path, "White,Result,Black", *rows, "Bob,1,Dan")) == [*RING, ("Bob", "Dan", 1)]


def test_the_pitcher_who_won_is_not_the_result(tmp_path):
    rows = ["1,Ann,,Bob,W,3,1,Moss,Ely", "2,Ann,@,Bob,L-wo,2,3,Moss,Ely", "3,Ann,,Cid,W-wo,5,4,Moss,Ely"]
    rows.append("4,Ann,@,Cid,L,0,7,Fox,Moss")
    path = written(tmp_path, "Gm#,Tm,,Opp,W/L,R,RA,Win,Loss", *rows)
    assert games_of(path) == [("Ann", "Bob", 1), ("Bob", "Ann", 1), ("Ann", "Cid", 1), ("Cid", "Ann", 1)]


def test_a_column_without_results_may_be_the_wrong_one(tmp_path):
    rows = ["Ann,Bob,Moss", "Bob,Cid,Fox", "Cid,Ann,Hall"]
    assert "name another column: --columns score=COLUMN" in stopped(written(tmp_path, "Home,Away,Win", *rows))


def test_columns_of_innings_are_no_first_game(tmp_path):
    rows = ["A,Ann,1,2,0,3", "A,Bob,0,1,1,2", "B,Cid,2,0,3,5", "B,Ann,1,3,2,6"]
    assert "first line" not in stopped(written(tmp_path, "Sheet,Team,1,2,3,Total", *rows))
