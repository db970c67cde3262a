"""Games of draughts in PDN: tags as in PGN, and results 2-0, 1-1, 0-2 (or 1-0, 1/2-1/2, 0-1), * and 0-0.

(PDN 3.0, the Portable Draughts Notation.)
"""

import re
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_TAG = re.compile(r'^\s*\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
_RESULTS = {"2-0": "1-0", "1-1": "1/2-1/2", "0-2": "0-1", "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2",
            "2-0F": "+:-", "0-2F": "-:+"}  # fmt: skip
_COLUMNS = {
    "White": "White",
    "Black": "Black",
    "Result": "Result",
    "Date": "Date",
    "Event": "Event",
    "Round": "Round",
    "WhiteRating": "WhiteElo",
    "BlackRating": "BlackElo",
    "WhiteElo": "WhiteElo",
    "BlackElo": "BlackElo",
}
_MOVES = re.compile(rb"^\s*1\.\s*\d{1,2}[-x]\d{1,2}", re.MULTILINE)


def recognises(path: str, head: bytes) -> bool:
    """True if a file has tags of games and moves between numbered squares, or the results of draughts."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start.startswith((b"[", b"%")) or re.search(rb'\[White\s+"', head) is None:
        return False
    return bool(_MOVES.search(head) or re.search(rb'\[GameType\s+"|\[Result\s+"(?:2-0|1-1|0-2)"', head))


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a file."""
    text, sha256 = read_text(file)
    games: list[tuple[int, dict[str, str]]] = []
    moves = True
    for number, line in enumerate(text.splitlines(), 1):
        match = _TAG.match(line)
        if match is None:
            moves = moves or bool(line.strip())
            continue
        if moves or match[1] in games[-1][1]:
            games.append((number, {}))
            moves = False
        games[-1][1][match[1]] = match[2].replace('\\"', '"')
    playable = [
        (line, tags)
        for line, tags in games
        if tags.get("White", "?") not in ("", "?") and tags.get("Black", "?") not in ("", "?")
    ]
    header = list(dict.fromkeys(column for tag, column in _COLUMNS.items() if any(tag in tags for _, tags in playable)))
    rows = []
    for _, tags in playable:
        cells = {column: tags[tag] for tag, column in _COLUMNS.items() if tag in tags}
        result = cells.get("Result", "").replace(" ", "")
        cells["Result"] = "" if result in ("*", "0-0") else _RESULTS.get(result, result)
        round_ = re.match(r"\d+", cells.get("Round", ""))
        cells["Round"] = round_[0] if round_ else ""
        rows.append([cells.get(column, "") for column in header])
    notes = [f"PDN: {count_noun(len(games), 'game')}"]
    notes += (
        [f"set apart: {count_noun(len(games) - len(playable), 'game')} without both names"]
        if len(playable) < len(games)
        else []
    )
    unread_tags = [tag for tag in dict.fromkeys(tag for _, tags in games for tag in tags) if tag not in _COLUMNS]
    notes += [f"not used: {list_names(unread_tags)}"] if unread_tags else []
    return source_of_rows(header, rows, name, location, [line for line, _ in playable], sha256, notes)


PDN = Form(recognises, columns)
