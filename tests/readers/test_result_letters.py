"""Letters of results in languages, with and without draws, beside words, and the line printed for other letters."""

import re

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.read import read
from halfpoint.readers.result_letters import foreign_letters

NAMES = ("Ann", "Bob", "Cem", "Dov", "Eva", "Fay", "Gil")
PAIRS = [(a, b) for a in NAMES for b in NAMES if a < b]
SCORES = [(0.0, 1.0, 0.5, 1.0, 0.0)[k % 5] for k in range(len(PAIRS))]
LETTERS = {  # of a win, a draw and a loss
    "Danish": "VUT", "Swedish": "VOF", "Norwegian": "SUT", "Icelandic": "SJT", "French": "VND", "Spanish": "VED",
    "German": "SUN", "Dutch": "WGV", "Italian": "VNP", "Italian, sconfitta": "VPS", "Polish": "ZRP", "Czech": "VRP",
    "Romanian": "VEI", "Turkish": "GBM", "Indonesian": "MSK", "Vietnamese": "THB", "Russian": "ВНП", "Greek": "ΝΙΗ",
    "Finnish": "VTH", "Hungarian": ("Gy", "D", "V"), "English": "WDL", "American": "WTL",
    "signs": "+=-", "dashes": "+=−",
}  # fmt: skip


def rows_of(folder, letters, scores=SCORES, further=(), **options):
    """Rows that are read of a file with letters of results, as (first, second, score), and their notes."""
    word = dict(zip((1.0, 0.5, 0.0), letters, strict=True))
    lines = [f"{a},{b},{word[score]}" for (a, b), score in zip(PAIRS, scores, strict=True)]
    path = folder / "games.csv"
    path.write_text("\n".join(["player,opponent,result", *further, *lines]) + "\n", encoding="utf-8")
    games = read(path, **options)
    return [*zip(games.white_names.tolist(), games.black_names.tolist(), games.score.tolist(), strict=True)]


def truth_of(scores=SCORES):
    return [(*pair, score) for pair, score in zip(PAIRS, scores, strict=True)]


@pytest.mark.parametrize("language", LETTERS)
def test_letters_of_a_language(tmp_path, language):
    assert rows_of(tmp_path, LETTERS[language]) == truth_of()


@pytest.mark.parametrize("language", ["Danish", "Swedish", "French", "German", "Dutch", "Polish", "Turkish", "signs"])
def test_letters_without_a_draw(tmp_path, language):
    decided = [0.0 if score == 0.5 else score for score in SCORES]
    assert rows_of(tmp_path, LETTERS[language], decided) == truth_of(decided)


@pytest.mark.parametrize("language", ["French", "Spanish", "Dutch", "Danish", "signs"])
@pytest.mark.parametrize("word", ["forfait", "w.o.", "WO", "Forfait général"])
def test_words_of_forfeits_leave_the_language_of_letters_as_it_is(tmp_path, language, word):
    assert (
        rows_of(tmp_path, LETTERS[language], further=[f"Ann,Bob,{word}"], outcomes={"Forfait général": "drop"})
        == truth_of()
    )


@pytest.mark.parametrize("letters", ["UNZ", "TVK", "DHK"])
def test_the_line_for_letters_of_no_language_has_all_letters_and_gives_the_truth_when_copied(tmp_path, letters):
    with pytest.raises(GameTableError) as stopped:
        rows_of(tmp_path, letters)
    words = re.search(r"--outcomes '(.+)'", str(stopped.value))[1]
    assert {part.partition("=")[0] for part in words.split(",")} == {*letters}
    meanings = dict(zip(letters, ("first", "tie", "second"), strict=True))
    assert rows_of(tmp_path, letters, outcomes=meanings) == truth_of()


@pytest.mark.parametrize("numbers", ["210", "135", "312"])
def test_the_line_for_numbers_that_are_no_scores_has_all_numbers(tmp_path, numbers):
    for outcomes in ({}, {numbers[0]: "first"}):  # the others have no usual meaning then
        with pytest.raises(GameTableError) as stopped:
            rows_of(tmp_path, numbers, outcomes=outcomes)
        words = re.search(r"--outcomes '(.+)'", str(stopped.value))[1]
        assert [part.partition("=")[0] for part in words.split(",")] == sorted(numbers)
    meanings = dict(zip(numbers, ("first", "tie", "second"), strict=True))
    assert rows_of(tmp_path, numbers, outcomes=meanings) == truth_of()


def test_a_void_game_beside_english_letters_is_none(tmp_path):
    assert rows_of(tmp_path, "WDL", further=["Ann,Bob,V", "Ann,Cem,-"]) == truth_of()


def test_letters_that_english_has_are_of_another_language_only_if_all_three_occur():
    assert foreign_letters(["t", "h", "b"]) == ("t", "h", "b")
    assert foreign_letters(["t", "b"]) == foreign_letters(["t", "h"]) == foreign_letters(["h", "d", "a"]) == ()
