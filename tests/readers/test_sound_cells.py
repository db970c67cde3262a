"""Limits of tables before their cells are interpreted: the last size that is accepted, and the first that is not."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.sound_cells import require_header, require_short, require_text, require_width


def test_a_table_may_have_5000_columns():
    require_width(5_000, "games.csv")
    with pytest.raises(GameTableError, match=r"games\.csv: expected at most 5,000 columns, found 5,001"):
        require_width(5_001, "games.csv")


def test_a_header_may_have_names_of_1000_letters():
    require_header(["white", "x" * 1_000], "games.csv")
    with pytest.raises(GameTableError, match="header, column 2: expected a name of at most 1,000 letters, found 1,001"):
        require_header(["white", "x" * 1_001], "games.csv")
    with pytest.raises(GameTableError, match="5,000 columns"):
        require_header(["x"] * 5_001, "games.csv")


def test_a_cell_may_have_1000_letters_and_the_first_longer_one_is_named():
    def line(row):
        return f"line {row + 2}"

    require_short(["Ann", "x" * 1_000], "white", line)
    with pytest.raises(GameTableError, match="line 3, column white: expected a cell of at most 1,000 letters"):
        require_short(["Ann", "x" * 1_001, "y" * 2_000], "white", line)


@pytest.mark.parametrize("text", ["Ann", "Müller", "\U0001f600"])
def test_characters_are_texts(text):
    require_text(text, "games.json")


def test_half_of_a_surrogate_pair_is_none():
    with pytest.raises(GameTableError, match=r"half of a surrogate pair, \\ud83d"):
        require_text("Ann \ud83d", "games.json")
