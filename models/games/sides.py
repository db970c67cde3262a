"""The two sides of a game: names of the seats, and their people if sides have several.

White and Black, home and away, first and second: the words come from the file. A PGN has White and Black, a table names
its seats by its columns. The words change output only; the first seat's player is printed first.

A table of games names a side of several people as one player ("Ann + Bob") and lists its people here. Code without
people, a rating system for instance, rates the side as a unit; models and lists use the people.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.ranges import PEOPLE

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int32]
Texts = npt.NDArray[np.str_]

JOINED = " + "  # between the people of a side, in its name
PLUS = "+"
_NOBODY = -1
MOST_PEOPLE = int(PEOPLE.most)  # on one side


@dataclass(frozen=True, eq=False)
class Sides:
    """People of each side."""

    people: Texts  # (person,): every person once; sorted in tables of games
    members: Codes  # (side, seat): index into `people`, in rising order; -1 in an empty seat
    share: Floats  # (side, seat): share of play, more than 0: 1 for the whole game. 0 in an empty seat.
    # mark between names in the cells that they were read from; empty if each had a cell of their own
    separator: str = ""

    def __post_init__(self) -> None:
        freeze(self)

    def __len__(self) -> int:
        return int(self.members.shape[0])

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Number of people on each side, shape (side,)."""
        return np.asarray((self.members >= 0).sum(axis=1))

    @property
    def weights(self) -> Floats:
        """Shares that sum to one on each side, shape (side, seat): weights of the mean of a side."""
        return np.asarray(self.share / self.share.sum(axis=1, keepdims=True))

    @property
    def names(self) -> Texts:
        """Name of each side, shape (side,): its people in order of their names, with shares other than 1."""
        people = self.people.tolist()
        seats = zip(self.members, self.share, strict=True)
        return np.array([side_name([people[k] for k in who if k >= 0], share) for who, share in seats], dtype=np.str_)

    def take(self, rows: slice | npt.NDArray[np.integer | np.bool_]) -> Self:
        """Some of the sides, with their people."""
        members, share = self.members[rows], self.share[rows]
        used = np.unique(members[members >= 0])
        seats = max(1, int((members >= 0).sum(axis=1).max(initial=0)))
        members = np.where(members >= 0, np.searchsorted(used, members), _NOBODY).astype(np.int32)
        return replace(self, people=self.people[used], members=members[:, :seats], share=share[:, :seats])

    def among(self, position: Codes, people: Texts) -> Self:
        """Sides with people coded by `position` into other `people`; -1 for missing ones."""
        members = np.where(self.members >= 0, position[np.maximum(self.members, 0)], _NOBODY).astype(np.int32)
        return replace(self, people=people, members=members)


def side_name(names: Sequence[str], shares: Sequence[float] | Floats) -> str:
    """Name of a side: its people joined by a plus, with shares of play other than 1.

    Examples
    --------
    >>> side_name(["Ann", "Bob"], [1.0, 0.5])
    'Ann + Bob (0.5)'
    """
    return JOINED.join(
        name if share == 1.0 else f"{name} ({share:.6g})" for name, share in zip(names, shares, strict=False)
    )


def code_sides(
    sides: Sequence[Mapping[str, float]], white: Codes, black: Codes, source: str, separator: str = ""
) -> tuple[Texts, Codes, Codes, Sides]:
    """Sides of games by name, sorted, two columns of indexes into them, and their people in the same order."""
    keys: dict[tuple[tuple[str, float], ...], int] = {}
    once = np.array([keys.setdefault(tuple(sorted(side.items())), len(keys)) for side in sides], dtype=np.int32)
    columns = once[white], once[black]
    names = [side_name([name for name, _ in key], [share for _, share in key]) for key in keys]
    order = np.array(sorted(range(len(names)), key=names.__getitem__), dtype=np.int64)
    rank = np.argsort(order).astype(np.int32)
    players = np.array([names[k] for k in order], dtype=np.str_)
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise GameTableError(source, "one side for each name", f"{twice!r}, a player and a side", "Rename that player.")
    members_of_side = list(keys)
    people = np.array(sorted({name for key in members_of_side for name, _ in key}), dtype=np.str_)
    code = {name: k for k, name in enumerate(people.tolist())}
    seats = max(len(key) for key in members_of_side)
    members = np.full((len(members_of_side), seats), _NOBODY, dtype=np.int32)
    share = np.zeros((len(members_of_side), seats))
    for row, k in enumerate(order.tolist()):
        for seat, (name, part) in enumerate(members_of_side[k]):
            members[row, seat], share[row, seat] = code[name], part
    return players, rank[columns[0]], rank[columns[1]], Sides(people, members, share, separator)


def rename_people(sides: Sides, names: Mapping[str, str]) -> list[dict[str, float]]:
    """The people of every side under other names, one mapping a side; merged people have the summed share."""
    people = [names.get(name, name) for name in sides.people.tolist()]
    renamed = []
    for who, shares in zip(sides.members.tolist(), sides.share.tolist(), strict=True):
        side: dict[str, float] = {}
        for code, part in zip(who, shares, strict=True):
            if code >= 0:
                side[people[code]] = side.get(people[code], 0.0) + part
        renamed.append(side)
    return renamed


def freeze(table: Any) -> None:
    """Make the arrays of a frozen dataclass read-only through views; the caller's arrays stay writable."""
    for item in fields(table):
        value = getattr(table, item.name)
        if isinstance(value, np.ndarray):
            view = value.view()
            view.flags.writeable = False
            object.__setattr__(table, item.name, view)


@dataclass(frozen=True)
class Seats:
    """Words for the two seats."""

    first: str  # the players of the seats, as headings
    second: str  # likewise
    as_first: str  # a player there: "as White", "at home"
    as_second: str  # likewise
    worth: str  # the first seat's advantage, as the subject of "is worth 30 Elo"
    noun: str = "player"  # who sits there, where a side is one


SEATS = {
    "white": Seats("White", "Black", "as White", "as Black", "White's first move"),
    "stones": Seats("White", "Black", "as White", "as Black", "Playing White"),  # of go, where Black begins
    "home": Seats("Home", "Away", "at home", "away", "Playing at home", "club"),
    "home player": Seats("Home", "Away", "at home", "away", "Playing at home"),
    "first": Seats("First", "Second", "named first", "named second", "Being named first"),
}
USUAL = "white"
COLUMNS = {  # how the columns of first players begin, in some languages
    "white": (
        "white",
        "weiß",
        "weiss",
        "blanc",
        "bianc",
        "branc",
        "wit",
        "biał",
        "biale",
        "белы",
        "hvit",
        "hvid",
        "vit",
        "bíl",
        "bily",
        "bijel",
        "beli",
        "világos",
        "vilagos",
        "beyaz",
    ),
    "stones": ("白", "백"),
    "home player": ("home player", "homeplayer", "home_player"),
    "home": ("home", "heim", "local", "casa", "domicile", "thuis"),
}


def seats_of_column(column: str) -> str:
    """Key of `SEATS` for a table's column of first players.

    Examples
    --------
    >>> [seats_of_column(name) for name in ("White", "HomeTeam", "model_a", "W", "H", "Home player (White)")]
    ['white', 'home', 'first', 'white', 'home', 'white']
    """
    word = column.strip().lower()
    seat = "white" if word.rpartition("(")[2].startswith(COLUMNS["white"]) else word  # a home player may be White
    key_of_seats = next((key for key, beginning in COLUMNS.items() if seat.startswith(beginning)), "first")
    return {"w": "white", "h": "home"}.get(seat, key_of_seats)


def seats_named(key: object) -> Seats:
    """Words of a key; the words for White and Black if the key is unknown."""
    return SEATS.get(str(key), SEATS[USUAL])
