"""Words of messages: lists that are cut, numbers with nouns, texts in one line."""

import pickle

import pytest

from halfpoint.models.games.errors import GameTableError, clip_text, count_noun, few, printable


@pytest.mark.parametrize(
    ("names", "shown"),
    [("a", ["a"]), ("abc", ["a", "b", "c"]), ("abcd", ["a", "3 others"]), ("abcdefgh", ["a", "7 others"])],
)
def test_more_than_three_names_are_the_first_and_a_number(names, shown):
    assert few(list(names)) == shown


def test_texts_are_cut_at_their_longest():
    assert clip_text("a" * 500) == "a" * 500
    assert clip_text("a" * 501) == "a" * 500 + "..."
    assert clip_text("abc", 2) == "ab..."


def test_numbers_have_nouns():
    assert [count_noun(number, "game") for number in (0, 1, 2)] == ["0 games", "1 game", "2 games"]


def test_a_message_is_one_line_and_travels_between_processes():
    error = GameTableError("club.csv\n, line 2", "a score", "'x\x1b'", "Repair it.")
    assert str(error) == "club.csv\\n, line 2: expected a score, found 'x\\x1b'. Repair it."
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert printable("a\tb") == "a\\tb"


def test_places_of_one_fault_are_named_once():
    error = GameTableError("games", "a score", "none").at(lambda row: f"line {row // 2}", range(100))
    assert error.places[:2] == ["line 0", "line 1"]
    assert len(set(error.places)) == len(error.places)
