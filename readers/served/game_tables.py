"""Tables of Board Game Arena in JSON: names and ranks of a table's players in texts with commas.

    {"table_id": "9", "game_name": "wingspan", "start": "1705000000", "player_names": "Ann,Bob", "ranks": "1,2"}

Tables of two players are games (`halfpoint rate`); if any table has more players, all tables are rankings (`halfpoint
races`). A table that did not end normally is set apart. (The site's list of games finished, `getGames`.)
"""

import re
from pathlib import Path

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, begins_as, not_used, set_aside, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_KEYS = [re.compile(rb'"%s"\s*:' % key) for key in (b"player_names", b"ranks")]
_USED = ("table_id", "player_names", "ranks", "end", "start", "normalend", "game_name")


def recognises(path: str, head: bytes) -> bool:
    """True if a file is JSON of tables with names and ranks of players."""
    return begins_as(head, b"{[") and all(key.search(head) for key in _KEYS)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games, or the placings, of a file's tables."""
    document = read_document(file, location)
    tables, lines, broken = [], [], 0
    keys: dict[str, None] = {}
    for number, row in document.objects():
        keys |= dict.fromkeys(row)
        names, ranks = (str(row.get(key) or "").split(",") for key in ("player_names", "ranks"))
        if len(names) != len(ranks) or not all(names) or str(row.get("normalend", "1")) == "0":
            broken += 1
            continue
        tables.append((str(row.get("table_id", number)), str(row.get("end") or row.get("start") or ""), names, ranks))
        lines.append(number)
    if not tables:
        raise GameTableError(location, "tables with names and ranks of their players", "none")
    games = {str(row.get("game_name", "")) for _, row in document.objects()}
    notes = [f"Board Game Arena: {count_noun(len(tables), 'table')} of {list_names(sorted(games))}"]
    notes += [set_aside(broken, "table", " without ranks, or not ended normally")]
    notes += [not_used(key for key in keys if key not in _USED)]
    header: tuple[str, ...] = ("event", "competitor", "place", "date")
    rows: list[list[tuple[str, ...]]] = [[(event, who, rank, day) for who, rank in zip(names, ranks, strict=True)]
            for event, day, names, ranks in tables]  # fmt: skip
    if all(len(names) == 2 for *_, names, _ in tables):
        header = ("Player 1", "Player 2", "white_rank", "black_rank", "Date", "neutral")
        rows = [[(*names, *ranks, day, "1")] for _, day, names, ranks in tables]
    numbers = [line for line, group in zip(lines, rows, strict=True) for _ in group] if document.lines else None
    placings = [row for group in rows for row in group]
    return source_of_rows(header, placings, name, location, numbers, document.sha256, notes)


GAME_TABLES = Form(recognises, columns)
