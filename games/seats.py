"""What the two seats of a game are called: White and Black, home and away, or first and second.

The words come from the file: a PGN has White and Black, a table says it by the names of its columns. They change what
is printed and nothing else; the first seat's player stands first everywhere.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Seats:
    """Words for the two seats."""

    first: str  # the players of the seats, as headings
    second: str  # likewise
    as_first: str  # how somebody plays there: "as White", "at home"
    as_second: str  # likewise
    worth: str  # what the first seat's advantage is, as the subject of "is worth 30 Elo"
    noun: str = "player"  # who sits there, where a side is one


SEATS = {
    "white": Seats("White", "Black", "as White", "as Black", "White's first move"),
    "home": Seats("Home", "Away", "at home", "away", "Playing at home", "club"),
    "first": Seats("First", "Second", "named first", "named second", "Being named first"),
}
USUAL = "white"
COLUMNS = {  # how the columns of first players begin, in some languages
    "white": ("white", "weiß", "weiss", "blanc", "bianc", "branc"),
    "home": ("home", "heim", "local", "casa", "domicile", "thuis"),
}


def seats_of_column(column: str) -> str:
    """Return which words a table's column of first players asks for: a key of `SEATS`.

    Examples
    --------
    >>> [seats_of_column(name) for name in ("White", "HomeTeam", "model_a", "W", "Local")]
    ['white', 'home', 'first', 'white', 'home']
    """
    word = column.strip().lower()
    return next((key for key, known in COLUMNS.items() if word.startswith(known) or word == key[0]), "first")


def seats_named(key: object) -> Seats:
    """Return the words of a key, those of White and Black where it is none."""
    return SEATS.get(str(key), SEATS[USUAL])
