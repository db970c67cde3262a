"""Rows of a table that are no game with a result: not played yet, or a bye; set apart and told, as in PGN."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas

from halfpoint.games.errors import GameTableError, counted

BYES = frozenset({"bye", "bye,", "(bye)", "freilos", "exempt", "spielfrei"})
UNPLAYED = ("", "?", "-", "*", "nan", "NaN", "None", "<NA>")
SHOWN_LINES = 5


def rows_apart(
    columns: Mapping[str, npt.NDArray[Any]], text: Callable[[object], str]
) -> dict[str, npt.NDArray[np.intp]]:
    """Return the rows that are set apart by the reason, in the order in which reasons are looked at.

    Parameters
    ----------
    columns : mapping of str to array, shape (game,)
        Raw cells by field. A game has no result where its score, its winner or both its goals are empty.
    text : callable
        Gives a cell as text.
    """
    told = next((key for key in ("score", "winner") if key in columns), None)
    fields = [told] if told else [key for key in ("margin", "white_goals", "black_goals") if key in columns]
    found = {"bye": are_in(columns, ("white", "black"), BYES, text, any_of=True)}
    found["without a result"] = are_in(columns, fields, UNPLAYED, text, any_of=False) & ~found["bye"]
    return {reason: np.flatnonzero(rows) for reason, rows in found.items() if rows.any()}


def are_in(
    columns: Mapping[str, npt.NDArray[Any]],
    fields: Sequence[str],
    words: Sequence[str] | frozenset[str],
    text: Callable[[object], str],
    any_of: bool,
) -> npt.NDArray[np.bool_]:
    """Return in which rows any, or all, of some fields hold one of some words."""
    count = len(next(iter(columns.values())))
    made = []
    for field in fields:
        if columns[field].dtype.kind in "iub":
            return np.zeros(count, dtype=bool)
        try:
            codes, distinct = pandas.factorize(columns[field], use_na_sentinel=False)
        except TypeError:  # cells of no plain kind, which the parser refuses with their place
            return np.zeros(count, dtype=bool)
        plain = [text(one) for one in distinct]
        made.append(np.array([one in words or one.lower() in words for one in plain], dtype=bool)[codes])
    if not made:
        return np.zeros(count, dtype=bool)
    return np.any(made, axis=0) if any_of else np.all(made, axis=0)


def without(
    columns: Mapping[str, npt.NDArray[Any]],
    apart: Mapping[str, npt.NDArray[np.intp]],
    line: npt.NDArray[np.int64] | None,
    source: str,
) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.int64], list[str]]:
    """Return the rows that stay, the line of each, and what was set apart, a line each.

    Raises
    ------
    GameTableError
        If no row stays.
    """
    count = len(next(iter(columns.values())))
    lines = np.arange(1, count + 1) if line is None else line
    kept = np.ones(count, dtype=bool)
    notes = []
    for reason, rows in apart.items():
        kept[rows] = False
        first = ", ".join(str(number) for number in lines[rows[:SHOWN_LINES]].tolist())
        place = f"{'row' if line is None else 'line'} {first}{', ...' if rows.size > SHOWN_LINES else ''}"
        notes.append(f"set apart: {counted(rows.size, 'game')}, {reason} ({place})")
    if not kept.any():
        raise GameTableError(source, "at least one game with a result", f"none in {count} rows")
    return np.flatnonzero(kept), lines[kept], notes
