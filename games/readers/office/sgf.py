"""Games of go (and others) in SGF: a collection in a file, or files in a folder, each game with PW, PB and RE.

RE is W+R, B+3.5, 0 or Draw, Void, ?; HA is the number of handicap stones, DT the day, EV and RO the event and the round.
(SGF FF[4], red-bean.com/sgf.) In go Black moves first.
"""

import re
from pathlib import Path

from halfpoint.games.errors import GameTableError, count_noun
from halfpoint.games.readers.compressed import read_text
from halfpoint.games.readers.forms import Form, source_of_rows
from halfpoint.games.readers.office.go_results import result_of_go
from halfpoint.games.readers.sources import Source
from halfpoint.games.readers.words import list_names

_PROPERTY = re.compile(r"([A-Za-z]+)\s*((?:\[(?:[^\]\\]|\\.)*\]\s*)+)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*)\]", re.DOTALL)
_TREE = re.compile(r"\(\s*;")
_USED = ("PW", "PB", "RE", "DT", "HA", "EV", "RO", "GM", "FF", "CA", "SZ", "AP", "ST")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as a game tree of SGF with the names of its players."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    return re.match(rb"\(\s*;", start) is not None and (b"PB[" in head or b"PW[" in head)


def columns(file: str | Path, name: str, where: str) -> Source:
    """The games of a collection, or of the files of a folder."""
    files = sorted(Path(file).rglob("*.sgf")) if Path(file).is_dir() else [Path(file)]
    if not files:
        raise GameTableError(where, "files *.sgf in the folder", "none")
    rows, lines, handicaps = [], [], 0
    keys: dict[str, None] = {}
    for one in files:
        text, sha256 = read_text(one)
        for line, about in _games_of(text):
            keys |= dict.fromkeys(about)
            stones = about.get("HA", "")
            result = result_of_go(about.get("RE", ""))
            handicaps += stones not in ("", "0") and bool(result)
            day = _DAY.match(about.get("DT", ""))
            round_ = re.search(r"\d+", about.get("RO", ""))
            rows.append([about.get("PW", ""), about.get("PB", ""), result, day[0] if day else "", about.get("EV", ""),
                         round_[0] if round_ else "", stones])  # fmt: skip
            lines.append(line)
    named = [k for k, row in enumerate(rows) if row[0] and row[1]]
    notes = [f"SGF: {count_noun(len(rows), 'game')}" + (f" in {count_noun(len(files), 'file')}" if len(files) > 1 else "")]
    notes += [f"set apart: {count_noun(len(rows) - len(named), 'game')} without both names"] if len(named) < len(rows) else []
    notes += [f"{count_noun(handicaps, 'game')} with handicap stones (column handicap), counted as even"] if handicaps else []
    rest = [key for key in keys if key not in _USED]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    header = ["White", "Black", "Result", "Date", "Event", "Round", "handicap"]
    kept = [k for k in range(len(header)) if k < 3 or any(row[k] for row in rows)]
    cells = [[rows[at][k] for k in kept] for at in named]
    single = len(files) == 1
    return source_of_rows([header[k] for k in kept], cells, name, where, [lines[at] for at in named] if single else None,
                          sha256 if single else None, notes)  # fmt: skip


SGF = Form(recognises, columns)


def _games_of(text: str) -> "list[tuple[int, dict[str, str]]]":
    """The line and the properties of the first node of each game tree."""
    games = []
    depth = 0
    for found in re.finditer(r"\\.|\[(?:[^\]\\]|\\.)*\]|[()]", text, re.DOTALL):
        if found[0] == "(":
            if depth == 0 and (start := _TREE.match(text, found.start())):
                games.append((text.count("\n", 0, found.start()) + 1, _root(text, start.end())))
            depth += 1
        elif found[0] == ")":
            depth = max(0, depth - 1)
    return games


def _root(text: str, place: int) -> dict[str, str]:
    """The first values of the properties of the node that begins at a place."""
    about: dict[str, str] = {}
    while True:
        while place < len(text) and text[place].isspace():
            place += 1
        found = _PROPERTY.match(text, place)
        if found is None:
            return about
        first = _VALUE.match(found[2])
        value = re.sub(r"\\(.)", r"\1", first[1] if first else "", flags=re.DOTALL)
        about.setdefault("".join(filter(str.isupper, found[1])), " ".join(value.split()))
        place = found.end()
