"""Line-ups from a CSV file: a header, then one line per stint or possession of one side on offence."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from halfpoint.apps.fields.lineups.table import ROLES, LineupTable
from halfpoint.apps.workflows.beside.columns import columns_by_words, unused_columns
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.table import Floats
from halfpoint.readers.csv_files import CsvColumns, words_in
from halfpoint.readers.sound_cells import require_header, require_short

_WORDS = words_in("apps.fields.lineups")
_SEAT = re.compile(r"(o|off|offence|offense|d|def|defence|defense)(?:player)?(\d+)(?:id)?")
_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?[+;|/]\s*")


def read_lineups(path: str | Path, columns: Mapping[str, str] | None = None) -> LineupTable:
    """Read the stints of a CSV file; `columns` names the columns of points, possessions, game, offence or defence."""
    table = CsvColumns.whole(read_text(path)[0], str(path))
    cells, location = table.cells, f"{path}, header"
    chosen = columns_by_words(table.header, _WORDS, columns or {}, location)
    sides = [_seats_of(table.header, side, chosen) for side in ROLES]
    if not all(sides) or "points" not in chosen:
        missing = [side for side, seats in zip(ROLES, sides, strict=True) if not seats]
        missing += [] if "points" in chosen else ["points"]
        raise GameTableError(
            location, f"columns for {' and '.join(missing)}", f"columns {', '.join(table.header[:12])}",
            "Give off1, off2, ..., def1, def2, ... and points, or name the columns with --columns points=COLUMN.",
        )  # fmt: skip
    lines = np.array(table.lines, dtype=np.int64)
    require_header(table.header, str(path))
    for column in dict.fromkeys([*chosen.values(), *sides[0], *sides[1]]):
        require_short(cells[column], column, lambda row: f"{path}, line {lines[row]}")
    names = [people([cells[column] for column in seats], str(path), lines, side)
             for seats, side in zip(sides, ROLES, strict=True)]  # fmt: skip
    players = np.array(sorted({player for side in names for row in side for player in row}), dtype=np.str_)
    place = {player: code for code, player in enumerate(players.tolist())}
    offence, defence = (np.array([[place[player] for player in row] for row in side], dtype=np.int32) for side in names)
    possessions = np.ones(lines.size)
    if "possessions" in chosen:
        possessions = _numbers(cells[chosen["possessions"]], f"{path}", lines, "possessions")
    game = np.array(cells[chosen["game"]], dtype=np.str_) if "game" in chosen else np.full(lines.size, "")
    points = _numbers(cells[chosen["points"]], f"{path}", lines, "points")
    return LineupTable(
        players, offence, defence, points, possessions, game, lines, printable(Path(path).name), str(path),
        table.simulated, unused_columns(table.header, [*chosen.values(), *sides[0], *sides[1]]),
    )  # fmt: skip


def _seats_of(header: Sequence[str], side: str, chosen: Mapping[str, str]) -> list[str]:
    """Columns with the names of a side: its single column, else the numbered columns, in their order."""
    if side in chosen:
        return [chosen[side]]
    seats = ((_SEAT.fullmatch(plain_word(name)), name) for name in header)
    return [name for _, name in sorted((int(seat[2]), name) for seat, name in seats if seat and seat[1][0] == side[0])]


def people(columns: Sequence[Sequence[str]], source: str, lines: np.ndarray, side: str) -> list[list[str]]:
    """Names of a side, row by row."""
    names_by_row: list[list[str]] = []
    for row, cells in enumerate(zip(*columns, strict=True)):
        names = _BETWEEN.split(cells[0]) if len(cells) == 1 else list(cells)
        names = [" ".join(name.split()) for name in names]
        if not all(names):
            raise GameTableError(f"{source}, line {lines[row]}, {side}", "a player in every seat", "an empty seat")
        if names_by_row and len(names) != len(names_by_row[0]):
            expected = f"{len(names_by_row[0])} players as in the first line"
            raise GameTableError(f"{source}, line {lines[row]}, {side}", expected, f"{len(names)}")
        names_by_row.append(names)
    return names_by_row


def _numbers(cells: Sequence[str], source: str, lines: np.ndarray, field: str) -> Floats:
    """A column of numbers."""
    places = (f"{source}, line {line}, column {field}" for line in lines.tolist())
    return np.array([number(cell, place) for cell, place in zip(cells, places, strict=True)])


def number(text: str, location: str) -> float:
    """Number in a cell; `GameTableError` with the place if absent."""
    try:
        return float(text)
    except ValueError:
        raise GameTableError(location, "a number", repr(text)) from None
