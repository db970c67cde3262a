"""Values by player from a CSV file of names and cells: costs, years of birth, titles."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpoint.apps.workflows.beside.columns import csv_rows, unused_columns
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.find_player import Players
from halfpoint.models.games.plain_words import NAMES, plain_word


@dataclass(frozen=True)
class ByPlayer[V]:
    """Values by player."""

    values: dict[str, V]
    notes: tuple[str, ...] = ()  # columns that are not used, a line


def read_by_player[V](
    path: str | Path, players: Iterable[str], fields: Mapping[str, Sequence[str]], expected: str,
    value: Callable[[list[str]], V | None], optional: int = 0,
) -> ByPlayer[V]:  # fmt: skip
    """Values by player, from columns identified by their words, or in the order of the fields if there is no header.

    Parameters
    ----------
    path : str or Path
        The file.
    players : iterable of str
        Players of the games; each name in the file must be one of them.
    fields : mapping of str to sequence of str
        Fields after the name, with the words of their columns without case, blanks and punctuation.
    expected : str
        Content of a row, for messages.
    value : callable
        Makes a value from the cells of the fields, empty where a column is missing; None for cells that are refused.
    optional : int
        Number of the last fields that may be missing.

    Raises
    ------
    GameTableError
        If the file cannot be read, a column is missing, a name is not a player or occurs twice, or a cell is refused.
    """
    rows = csv_rows(path, expected)
    words = {"name": NAMES, **fields}
    least = len(words) - optional
    places: dict[str, int] = {field: place for place, field in enumerate(words)}
    notes: tuple[str, ...] = ()
    if rows and {plain_word(cell) for cell in rows[0][1]} & {*NAMES}:
        number, header = rows.pop(0)
        plain = [plain_word(cell) for cell in header]
        places = {field: plain.index(word) for field, names in words.items()
                  if (word := next((name for name in names if name in plain), None)) is not None}  # fmt: skip
        missing = [field for field in list(words)[:least] if field not in places]
        if missing:
            wanted = f"a column for {' and '.join(missing)} ({', '.join(words[missing[0]][:4])})"
            raise GameTableError(f"{path}, line {number}", wanted, ", ".join(map(repr, header[:8])))
        notes = unused_columns(header, [header[place] for place in places.values()], path)
        widths = range(len(header), len(header) + 1)
    else:
        widths = range(least, len(words) + 1)
    roster, value_of_player, line_of = Players(players), dict[str, V](), dict[str, int]()
    for number, row in rows:
        cells = [row[places[field]] if field in places and places[field] < len(row) else "" for field in words]
        player_value = value(cells[1:]) if len(row) in widths else None
        if player_value is None:
            raise GameTableError(f"{path}, line {number}", expected, repr(",".join(row)))
        name = roster.names[roster.find(cells[0], f"{path}, line {number}")]
        if name in value_of_player:
            raise GameTableError(f"{path}, line {number}", "every player once", f"{name!r} as in line {line_of[name]}")
        value_of_player[name], line_of[name] = player_value, number
    return ByPlayer(value_of_player, notes)
