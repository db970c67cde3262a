"""Hints that name several readings, decisions of panels, shootouts in columns, and lines of newspapers."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

NAMES = ("Ann", "Bob", "Cem", "Dov", "Eva")
PAIRS = [(a, b) for a in NAMES for b in NAMES if a != b]


def games_of(folder, text, ending="csv", **options):
    """The games of a text as (first, second, score), and the notes."""
    path = folder / f"games.{ending}"
    path.write_text(text, encoding="utf-8")
    games = read(path, **options)
    rows = zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)
    return list(rows), "\n".join(games.notes)


def stopped(folder, text, **options):
    """The line with which the reader stops."""
    with pytest.raises(GameTableError) as error:
        games_of(folder, text, **options)
    return str(error.value)


def options_in(message):
    """The columns of each --columns of a message, as a map."""
    parts = [
        part.split("'")[0].rstrip(" .;") for part in message.replace("--columns '", "--columns ").split("--columns ")
    ]
    return [dict(pair.split("=") for pair in part.split(";")[0].split(" or ")[0].split(",")) for part in parts[1:]]


def won(k):
    """Whether the first of a pair won: 1, 0 or a draw."""
    return (1.0, 0.0, 0.5)[k % 3]


SCORES = [(a, b, won(k)) for k, (a, b) in enumerate(PAIRS)]


@pytest.mark.parametrize("name", ["CMOS (B vs A)", "overall_preference_strength_x", "comparison"])
@pytest.mark.parametrize("size", [1, 3, 40])
def test_numbers_on_both_sides_of_0_have_two_readings(tmp_path, name, size):
    lines = [f"{a},{b},{ {1.0: size, 0.0: -1, 0.5: 0}[s] }" for a, b, s in SCORES]
    text = "\n".join([f"system A,system B,{name}", *lines])
    first, second = options_in(stopped(tmp_path, text))
    assert games_of(tmp_path, text, columns=first)[0] == SCORES
    assert games_of(tmp_path, text, columns=second)[0] == [(b, a, s) for a, b, s in SCORES]


def test_of_two_pairs_of_points_the_hint_names_both(tmp_path):
    text = "Home,Away,Goals H,Goals A,Pts H,Pts A\n"
    text += "\n".join(f"{a},{b},{3 * (k % 2)},1,{1 + k % 2},{2 - k % 2}" for k, (a, b) in enumerate(PAIRS))
    message = stopped(tmp_path, text)
    goals, points = options_in(message)
    assert "Say which decides" in message
    assert (goals["white_goals"], points["black_goals"]) == ("Goals H", "Pts A")
    for columns in (goals, points):
        assert games_of(tmp_path, text, columns=columns)[0] == [(a, b, float(k % 2)) for k, (a, b) in enumerate(PAIRS)]


def test_a_table_of_actors_asks_for_the_column_of_results(tmp_path):
    acts = ("chases", "flees")
    text = "actor,recipient,behaviour,place\n"
    text += "\n".join(f"{a},{b},{acts[k % 2]},{'pen' if k % 3 else 'yard'}" for k, (a, b) in enumerate(PAIRS))
    message = stopped(tmp_path, text)
    assert "--columns white=actor,black=recipient,score=COLUMN" in message
    columns = {"white": "actor", "black": "recipient", "score": "behaviour"}
    assert "flees=first|second" in stopped(tmp_path, text, columns=columns)
    rows, _ = games_of(tmp_path, text, columns=columns, outcomes="chases=first,flees=second")
    assert rows == [(a, b, 1.0 - k % 2) for k, (a, b) in enumerate(PAIRS)]


def test_a_venue_is_no_result(tmp_path):
    text = "Club,Rivals met,Venue\n" + "\n".join(f"{a},{b},{'HA'[k % 2]}" for k, (a, b) in enumerate(PAIRS))
    assert "score=Venue" not in stopped(tmp_path, text)


@pytest.mark.parametrize("header", ["Club,Opponents,Venue,F,A", "Team,Opponent,H/A,F,A"])
def test_goals_for_and_against_are_those_of_the_row(tmp_path, header):
    lines = [f"{a},{b},{'HA'[k % 2]},{2 * s:.0f},1" for k, (a, b, s) in enumerate(SCORES)]
    rows, _ = games_of(tmp_path, "\n".join([header, *lines]))
    assert rows == [(a, b, s) if k % 2 == 0 else (b, a, 1.0 - s) for k, (a, b, s) in enumerate(SCORES)]


def test_assists_are_no_goals_against(tmp_path):
    text = "Team,Opponent,H/A,PTS,A\n"
    text += "\n".join(f"{a},{b},{'HA'[k % 2]},{90 + k},{20 + k % 7}" for k, (a, b) in enumerate(PAIRS))
    assert "expected a column for score" in stopped(tmp_path, text)


@pytest.mark.parametrize("colours", [("Blue", "Yellow"), ("Red", "Yellow"), ("Port", "Starboard"), ("Aka", "Ao")])
def test_half_a_point_against_none_is_a_win(tmp_path, colours):
    first, second = colours
    points = ("1,0", "0.5,0", "0,1", "1,-0.5")
    lines = [f"{a},{b},{points[k % 4]}" for k, (a, b) in enumerate(PAIRS)]
    text = "\n".join([f"{first},{second},Pts {first},Pts {second}", *lines])
    assert games_of(tmp_path, text)[0] == [(a, b, float(k % 4 != 2)) for k, (a, b) in enumerate(PAIRS)]


@pytest.mark.parametrize("form", ["{}", "2-1 {}", "3-0 {}", "{} (2-1)", "{} 5-4", "name"])
def test_a_decision_precedes_points_of_speakers(tmp_path, form):
    text = "Aff,Neg,Decision,Aff Pts,Neg Pts\n"
    for k, (a, b, s) in enumerate(SCORES):
        winner = (b, a)[s > 0.5] if form == "name" else form.format(("Neg", "Aff")[s > 0.5])
        text += f"{a},{b},{winner},57.{1 if (s < 1) != (k % 5 == 0) else 5},57.3\n"
    rows, notes = games_of(tmp_path, text)
    assert rows == [(a, b, float(s > 0.5)) for a, b, s in SCORES]
    assert "results that the goals contradict: 4 games" in notes


@pytest.mark.parametrize("words", [("UD", "SD", "KO"), ("1", "0", "2"), ("first", "final", "appealed")])
def test_a_decision_that_names_no_side_is_no_winner(tmp_path, words):
    text = "Red,Blue,Decision,Red score,Blue score\n"
    text += "\n".join(f"{a},{b},{words[k % 3]},{int(2 * s)},1" for k, (a, b, s) in enumerate(SCORES))
    assert games_of(tmp_path, text)[0] == SCORES


@pytest.mark.parametrize("names", ["left_pen_score,right_pen_score", "home_shootout,away_shootout", "Pens 1,Pens 2"])
@pytest.mark.parametrize("none", ["", "0"])
def test_shootouts_in_columns_of_their_own_are_reported(tmp_path, names, none):
    sides = {"l": "left_team,right_team,left_score,right_score", "h": "home,away,home_score,away_score",
             "P": "Team 1,Team 2,Score 1,Score 2"}[names[0]]  # fmt: skip
    lines = [f"{a},{b},{2 * s:.0f},1,{f'{k % 2 + 3},{4 - k % 2}' if s == 0.5 else f'{none},{none}'}"
             for k, (a, b, s) in enumerate(SCORES)]  # fmt: skip
    rows, notes = games_of(tmp_path, "\n".join([f"{sides},{names}", *lines]))
    assert rows == SCORES
    assert "level games decided by" in notes
    assert "6 games, draws" in notes


def test_penalties_of_every_game_are_no_shootouts(tmp_path):
    lines = [f"{a},{b},{2 * s:.0f},1,{k % 5},{k % 3}" for k, (a, b, s) in enumerate(SCORES)]
    _, notes = games_of(tmp_path, "\n".join(["home,away,home_score,away_score,home_penalties,away_penalties", *lines]))
    assert "decided" not in notes


def test_a_walkover_of_karate_is_no_bout_and_further_games_are_reported(tmp_path):
    def bouts(word):
        lines = [
            f"{a},{b},{'1-1' if s == 0.5 else f'{2 * s:.0f}-1'},{'Aka' if s else 'Ao'},Hantei" for a, b, s in SCORES
        ]
        return "\n".join(["Aka,Ao,Score,Winner,Decision", *lines, f"Ann,Bob,,Ao,{word}"])

    rows, notes = games_of(tmp_path, bouts("Kiken"))
    assert len(rows) == len(SCORES)
    assert "set apart: 1 game, forfeit" in notes
    rows, notes = games_of(tmp_path, bouts("unheard"))
    assert len(rows) == len(SCORES) + 1
    assert "; 1 game more" in notes


def test_a_column_by_whom_names_the_winner(tmp_path):
    text = "Round,Knocked out,Knocked out by\n" + "\n".join(f"{k},{b},{a}" for k, (a, b) in enumerate(PAIRS))
    assert games_of(tmp_path, text)[0] == [(a, b, 1.0) for a, b in PAIRS]


def test_numbers_of_the_beaten_are_no_losers(tmp_path):
    text = "Battle,Winner,Defeated\n" + "\n".join(f"{k},{a},{k % 7}" for k, (a, _) in enumerate(PAIRS))
    assert "expected a column for" in stopped(tmp_path, text)


def test_two_points_of_draughts_beside_one_unknown_word(tmp_path):
    cells = {1.0: "2-0", 0.5: "1-1", 0.0: "0-2"}
    text = "Wit,Zwart,Uitslag\n" + "\n".join(f"{a},{b},{cells[s]}" for a, b, s in SCORES)
    assert games_of(tmp_path, f"{text}\nAnn,Bob,afgebroken")[0] == SCORES
    message = stopped(tmp_path, f"{text}\nAnn,Bob,onbekend\n")
    assert "--outcomes onbekend=first" in message
    assert games_of(tmp_path, f"{text}\nAnn,Bob,onbekend\n", outcomes="onbekend=drop")[0] == SCORES


def test_sets_are_no_goals_and_points_of_gaelic_games(tmp_path):
    text = "Team A,Team B,S1,S2,S3\n" + "\n".join(f"{a},{b},25-20,18-25,25-19" for a, b in PAIRS)
    assert "call them Set 1, Set 2" in stopped(tmp_path, text)
    assert "expected goals" in stopped(tmp_path, text, columns={"white_goals": "S1", "black_goals": "S2"})
    renamed = text.replace("S1,S2,S3", "Set 1,Set 2,Set 3")
    assert games_of(tmp_path, renamed)[0] == [(a, b, 1.0) for a, b in PAIRS]


@pytest.mark.parametrize(("first", "second", "tie"), [("win_A", "win_B", "draw"), ("[[A]]", "[[B]]", "[[C]]"),
                                                      ("A wins", "B wins", "tie")])  # fmt: skip
def test_words_of_wins_with_the_letter_of_the_side(tmp_path, first, second, tie):
    cells = {1.0: first, 0.5: tie, 0.0: second}
    text = "boxer_A,boxer_B,result\n" + "\n".join(f"{a},{b},{cells[s]}" for a, b, s in SCORES)
    assert games_of(tmp_path, text)[0] == SCORES


def test_a_grid_of_home_and_away_with_codes_of_clubs(tmp_path):
    rows = [["—" if a == b else f"{len(a) + k}–{j}" for j, b in enumerate(NAMES)] for k, a in enumerate(NAMES)]
    rows[3][4] = "27 may"
    text = "Local \\ Visitante," + ",".join(name.upper()[:2] for name in NAMES)
    text += "".join(f"\n{name},{','.join(row)}" for name, row in zip(NAMES, rows, strict=True))
    assert "--outcomes '27 may'=" in stopped(tmp_path, text)
    games, notes = games_of(tmp_path, text, outcomes={"27 may": "drop"})
    expected = {(a, b): 1.0 if len(a) + k > j else 0.5 if len(a) + k == j else 0.0
                for k, a in enumerate(NAMES) for j, b in enumerate(NAMES) if a != b}  # fmt: skip
    expected.pop(("Dov", "Eva"))
    assert {(a, b): s for a, b, s in games} == expected
    assert "a cross-table" in notes


@pytest.mark.parametrize("town", ["", "New ", "St. "])
def test_scores_of_newspapers_are_read_by_their_points(tmp_path, town):
    lines = [
        f"{town}{a} {10 * s + 7:.0f}, {town}{b} 12{' (OT)' if k % 4 == 0 else ''}" for k, (a, b, s) in enumerate(SCORES)
    ]
    rows, notes = games_of(tmp_path, "\n".join(["Monday, March 11, 2024", *lines]), "txt")
    assert rows == [(f"{town}{a}", f"{town}{b}", s) for a, b, s in SCORES]
    assert "form: scores-in-lines" in notes
    assert "no first-move or home advantage" in notes


def test_results_of_tennis_in_lines(tmp_path):
    lines = [f"{'[1] ' if a == 'Ann' else ''}{a} Lee (GBR) d. {'[1] ' if b == 'Ann' else ''}{b} Lee (ESP) "
             f"{'walkover' if k == 3 else '6-4 6-3'}" for k, (a, b) in enumerate(PAIRS)]  # fmt: skip
    rows, notes = games_of(tmp_path, "\n".join(["Riverside Open", "", *lines]), "txt")
    assert rows == [(f"{a} Lee", f"{b} Lee", 1.0) for k, (a, b) in enumerate(PAIRS) if k != 3]
    assert "set apart: 1 game, forfeit" in notes


def test_rows_with_commas_and_quotes_are_no_scores_of_newspapers(tmp_path):
    text = "Team 1,Team 2,Winner,Match Date,Card\n"
    text += "\n".join(f'{a},{b},{a if s else b},"Jan {k + 1}, 2024",Match # {k}' for k, (a, b, s) in enumerate(SCORES))
    rows, notes = games_of(tmp_path, text)
    assert rows == [(a, b, float(s > 0)) for a, b, s in SCORES]
    assert "scores-in-lines" not in notes
