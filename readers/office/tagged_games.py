r"""Games in tags as in PGN: draughts in PDN, and bughouse, whose games have four players.

    [White "ann"] [Black "bob"] [Result "2-0"]      PDN: 2-0, 1-1, 0-2 (or 1-0, 1/2-1/2, 0-1), * and 0-0 for none
    [WhiteA "ann"][BlackA "bob"][WhiteB ...         bughouse: WhiteA and BlackB are a side, with the result of board A

(PDN 3.0, the Portable Draughts Notation; bughouse-db.org, BPGN.)
"""

import re

from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.packaged import packaged_table
from halfpoint.readers.forms import Rows, not_used, set_aside, text_form

_TAGS = re.compile(r'\[(\w{1,40})\s+"((?:[^"\\]|\\.)*+)"\]')
_RESULTS, _OF_BUGHOUSE, _OF_DRAUGHTS, _FURTHER = packaged_table("readers.office", "fields.toml")["tags"].values()
_MOVES = re.compile(rb"^\s*1\.\s*\d{1,2}[-x]\d{1,2}", re.MULTILINE)


def recognises(path: str, head: bytes) -> bool:
    """True if a file has tags of games, and moves between numbered squares, results of draughts, or four players."""
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    of_bughouse = start.startswith(b"[") and b'[WhiteA "' in head and b'[BlackB "' in head
    tagged = start.startswith((b"[", b"%")) and re.search(rb'\[White\s+"', head)
    of_draughts = path.lower().endswith(".pdn") or re.search(rb'\[GameType\s+"|\[Result\s+"(?:2-0|1-1|0-2)"', head)
    return bool(of_bughouse or (tagged and (of_draughts or _MOVES.search(head))))


def rows_of_text(text: str, _: str) -> Rows:
    """The games of a file."""
    games, moves = list[tuple[int, dict[str, str]]](), True
    for number, line in enumerate(text.splitlines(), 1):
        tags = _TAGS.findall(line) if line.lstrip().startswith("[") else []
        moves = moves or bool(line.strip() and not tags)
        for tag, value in tags:
            if moves or tag in games[-1][1]:
                games.append((number, {}))
                moves = False
            games[-1][1][tag] = value.replace('\\"', '"')
    of_bughouse = any("WhiteA" in tags for _, tags in games)
    seats = _OF_BUGHOUSE if of_bughouse else _OF_DRAUGHTS
    playable = [(line, tags) for line, tags in games if all(tags.get(seat, "?") not in ("", "?") for seat in seats)]
    column_of = seats | _FURTHER
    header, rows = list(dict.fromkeys(column_of.values())), []
    for about in (tags for _, tags in playable):
        cells = {column: about[tag] for tag, column in column_of.items() if tag in about}
        result = cells.get("Result", "").replace(" ", "")
        cells["Result"] = _RESULTS.get(result, result)
        cells["Round"] = (re.match(r"\d*", cells.get("Round", "")) or [""])[0]
        rows.append([cells.get(column) for column in header])
    notes = [
        f"{'bughouse, WhiteA and BlackB are a side' if of_bughouse else 'PDN'}: {count_noun(len(games), 'game')}",
        set_aside(len(games) - len(playable), "game", " without all names" if of_bughouse else " without both names"),
        not_used(tag for tag in dict.fromkeys(tag for _, tags in games for tag in tags) if tag not in column_of),
    ]
    return Rows(header, rows, [line for line, _ in playable], notes)


TAGGED_GAMES = text_form(recognises, rows_of_text)
