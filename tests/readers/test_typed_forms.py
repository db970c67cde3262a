"""Small files typed by an author who had not read the readers: those that were misread, and variants of their kinds."""

import re
import shlex

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

TABLE_TENNIS = [("Barr", "Koh", 0), ("Zych", "Barr", 1), ("Koh", "Zych", 0), ("Barr", "Omar", 1), ("Omar", "Koh", 1)]


def games_of(folder, text, **options):
    """The games of a text as (first, second, score)."""
    path = folder / "games.csv"
    path.write_text(text, encoding="utf-8")
    games = read(path, **options)
    return list(zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True))


def stopped(folder, text):
    """The message that stops a text."""
    with pytest.raises(GameTableError) as error:
        games_of(folder, text)
    return str(error.value)


def options_in(hint):
    """The options of a hint, as `read` takes them."""
    words = shlex.split(hint)
    typed = dict(zip(words[::2], words[1::2], strict=True))
    columns = dict(pair.split("=") for pair in typed["--columns"].split(","))
    return {"columns": columns} | ({"outcomes": typed["--outcomes"]} if "--outcomes" in typed else {})


@pytest.mark.parametrize("against", [1, 2, 3])
@pytest.mark.parametrize("verdict", ["letters", "names"])
def test_scores_written_winner_first_yield_to_a_verdict_in_a_small_file(tmp_path, against, verdict):
    losses = [game for game in TABLE_TENNIS if not game[2]] + [("Omar", "Zych", 0)]
    games = [game for game in TABLE_TENNIS if game[2]] + losses[:against]
    lines = ["player,opponent,result,score", *(f"{a},{b},{'LW'[won]},3-{k % 3}" for k, (a, b, won) in enumerate(games))]
    if verdict == "names":
        lines = ["player1,player2,winner,score", *(f"{a},{b},{(b, a)[won]},3-1" for a, b, won in games)]
    assert games_of(tmp_path, "\n".join(lines)) == [(a, b, float(won)) for a, b, won in games]


def test_contradictions_of_a_small_file_with_scores_of_both_views_stop(tmp_path):
    games = [*TABLE_TENNIS, ("Zych", "Omar", 0)]
    scores = ("1-3", "1-3", "3-0", "3-0", "1-3", "3-2")
    lines = [f"{a},{b},{'LW'[won]},{score}" for (a, b, won), score in zip(games, scores, strict=True)]
    message = stopped(tmp_path, "\n".join(["player,opponent,result,score", *lines]))
    assert "4 of 6 results in 'score' contradict 'result'" in message
    assert "--trust" in message


def test_one_slip_of_many_games_is_passed_over(tmp_path):
    names = ("Ann", "Bob", "Cem", "Dov", "Eva")
    pairs = [(a, b) if k % 2 else (b, a) for k, a in enumerate(names) for b in names[k + 1 :]]
    lines = [f"{a},{b},{'W' if a < b else 'L'},{'3-1' if a < b else '1-3'}" for a, b in pairs]
    lines[0] = lines[0].replace("1-3", "3-1")
    rows = games_of(tmp_path, "\n".join(["player,opponent,result,score", *lines]))
    assert rows == [(a, b, float(a < b or k == 0)) for k, (a, b) in enumerate(pairs)]


@pytest.mark.parametrize(("choice", "flag"), [(("left", "right"), "swapped"), (("A", "B"), "sides_flipped")])
def test_a_place_chosen_beside_a_flag_of_exchanged_sides_stops(tmp_path, choice, flag):
    header = f"image_a,image_b,{flag},choice\n"
    message = stopped(tmp_path, f"{header}x,y,1,{choice[0]}\ny,z,0,{choice[1]}\nx,z,1,{choice[0]}\n")
    assert f"'{flag}' marks rows whose sides may be exchanged" in message
    rows = games_of(tmp_path, f"{header}y,x,1,{choice[0]}\ny,z,0,{choice[1]}\nz,x,1,{choice[0]}\n", trust=True)
    assert rows == [("y", "x", 1.0), ("y", "z", 0.0), ("z", "x", 1.0)]


@pytest.mark.parametrize("rows", ["x,y,1,x\ny,z,0,z\nx,z,1,x\n", "x,y,0,left\ny,z,0,right\nx,z,0,left\n"])
def test_names_chosen_and_sides_never_exchanged_are_read(tmp_path, rows):
    assert games_of(tmp_path, f"image_a,image_b,swapped,choice\n{rows}") == [
        ("x", "y", 1),
        ("y", "z", 0),
        ("x", "z", 1),
    ]


@pytest.mark.parametrize("flag", ["Förlust", "lost", "Derrota", "hävis"])
def test_a_flag_of_the_loser_is_read_by_the_second_hint(tmp_path, flag):
    games = [("Ann", "Bob", 1), ("Bob", "Cem", 0), ("Cem", "Ann", 0), ("Dov", "Bob", 1), ("Ann", "Dov", 1)]
    text = f"player;opponent;{flag}\n" + "".join(f"{a};{b};{1 - won}\n" for a, b, won in games)
    hint = re.search(r"if 1 is a loss, (.*)\.\Z", stopped(tmp_path, text))[1]
    assert games_of(tmp_path, text, **options_in(hint)) == [(a, b, float(won)) for a, b, won in games]


GO = [("Kask", "Tamm", 1), ("Tamm", "Saar", 0), ("Saar", "Kask", 0), ("Tamm", "Kask", 1), ("Saar", "Tamm", 1)]


def go_lines(headers, words):
    """Lines of games of go, Black first, with a word of White's and one of Black's win."""
    return "".join(f"{line}\n" for line in [",".join(headers), *(f"{a},{b},{words[won]}" for a, b, won in GO)])


@pytest.mark.parametrize("words", [("W+R", "B+3.5"), ("white", "black")])
def test_results_by_colour_under_unknown_names_have_a_hint_for_each_order(tmp_path, words):
    text = go_lines(("Must", "Valge", "winner" if words[0] == "white" else "Tulemus"), words)
    hints = re.search(r"Say which is which: (.*); or (.*)\.\Z", stopped(tmp_path, text)).groups()
    readings = [games_of(tmp_path, text, **options_in(hint)) for hint in hints]
    assert readings[1] == [(b, a, 1.0 - won) for a, b, won in GO]  # White first
    assert readings[0] != readings[1]


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        (("黒番", "白番", "結果"), ("白中押し勝ち", "黒3目半勝ち")),
        (("黑方", "白方", "结果"), ("白中盘胜", "黑中盘胜")),
        (("흑", "백", "결과"), ("W+R", "B+R")),
    ],
)
def test_colours_of_go_name_the_seats(tmp_path, headers, words):
    assert games_of(tmp_path, go_lines(headers, words).replace("结果", "結果")) == [
        (b, a, 1.0 - won) for a, b, won in GO
    ]


@pytest.mark.parametrize(
    ("headers", "remarks"),
    [
        ("Date,Home,Away,HG,AG,Notes", ("postponed to 12 May", "game called off", "Dov did not show up")),
        ("Datum,Heim,Gast,Tore Heim,Tore Gast,Bemerkung", ("Gast nicht angetreten", "verlegt auf Mai", "abgesagt")),
        ("Dato,Hjemme,Ude,Mål hjemme,Mål ude,Bemærkning", ("aflyst", "udeblivelse, mødte ikke op", "udsat")),
    ],
)
@pytest.mark.parametrize("one_cell", [False, True])
def test_level_at_nil_beside_a_remark_on_no_game_is_no_draw(tmp_path, headers, remarks, one_cell):
    games = [
        ("Ann", "Bob", "2,1", ""),
        ("Cem", "Dov", "0,0", remarks[0]),
        ("Bob", "Cem", "0,0", "rain"),
        ("Dov", "Ann", "0,0", remarks[1]),
        ("Ann", "Cem", "1,1", ""),
        ("Bob", "Dov", "0,0", remarks[2]),
    ]
    lines = [f'2024-03-{k + 13},{a},{b},{goals},"{remark}"' for k, (a, b, goals, remark) in enumerate(games)]
    if one_cell:
        names = headers.split(",")
        headers = ",".join([*names[:3], "Score", names[-1]])
        lines = [re.sub(r"(\d),(\d),", r"\1-\2,", line) for line in lines]
    rows = games_of(tmp_path, "\n".join([headers, *lines]))
    assert rows == [("Ann", "Bob", 1.0), ("Bob", "Cem", 0.5), ("Ann", "Cem", 0.5)]


def test_home_and_away_in_italian_decide_the_seats(tmp_path):
    text = "Squadra;C/F;Avversario;GF;GS\nB;F;A;2;4\nA;C;B;4;2\nC;F;A;1;1\nA;C;C;1;1\nB;C;C;0;3\nC;F;B;3;0\n"
    assert sorted(games_of(tmp_path, text)) == [("A", "B", 1.0), ("A", "C", 0.5), ("B", "C", 0.0)]


SWIMS = [("Bly", "Roe", 58.31, 59.02), ("Lunt", "Ives", 61.2, 60.75), ("Roe", "Lunt", 58.9, 61.44)]
SWIMS += [("Ives", "Bly", 60.1, 57.98)]


def times_of_swims(stem):
    """Lines of races of two, with the times of both in columns of a stem."""
    lines = [f"Swimmer 1,Swimmer 2,{stem} 1,{stem} 2", *(",".join(map(str, race)) for race in SWIMS)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("stem", ["Time", "Total time", "Final time", "Errors"])
def test_two_columns_of_numbers_that_are_no_points_have_a_hint_for_each_direction(tmp_path, stem):
    message = stopped(tmp_path, times_of_swims(stem))
    more, less = re.search(r"better: more, (.*); or less, (.*)\.\Z", message).groups()
    assert games_of(tmp_path, times_of_swims(stem), **options_in(less)) == [
        (a, b, float(s < t)) for a, b, s, t in SWIMS
    ]
    assert games_of(tmp_path, times_of_swims(stem), **options_in(more)) == [
        (a, b, float(s > t)) for a, b, s, t in SWIMS
    ]


@pytest.mark.parametrize("stem", ["Full time", "Final", "Total", "Points"])
def test_two_columns_of_the_whole_game_are_points(tmp_path, stem):
    assert games_of(tmp_path, times_of_swims(stem)) == [(a, b, float(s > t)) for a, b, s, t in SWIMS]


def test_a_hint_for_points_names_the_direction(tmp_path):
    text = "Rider 1,Rider 2,Faults 1,Faults 2,Time 1,Time 2\n"
    text += "Bell,Dale,0,4,48.2,45.1\nFarr,Bell,8,4,50.0,52.4\nDale,Farr,12,0,46.0,51.3\n"
    assert "score, or for white_goals and black_goals (more is better)" in stopped(tmp_path, text)


REMARKS = {
    "Notes": ("protest upheld", "expunged", "awarded 3-0 by the committee", "struck from record"),
    "Bemerkung": ("annulliert", "Spielabbruch", "Wertung", "am grünen Tisch", "Wertung 0:2 (Sportgericht)"),
    "Bem.": ("Protest stattgegeben 0:3 gewertet", "annulliert"),
    "Pozn.": ("nedohráno",),
    "Poznámka": ("nedohráno", "anulováno", "kontumačně", "kontumačně 0:3 (neoprávněný start)", "odložené"),
    "Remarque": ("arrêté", "match interrompu", "tapis vert"),
    "Observaciones": ("anulado", "alineación indebida", "interrumpido"),
    "Note": ("interrotta", "a tavolino"),
    "Uwagi": ("przerwany", "unieważniony", "weryfikacja"),
    "Opmerking": ("gestaakt", "ongeldig", "reglementair"),
    "Anmärkning": ("avbruten", "annullerad"),
    "Merknad": ("avbrutt", "annullert", "utsatt"),
    "Bemærkning": ("afbrudt", "annulleret"),
    "Huomautus": ("keskeytetty", "mitätöity"),
    "Olek": ("katkestatud", "tühistatud", "edasi lükatud", "loobumisvõit"),
    "Megjegyzés": ("félbeszakadt", "megsemmisítve"),
    "Napomena": ("prekinuto", "poništeno", "odgođeno", "bez borbe"),
    "Açıklama": ("yarıda kaldı", "tatil edildi"),
    "Примечание": ("прерван", "аннулирован", "техническое поражение"),
    "Observații": ("întrerupt", "anulat", "la masa verde", "amânat"),
    "Παρατηρήσεις": ("διεκόπη", "ακυρώθηκε"),
    "備考": ("無効", "没収試合", "ノーゲーム"),
    "备注": ("取消", "推迟", "弃权", "中断"),
}


@pytest.mark.parametrize(("column", "remark"), [(name, word) for name, words in REMARKS.items() for word in words])
def test_a_game_that_a_remark_annuls_is_set_apart_or_named(tmp_path, column, remark):
    path = tmp_path / "games.csv"
    games = [("A", "B", "2-1", "rain"), ("C", "D", "0-1", ""), ("B", "C", "1-0", remark), ("D", "A", "2-2", "")]
    path.write_text("\n".join([f"Home,Away,Score,{column}", *map(",".join, games)]), encoding="utf-8")
    table = read(path)
    left = [*zip(table.white_names.tolist(), table.black_names.tolist(), table.score.tolist(), strict=True)]
    assert ("B", "C", 1.0) not in left or any("counted as played" in note and remark in note for note in table.notes)
    assert [game for game in left if game[0] != "B"] == [("A", "B", 1.0), ("C", "D", 0.0), ("D", "A", 0.5)]


def test_an_award_to_a_player_annuls_no_game(tmp_path):
    text = "Home,Away,HG,AG,Notes\nA,B,0,0,player of the match award: Kim\nB,C,1,0,\nC,A,0,2,\n"
    assert games_of(tmp_path, text) == [("A", "B", 0.5), ("B", "C", 1.0), ("C", "A", 0.0)]


def test_a_column_of_states_alone_sets_annulled_games_apart(tmp_path):
    states = ("lõppenud", "tühistatud", "kordusmäng", "lõppenud", "katkestatud", "lõppenud")
    games = ["A,B,2:0", "C,D,1:1", "C,D,0:2", "B,C,3:1", "D,A,1:0", "A,C,2:2"]
    text = "Home,Away,Score,Seis\n" + "\n".join(map(",".join, zip(games, states, strict=True)))
    assert games_of(tmp_path, text) == [("A", "B", 1.0), ("C", "D", 0.0), ("B", "C", 1.0), ("A", "C", 0.5)]


def test_a_cross_table_under_russian_names_is_read(tmp_path):
    text = "№,Участник,1,2,3,Очки,Место\n1,Ivanov,x,1,½,1½,1\n2,Smirnov,0,x,1,1,2\n3,Orlov,½,0,x,½,3\n"
    assert games_of(tmp_path, text) == [("Ivanov", "Smirnov", 1), ("Ivanov", "Orlov", 0.5), ("Smirnov", "Orlov", 1)]


@pytest.mark.parametrize("place", ["Plac.", "Miejsce", "Posto", "Место", "順位"])
def test_places_of_races_are_named_as_such(tmp_path, place):
    assert "halfpoint races list" in stopped(tmp_path, f"Race,{place},Who,Km\nx,1,Ann,5\nx,2,Bob,5\ny,1,Bob,5\n")


SETS = [
    ("Ana", "Kim", "21-2", "19-21", "19-21"),
    ("Jo", "Pat", "21-10", "21-12", ""),
    ("Kim", "Jo", "15-21", "21-3", "18-21"),
]


def with_points(stem, rows=SETS):
    """Lines of games with the points of each part and their sums."""
    lines = [f"Player 1,Player 2,{stem}1,{stem}2,{stem}3,Points 1,Points 2"]
    for *names, first, second, third in rows:
        parts = [part.split("-") for part in (first, second, third) if part]
        lines.append(",".join([*names, first, second, third, *(str(sum(int(p[k]) for p in parts)) for k in (0, 1))]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("stem", ["Game ", "Map ", "Satz "])
def test_sums_of_points_that_sets_contradict_are_no_results(tmp_path, stem):
    message = stopped(tmp_path, with_points(stem))
    assert "2 winners by points won fewer of" in message
    assert "call the columns Set 1, Set 2" in message
    renamed = with_points("Set ")
    assert [score for *_, score in games_of(tmp_path, renamed)] == [0.0, 1.0, 0.0]  # by sets


@pytest.mark.parametrize(
    ("stem", "rows"),
    [
        ("Game ", [("Ana", "Kim", "21-2", "19-21", "21-19"), ("Jo", "Pat", "21-10", "21-12", "")]),  # they agree
        ("Leg ", [("Ana", "Kim", "3-0", "0-1", ""), ("Jo", "Pat", "0-2", "1-1", "")]),  # of two legs the sum decides
        ("Q", SETS),  # quarters of one game
    ],
)
def test_sums_of_points_are_results_where_no_set_says_otherwise(tmp_path, stem, rows):
    scores = [score for *_, score in games_of(tmp_path, with_points(stem, rows))]
    points = [line.split(",")[-2:] for line in with_points(stem, rows).splitlines()[1:]]
    assert scores == [float(int(first) > int(second)) for first, second in points]


@pytest.mark.parametrize("score", ["\u0663-\u0662", f"{'9' * 400}-{'9' * 400}", "won", ""])
def test_cells_of_sets_that_are_no_points_say_nothing(tmp_path, score):
    lines = with_points("Game ").splitlines()
    odd = "\n".join([lines[0], f"Ana,Kim,{score},{score},,59,44", "Jo,Pat,21-10,21-12,,42,22"])
    assert [result for *_, result in games_of(tmp_path, odd)] == [1.0, 1.0]
