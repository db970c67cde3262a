"""Games of go (and others) in SGF: a collection in a file, or files in a folder or a zip, each game with PW, PB and RE.

RE is W+R, B+3.5, 0 or Draw, Void, ?; HA is the number of handicap stones, DT the day, EV the event and RO the round.
(SGF FF[4], red-bean.com/sgf.) In go Black moves first.
"""

import re
from pathlib import Path

from halfpoint.models.games.compressed import read_text, texts_in
from halfpoint.models.games.errors import count_noun
from halfpoint.readers.forms import Form, not_used, set_aside, source_of_rows
from halfpoint.readers.result_cells import result_of_go
from halfpoint.readers.sources import Source

_PROPERTY = re.compile(r"(?<![A-Za-z])([A-Za-z]++)\s*+((?:\[(?:[^\]\\]|\\.?)*+(?:\]|(\Z))\s*+)++)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.?)*+)(?:\]|\Z)", re.DOTALL)
_TREE = re.compile(r"\(\s*+;\s*+")
_USED = ("PW", "PB", "RE", "DT", "HA", "EV", "RO", "GM", "FF", "CA", "SZ", "AP", "ST")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins as a game tree of SGF with the names of its players, or contains files of SGF."""
    if not head:
        return Path(path).is_dir() and next(Path(path).rglob("*.sgf"), None) is not None
    if head.startswith(b"PK"):
        return re.search(rb"[^/]\.sgf", head, re.IGNORECASE) is not None
    return re.match(rb"\(\s*;", head.lstrip(b"\xef\xbb\xbf \t\r\n")) is not None and (b"PB[" in head or b"PW[" in head)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a collection, or of the files of a folder or a zip."""
    texts, sha256 = texts_in(Path(file), ".sgf"), None
    if texts is None:
        text, sha256 = read_text(file)
        texts = [text]
    games = [game for text in texts for game in _games_of(text)]
    playable = [(line, about) for line, about in games if about.get("PW") and about.get("PB")]
    rows = []
    for _, about in playable:
        day, round_ = _DAY.match(about.get("DT", "")), re.search(r"\d+", about.get("RO", ""))
        rows.append([about["PW"], about["PB"], result_of_go(about.get("RE", "")), day and day[0], about.get("EV"),
                     round_ and round_[0], about.get("HA")])  # fmt: skip
    notes = [
        f"SGF: {count_noun(len(games), 'game')}" + (f" in {count_noun(len(texts), 'file')}" if sha256 is None else ""),
        set_aside(len(games) - len(playable), "game", " without both names"),
        not_used(key for key in dict.fromkeys(key for _, about in games for key in about) if key not in _USED),
    ]
    header = ["White", "Black", "Result", "Date", "Event", "Round", "handicap"]
    places = None if sha256 is None else [line for line, _ in playable]
    return source_of_rows(header, rows, name, location, places, sha256, notes)


SGF = Form(recognises, columns)


def _games_of(text: str) -> list[tuple[int, dict[str, str]]]:
    """The line and the properties of the first node of each game tree."""
    games, depth, line, counted = list[tuple[int, dict[str, str]]](), 0, 1, 0  # lines are counted up to the last game
    for match in re.finditer(r"\\.|\[(?:[^\]\\]|\\.?)*+(?:\]|\Z)|[()]", text, re.DOTALL):
        if match[0] == "(":
            if depth == 0 and (start := _TREE.match(text, match.start())):
                line, counted = line + text.count("\n", counted, match.start()), match.start()
                games.append((line, _root(text, start.end())))
            depth += 1
        elif match[0] == ")":
            depth = max(0, depth - 1)
    return games


def _root(text: str, place: int) -> dict[str, str]:
    """First values of the properties of the node at a position, up to a value that does not end."""
    about: dict[str, str] = {}
    while (match := _PROPERTY.match(text, place)) and match[3] is None:
        value = re.sub(r"\\(.)", r"\1", first[1] if (first := _VALUE.match(match[2])) else "", flags=re.DOTALL)
        about.setdefault("".join(filter(str.isupper, match[1])), " ".join(value.split()))
        place = match.end()
    return about
