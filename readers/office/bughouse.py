r"""Bughouse: PGN whose games have four players; WhiteA and BlackB are a side, and the result is that of board A.

    [WhiteA "ann"][WhiteAElo "1700"]
    [BlackA "bob"][BlackAElo "1650"] ...

(bughouse-db.org, BPGN.)
"""

import re
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source

_TAGS = re.compile(r'\[(\w{1,40}) "([^"\n]{0,255})"\]')
_SEATS = ("WhiteA", "BlackB", "BlackA", "WhiteB")


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with the tags of games of four players."""
    return head.lstrip(b"\xef\xbb\xbf \r\n").startswith(b"[") and b'[WhiteA "' in head and b'[BlackB "' in head


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a file: two people a side."""
    text, sha256 = read_text(file)
    games, lines = list[dict[str, str]](), list[int]()
    for number, line in enumerate(text.splitlines(), 1):
        for tag, value in _TAGS.findall(line) if line.startswith("[") else ():
            if not games or tag in games[-1]:
                games.append({})
                lines.append(number)
            games[-1][tag] = value
    rows = [[*(game.get(seat, "") for seat in _SEATS), game.get("Result", ""), game.get("Date", "")] for game in games]
    if not rows:
        raise GameTableError(location, "games of four players", "none")
    header = ("white_1", "white_2", "black_1", "black_2", "Result", "Date")
    notes = ("bughouse: WhiteA and BlackB are a side", "not used: boards, ratings and clocks")
    return source_of_rows(header, rows, name, location, lines, sha256, notes)


BUGHOUSE = Form(recognises, columns)
