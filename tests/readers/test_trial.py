"""Plausibility checks of a reading: resolved questions, stops with both readings, and `--trust`."""

from itertools import permutations

import numpy as np
import pytest
from strangers.anew_forms import FORMS
from strangers.tally import tally

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

# these files leave a question open: whose number 0 is, and what contradicts the goals
ASKED = {
    "winner-flag-a": "--outcomes 0=second,1=first",
    "winner-none-zero": "--outcomes 0=drop",
    "result-of-the-visitor": "--ignore result",
}


def written(folder, name):
    ending, content, truth = FORMS[name]
    path = folder / f"{name}.{ending}"
    path.write_bytes(content)
    return path, truth


def options_of(flag):
    """Options in Python for a printed flag."""
    key, _, value = flag.removeprefix("--").partition(" ")
    pairs = dict(one.split("=") for one in value.split(",")) if "=" in value else [value]
    return {key: pairs}


@pytest.mark.parametrize("name", [name for name in FORMS if name not in ASKED])
def test_a_form_typed_after_the_readers_is_read_rightly(tmp_path, name):
    path, truth = written(tmp_path, name)
    games = read(path)
    assert tally(games) == truth, games.notes


@pytest.mark.parametrize("name", ASKED)
def test_an_open_question_stops_with_an_option_that_gives_the_truth(tmp_path, name):
    path, truth = written(tmp_path, name)
    with pytest.raises(GameTableError) as stopped:
        read(path)
    assert ASKED[name] in str(stopped.value)
    assert tally(read(path, **options_of(ASKED[name]))) == truth


def test_trust_keeps_a_reading_and_the_notes_say_so(tmp_path):
    path, truth = written(tmp_path, "result-of-the-visitor")
    games = read(path, trust=True)
    assert len(games) == len(read(path, **options_of(ASKED["result-of-the-visitor"])))
    assert tally(games) != truth
    assert any("--trust" in note and "contradict" in note for note in games.notes)


def test_winners_that_are_named_first_with_plain_scores_are_read_as_they_are(tmp_path):
    path, truth = written(tmp_path, "winners-first-as-white")
    assert tally(read(path)) == truth


def test_both_readings_are_shown_with_their_first_row(tmp_path):
    path, _ = written(tmp_path, "result-of-the-visitor")
    with pytest.raises(GameTableError, match=r"as read, line 2 is .* 0-1 .*; with --ignore result, line 2 is .* 1-0 "):
        read(path)


@pytest.mark.parametrize(
    ("name", "total"),
    [("byes-in-csv", "rows: 60 = 56 games + 4 set apart"), ("mirrored-dated", "rows: 112 = 56 games + 56 folded")],
)
def test_rows_are_games_folded_and_set_apart(tmp_path, name, total):
    path, _ = written(tmp_path, name)
    assert total in read(path).notes


def test_all_unknown_words_are_in_one_line_with_the_meanings_of_the_set(tmp_path):
    words = ("Home club", "Nobody", "Away club")
    rows = [f"A{k},B{k % 3},{words[k % 3]}" for k in range(9)]
    (tmp_path / "g.csv").write_text("\n".join(["home,away,result", *rows]), encoding="utf-8")
    with pytest.raises(GameTableError, match="--outcomes 'Home club=first,Nobody=tie,Away club=second'"):
        read(tmp_path / "g.csv")


def test_seasons_in_several_files_follow_one_another(tmp_path):
    teams = ("Ayr", "Elgin", "Fife", "Perth")
    rounds = [[(0, 1), (2, 3)], [(0, 2), (1, 3)], [(0, 3), (1, 2)]]
    for year in (2023, 2024):
        rows = [
            f"{k},{teams[a]},{teams[b]},{(a + year) % 3},{b % 3}" for k, pairs in enumerate(rounds, 1) for a, b in pairs
        ]
        (tmp_path / f"{year}.csv").write_text("\n".join(["round,home,away,hg,ag", *rows]), encoding="utf-8")
    games = read([tmp_path / "2023.csv", tmp_path / "2024.csv"])
    assert games.period.tolist() == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]


def test_players_in_two_cases_are_one_in_pgn(tmp_path):
    game = '[White "{}"]\n[Black "{}"]\n[Result "1-0"]\n\n1-0\n\n'
    names = [("Adler, Ann", "COLE, MIA"), ("ADLER, ANN", "Brandt, Otto"), ("Brandt, Otto", "Cole, Mia")]
    (tmp_path / "g.pgn").write_text("".join(game.format(*pair) for pair in names), encoding="utf-8")
    assert read(tmp_path / "g.pgn").players.tolist() == ["Adler, Ann", "Brandt, Otto", "Cole, Mia"]


NAMES = ("Ann", "Bob", "Cem", "Dov", "Eva", "Fay")
PAIRS = [(a, b) for a in NAMES for b in NAMES if a < b]
FIRST_WINS = [k % 3 > 0 for k in range(len(PAIRS))]


def decided(folder, header, line, **options):
    """Rows that are read of a file with a line for each pair, as (first, second, score), and the notes."""
    lines = [line(*pair, won) for pair, won in zip(PAIRS, FIRST_WINS, strict=True)]
    path = folder / "games.csv"
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    games = read(path, **options)
    rows = zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)
    return {frozenset(row[:2]): row[0] if row[2] > 0.5 else row[1] for row in rows}, games.notes


WINNERS = {frozenset(pair): pair[not won] for pair, won in zip(PAIRS, FIRST_WINS, strict=True)}


@pytest.mark.parametrize("verdict", ["W/L", "Result", "Outcome", "Won"])
@pytest.mark.parametrize("words", [("W", "L"), ("win", "loss"), ("True", "False")])
def test_scores_of_the_winner_first_do_not_override_the_players_result(tmp_path, verdict, words):
    winners, _ = decided(
        tmp_path, f"Player,Opponent,{verdict},Score", lambda a, b, won: f"{a},{b},{words[not won]},6-3 6-4"
    )
    assert winners == WINNERS


def test_results_of_the_player_beside_scores_of_the_winner_first_are_the_players_away_too(tmp_path):
    places = {pair: "@" if k % 2 else "" for k, pair in enumerate(PAIRS)}
    winners, _ = decided(
        tmp_path,
        "Player,Place,Opponent,W/L,Score",
        lambda a, b, won: f"{a},{'away' if places[a, b] else 'home'},{b},{'LW'[won]},3-1",
    )
    assert winners == WINNERS


@pytest.mark.parametrize("columns", [{}, {"black": "Blue"}, {"white": "White", "black": "Blue"}])
def test_a_winner_by_the_name_of_a_column_precedes_scores_of_the_winner_first(tmp_path, columns):
    winners, _ = decided(
        tmp_path, "White,Blue,Winner,Score", lambda a, b, won: f"{a},{b},{('Blue', 'White')[won]},10-0", columns=columns
    )
    assert winners == WINNERS


def test_a_winner_of_minus_one_stops_with_both_meanings_and_each_gives_its_own_table(tmp_path):
    def line(a, b, won):
        return f"{a},{b},{0 if won else 1}" if a != "Eva" else f"{a},{b},-1"

    with pytest.raises(GameTableError) as stopped:
        decided(tmp_path, "team_a,team_b,winner", line)
    for flag, meaning in (("1=first,0=tie,-1=second", "sign"), ("0=first,1=second,-1=tie", "index")):
        assert f"--outcomes {flag}" in str(stopped.value)
        options = options_of(f"--outcomes {flag}")
        games = read(tmp_path / "games.csv", **options)
        first = sum(FIRST_WINS) - (FIRST_WINS[-1]) if meaning == "index" else len(PAIRS) - 1 - sum(FIRST_WINS[:-1])
        assert int((games.score == 1.0).sum()) == first


@pytest.mark.parametrize("column", ["result", "preference"])
def test_signs_in_a_column_of_results_are_signs(tmp_path, column):
    winners, _ = decided(tmp_path, f"team_a,team_b,{column}", lambda a, b, won: f"{a},{b},{1 if won else -1}")
    assert winners == WINNERS


def test_an_option_with_a_column_of_two_words_is_quoted(tmp_path):
    text = "home,away,final result,home goals,away goals\n" + "".join(
        f"{a},{b},{'A' if won else 'H'},{2 if won else 0},1\n" for (a, b), won in zip(PAIRS, FIRST_WINS, strict=True)
    )
    path = tmp_path / "games.csv"
    path.write_text(text)
    with pytest.raises(GameTableError, match=r"--columns 'score=final result'|--ignore 'final result'"):
        read(path, columns={"score": "final result"})


def rows_of(names, cells):
    """Rows of games of each with each, and the cells behind the names of game `number`."""
    pairs = enumerate(permutations(names, 2))
    return "".join(f"{first},{second},{cells(number)}\n" for number, (first, second) in pairs)


EIGHT = ["Ann", "Bo", "Cleo", "Di", "Eli", "Fay", "Gil", "Hal"]
ODD = {
    "all 4 games with level goals are won by one side in 'result'": "home,away,home_goals,away_goals,result\n"
    + rows_of(EIGHT[:4], lambda number: ["1,1,1-0", "2,0,1-0", "0,1,0-1"][number % 3]),
    "8 names are 4 without brackets and case": "white,black,result\n"
    + rows_of(
        [*EIGHT[:4], *(f"{name} (club)" for name in EIGHT[:4])], lambda number: ["0-1", "1-0", "1-0"][number % 3]
    ),
    "44 of 56 rows are no games, and all others are drawn": "white,black,result\n"
    + rows_of(EIGHT, lambda number: "postponed" if number % 5 else "1/2-1/2"),
}


@pytest.mark.parametrize("doubt", ODD)
def test_what_is_odd_about_a_whole_file_stops_unless_it_is_trusted(tmp_path, doubt):
    path = tmp_path / "games.csv"
    path.write_text(ODD[doubt])
    with pytest.raises(GameTableError, match=doubt):
        read(path)
    assert any("--trust" in note and doubt in note for note in read(path, trust=True).notes)


def test_level_goals_are_draws_without_the_result_that_one_side_always_wins(tmp_path):
    path = tmp_path / "games.csv"
    path.write_text(next(iter(ODD.values())))
    margins = np.resize([0, 2, -1], 12)
    np.testing.assert_array_equal(read(path, ignore=["result"]).score, (np.sign(margins) + 1) / 2)
