"""Forms by an author who had not read the readers, and variants of those that were misread or stopped."""

import pytest
from strangers.fresh_forms import FORMS, RACES
from strangers.tally import tally

from halfpoint.apps.fields.races.read import read_races
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

STOPPED = {"numbers-only": "white,black,result", "strokes-fewer-win": "white_goals=Strokes 2,black_goals=Strokes 1"}
NAMES = ("Ann", "Bob", "Cem", "Dov", "Eva")
PAIRS = [(a, b) for a in NAMES for b in NAMES if a < b]


def written(folder, name, forms=FORMS):
    ending, content, truth = forms[name]
    path = folder / f"{name}.{ending}"
    path.write_bytes(content)
    return path, truth


def games_of(folder, text, ending="csv", **options):
    """The games of a text as (first, second, score)."""
    path = folder / f"games.{ending}"
    path.write_text(text, encoding="utf-8")
    games = read(path, **options)
    rows = zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)
    return list(rows), games.notes


@pytest.mark.parametrize("name", [name for name in FORMS if name not in STOPPED])
def test_a_fresh_form_is_read_rightly(tmp_path, name):
    path, truth = written(tmp_path, name)
    games = read(path)
    assert tally(games) == truth, games.notes


@pytest.mark.parametrize("name", RACES)
def test_a_fresh_form_of_races_is_read_rightly(tmp_path, name):
    path, truth = written(tmp_path, name, RACES)
    assert tally(read_races(path)) == truth


def test_the_line_for_two_numbers_of_unknown_direction_gives_the_truth_when_copied(tmp_path):
    path, truth = written(tmp_path, "strokes-fewer-win")
    with pytest.raises(GameTableError) as stopped:
        read(path)
    assert STOPPED["strokes-fewer-win"] in str(stopped.value)
    columns = dict(pair.split("=") for pair in STOPPED["strokes-fewer-win"].split(","))
    assert tally(read(path, columns=columns)) == truth


@pytest.mark.parametrize("mark", [" ", ","])
def test_the_line_for_numbers_without_a_header_gives_the_truth_when_followed(tmp_path, mark):
    _, content, truth = FORMS["numbers-only"]
    path = tmp_path / "games.txt"
    text = content.decode().replace(" ", mark)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(GameTableError, match=STOPPED["numbers-only"]):
        read(path)
    path.write_text(f"{STOPPED['numbers-only'].replace(',', mark)}\n{text}", encoding="utf-8")
    assert tally(read(path)) == truth


@pytest.mark.parametrize(
    ("words", "headers"),
    [
        (("Victoria local", "Victoria visitante"), "Local,Visitante"),
        (("Sieg Heim", "Sieg Gast"), "Heim,Gast"),
        (("победа хозяева", "победа гости"), "Хозяева,Гости"),
        (("Heimsieg", "Auswärtssieg"), "Heim,Gast"),
        (("Thuiswinst", "Uitwinst"), "Thuis,Uit"),
    ],
)
def test_wins_by_the_name_of_a_side(tmp_path, words, headers):
    text = f"{headers},Resultado\n" + "".join(f"{a},{b},{words[k % 2]}\n" for k, (a, b) in enumerate(PAIRS))
    rows, _ = games_of(tmp_path, text)
    assert rows == [(a, b, 1.0 - k % 2) for k, (a, b) in enumerate(PAIRS)]


def test_a_header_behind_the_mark_of_comments_is_a_header(tmp_path):
    rows, _ = games_of(tmp_path, "# white,black,result\nAnn,Bob,1\nBob,Cem,0\nAnn,Cem,0.5\nCem,Bob,1\n")
    assert rows == [("Ann", "Bob", 1.0), ("Bob", "Cem", 0.0), ("Ann", "Cem", 0.5), ("Cem", "Bob", 1.0)]


def test_names_that_begin_as_comments_are_names(tmp_path):
    text = "white,black,result\n" + "".join(f"# {a},# {b},1\n" for a, b in PAIRS)
    rows, _ = games_of(tmp_path, text)
    assert rows[0] == ("# Ann", "# Bob", 1.0)
    assert len(rows) == 10


def test_a_team_called_total_plays_and_rows_of_sums_do_not(tmp_path):
    text = "home,away,hg,ag\nTotal Eclipse,Ann,2,1\nAnn,Total Eclipse,0,0\nBob,Ann,1,3\nTotal,,3,4\n,Mean,1,1.3\n"
    rows, notes = games_of(tmp_path, text)
    assert [row[:2] for row in rows] == [("Total Eclipse", "Ann"), ("Ann", "Total Eclipse"), ("Bob", "Ann")]
    assert any("a total (line 5, 6)" in note for note in notes)


def test_a_winner_who_contradicts_a_score_of_either_side_stops(tmp_path):
    text = "date,challenger,defender,winner,score\n" + "".join(
        f"2024-01-{k + 1:02},{a},{b},{b if k % 3 else a},{'3-1' if k % 2 else '1-3'}\n"
        for k, (a, b) in enumerate(PAIRS)
    )
    with pytest.raises(GameTableError, match="5 of 10 results in 'score' contradict 'winner'") as stopped:
        games_of(tmp_path, text)
    assert "--ignore score or --trust" in str(stopped.value)
    rows, _ = games_of(tmp_path, text, ignore=["score"])
    assert rows == [(a, b, float(k % 3 == 0)) for k, (a, b) in enumerate(PAIRS)]


@pytest.mark.parametrize("cell", ["1,204", "1.204", "1 204", "1'204", "1204"])
def test_counts_with_marks_of_thousands(tmp_path, cell):
    rows, _ = games_of(tmp_path, f'white,black,result,count\nAnn,Bob,1,"{cell}"\nBob,Ann,1,2\n')
    assert rows.count(("Ann", "Bob", 1.0)) == 1204


def test_two_rows_a_game_with_results_and_no_seats(tmp_path):
    lines = [f"{k},{a},W\n{k},{b},L\n" if k % 3 else f"{k},{a},D\n{k},{b},D\n" for k, (a, b) in enumerate(PAIRS)]
    rows, notes = games_of(tmp_path, "game_id,player,result\n" + "".join(lines))
    assert rows == [(a, b, 1.0 if k % 3 else 0.5) for k, (a, b) in enumerate(PAIRS)]
    assert "two rows a game, by column 'game_id': 20 rows are 10 games" in notes
    with pytest.raises(GameTableError, match=r"line 22, column game_id: expected two rows for each game"):
        games_of(tmp_path, "game_id,player,result\n" + "".join(lines) + "99,Ann,W\n")


@pytest.mark.parametrize("points", [(25, 18, 15, 12, 1), (10, 8, 6, 4, 2)])
def test_points_by_race_are_no_places(tmp_path, points):
    path = tmp_path / "races.csv"
    orders = [NAMES[k:] + NAMES[:k] for k in (0, 1, 0, 2)]
    rows = [f"{p}," + ",".join(str(points[order.index(p)]) for order in orders) for p in NAMES]
    path.write_text("Driver,Race 1,Race 2,Race 3,Race 4\n" + "\n".join(rows) + "\n", encoding="utf-8")
    events = read_races(path)
    assert [str(events.competitors[events.who[start]]) for start in events.start[:-1]] == [o[0] for o in orders]


def test_seeds_of_a_draw_stand_before_behind_and_beside_no_name(tmp_path):
    spelt = {"Ann": ("[1] Ann", "Ann (1)", "Ann"), "Bob": ("(2) Bob", "Bob", "Bob [2]")}
    text = "round,player1,player2,winner\n"
    for k, (a, b) in enumerate(PAIRS):
        first, second = (spelt.get(name, (name,) * 3)[k % 3] for name in (a, b))
        text += f"{k},{first},{second},{first}\n"
    rows, _ = games_of(tmp_path, text)
    assert {name for row in rows for name in row[:2]} == {*NAMES}


@pytest.mark.parametrize("marks", [("@", ""), ("@", "vs "), ("at ", "vs. ")])
def test_marks_before_opponents_are_places_and_each_game_is_counted_once(tmp_path, marks):
    lines = [f"2024-03-{k + 1:02},{a},{marks[1]}{b},W 3-{k % 3}\n2024-03-{k + 1:02},{b},{marks[0]}{a},L 3-{k % 3}\n"
             for k, (a, b) in enumerate(PAIRS)]  # fmt: skip
    rows, notes = games_of(tmp_path, "Date,Team,Opp,Result\n" + "".join(lines))
    assert rows == [(a, b, 1.0) for a, b in PAIRS]
    assert any("10 of 20 rows are away games" in note for note in notes)


def test_scores_that_a_spreadsheet_turned_into_dates_stop_with_their_cause(tmp_path):
    text = "home,away,score\n" + "".join(f"{a},{b},{k % 3 + 1}-Feb\n" for k, (a, b) in enumerate(PAIRS))
    with pytest.raises(GameTableError, match="spreadsheet has turned scores into dates"):
        games_of(tmp_path, text)
