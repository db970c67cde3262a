"""Tables of Board Game Arena in JSON: names and ranks of a table's players in texts with commas.

    {"table_id": "9", "game_name": "wingspan", "start": "1705000000", "player_names": "Ann,Bob", "ranks": "1,2"}

Tables of two players are games (`halfpoint rate`); if any table has more players, all tables are rankings (`halfpoint
races`). A table that did not end normally is set apart. (The site's list of games finished, `getGames`.)
"""

import re
from pathlib import Path

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_KEYS = [re.compile(rb'"%s"\s*:' % key) for key in (b"player_names", b"ranks")]
_USED = ("table_id", "player_names", "ranks", "end", "start", "normalend", "game_name")


def recognises(path: str, head: bytes) -> bool:
    """True if a file is JSON of tables with names and ranks of players."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"[") and all(key.search(head) for key in _KEYS)


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
    notes += [f"set apart: {count_noun(broken, 'table')} without ranks, or not ended normally"] if broken else []
    unread_keys = [key for key in keys if key not in _USED]
    notes += [f"not used: {list_names(unread_keys)}"] if unread_keys else []
    numbers = lines if document.lines else None
    if all(len(names) == 2 for *_, names, _ in tables):
        result = {True: "1-0", False: "0-1"}
        header = ("Player 1", "Player 2", "Result", "Date", "neutral")
        rows = [(*names, "1/2-1/2" if first == second else result[float(first) < float(second)], day, "1")
                for _, day, names, (first, second) in tables]  # fmt: skip
        return source_of_rows(header, rows, name, location, numbers, document.sha256, notes)
    placings = [
        (event, who, rank, day) for event, day, names, ranks in tables for who, rank in zip(names, ranks, strict=True)
    ]
    several = None if numbers is None else [line for line, table in zip(lines, tables, strict=True) for _ in table[2]]
    return source_of_rows(
        ("event", "competitor", "place", "date"), placings, name, location, several, document.sha256, notes
    )


GAME_TABLES = Form(recognises, columns)
