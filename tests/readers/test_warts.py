"""Irregularities of real files: missing results, byes, byte order marks, Windows encodings, signs of pools."""

import json

import numpy as np
import pandas as pd
import pytest

from halfpoint.apps.fields.arena.read import read_judgements
from halfpoint.apps.workflows.beside.duplicates import propose
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import seats_named, seats_of_column
from halfpoint.readers.read import read


def written(tmp_path, name, text, encoding="utf-8"):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        ("white,black,result", ["Ann,Bob,1-0", "Bob,Cid,", "Cid,BYE,1-0", "Ann,Cid,1/2-1/2", "Cid,Bob,*"]),
        ("home,away,FTHG,FTAG", ["Ann,Bob,2,0", "Bob,Cid,,", "spielfrei,Cid,1,0", "Ann,Cid,1,1", "Cid,Bob,-,-"]),
        ("model_a,model_b,winner", ["Ann,Bob,model_a", "Bob,Cid,", "Cid,bye,model_a", "Ann,Cid,tie", "Cid,Bob,None"]),
    ],
)
def test_rows_that_are_no_game_are_set_apart_and_told(tmp_path, head, rows):
    games = read(written(tmp_path, "games.csv", "\n".join([head, *rows])))
    assert games.white_names.tolist() == ["Ann", "Ann"]
    assert games.score.tolist() == [1.0, 0.5]
    assert games.players.tolist() == ["Ann", "Bob", "Cid"]
    assert "set apart: 1 game, bye (line 4)" in games.notes
    assert "set apart: 2 games, without a result (line 3, 6)" in games.notes
    assert games.place(1).endswith("line 5")


@pytest.mark.parametrize(
    ("head", "rows"),
    [
        (
            "winner_name,loser_name,score",
            ["Ann,Bob,6-3 6-4", "Bob,Cid,W/O", "Cid,Ann,", "Ann,Cid,6-1 RET", "Bob,Cid,w/o"],
        ),
        ("white,black,result", ["Ann,Bob,1-0", "Bob,Cid,+/-", "Cid,Ann,", "Ann,Cid,1-0", "Bob,Cid,walkover"]),
    ],
)
def test_walkovers_are_no_games_and_a_match_broken_off_is_one(tmp_path, head, rows):
    games = read(written(tmp_path, "games.csv", "\n".join([head, *rows])))
    assert list(zip(games.white_names.tolist(), games.black_names.tolist(), strict=True)) == [
        ("Ann", "Bob"), ("Ann", "Cid"),
    ]  # fmt: skip
    assert games.score.tolist() == [1.0, 1.0]
    assert "set apart: 2 games, forfeit (line 3, 6)" in games.notes
    assert "set apart: 1 game, without a result (line 4)" in games.notes


def test_what_the_user_says_of_a_walkover_goes_before_the_rule(tmp_path):
    path = written(tmp_path, "games.csv", "white,black,result\nAnn,Bob,1-0\nBob,Cid,W/O\n")
    assert read(path, outcomes="W/O=first").score.tolist() == [1.0, 1.0]


def test_a_file_of_winners_without_any_score_keeps_all_its_games(tmp_path):
    path = written(tmp_path, "games.csv", "winner_name,loser_name,score\nAnn,Bob,\nBob,Cid,\n")
    assert len(read(path)) == 2


@pytest.mark.parametrize("kind", ["games.csv", "games.pgn", "games.parquet", "a frame", "winners.csv"])
def test_accents_as_letters_of_their_own_are_the_same_player(tmp_path, kind):
    one, other = "Jos\u00e9 Ji\u0159\u00ed", "Jose\u0301 Jir\u030ci\u0301"
    assert one != other
    frame = pd.DataFrame({"white": [one, "Bob"], "black": ["Bob", other], "winner": [one, other]})
    path = tmp_path / kind
    if kind == "games.pgn":
        game = '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1-0\n\n'
        path.write_text(game.format(one, "Bob") + game.format("Bob", other), encoding="utf-8")
    elif kind == "games.csv":
        frame.drop(columns="winner").assign(result=["1-0", "0-1"]).to_csv(path, index=False)
    elif kind == "games.parquet":
        frame.to_parquet(path)
    else:
        frame.to_csv(path, index=False)
    games = read(frame if kind == "a frame" else path)
    assert games.players.tolist() == ["Bob", one]


def test_faults_below_a_row_that_is_set_apart_have_their_own_line(tmp_path):
    with pytest.raises(GameTableError, match="line 4, column result"):
        read(written(tmp_path, "games.csv", "white,black,result\nAnn,Bob,\nAnn,Bob,1-0\nAnn,Bob,maybe\n"))
    with pytest.raises(GameTableError, match="expected at least one game with a result, found none in 2 rows"):
        read(written(tmp_path, "none.csv", "white,black,result\nAnn,Bob,\nAnn,Cid,\n"))


def test_one_of_two_goals_is_still_a_fault(tmp_path):
    with pytest.raises(GameTableError, match="line 3, column FTAG"):
        read(written(tmp_path, "games.csv", "home,away,FTHG,FTAG\nAnn,Bob,2,0\nBob,Ann,1,\n"))


def test_json_lines_may_begin_with_a_mark(tmp_path):
    rows = [{"white": "Ann", "black": "Bob", "score": score} for score in (1, 0.5, None)]
    text = "\n".join(map(json.dumps, rows))
    games = read(written(tmp_path, "games.jsonl", text, "utf-8-sig"))
    assert games.score.tolist() == [1.0, 0.5]
    assert "set apart: 1 game, without a result (row 3)" in games.notes


def test_judgements_without_an_outcome_are_set_apart_and_words_without_a_meaning_are_not(tmp_path):
    rows = [("a", "b", "model_a"), ("b", "a", None), ("a", "b", "tie"), ("a", "c", "")]
    text = "\n".join(json.dumps(dict(zip(("model_a", "model_b", "winner"), row, strict=True))) for row in rows)
    found = read_judgements(written(tmp_path, "votes.jsonl", text, "utf-8-sig"))
    assert found.games.score.tolist() == [1.0, 0.5]
    assert "set apart: 2 games, without a result (row 2, 4)" in found.account
    with pytest.raises(GameTableError, match="row 1, column winner"):
        read_judgements(written(tmp_path, "odd.jsonl", text.replace('"model_a"}', '"perhaps"}')))


def test_bytes_of_windows_are_letters(tmp_path):
    names = ["Žižek, Š.", "Müller, J.", "O’Brien, S.", "Œuvrard, Ÿ."]
    text = "\r\n".join(["white;black;result", f"{names[0]};{names[1]};1-0", f"{names[2]};{names[3]};½-½"])
    assert sorted(read(written(tmp_path, "games.csv", text, "cp1252")).players.tolist()) == sorted(names)
    pgn = "".join(f'[White "{names[0]}"]\n[Black "{name}"]\n[Result "1/2"]\n\n1. e4 e5 1/2\n\n' for name in names[1:])
    assert sorted(read(written(tmp_path, "games.pgn", pgn, "cp1252")).players.tolist()) == sorted(names)


def test_signs_of_football_pools_are_results(tmp_path):
    text = "home;away;result\nAnn;Bob;1\nBob;Ann;X\nAnn;Cid;2\nCid;Ann;x\n"
    np.testing.assert_array_equal(read(written(tmp_path, "pool.csv", text)).score, [1.0, 0.5, 0.0, 0.5])
    with pytest.raises(GameTableError, match="line 3"):  # without an X they may be anything
        read(written(tmp_path, "other.csv", text.replace("X", "2").replace("x", "1")))


def test_the_columns_that_are_missing_are_proposed_though_cells_are_empty(tmp_path):
    rows = ["Pvm;Kodu;Külaline;KM;Tagajärg", "1/2/24;Ann;Bob;2;1", "2/2/24;Bob;Ann;1;X", "3/2/24;Ann;Cid;;"]
    text = "\n".join([*rows, "4/2/24;Cid;Ann;0;2"])
    with pytest.raises(GameTableError, match=r"--columns 'white=Kodu,black=Külaline,score=Tagajärg'\."):
        read(written(tmp_path, "liga.csv", text))
    chosen = {"white": "Kodu", "black": "Külaline", "score": "Tagajärg"}
    assert read(tmp_path / "liga.csv", columns=chosen).players.tolist() == ["Ann", "Bob", "Cid"]
    assert (
        read(
            written(tmp_path, "local.csv", text.replace("Kodu", "Local").replace("Külaline", "Visitante")),
            columns={"score": "Tagajärg"},
        ).seats
        == "home"
    )
    assert [seats_of_column(name) for name in ("Weiß", "Heim", "Equipo")] == ["white", "home", "first"]
    assert [seats_of_column(name) for name in ("Hvit", "白番", "백")] == ["white", "stones", "stones"]
    assert seats_named(seats_of_column("백")).worth == "Playing White"  # Black begins


def test_names_in_plain_letters_are_proposed(tmp_path):
    pairs = [("Müller, Jürgen", "Mueller, J."), ("Özil, Mesut", "Oezil, Mesut"), ("Ødegård, Åse", "Oedegaard, Aase")]
    text = "\n".join(["white,black,result", *(f'"{name}",Bob,1' for pair in pairs for name in pair)])
    proposed = {frozenset((one.name, one.same_as)) for one in propose(read(written(tmp_path, "names.csv", text)))}
    assert proposed == {frozenset(pair) for pair in pairs}


@pytest.mark.parametrize("header", ["Day,Datetime", "Date,Day", "Wochentag,Datum"])
def test_a_column_of_weekdays_does_not_hide_the_date(tmp_path, header):
    path = tmp_path / "league.csv"
    path.write_text(f"{header},Home,Away,FTR\nMon,2024-01-15 15:00,A,B,H\nTue,2024-01-16 15:00,B,A,D\n")
    assert read(path).date.astype(str).tolist() == ["2024-01-15", "2024-01-16"]


@pytest.mark.parametrize("rows", [4, 12])
def test_ids_of_rows_are_no_players(tmp_path, rows):
    lines = [f"{2 * k},{2 * k + 1},{'AB'[k % 2]},{'BA'[k % 2]},1-0" for k in range(rows)]
    path = tmp_path / "sheet.csv"
    path.write_text("\n".join(["white_id,black_id,white,black,result", *lines]))
    assert read(path).players.tolist() == ["A", "B"]


@pytest.mark.parametrize("name", ["year", "season", "round"])
def test_negative_years_and_rounds_keep_their_sign(name, tmp_path):
    numbers = np.arange(5, -7, -1)
    frame = pd.DataFrame({"white": list("ABC") * 4, "black": list("BCA") * 4, "result": ["1-0", "0-1"] * 6})
    np.testing.assert_array_equal(read(frame.assign(**{name: numbers})).period, numbers)
    dated = frame.assign(**{name: numbers, "date": pd.date_range("2020-01-01", periods=12).astype(str)})
    dated.to_csv(tmp_path / "games.csv", index=False)
    np.testing.assert_array_equal(read(tmp_path / "games.csv").covariates[name], numbers)
