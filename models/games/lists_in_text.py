"""Lists in a text, as options on the command line have them: words, and columns by field."""

import re

from halfpoint.models.games.errors import GameTableError


def words_in(text: str) -> list[str]:
    """The words of a text that are separated by commas.

    Examples
    --------
    >>> words_in("Referee, Venue,")
    ['Referee', 'Venue']
    """
    return [word.strip() for word in text.split(",") if word.strip()]


def columns_in(text: str) -> dict[str, str]:
    """Field and column names; a column may have a comma in its name. `GameTableError` if a field is there twice.

    Examples
    --------
    >>> columns_in("white=Name, Vorname,black=Gegner")
    {'white': 'Name, Vorname', 'black': 'Gegner'}
    """
    pairs = [part.partition("=") for part in re.split(r",(?=[^,=]*=)", text)]
    chosen = {field.strip(): name.strip() for field, _, name in pairs}
    if len(chosen) < len(pairs) or not all(chosen) or not all(chosen.values()):
        raise GameTableError("--columns", "FIELD=COLUMN,... with each field once", repr(text))
    return chosen
