"""Rows of cells on their way to a table, and those that are no game with a result: not played, a walkover, or a bye."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import numpy.typing as npt
import polars

from halfpoint.games.errors import GameTableError, count_noun
from halfpoint.games.readers.column_values import encode_cells
from halfpoint.games.readers.sources import Cells
from halfpoint.games.readers.words import SPACED_DASH, TRUE

Mask = npt.NDArray[np.bool_]

BYES = frozenset({
    *("bye", "bye,", "(bye)", "freilos", "exempt", "spielfrei", "descansa", "libre", "vrij", "riposo", "folga"),
    *("frirond", "oversidder", "pauza", "pauzuje", "wolny los", "volny los", "kampffrei", "half-point bye"),
})  # fmt: skip
_FORFEITS = frozenset({
    *(f"{one}{mark}{other}" for mark in "-/:" for one in "+-" for other in "+-"), "--", "w/o", "w.o.", "wo", "walkover",
})  # fmt: skip
UNPLAYED = ("", "?", "-", "*", "nan", "NaN", "None", "<NA>")
SHOWN_LINES = 5
_ADVICE = "Or set such games apart, --faulty apart."


@dataclass(frozen=True, eq=False)
class Rows:
    """Cells by field, and their source."""

    where: str  # the source, for messages
    counts: str  # what `line` counts: lines of a file, or rows
    line: npt.NDArray[np.int64]  # (row,): number of each row in the source
    cells: Mapping[str, Cells]  # field to its cells
    names: Mapping[str, str]  # field to the column's name in the source
    further: Mapping[str, Cells]  # cells of other columns by their names

    def place(self, row: int) -> str:
        """Place of a row, for messages."""
        return f"{self.where}, {self.counts} {self.line[row]}"

    def keep(self, mask: Mask) -> Self:
        """Some of the rows."""
        if mask.all():
            return self
        rows = polars.Series(mask)
        cells, further = ({key: one.filter(rows) for key, one in each.items()} for each in (self.cells, self.further))
        return replace(self, line=self.line[mask], cells=cells, further=further)


def set_apart(rows: Rows, meant: Collection[str] = ()) -> tuple[Rows, list[str]]:
    """The rows of games with a result, and the rows set apart, a line each.

    A game has no result where its score, its winner or both its goals are empty; a walkover is one by its score, unless
    the user said what the word means.
    """
    told = next((key for key in ("score", "winner") if key in rows.cells), None)
    fields = [told] if told else [key for key in ("margin", "white_goals", "black_goals") if key in rows.cells]
    bye = np.any([are_in(rows.cells[key], BYES) for key in ("white", "black", *fields)], axis=0)
    empty = np.all([are_in(rows.cells[key], UNPLAYED) for key in fields], axis=0) if fields else np.zeros_like(bye)
    if "equal" in rows.cells:
        empty &= ~are_in(rows.cells["equal"], TRUE)
    given = {word.lower() for word in meant}
    forfeit = np.any([are_forfeits(rows.cells[key], given) for key in fields], axis=0) if fields else np.zeros_like(bye)
    notes = []
    for reason, apart in (("bye", bye), ("forfeit", forfeit & ~bye), ("without a result", empty & ~bye)):
        if apart.any():
            notes.append(apart_in_words(rows.line[apart].tolist(), rows.counts, reason))
    nothing = bye | forfeit | empty
    if len(bye) and nothing.all():
        raise GameTableError(rows.where, "at least one game with a result", f"none in {count_noun(len(bye), 'row')}")
    return rows.keep(~nothing), notes


def are_forfeits(cells: Cells, meant: Collection[str]) -> Mask:
    """In which rows a result was given without a game, shape (row,), but for words that the user explained."""
    if cells.dtype != polars.String:
        return np.zeros(len(cells), dtype=bool)
    codes, words = encode_cells(cells)
    plain = ["".join(SPACED_DASH.sub("-", word).split()).lower() for word in words]
    return np.array([word in _FORFEITS and word not in meant for word in plain], dtype=bool)[codes]


def add_advice(error: GameTableError) -> GameTableError:
    """The error of a game, with the option that sets such games apart."""
    return GameTableError(error.where, error.expected, error.found, f"{error.remedy} {_ADVICE}".strip())


def apart_in_words(lines: Sequence[int], counts: str, reason: str) -> str:
    """Number of rows set apart, the reason, and the first five places."""
    place = f"{counts} {', '.join(map(str, lines[:SHOWN_LINES]))}{', ...' if len(lines) > SHOWN_LINES else ''}"
    return f"set apart: {count_noun(len(lines), 'game')}, {reason} ({place})"


def are_in(cells: Cells, words: Sequence[str] | frozenset[str]) -> Mask:
    """In which rows a text is one of some words, shape (row,); a list never is."""
    if cells.dtype != polars.String:
        return np.zeros(len(cells), dtype=bool)
    found = cells.is_in(list(words)) | cells.str.to_lowercase().is_in(list(words))
    return found.to_numpy()
