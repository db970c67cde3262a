"""Line-ups of teams from a CSV file: the columns team and player, and optionally board (else the order of the rows)."""

from dataclasses import dataclass
from pathlib import Path

from halfpoint.apps.workflows.beside.columns import unused_columns
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.sound_cells import require_short

_FIELDS = ("team", "player", "board")


@dataclass(frozen=True)
class LineUp:
    """A team in the order of its boards."""

    team: str
    players: tuple[str, ...]  #: the players of boards 1, 2, ...


def read_line_ups(path: str | Path) -> tuple[list[LineUp], tuple[str, ...]]:
    """The teams of a file in their order, all of the same number of boards, and notes on the file."""
    table = CsvColumns.whole(read_text(path)[0], str(path))
    cells = {name.lower(): column for name, column in table.cells.items()}
    if not {"team", "player"} <= set(cells):
        header = ", ".join(table.header[:12])
        raise GameTableError(f"{path}, header", "columns team and player, perhaps board", header)
    for name in filter(cells.__contains__, _FIELDS):
        require_short(cells[name], name, lambda row: f"{path}, line {table.lines[row]}")
    lines: dict[str, list[tuple[float, str]]] = {}
    for row, line in enumerate(table.lines):
        team, player, place = (" ".join(cells[name][row].split()) if name in cells else "" for name in _FIELDS)
        if not team or not player:
            raise GameTableError(f"{path}, line {line}", "a team and a player", "an empty cell")
        if "board" in cells and not place.isdecimal():
            raise GameTableError(f"{path}, line {line}, column board", "a whole number", repr(place))
        lines.setdefault(team, []).append((int(place) if "board" in cells else row, player))
    if len(lines) < 2:
        raise GameTableError(str(path), "two teams or more", ", ".join(lines) or "none")
    boards = len(next(iter(lines.values())))
    for team, players in lines.items():
        if len({board for board, _ in players}) < len(players):
            raise GameTableError(f"{path}, team {team}", "each board once", "a board twice")
        if len(players) != boards:
            expected = f"{boards} boards, as {next(iter(lines))} has"
            raise GameTableError(f"{path}, team {team}", expected, str(len(players)), "Leave reserves out.")
    teams = [LineUp(team, tuple(name for _, name in sorted(players))) for team, players in lines.items()]
    return teams, unused_columns(table.header, [name for name in table.header if name.lower() in _FIELDS], path)
