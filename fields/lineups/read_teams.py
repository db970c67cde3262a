"""Teams by board: a text file each, one player a line, or one CSV of all."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from halfpoint.fields.lineups.read import number
from halfpoint.games.errors import GameTableError, printable
from halfpoint.games.find_player import find_players
from halfpoint.games.readers.compressed import read_text
from halfpoint.games.readers.csv_files import CsvColumns
from halfpoint.games.select import read_players

_FIELDS = ("team", "player", "board")


@dataclass(frozen=True)
class Team:
    """A team in the order of its boards."""

    name: str
    players: tuple[str, ...]  #: who plays on boards 1, 2, ...


def read_teams(paths: Sequence[str | Path], known: Sequence[str]) -> list[Team]:
    """The teams of files, their players as a trace spells them."""
    teams: list[Team] = []
    for path in paths:
        is_table = Path(path).suffix.lower() in (".csv", ".tsv")
        teams += _from_csv(path) if is_table else [Team(printable(Path(path).stem), tuple(read_players(path).tolist()))]
    where = " ".join(str(path) for path in paths)
    names = [team.name for team in teams]
    if len(names) < 2 or len(set(names)) < len(names):
        raise GameTableError(where, "two different teams or more", ", ".join(names) or "none")
    for team in teams[1:]:
        if len(team.players) != len(teams[0].players):
            expected = f"{len(teams[0].players)} boards, as {teams[0].name} has"
            raise GameTableError(f"{where}, team {team.name}", expected, str(len(team.players)), "Leave reserves out.")
    meant = iter(find_players([player for team in teams for player in team.players], known, where))
    return [Team(team.name, tuple(next(meant) for _ in team.players)) for team in teams]


def _from_csv(path: str | Path) -> list[Team]:
    """The teams of a CSV file, in the order in which they come."""
    table = CsvColumns.whole(read_text(path)[0], str(path))
    cells = {name.lower(): column for name, column in table.cells.items()}
    if not {"team", "player"} <= set(cells):
        found = ", ".join(table.header[:12])
        raise GameTableError(f"{path}, header", "columns team and player, perhaps board", found)
    lines: dict[str, list[tuple[float, str]]] = {}
    for row, line in enumerate(table.lines):
        team, player, place = (cells[name][row].strip() if name in cells else "" for name in _FIELDS)
        if not team or not player:
            raise GameTableError(f"{path}, line {line}", "a team and a player", "an empty cell")
        board = number(place or "nan", f"{path}, line {line}, column board") if "board" in cells else float(row)
        lines.setdefault(team, []).append((board, player))
    made = []
    for team, players in lines.items():
        boards = [board for board, _ in players]
        if len(set(boards)) < len(boards):
            raise GameTableError(f"{path}, team {team}", "each board once", "one twice or without a number")
        made.append(Team(team, tuple(name for _, name in sorted(players))))
    return made
