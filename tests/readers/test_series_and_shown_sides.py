"""Files with numbered columns, four people in a row, sides in a shown order, winners of level scores, and remarks."""

import json

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read


def games_of(path, **options):
    """The games of a file as (first, second, score)."""
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def written(folder, header, *rows, name="games.csv"):
    """The path of a file of lines."""
    (folder / name).write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")
    return folder / name


def stopped(path, **options):
    """The line with which the reader stops."""
    with pytest.raises(GameTableError) as error:
        read(path, **options)
    return str(error.value)


@pytest.mark.parametrize("series", ["Zitting {}", "Sessie {}", "{}. session", "Segment_{}", "Spel {} (IMP)"])
def test_the_last_of_three_numbered_columns_is_not_the_result(tmp_path, series):
    header = ",".join(["Match", "Team thuis", "Team uit", *(series.format(k) for k in (1, 2, 3))])
    rows = ["A,Nord,Ost,34-21,18-25,20-19", "B,Ost,West,22-30,41-12,15-28", "C,West,Nord,30-30,25-24,18-20",
            "D,Ost,Nord,12-20,33-29,27-31", "E,Nord,West,40-22,11-35,26-20"]  # fmt: skip
    assert "score" in stopped(written(tmp_path, header, *rows))


@pytest.mark.parametrize("person", ["Jugador {}", "Joueur {}", "P{}", "Player_{}"])
def test_four_people_in_a_row_are_not_two_sides(tmp_path, person):
    header = ",".join([*(person.format(k) for k in (1, 2, 3, 4)), "Set 1", "Set 2", "Set 3"])
    rows = ["Ana,Bea,Carla,Dani,6-4,6-3,", "Eva,Fran,Gael,Hugo,4-6,7-5,3-6", "Carla,Dani,Eva,Fran,6-2,5-7,7-6",
            "Gael,Hugo,Ana,Bea,3-6,2-6,", "Ana,Bea,Eva,Fran,6-7,6-4,6-1", "Gael,Dani,Ana,Hugo,6-3,6-4,"]  # fmt: skip
    line = stopped(written(tmp_path, header, *rows))
    assert "a column for each side" in line
    third, fourth = (person.format(k) for k in (3, 4))
    assert f"--ignore '{third},{fourth}'" in line or f"--ignore {third},{fourth}" in line


SHOWN = [("x", "y", 1, "A"), ("y", "z", 2, "B"), ("z", "x", 1, "B"), ("x", "z", 2, "A"), ("y", "x", 1, "A"),
         ("z", "y", 2, "A")]  # fmt: skip


@pytest.mark.parametrize("key", ["shown_as_A", "displayed_first", "presented_left", "shown_first"])
def test_sides_in_the_order_in_which_they_are_shown(tmp_path, key):
    rows = [{"item": k, "model_1": a, "model_2": b, key: f"model_{first}", "verdict": verdict}
            for k, (a, b, first, verdict) in enumerate(SHOWN)]  # fmt: skip
    path = written(tmp_path, *map(json.dumps, rows), name="votes.jsonl")
    assert f"{key!r} marks rows whose sides may be exchanged" in stopped(path)


@pytest.mark.parametrize("key", ["shown_as_A", "shown_first"])
def test_winners_by_name_do_not_depend_on_the_shown_order(tmp_path, key):
    rows = [{"item": k, "model_1": a, "model_2": b, key: f"model_{first}", "winner": (a, b)[verdict == "B"]}
            for k, (a, b, first, verdict) in enumerate(SHOWN)]  # fmt: skip
    path = written(tmp_path, *map(json.dumps, rows), name="votes.jsonl")
    assert games_of(path) == [(a, b, float(verdict == "A")) for a, b, _, verdict in SHOWN]


@pytest.mark.parametrize(("winner", "first", "second"), [("Vinner", "Hvit", "Blå"), ("Winner", "White", "Blue"),
                                                         ("Vainqueur", "Blanc", "Bleu")])  # fmt: skip
def test_a_level_score_with_a_winner_is_no_draw(tmp_path, winner, first, second):
    rows = [f"Ann,Bob,10-0,{first}", f"Cid,Ann,0-1,{second}", f"Bob,Cid,1-1,{second}", f"Ann,Cid,1-0,{first}",
            f"Bob,Ann,0-0,{first}"]  # fmt: skip
    path = written(tmp_path, f"{first},{second},Score,{winner}", *rows)
    assert games_of(path) == [("Ann", "Bob", 1.0), ("Cid", "Ann", 0.0), ("Bob", "Cid", 0.0), ("Ann", "Cid", 1.0),
                              ("Bob", "Ann", 1.0)]  # fmt: skip
    assert any("have a winner in" in note for note in read(path).notes)


def test_a_level_score_without_a_winner_is_a_draw(tmp_path):
    rows = ["Ann,Bob,2-0,Ann", "Cid,Ann,0-1,Ann", "Bob,Cid,1-1,Draw", "Ann,Cid,1-0,Ann"]
    path = written(tmp_path, "Home,Away,Score,Winner", *rows)
    assert [score for *_, score in games_of(path)] == [1.0, 0.0, 0.5, 1.0]


@pytest.mark.parametrize("word", ["test", "exhibition", "demo"])
def test_states_that_are_not_understood_are_told(tmp_path, word):
    rows = [f"Ann,Bob,Ann,{word}", "Bob,Cid,Cid,official", "Cid,Ann,Ann,void", "Ann,Cid,Cid,official",
            "Bob,Ann,Ann,official"]  # fmt: skip
    notes = read(written(tmp_path, "Red,Blue,Winner,Status", *rows)).notes
    assert any("counted as played: 1 row" in note and repr(word) in note for note in notes)


@pytest.mark.parametrize("remark", ["REVERSED on appeal: Bob wins", "overturned by the jury", "Overruled (Bob)"])
def test_results_that_were_changed_later_are_told(tmp_path, remark):
    rows = [f"Ann,Bob,Ann,{remark}", "Bob,Cid,Cid,", "Cid,Ann,Ann,fast", "Ann,Cid,Cid,"]
    notes = read(written(tmp_path, "Red,Blue,Winner,Notes", *rows)).notes
    assert any("counted as played: 1 row" in note and remark[:8] in note for note in notes)


@pytest.mark.parametrize("order", ["reversed", "overturned"])
def test_such_words_in_another_column_are_no_states(tmp_path, order):
    rows = [f"Ann,Bob,Ann,{order}", "Bob,Cid,Cid,normal", f"Cid,Ann,Ann,{order}", "Ann,Cid,Cid,normal"]
    assert len(read(written(tmp_path, "Red,Blue,Winner,Order", *rows))) == len(rows)


@pytest.mark.parametrize("mark", ["", ".", ")"])
def test_numbers_of_rows_before_the_names_of_a_cross_table(tmp_path, mark):
    rows = [f"1{mark} Varga,**,10,1½", f"2{mark} Dunne,01,**,½½", f"3{mark} Osei,0½,½½,**"]
    games = games_of(written(tmp_path, "Name,1,2,3", *rows))
    of_varga = [("Varga", "Dunne", 1.0), ("Varga", "Dunne", 0.0), ("Varga", "Osei", 1.0), ("Varga", "Osei", 0.5)]
    assert sorted(games) == sorted([*of_varga, ("Dunne", "Osei", 0.5), ("Dunne", "Osei", 0.5)])


@pytest.mark.parametrize(("won", "lost", "drawn"), [("红胜", "黑胜", "和棋"), ("紅勝", "黑勝", "和局")])
def test_results_of_xiangqi_in_chinese(tmp_path, won, lost, drawn):
    rows = [f"甲,乙,{won}", f"乙,丙,{lost}", f"丙,甲,{drawn}", f"甲,丙,{lost}"]
    path = written(tmp_path, "红方,黑方,结果", *rows)
    assert games_of(path) == [("甲", "乙", 1.0), ("乙", "丙", 0.0), ("丙", "甲", 0.5), ("甲", "丙", 0.0)]
