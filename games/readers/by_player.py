"""Values by player from a CSV file of names and cells: costs, years of birth, titles."""

import csv
from collections.abc import Callable, Iterable
from pathlib import Path

from halfpoint.games.errors import GameTableError
from halfpoint.games.find_player import Players
from halfpoint.games.readers.compressed import read_text


def read_by_player[V](
    path: str | Path, players: Iterable[str], heading: list[str], expected: str, value: Callable[[list[str]], V | None]
) -> dict[str, V]:
    """Read values by player; `value` makes one from the cells after the name, or returns None to refuse them."""
    known, found = Players(players), {}
    for number, row in enumerate(csv.reader(read_text(path)[0].splitlines()), 1):
        name, *cells = [cell.strip() for cell in row] or [""]
        if not row or (number == 1 and [one.lower() for one in (name, *cells)][: len(heading)] == heading):
            continue
        made = value(cells)
        if made is None:
            raise GameTableError(f"{path}, line {number}", expected, repr(",".join(row)))
        found[known.names[known.find(name)]] = made
    return found
