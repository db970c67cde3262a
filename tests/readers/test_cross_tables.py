"""Cross-tables of spreadsheets as games: squares of points and goals, and opponents by rounds."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

SQUARE = """Autumn Cup;;;;;;
No.;Name;Elo;1;2;3;Pts
1;Ann;1900;X;1;½;1,5
2;Bob;1800;0;*;1;1,0
3;Cid;1700;½;0;;0,5
"""
BY_NAME = """,Ann,Bob,Cid
Ann,,1.0,0.5
Bob,0.0,,10
Cid,0.5,01,
"""
GOALS = """Home \\ Away,ANN,BOB,CID
Ann Town,—,2–1,0–0
Bob City,1–3,—,4–0
Cid United,2–2,,—
"""
RANKED = """Final table;;;;;
Rk.;SNo;Name;Rtg;1.Rd;2.Rd;Pts
1;2;Bob;1800;4s1;2w½;1,5
2;1;Ann;1900;3w1;1s½;1,5
3;4;Dan;1600;2s0;4w+;1
4;3;Cid;1700;1w0;3s-;0
"""
SIGNS = """Name,R1,R2,R3,Points
Ann,+3,=2,+4,2.5
Bob,+4,=1,bye,2.5
Cid,-1,+4,,1
Dan,-2,-3,-1,0
"""


def games_of(tmp_path, text, name="table.csv"):
    (tmp_path / name).write_text(text, encoding="utf-8")
    table = read(tmp_path / name)
    return table, sorted(zip(table.white_names.tolist(), table.black_names.tolist(), table.score.tolist(), strict=True))


def test_a_square_of_points_tells_every_game_once_and_no_seat(tmp_path):
    table, games = games_of(tmp_path, SQUARE)
    assert games == [("Ann", "Bob", 1.0), ("Ann", "Cid", 0.5), ("Bob", "Cid", 1.0)]
    assert table.white_rating_elo.tolist() == [1900, 1900, 1800]
    assert table.all_neutral
    assert table.line.tolist() == [3, 3, 4]
    assert any("a cross-table: 3 games of 3 players; the colours are unknown" in note for note in table.notes)


def test_a_square_by_names_may_hold_several_games_a_cell(tmp_path):
    _, games = games_of(tmp_path, BY_NAME)
    assert games == [("Ann", "Bob", 1.0), ("Ann", "Cid", 0.5), ("Bob", "Cid", 0.0), ("Bob", "Cid", 1.0)]


def test_a_square_of_goals_is_of_games_at_home(tmp_path):
    table, games = games_of(tmp_path, GOALS.replace("Home \\ Away", "Name"))
    assert len(games) == 5
    assert ("Bob City", "Ann Town", 0.0) in games
    assert ("Ann Town", "Bob City", 1.0) in games
    assert table.seats == "home"
    assert not table.all_neutral


@pytest.mark.parametrize("mark", ["-", ":", " - "])
def test_a_square_of_goals_with_mirrors_has_each_game_once(tmp_path, mark):
    text = "Name,Ann,Bob,Cid,Won\nAnn,,4-1,2-2,1\nBob,1-4,,3-0,1\nCid,2-2,0-3,,0\n".replace("-", mark)
    table, games = games_of(tmp_path, text)
    assert games == [("Ann", "Bob", 1.0), ("Ann", "Cid", 0.5), ("Bob", "Cid", 1.0)]
    assert table.all_neutral
    _, other_games = games_of(tmp_path, text.replace(f"0{mark}3", f"1{mark}3"))  # a season of two games a pair
    assert len(other_games) == 6


def test_opponents_are_known_by_the_number_that_makes_both_agree(tmp_path):
    table, games = games_of(tmp_path, RANKED)
    assert games == [
        ("Ann", "Dan", 1.0), ("Bob", "Ann", 0.5), ("Cid", "Bob", 0.0),
    ]  # fmt: skip
    assert not table.all_neutral  # seats are told
    assert any("forfeit" in note for note in table.notes)
    assert sorted(table.time.tolist()) == [1, 1, 2]


def test_signs_before_numbers_are_results_and_byes_are_passed(tmp_path):
    _, games = games_of(tmp_path, SIGNS)
    assert games == [
        ("Ann", "Bob", 0.5), ("Ann", "Cid", 1.0), ("Ann", "Dan", 1.0), ("Bob", "Dan", 1.0), ("Cid", "Dan", 1.0)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "line"),
    [(SQUARE.replace("2;Bob;1800;0", "2;Bob;1800;1"), "line 3"), (SIGNS.replace("-1,+4", "+1,+4"), "line 2")],
)
def test_rows_that_contradict_one_another_are_refused(tmp_path, text, line):
    with pytest.raises(GameTableError, match=f"{line}: expected the same result in both rows"):
        games_of(tmp_path, text)


def test_an_array_within_an_object_of_json_is_the_table(tmp_path):
    rows = '[{"white": "Ann", "black": "Bob", "result": "1-0"}, {"white": "Bob", "black": "Ann", "result": "0-1"}]'
    nested = f'{{"version": 2, "meta": {{"by": ["x"]}}, "data": {{"tags": [{{"id": 1}}], "games":\n {rows}}}}}'
    for text in (nested, nested.replace("\n", "")):
        _, games = games_of(tmp_path, text, "games.json")
        assert games == [("Ann", "Bob", 1.0), ("Bob", "Ann", 0.0)]
