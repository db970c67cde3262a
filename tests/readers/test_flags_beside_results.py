"""Flags of draws, and goals of parts of a game, beside the result."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read

NAMES = ("Ann", "Bob", "Cem", "Dov", "Eva")
PAIRS = [(a, b) for a in NAMES for b in NAMES if a < b]
SIGNS = [(k % 3) - 1 for k in range(len(PAIRS))]  # 1 if the first won, 0 for a draw
FLAGS = {"digits": ("0", "1"), "words": ("False", "True"), "small": ("false", "true")}


def scores_of(folder, header, line):
    """The first side's scores that are read of a file with a line for each pair."""
    path = folder / "games.csv"
    lines = [line(*pair, sign) for pair, sign in zip(PAIRS, SIGNS, strict=True)]
    path.write_text("\n".join([header, *lines]) + "\n", encoding="utf-8")
    games = read(path)
    assert [*zip(games.white_names.tolist(), games.black_names.tolist(), strict=True)] == PAIRS
    return games.score.tolist()


TRUTH = [(1 + sign) / 2 for sign in SIGNS]


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("header", [
    "white,black,white_won,draw", "home,away,home_win,tie", "team,opponent,won,drawn", "player,opponent,win,draw",
    "player1,player2,result,is_draw", "home,away,home_win,draw",
])  # fmt: skip
def test_a_flag_of_a_draw_beside_a_flag_of_a_win(tmp_path, header, flags):
    no_yes = FLAGS[flags]
    scores = scores_of(tmp_path, header, lambda a, b, sign: f"{a},{b},{no_yes[sign > 0]},{no_yes[sign == 0]}")
    assert scores == TRUTH


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("header", [
    "p1,p2,p1_wins,p2_wins,draws", "p1,p2,p1_win,p2_win,tie", "home,away,home_win,away_win,draw",
    "p1,p2,p1_win,p2_win,drawn", "model_a,model_b,a_wins,b_wins,ties",
])  # fmt: skip
def test_a_flag_for_each_outcome(tmp_path, header, flags):
    no_yes = FLAGS[flags]

    def line(a, b, sign):
        return f"{a},{b},{no_yes[sign > 0]},{no_yes[sign < 0]},{no_yes[sign == 0]}"

    assert scores_of(tmp_path, header, line) == TRUTH


def test_the_line_for_yes_and_no_keeps_the_flag_of_a_draw_when_copied(tmp_path):
    def line(a, b, sign):
        return f"{a},{b},{'yes' if sign > 0 else 'no'},{'yes' if sign == 0 else 'no'}"

    with pytest.raises(GameTableError, match=r"--outcomes 'no=.*,yes=") as stopped:
        scores_of(tmp_path, "white,black,white_won,draw", line)
    assert "White's score" in str(stopped.value)
    games = read(tmp_path / "games.csv", outcomes="no=second,yes=first")
    assert games.score.tolist() == TRUTH


def test_words_of_results_without_draws_beside_a_flag(tmp_path):
    def line(a, b, sign):
        return f"{a},{b},{'win' if sign > 0 else 'loss'},{'yes' if sign == 0 else 'no'}"

    assert scores_of(tmp_path, "team,opponent,result,draw", line) == TRUTH


@pytest.mark.parametrize("part", ["ht", "pens", "overtime"])
@pytest.mark.parametrize("whole", ["ft_{}", "{}_ft", "{}_score", "final_{}", "{}_goals"])
def test_goals_of_a_part_of_the_game_are_no_result(tmp_path, part, whole):
    header = f"home,away,{part}_home,{part}_away,{whole.format('home')},{whole.format('away')}"
    scores = scores_of(tmp_path, header, lambda a, b, sign: f"{a},{b},{len(a + b) % 2},1,{2 + sign},2")
    assert scores == TRUTH
    scores = scores_of(tmp_path, header, lambda a, b, sign: f"{a},{b},{int(sign < 0)},{int(sign >= 0)},{2 + sign},2")
    assert scores == TRUTH


def test_goals_of_a_half_alone_are_no_result(tmp_path):
    with pytest.raises(GameTableError, match="expected a column for score"):
        scores_of(tmp_path, "home,away,ht_home,ht_away", lambda a, b, sign: f"{a},{b},{int(sign < 0)},{int(sign >= 0)}")


def test_columns_in_use_are_not_proposed_as_players(tmp_path):
    path = tmp_path / "votes.jsonl"
    path.write_text('{"battle": {"a": {"model": "x"}, "b": {"model": "y"}}, "verdict": "a", "ts": "2024-01-01"}\n' * 3)
    with pytest.raises(GameTableError) as stopped:
        read(path)
    assert "white=verdict" not in str(stopped.value)
