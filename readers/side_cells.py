"""Sides of several people in the columns of a table: a cell for each person, one cell with a separator, or lists.

    white_1, white_2, black_1, black_2        numbered columns; empty cells where a side has fewer people
    white, black = "Ann+Bob", "Carl+Dora"     one cell; the separator is `sides`, or detected
    white, black = ["Ann", "Bob"], [...]      lists of Parquet, Arrow, JSON lines and data frames

A plus is detected if every cell of both columns has it, a person appears with two different partners, and a person is
first in one cell and last in another; a note reports it, and `sides="whole"` keeps such names whole. Other separators
are used only on request. Shares of play are in columns such as `white_share_1`, or in `white_share` in the form of the
names.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import MOST_PEOPLE, PLUS, Sides, code_sides
from halfpoint.models.games.table import Codes, Texts
from halfpoint.readers.column_values import normalise_spelling, parse_name
from halfpoint.readers.set_apart import Rows
from halfpoint.readers.sources import Cells
from halfpoint.readers.words import LOCATIONS, number

_WHOLE = "whole"  # names are kept whole
_NOTED = (PLUS, "/", "&")  # marks between the people of a side
SEAT = re.compile(r"(white|black)(_share)?(?:_(\d+))?")  # keys of columns
FLAG = "--sides"


def parts_of(text: str, mark: str) -> list[str]:
    """The names in a cell."""
    return [normalise_spelling(part) for part in text.split(mark)]


def _found_mark(texts: Sequence[str]) -> tuple[str, str]:
    """Separator of people of a side, empty if uncertain, and a note, empty if none.

    Examples
    --------
    >>> _found_mark(["Ann+Bob", "Bob+Carl", "Carl+Ann"])[0]
    '+'
    >>> _found_mark(["openai/gpt-4", "openai/gpt-5", "meta/llama"])
    ('', '')
    """
    for mark in _NOTED:
        parts_of_text = {text: parts for text in texts if mark in text and all(parts := parts_of(text, mark))}
        partners: defaultdict[str, set[str]] = defaultdict(set)
        for parts in parts_of_text.values():
            for part in parts:
                partners[part] |= set(parts) - {part}
        first, last = ({parts[end] for parts in parts_of_text.values()} for end in (0, -1))
        people = any(len(names) > 1 for names in partners.values()) and not first.isdisjoint(last)
        if mark == PLUS and people and len(parts_of_text) == len(texts):
            example = f"such as {next(iter(parts_of_text))!r}"
            return mark, f"sides of several people, {example}: names are split at {mark!r} ({FLAG} {_WHOLE} keeps them)"
        mixed = any(part in partners for part in texts)
        if parts_of_text and (people or mixed):
            example = f"names such as {next(iter(parts_of_text))!r}"
            return "", f"{example} are kept whole ({FLAG} '{mark}' reads sides of several people)"
    return "", ""


def _columns_of(keys: Iterable[str], side: str, share: bool) -> dict[int, str]:
    """The keys of the columns of one side, names or shares, by seat."""
    matches = [match for match in map(SEAT.fullmatch, keys) if match and match[1] == side and bool(match[2]) == share]
    return dict(sorted((int(match[3] or 1), match[0]) for match in matches))


def marks_of(cells: Mapping[str, Cells], sides: str | None) -> tuple[str, str]:
    """Separator of names, empty if cells are whole names, and a note."""
    if sides is not None:
        if not sides.strip():
            raise GameTableError(FLAG, f"a separator of names, such as '+', or {_WHOLE}", repr(sides))
        return ("" if sides == _WHOLE else sides.strip()), ""
    if are_several(cells, ""):
        return "", ""
    texts = polars.concat([cells["white"].alias("cells"), cells["black"].alias("cells")])
    return _found_mark(texts.unique(maintain_order=True).to_list())


def are_several(cells: Mapping[str, Cells], mark: str) -> bool:
    """True if columns contain sides of several people: more columns than one a side, lists, or a mark."""
    people = [key for side in ("white", "black") for key in _columns_of(cells, side, False).values()]
    return bool(mark) or len(people) > 2 or any(cells[key].dtype.is_nested() for key in people)


def _texts_of_rows(columns: Sequence[Cells], mark: str) -> list[list[str]]:
    """Texts of each row of several columns, in order."""

    def split(cells: Cells) -> list[list[str]]:
        if cells.dtype.is_nested():
            return cells.to_list()
        return [parts_of(text, mark) if mark else [text] for text in cells.to_list()]

    return [[text for cell in row for text in cell] for row in zip(*map(split, columns), strict=True)]


def read_sides(rows: Rows, mark: str) -> tuple[Texts, Codes, Codes, Sides]:
    """The sides of games by name, indexes of White and Black into them, and their people."""
    code_of: dict[tuple[object, ...], int] = {}
    members: list[dict[str, float]] = []
    codes = []
    fault: GameTableError | None = None
    for side in ("white", "black"):
        people, shares = (_columns_of(rows.cells, side, share) for share in (False, True))
        texts = _texts_of_rows([rows.cells[key] for key in people.values()], mark)
        parts: list[list[str]] = [[]] * len(texts)
        if shares:  # in a seat without a column of shares all people have played the whole game
            nothing = polars.Series([""] * len(texts), dtype=polars.String)
            parts = _texts_of_rows([rows.cells[shares[k]] if k in shares else nothing for k in people], mark or PLUS)
        column = rows.names[next(iter(people.values()))]
        place_of = np.empty(len(texts), dtype=np.int32)
        for row, key in enumerate(zip(map(tuple, texts), map(tuple, parts), strict=True)):
            if key not in code_of:
                code_of[key] = len(members)
                try:
                    members.append(_one_side(*key))
                except ValueError as error:
                    members.append({})
                    fault = fault or GameTableError(f"{rows.place(row)}, column {column}", *error.args)
            place_of[row] = code_of[key]
        if fault is not None:
            raise fault.at(rows.place, np.flatnonzero([not members[code] for code in place_of.tolist()]).tolist())
        codes.append(place_of)
    sides = list(zip(*(seat_codes.tolist() for seat_codes in codes), strict=True))
    twice = [row for row, (white, black) in enumerate(sides) if not members[white].keys().isdisjoint(members[black])]
    if twice:
        clashing = members[sides[twice[0]][0]].keys() & members[sides[twice[0]][1]].keys()
        clash = GameTableError(rows.place(twice[0]), "every player on one side", f"{min(clashing)[:60]!r} on both")
        raise clash.at(rows.place, twice)
    return code_sides(members, codes[0], codes[1], rows.where, mark)


def _one_side(texts: Sequence[str], shares: Sequence[str]) -> dict[str, float]:
    """People of one side with shares of play; `ValueError` (expected, found) if unreadable."""
    share_of: dict[str, float] = {}
    for seat, text in enumerate(texts):
        share = shares[seat] if seat < len(shares) else ""
        try:
            name = parse_name(text)
        except ValueError:
            if text and len(texts) == 1:
                raise ValueError("a player's name", repr(text[:60])) from None
            if share not in ("", "0", "0.0"):
                raise ValueError("a player's name for every share", repr(share[:60])) from None
            continue
        if name in share_of:
            raise ValueError("every player once on a side", f"{name[:60]!r} again")
        part = number(share) if share else 1.0
        if part is None or not 0.0 <= part < float("inf"):
            raise ValueError("a share of play, a number of at least 0", repr(share[:60]))
        if part > 0:
            share_of[name] = part
    if not share_of:
        raise ValueError("a player's name", "none")
    if len(share_of) > MOST_PEOPLE:
        raise ValueError(f"at most {MOST_PEOPLE} people on a side", str(len(share_of)))
    return share_of


def seats_of_locations(rows: Rows) -> str:
    """Key of the seats' words by the cells of locations; empty without locations."""
    if "location" not in rows.cells:
        return ""
    words = {word.casefold() for word in rows.cells["location"].unique().to_list()}
    grounds = {LOCATIONS.get(word) for word in words} & {"home", "away"}
    at_home = "home player" if rows.names["white"].strip().lower().startswith("player") else "home"
    return "white" if words & {"white", "weiss", "black", "schwarz"} else at_home if grounds else ""
