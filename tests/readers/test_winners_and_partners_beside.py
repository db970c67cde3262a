"""Winners, partners and points beside the columns that a reading uses first; the truth is typed by hand."""

import json
import shlex

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

# white, black, White's score
GAMES = [
    ("Ann", "Bob", 1.0), ("Cyd", "Dov", 0.0), ("Bob", "Cyd", 0.5), ("Dov", "Ann", 0.0), ("Ann", "Cyd", 1.0),
    ("Bob", "Dov", 1.0), ("Cyd", "Bob", 0.0), ("Dov", "Bob", 1.0), ("Cyd", "Ann", 0.5), ("Dov", "Cyd", 1.0),
    ("Ann", "Dov", 1.0), ("Bob", "Ann", 0.0),
]  # fmt: skip


def read_text(tmp_path, text, name="games.csv", **options):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    table = read(path, **options)
    rows = zip(table.white_names.tolist(), table.black_names.tolist(), table.score.tolist(), strict=True)
    return [(str(white), str(black), score) for white, black, score in rows], table.notes


def stopped(tmp_path, text, name="games.csv", **options):
    with pytest.raises(GameTableError) as raised:
        read_text(tmp_path, text, name, **options)
    return str(raised.value)


def goals(score):
    return {1.0: (3, 1), 0.5: (2, 2), 0.0: (0, 1)}[score]


def csv_of(header, cells, games=GAMES):
    return "\n".join([header, *(",".join(map(str, cells(*game))) for game in games)])


@pytest.mark.parametrize("column", ["through", "avanza", "Next round"])
def test_level_goals_beside_the_side_that_went_through(tmp_path, column):
    won = [(a, b, 1.0 if score == 0.5 else score) for a, b, score in GAMES]
    text = csv_of(f"home,away,hg,ag,{column}", lambda a, b, s: (a, b, *goals(s), a if s > 0 else b))
    games, notes = read_text(tmp_path, text)
    assert games == GAMES  # as football's federations count penalties
    assert any(f"winner {column!r} names: 2, draws (--columns" in note for note in notes)
    assert read_text(tmp_path, text, columns={"winner": column})[0] == won


def test_a_side_named_beside_other_winners_decides_nothing(tmp_path):
    text = csv_of("home,away,hg,ag,served first", lambda a, b, s: (a, b, *goals(s), a))
    assert read_text(tmp_path, text)[0] == GAMES


def test_no_score_in_a_record_of_go_is_a_draw(tmp_path):
    cells = {1.0: "W+R", 0.5: "0", 0.0: "B+3.5"}
    assert read_text(tmp_path, csv_of("white,black,result", lambda a, b, s: (a, b, cells[s])))[0] == GAMES


@pytest.mark.parametrize("word", ["FFT", "walkover", "no-show"])
def test_a_forfeit_among_the_votes_of_a_panel(tmp_path, word):
    text = csv_of("Aff,Neg,Ballots,Win", lambda a, b, s: (a, b, "2-1", "Aff" if s else "Neg"))
    games, notes = read_text(tmp_path, f"{text}\nAnn,Bob,{word},Aff\nCyd,Bob,3-0,Aff")
    assert len(games) == len(GAMES) + 1
    assert any("set apart: 1 game, forfeit" in note for note in notes)


PAIRS = [
    ("Ann", "Bob", "Cyd", "Dov", 1.0), ("Ann", "Cyd", "Eva", "Bob", 0.0), ("Dov", "Eva", "Bob", "Ann", 0.0),
    ("Bob", "Dov", "Eva", "Cyd", 1.0), ("Eva", "Ann", "Dov", "Bob", 1.0), ("Cyd", "Bob", "Ann", "Eva", 0.0),
]  # fmt: skip


@pytest.mark.parametrize(
    "header",
    ["red_defence,red_attack,blue_defence,blue_attack", "home_player,home_partner,away_player,away_partner"],
)
def test_partners_are_not_left_out(tmp_path, header):
    first, mate, second, other = header.split(",")
    score = f"{first.partition('_')[0]}_goals,{second.partition('_')[0]}_goals"
    text = csv_of(f"{header},{score}", lambda a, b, c, d, s: (a, b, c, d, *goals(s)), PAIRS)
    columns = {"white_1": first, "white_2": mate, "black_1": second, "black_2": other}
    option = shlex.quote(",".join(f"{field}={name}" for field, name in columns.items()))
    assert f"--columns {option}" in stopped(tmp_path, text)
    expected = [(f"{a} + {b}", f"{c} + {d}", s) for a, b, c, d, s in PAIRS]
    sides = [(set(w.split(" + ")), set(b.split(" + ")), s) for w, b, s in read_text(tmp_path, text, columns=columns)[0]]
    assert sides == [(set(w.split(" + ")), set(b.split(" + ")), s) for w, b, s in expected]


def test_partners_of_winners_and_a_second_spelling(tmp_path):
    won = [(a, b, c, d) if s else (c, d, a, b) for a, b, c, d, s in PAIRS]
    text = "\n".join(["winner,winner_partner,loser,loser_partner", *map(",".join, won)])
    assert "winner_1=winner,winner_2=winner_partner,loser_1=loser,loser_2=loser_partner" in stopped(tmp_path, text)
    again = csv_of("home_team,away_team,home_name,away_name,result", lambda a, b, s: (a, b, a, b, s))
    assert read_text(tmp_path, again, columns={"white": "home_team", "black": "away_team"})[0] == GAMES


@pytest.mark.parametrize(
    "header",
    [
        "Player,Score,Opponent,Opp score",
        "Player,Score,Opponent,Score",
        "Team,Goals,Team,Goals",
        "Player,Sets won,Opponent,Sets lost",
    ],
)
def test_points_of_both_sides_behind_each_name(tmp_path, header):
    days = iter(range(1, 13))
    text = csv_of(f"{header},Date", lambda a, b, s: (a, goals(s)[0], b, goals(s)[1], f"2024-05-{next(days):02d}"))
    assert read_text(tmp_path, text)[0] == GAMES


@pytest.mark.parametrize("header", ["Equipe,Pts,Pts,Adversaire", "Home,Score,Score,Away", "Team,Score,Score,Team"])
def test_points_of_both_sides_between_the_names(tmp_path, header):
    days = iter(range(1, 13))
    text = csv_of(f"{header},Date", lambda a, b, s: (a, *goals(s), b, f"2024-05-{next(days):02d}"))
    assert read_text(tmp_path, text)[0] == GAMES


def test_two_points_without_a_name_between_stay_open(tmp_path):
    text = csv_of("Player,Opponent,Score,Score", lambda a, b, s: (a, b, *goals(s)))
    assert "expected every column once" in stopped(tmp_path, text)


DECIDED = [game for game in GAMES if game[2] != 0.5]


def lines_of(games, cells):
    return "\n".join(json.dumps({"models": [a, b], "judge": "m", **cells(s)}) for a, b, s in games)


@pytest.mark.parametrize(("first", "second"), [(0, 1), (1, 2), ("0", "1"), ("1", "2")])
def test_winners_by_their_place_in_a_list(tmp_path, first, second):
    text = lines_of(DECIDED, lambda s: {"winner": first if s else second})
    assert read_text(tmp_path, text, "verdicts.jsonl")[0] == DECIDED


@pytest.mark.parametrize(("numbers", "neither"), [((0, 1), -1), ((1, 2), 0), ((1, 2), -1)])
def test_no_place_in_the_list_is_asked_for(tmp_path, numbers, neither):
    text = lines_of(GAMES, lambda s: {"winner": neither if s == 0.5 else numbers[0] if s else numbers[1]})
    word = f"neither ({neither})"
    assert f"--outcomes '{word}'=first|second|tie|both_bad|drop" in stopped(tmp_path, text, "verdicts.jsonl")
    assert read_text(tmp_path, text, "verdicts.jsonl", outcomes={word: "tie"})[0] == GAMES
    scored = lines_of(GAMES, lambda s: {"score": goals(s), "winner": neither if s == 0.5 else numbers[s == 0.0]})
    assert read_text(tmp_path, scored, "verdicts.jsonl")[0] == GAMES


def test_signs_of_two_teams_are_no_places(tmp_path):
    rows = [{"team1": {"name": a}, "team2": {"name": b}, "winner": int(2 * s - 1)} for a, b, s in GAMES]
    assert read_text(tmp_path, "\n".join(map(json.dumps, rows)), "games.jsonl")[0] == GAMES


def test_debates_within_rounds_and_brackets_of_a_page(tmp_path):
    debates = [{"room": "A", "prop": a, "opp": b, "winner": "prop" if s else "opp"} for a, b, s in DECIDED]
    rounds = [{"round": k + 1, "debates": debates[k * 5 : k * 5 + 5]} for k in range(2)]
    assert read_text(tmp_path, json.dumps({"name": "Cup", "rounds": rounds}), "debates.json")[0] == DECIDED
    ids = {"Ann": 0, "Bob": 1, "Cyd": 2, "Dov": 3}
    marks = {1.0: ("win", "loss"), 0.0: ("loss", "win")}
    matches = [
        {"id": k, "opponent1": {"id": ids[a], "score": goals(s)[0], "result": marks[s][0]},
         "opponent2": {"id": ids[b], "score": goals(s)[1], "result": marks[s][1]}}
        for k, (a, b, s) in enumerate(DECIDED)
    ]  # fmt: skip
    matches.append({"id": 99, "opponent1": {"id": 2}, "opponent2": None})
    people = [{"id": number, "name": name} for name, number in ids.items()]
    games, notes = read_text(tmp_path, json.dumps({"participant": people, "match": matches}), "bracket.json")
    assert games == DECIDED
    assert any("set apart: 1 game" in note for note in notes)


def test_signed_points_of_sets_beside_the_sets(tmp_path):
    sets = {1.0: ("8", "-9", "5", "7", "3:1"), 0.0: ("-3", "-9", "-5", "", "0:3")}
    text = csv_of("Heim,Gast,1. Satz,2. Satz,3. Satz,4. Satz,Sätze", lambda a, b, s: (a, b, *sets[s]), DECIDED)
    assert read_text(tmp_path, text)[0] == DECIDED


@pytest.mark.parametrize("header", ["winner,defeated", "Who won?,Who lost?"])
def test_further_words_for_the_loser(tmp_path, header):
    text = csv_of(header, lambda a, b, s: (a, b) if s else (b, a), DECIDED)
    assert read_text(tmp_path, text)[0] == [(a, b, 1.0) if s else (b, a, 1.0) for a, b, s in DECIDED]
