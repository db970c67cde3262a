"""Columns that turn a result around: colours, positions on a screen, legends in a header, the other side's score."""

import json
import re
import shlex

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

# (first, second, outcome of the first), typed as truth before any file was read
GAMES = [
    ("Ann", "Bob", 1),
    ("Cid", "Dee", 0),
    ("Bob", "Cid", 1),
    ("Dee", "Ann", 0.5),
    ("Ann", "Cid", 1),
    ("Bob", "Dee", 0),
]


def read_text(folder, text, name="games.csv", **options):
    """The games of a text as (first, second, score), and its notes."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)), games


def stopped(folder, text, **options):
    """The message that stops a text."""
    with pytest.raises(GameTableError) as error:
        read_text(folder, text, **options)
    return str(error.value)


RESULTS = {1: "1-0", 0.5: "½-½", 0: "0-1"}


@pytest.mark.parametrize(
    ("header", "letters"),
    [
        ("Board,Home player,Away player,Result,Home colour", ("White", "Black")),
        ("Brett,Heim,Gast,Ergebnis,Farbe Heim", ("W", "S")),
        ("Board,Team A,Team B,Score,Colour", ("w", "b")),
        ("Tablero,Local,Visitante,Resultado,Color", ("B", "N")),
        ("Board,Home player,Away player,Result,White", ("H", "A")),
    ],
)
def test_colours_beside_sides_that_are_no_colours_stop(tmp_path, header, letters):
    rows = [f"{k % 2 + 1},{a},{b},{RESULTS[s]},{letters[k in {0, 3, 5}]}" for k, (a, b, s) in enumerate(GAMES)]
    text = "\n".join([header, *rows])
    assert f"{header.split(',')[4]!r} marks rows whose sides may be exchanged" in stopped(tmp_path, text)
    assert read_text(tmp_path, text, trust=True)[0] == GAMES


@pytest.mark.parametrize(
    "header",
    ["Board,White,Black,Result,Colour", "Board,Home,Away,Score,Kit colour", "No,Player,Opponent,Result,Colour"],
)
def test_colours_that_are_known_or_of_shirts_are_passed_over(tmp_path, header):
    colours = ("red", "white") if "Kit" in header else ("W", "B")
    results = {1: "1", 0.5: "0.5", 0: "0"}
    rows = [f"{k},{a},{b},{results[s]},{colours[k % 2]}" for k, (a, b, s) in enumerate(GAMES)]
    assert read_text(tmp_path, "\n".join([header, *rows]))[0] == GAMES


@pytest.mark.parametrize(
    ("header", "shown", "words"),
    [
        ("id,model_a,model_b,shown_first,verdict", ("a", "b"), ("first", "second")),
        ("id,model_a,model_b,order,vote", ("ab", "ba"), ("first", "second")),
        ("id,response_a,response_b,position_of_a,winner", ("left", "right"), ("left", "right")),
        ("id,summary_1,summary_2,top_item,choice", None, ("left", "right")),
    ],
)
def test_verdicts_by_position_stop_beside_the_side_shown_first(tmp_path, header, shown, words):
    word = {1: words[0], 0.5: "tie", 0: words[1]}
    rows = [f"{k},{a},{b},{shown[k % 2] if shown else (a, b)[k % 2]},{word[s]}" for k, (a, b, s) in enumerate(GAMES)]
    message = stopped(tmp_path, "\n".join([header, *rows]))
    assert f"{header.split(',')[3]!r} marks rows whose sides may be exchanged" in message


@pytest.mark.parametrize(
    "header",
    [
        "id,left_item,right_item,shown_first,choice",
        "id,model_a,model_b,order,winner",
        "id,model_a,model_b,first_seen,winner",
    ],
)
def test_verdicts_by_side_are_read_beside_an_order(tmp_path, header):
    words = {1: "left", 0.5: "tie", 0: "right"} if "left_" in header else {1: "model_a", 0.5: "tie", 0: "model_b"}
    rows = [f"{k},{a},{b},{'ab'[k % 2]},{words[s]}" for k, (a, b, s) in enumerate(GAMES)]
    assert read_text(tmp_path, "\n".join([header, *rows]))[0] == GAMES


@pytest.mark.parametrize(
    ("column", "cells"),
    [
        ("outcome (0=p1 wins, 1=draw, 2=p2 wins)", ("2", "1", "0")),
        ("result [1 = second won; 0 = first won; 2 = draw]", ("1", "2", "0")),
        ("preference (-2 = A much better, 2 = B much better)", ("1", "0", "-1")),
        ("choice: 1=B 2=A 3=no preference", ("1", "3", "2")),
        ("result (1 = win, 0 = draw, -1 = loss)", ("-1", "0", "1")),
        ("result (1 = win, 0 = loss)", ("0", "0.5", "1")),
        ("Result (W = second, L = first, D = draw)", ("W", "D", "L")),
    ],
)
def test_the_legend_of_a_header_gives_the_results(tmp_path, column, cells):
    of_score = dict(zip((0, 0.5, 1), cells, strict=True))
    rows = [f"{a},{b},{of_score[s]}" for a, b, s in GAMES]
    assert read_text(tmp_path, "\n".join([f'p1,p2,"{column}"', *rows]))[0] == GAMES


def test_a_legend_that_is_not_understood_stops_with_the_words(tmp_path):
    rows = [f"{a},{b},{int(2 * s)}" for a, b, s in GAMES]
    message = stopped(tmp_path, "\n".join(['p1,p2,"result (0 = foo, 1 = bar, 2 = baz)"', *rows]))
    assert re.search(r"--outcomes '?0=first\|second", message)


@pytest.mark.parametrize("column", ["Black's score", "Black points", "Points black", "black result"])
def test_the_hint_for_a_column_of_the_second_side_exchanges_its_results(tmp_path, column):
    text = "\n".join([f"White,Black,{column}", *(f"{a},{b},{1 - s:g}" for a, b, s in GAMES)])
    words = shlex.split(re.search(r"Say which is which: if 1 is a loss, (.*)\.\Z", stopped(tmp_path, text))[1])
    field, _, name = words[1].partition("=")
    assert read_text(tmp_path, text, columns={field: name}, outcomes=words[3])[0] == GAMES


@pytest.mark.parametrize("column", ["Away result", "Opponent's result"])
def test_letters_of_the_second_side_have_no_hint(tmp_path, column):
    own = column.startswith("Opp")
    header = f"{'Player,Opponent' if own else 'Home,Away'},{column}"
    text = "\n".join([header, *(f"{a},{b},{'WDL'[int(2 * s)]}" for a, b, s in GAMES)])
    assert f"score={column}" not in stopped(tmp_path, text)


@pytest.mark.parametrize(
    ("aside", "verdict"),
    [("toss", "outcome"), ("prediction", "final"), ("first_blood", "series"), ("favourite", "result")],
)
def test_a_winner_of_something_else_is_not_the_winner_of_the_game(tmp_path, aside, verdict):
    games = [game for game in GAMES if game[2] != 0.5]
    rows = [{"home": {"name": a}, "away": {"name": b}, aside: {"winner": (b, a)[k % 2]}, verdict: {"winner": (b, a)[s]}}
            for k, (a, b, s) in enumerate(games)]  # fmt: skip
    assert read_text(tmp_path, json.dumps(rows), "games.json")[0] == games


def test_a_winner_of_the_first_map_alone_is_no_result(tmp_path):
    rows = [{"team1": {"name": a}, "team2": {"name": b}, "maps": [{"winner": a}, {"winner": b}], "of_series": b}
            for a, b, _ in GAMES]  # fmt: skip
    (tmp_path / "games.json").write_text(json.dumps(rows))
    with pytest.raises(GameTableError):
        read(tmp_path / "games.json")


def test_of_several_columns_of_a_side_the_one_with_its_names_is_read(tmp_path):
    rows = [f"Ground {k % 3},{a},{b},{int(2 * s)}-1" for k, (a, b, s) in enumerate(GAMES)]
    rows, _ = read_text(tmp_path, "\n".join(["Local,Mandante,Visitante,Placar", *rows]))
    assert rows == GAMES
    sides = [f"{a},{b},{RESULTS[s]},{'HA'[k % 2]}" for k, (a, b, s) in enumerate(GAMES)]  # which side had White
    assert "'White' marks rows" in stopped(tmp_path, "\n".join(["Home player,Away player,Result,White", *sides]))


@pytest.mark.parametrize(
    ("header", "letters"),
    [
        ("Local,Visitante,Ganador", "LEV"),
        ("Local,Visitante,Resultado", "LEV"),
        ("Domicile,Extérieur,Vainqueur", "DNE"),
        ("Heim,Gast,Sieger", "HUG"),
        ("Thuis,Uit,Resultaat", "TGU"),
        ("Home,Visitor,Winner", "HTV"),
        ("Left,Right,Winner", "LDR"),
    ],
)
@pytest.mark.parametrize("draws", [True, False])
def test_initials_of_both_sides_name_the_winner(tmp_path, header, letters, draws):
    games = [game for game in GAMES if draws or game[2] != 0.5]
    rows = [f"{a},{b},{letters[2 - int(2 * s)]}" for a, b, s in games]
    assert read_text(tmp_path, "\n".join([header, *rows]))[0] == games


@pytest.mark.parametrize(("header", "letters"), [("Koti,Vieras,Tulos", "VTH"), ("Local,Visitante,Resultado", "VED")])
def test_letters_of_one_language_are_no_initials(tmp_path, header, letters):
    rows = [f"{a},{b},{letters[2 - int(2 * s)]}" for a, b, s in GAMES]
    assert read_text(tmp_path, "\n".join([header, *rows]))[0] == GAMES


@pytest.mark.parametrize(
    ("header", "rows", "seats"),
    [
        ("Match,Home score,Away score", ["Ann @ Bob,3,1", "Bob @ Cid,2,2", "Cid @ Ann,0,1"], "home"),
        ("Match,Result", ["Ann @ Bob,A", "Bob @ Cid,H", "Cid @ Ann,H", "Ann @ Cid,A"], "home"),
        ("Team,Opponent,Location,Score", ["Ann,Bob,Home,3-1", "Bob,Cid,Away,2-2", "Cid,Ann,Home,0-1"], "home"),
        ("Team,Opp,Score", ["Ann,@Bob,3-1", "Bob,vs Cid,2-2", "Cid,@Ann,0-1"], "home"),
        ("Player,Opponent,Location,Score", ["Ann,Bob,White,1", "Bob,Cid,Black,1", "Cid,Ann,White,0"], "white"),
        ("Player,Opponent,Location,Score", ["Ann,Bob,H,1", "Bob,Cid,A,1", "Cid,Ann,H,0"], "home player"),
        ("Player,Opponent,Location,Score", ["Ann,Bob,N,1", "Bob,Cid,N,1", "Cid,Ann,N,0"], "first"),
    ],
)
def test_seats_by_places_of_the_rows(tmp_path, header, rows, seats):
    path = tmp_path / "games.csv"
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    games = read(path)
    assert games.seats == seats
    assert len(games) == len(rows)
