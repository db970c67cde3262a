"""Sides of several people in the columns of a file: a cell for each person, one cell with a mark between, or lists.

    white_1, white_2, black_1, black_2        numbered columns; empty cells where a side has fewer people
    white, black = "Ann+Bob", "Carl+Dora"     one cell; the mark is told by `sides`, or found
    white, black = ["Ann", "Bob"], [...]      lists of Parquet files and data frames

A plus is found where every cell of both columns has one, somebody stands beside two others, and somebody stands first
in one cell and last in another; it is told, and `sides="whole"` takes such names whole. Other marks are never taken by
themselves. Shares of play stand in columns such as `white_share_1`, or in `white_share` as the names do.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.sides import MOST_PEOPLE, PLUS, Sides, code_sides
from halfpoint.games.table import Codes, Texts

Values = npt.NDArray[Any]
Place = Callable[[int], str]

WHOLE = "whole"  # names are taken as they stand
NOTED = (PLUS, "/", "&")  # marks that may stand between the people of a side
SEAT = re.compile(r"(white|black)(_share)?(?:_(\d+))?")  # keys of raw columns
FLAG = "--sides"


def holds_lists(values: Values) -> bool:
    """Return whether a column's cells are lists of people."""
    return values.dtype == object and any(isinstance(value, list | tuple | np.ndarray) for value in values[:1000])


def parts_of(text: str, mark: str) -> list[str]:
    """Return the names in a cell."""
    return [" ".join(part.split()) for part in text.split(mark)]


def found_mark(texts: Sequence[str]) -> tuple[str, str]:
    """Return the mark between the people of sides, empty if none is sure, and a line to tell, empty if there is none.

    Parameters
    ----------
    texts : sequence of str
        The distinct cells of both sides.

    Examples
    --------
    >>> found_mark(["Ann+Bob", "Bob+Carl", "Carl+Ann"])[0]
    '+'
    >>> found_mark(["openai/gpt-4", "openai/gpt-5", "meta/llama"])
    ('', '')
    """
    for mark in NOTED:
        apart = {text: parts_of(text, mark) for text in texts if mark in text}
        apart = {text: parts for text, parts in apart.items() if all(parts)}
        partners: defaultdict[str, set[str]] = defaultdict(set)
        ends: defaultdict[str, set[int]] = defaultdict(set)
        for parts in apart.values():
            for seat, part in enumerate(parts):
                partners[part] |= set(parts) - {part}
                ends[part] |= {0} if seat == 0 else {1} if seat == len(parts) - 1 else set()
        people = any(len(found) > 1 for found in partners.values()) and any(len(found) > 1 for found in ends.values())
        if mark == PLUS and people and len(apart) == len(texts):
            example = f"such as {next(iter(apart))!r}"
            return mark, f"sides of several people, {example}: names are split at {mark!r} ({FLAG} {WHOLE} keeps them)"
        mixed = any(part in partners for part in texts)
        if apart and (people or mixed):
            return (
                "",
                f"names such as {next(iter(apart))!r} are taken whole ({FLAG} '{mark}' reads sides of several people)",
            )
    return "", ""


def columns_of(columns: Mapping[str, Values], side: str, share: bool) -> dict[int, str]:
    """Return the keys of the raw columns of one side, names or shares, by seat."""
    found = {}
    for key in columns:
        match = SEAT.fullmatch(key)
        if match is not None and match[1] == side and bool(match[2]) == share:
            found[int(match[3] or 1)] = key
    return dict(sorted(found.items()))


def side_keys(columns: Mapping[str, Values]) -> list[str]:
    """Return the keys of raw columns that hold people of sides or their shares."""
    return [key for key in columns if SEAT.fullmatch(key)]


def marks_of(columns: Mapping[str, Values], sides: str | None, as_text: Callable[[object], str]) -> tuple[str, str]:
    """Return the mark between names, empty where cells are whole names, and a line to tell.

    Raises
    ------
    GameTableError
        If the mark that is asked for is empty.
    """
    if sides is not None:
        if not sides.strip():
            raise GameTableError(FLAG, f"what stands between names, such as '+', or {WHOLE}", repr(sides))
        return ("" if sides == WHOLE else sides.strip()), ""
    several = any(len(columns_of(columns, side, False)) > 1 for side in ("white", "black"))
    if several or any(holds_lists(columns[side]) for side in ("white", "black")):
        return "", ""
    distinct: dict[str, None] = {}
    for side in ("white", "black"):
        distinct |= dict.fromkeys(as_text(value) for value in pandas.unique(columns[side]))
    return found_mark(list(distinct))


def are_several(columns: Mapping[str, Values], mark: str) -> bool:
    """Return whether columns hold sides of several people: more columns than one a side, lists, or a mark."""
    people = [key for side in ("white", "black") for key in columns_of(columns, side, False).values()]
    return bool(mark) or len(people) > 2 or any(holds_lists(columns[key]) for key in people)


def cells_of(values: Values, mark: str, as_text: Callable[[object], str]) -> list[list[str]]:
    """Return the texts in each distinct cell of one column."""
    if holds_lists(values):
        return [[as_text(one) for one in ([] if is_missing(value) else value)] for value in values]
    return [parts_of(as_text(value), mark) if mark else [as_text(value)] for value in values]


def joined(columns: Sequence[Sequence[Sequence[str]]]) -> list[list[str]]:
    """Return the texts of each row of several columns one after the other."""
    return [[text for cell in row for text in cell] for row in zip(*columns, strict=True)]


def is_missing(value: Any) -> bool:
    """Return whether a cell of lists holds none."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def read_sides(
    columns: Mapping[str, Values],
    mark: str,
    names: Mapping[str, str],
    place: Place,
    source: str,
    as_text: Callable[[object], str],
    parse_name: Callable[[str], str],
) -> tuple[Texts, Codes, Codes, Sides]:
    """Return the sides of games by name, indexes of White and Black into them, and who is on them.

    Parameters
    ----------
    columns : mapping of str to array, shape (game,)
        Raw columns by key: white, white_2, ..., black, ..., and shares of play.
    mark : str
        What stands between names in one cell; empty for nothing.
    names : mapping of str to str
        Key to the column's name in the source, for messages.
    place : callable
        Where row k stands.
    source : str
        For messages.
    as_text, parse_name : callable
        A cell as text; a text as a name, `ValueError` where it is none.

    Raises
    ------
    GameTableError
        At the first row with nobody on a side, somebody on it twice or on both, or a share that is no number above 0.
    """
    known: dict[tuple[Any, ...], int] = {}
    made: list[dict[str, float]] = []
    codes = []
    for side in ("white", "black"):
        people, shares = columns_of(columns, side, False), columns_of(columns, side, True)
        rows = joined([cells_of(columns[key], mark, as_text) for key in people.values()])
        parts = None
        if shares:  # of a seat without a column of shares everybody has played the whole game
            given = [columns.get(shares.get(seat, ""), np.full(len(rows), "")) for seat in people]
            parts = joined([cells_of(values, mark or PLUS, as_text) for values in given])
        column = names[next(iter(people.values()))]
        place_of = np.empty(len(rows), dtype=np.int32)
        for row, texts in enumerate(rows):
            key = (*texts, None, *(parts[row] if parts else ()))
            if key not in known:
                known[key] = len(made)
                try:
                    made.append(one_side(texts, parts[row] if parts else None, parse_name))
                except ValueError as error:
                    raise GameTableError(f"{place(row)}, column {column}", *error.args) from None
            place_of[row] = known[key]
        codes.append(place_of)
    for row, (one, other) in enumerate(zip(*(each.tolist() for each in codes), strict=True)):
        both = set(made[one]) & set(made[other])
        if both:
            raise GameTableError(f"{place(row)}", "every player on one side", f"{min(both)[:60]!r} on both")
    return code_sides(made, codes[0], codes[1], source, mark)


def one_side(texts: Sequence[str], shares: Sequence[str] | None, parse_name: Callable[[str], str]) -> dict[str, float]:
    """Return who is on one side with shares of play; `ValueError` (expected, found) where that cannot be read."""
    found: dict[str, float] = {}
    for seat, text in enumerate(texts):
        share = shares[seat] if shares is not None and seat < len(shares) else ""
        try:
            name = parse_name(text)
        except ValueError:
            if text and len(texts) == 1:
                raise ValueError("a player's name", repr(text[:60])) from None
            if share not in ("", "0", "0.0"):
                raise ValueError("a player's name for every share", repr(share[:60])) from None
            continue
        if name in found:
            raise ValueError("every player once on a side", f"{name[:60]!r} again")
        try:
            part = float(share) if share else 1.0
        except ValueError:
            part = math.nan
        if not (math.isfinite(part) and part >= 0):
            raise ValueError("a share of play, a number of at least 0", repr(share[:60]))
        if part > 0:
            found[name] = part
    if not found:
        raise ValueError("a player's name", "nobody")
    if len(found) > MOST_PEOPLE:
        raise ValueError(f"at most {MOST_PEOPLE} people on a side", str(len(found)))
    return found
