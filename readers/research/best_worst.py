"""Best-worst choices: in each set one item is marked as the best and one as the worst.

A row is a set (item1 ... itemk, best, worst; best and worst are names, column names or places), or an item of a set
(the set's number, the item, 1 for the best, -1 for the worst, 0 else). The best item beats all other items and the
worst loses to them; items between are not compared. (Louviere's case 1, MaxDiff: wScripts of Kiritchenko and Mohammad,
bwsTools.)
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns, words_in
from halfpoint.readers.first_rows import cells_of, rows_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.research.within_groups import pairs_within
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_ITEM = re.compile(r"(?:item|option|alt|alternative|choice|word|term|object|image|profile|o|i)\d{1,2}")
_WORDS = words_in("readers.research")
_BEST, _WORST, _SETS, _PEOPLE = (_WORDS[role] for role in ("best", "worst", "block", "person"))
_LONG = _WORDS["marked_item"], _WORDS["mark"]
_MARKS = {"1": 2.0, "0": 1.0, "-1": 0.0, "best": 2.0, "worst": 0.0, "": 1.0, "none": 1.0, "middle": 1.0}


def _wide(plain: Sequence[str]) -> tuple[list[int], int, int] | None:
    """Columns of the items, the best and the worst of a row; None if a header lacks them."""
    items = [k for k, word in enumerate(plain) if _ITEM.fullmatch(word)]
    best, worst = (next((plain.index(word) for word in words if word in plain), None) for words in (_BEST, _WORST))
    return None if len(items) < 3 or best is None or worst is None else (items, best, worst)


def _long(plain: Sequence[str]) -> tuple[int, int, list[int]] | None:
    """Columns of the item, its mark, and the names of its set; None if a header lacks them."""
    item, mark = (next((plain.index(word) for word in words if word in plain), None) for words in _LONG)
    key = [k for k, word in enumerate(plain) if word in _SETS or word in _PEOPLE]
    sets = any(plain[k] in _SETS for k in key)
    return None if item is None or mark is None or not sets else (item, mark, key)


def recognises(path: str, head: bytes) -> bool:
    """True if a table has items, a best and a worst, or an item a row with marks 1, 0 and -1."""
    rows = rows_of(head)
    plain = [plain_word(name) for name in rows[0]] if len(rows) > 2 else []
    if _wide(plain):
        return True
    long = _long(plain)
    if long is None or any(len(row) <= long[1] for row in rows):
        return False
    marks = {row[long[1]].lower() for row in rows[1:]}
    return marks <= set(_MARKS) and {"1", "-1"} <= marks | {
        {"best": "1", "worst": "-1"}.get(mark, mark) for mark in marks
    }


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file of best-worst choices."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    plain = [plain_word(name) for name in table.header]
    wide, long = _wide(plain), _long(plain)
    judge = next((k for k, word in enumerate(plain) if word in _PEOPLE), None)
    rows, lines, sets, odd = [], [], 0, []
    for line, who, group in (
        _sets_of_rows(table, wide, location) if wide else _sets_of_items(table, long or (0, 0, []), location)
    ):
        sets += 1
        if sum(mark == 2.0 for _, mark in group) != 1 or sum(mark == 0.0 for _, mark in group) != 1:
            odd.append(line)
            continue
        for first, second, result, _ in pairs_within(group, equal=False):
            rows.append((first, second, result, who if judge is not None else ""))
            lines.append(line)
    notes = [
        f"best-worst: {len(rows):,} comparisons of {count_noun(sets, 'set')}, the best with all others and all with "
        "the worst; those of one set are not independent"
    ]
    if odd:
        notes.append(f"set apart: {count_noun(len(odd), 'set')} without one best and one worst (line {odd[0]})")
    used = {*wide[0], *wide[1:], judge} if wide else {*(long or (0, 0, []))[:2], *(long or (0, 0, []))[2]}
    unread_columns = [column for k, column in enumerate(table.header) if k not in used]
    notes += [f"not used: {list_names(unread_columns)}"] if unread_columns else []
    header = ["Item 1", "Item 2", "Result", "neutral", *(["judge"] if judge is not None else [])]
    cells = [[*row[:3], "1", *([row[3]] if judge is not None else [])] for row in rows]
    return source_of_rows(header, cells, name, location, lines, sha256, notes)


BEST_WORST = Form(recognises, columns)


def _sets_of_rows(
    table: CsvColumns, wide: tuple[list[int], int, int], location: str
) -> Iterator[tuple[int, str, list[tuple[str, float]]]]:
    """Yield the line, the judge, and the items with their marks, of each row."""
    items, best, worst = wide
    plain = [plain_word(name) for name in table.header]
    judge = next((k for k, word in enumerate(plain) if word in _PEOPLE), None)
    places = {str(place): k for place, k in enumerate(items, 1)}
    for line, row in cells_of(table):
        extremes = []
        for k in (best, worst):
            at = next((item for item in items if row[item] == row[k] != ""), None)
            at = next((item for item in items if plain[item] == plain_word(row[k]) != ""), None) if at is None else at
            at = places.get(row[k]) if at is None else at
            if at is None and row[k]:
                shown = ", ".join(repr(row[item]) for item in items)
                raise GameTableError(f"{location}, line {line}, {table.header[k]}", f"one of {shown}", repr(row[k]))
            extremes.append(at)
        group = [(row[k], 2.0 if k == extremes[0] else 0.0 if k == extremes[1] else 1.0) for k in items if row[k]]
        yield line, "" if judge is None else row[judge], group


def _sets_of_items(
    table: CsvColumns, long: tuple[int, int, list[int]], location: str
) -> Iterator[tuple[int, str, list[tuple[str, float]]]]:
    """Yield the first line, the judge, and the items with their marks, of each set."""
    item, mark, key = long
    plain = [plain_word(name) for name in table.header]
    judge = next((k for k, word in enumerate(plain) if word in _PEOPLE), None)
    groups: dict[tuple[str, ...], tuple[int, str, list[tuple[str, float]]]] = {}
    for line, row in cells_of(table):
        if row[mark].lower() not in _MARKS:
            raise GameTableError(f"{location}, line {line}, {table.header[mark]}", "1, 0 or -1", repr(row[mark]))
        group = groups.setdefault(tuple(row[k] for k in key), (line, "" if judge is None else row[judge], []))
        group[2].append((row[item], _MARKS[row[mark].lower()]))
    yield from groups.values()
