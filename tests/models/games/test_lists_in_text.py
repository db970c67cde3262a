"""Lists in a text of an option."""

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.lists_in_text import columns_in, words_in


def test_a_column_with_a_comma_in_its_name_can_be_named():
    assert columns_in("white=Name, Vorname,black=Gegner") == {"white": "Name, Vorname", "black": "Gegner"}
    with pytest.raises(GameTableError, match="FIELD=COLUMN"):
        columns_in("white=A,white=B")
    with pytest.raises(GameTableError, match="FIELD=COLUMN"):
        columns_in("white")


def test_words_are_without_blanks():
    assert words_in(" Referee, Venue ,,") == ["Referee", "Venue"]
