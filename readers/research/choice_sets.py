"""Choices of one alternative from a set: the chosen alternative beats all other alternatives of its set.

A row is an alternative (the set's number, the alternative, 1 or TRUE if it was chosen), or a set (alt1 ... altk and the
chosen alternative, by name or place). The order of the other alternatives is unknown. (mlogit, logitr, Biogeme; choix's
top-1 lists.)
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

_WORDS = words_in("readers.research")
_SETS, _ITEMS, _CHOSEN, _PEOPLE = (_WORDS[role] for role in ("choice_set", "alternative", "chosen", "person"))
_ALT = re.compile(r"(?:alt|alternative|option|item|choice|candidate)_?(?:[1-9]\d?|[a-h])")
_YES, _NO = ("1", "true", "yes", "1.0", "t"), ("0", "false", "no", "0.0", "f", "")


def _long(plain: Sequence[str]) -> tuple[int, int, int] | None:
    """Columns of the set, the alternative and the mark; None if a header lacks them."""
    places = [next((plain.index(word) for word in words if word in plain), None) for words in (_SETS, _ITEMS, _CHOSEN)]
    return None if None in places else (places[0] or 0, places[1] or 0, places[2] or 0)


def _wide(plain: Sequence[str]) -> tuple[list[int], int] | None:
    """Columns of the alternatives and the choice; None if a header has fewer than three alternatives."""
    items = [k for k, word in enumerate(plain) if _ALT.fullmatch(word)]
    chosen = next((plain.index(word) for word in _CHOSEN if word in plain), None)
    return None if len(items) < 3 or chosen is None or chosen in items else (items, chosen)


def recognises(path: str, head: bytes) -> bool:
    """True if a table has sets of alternatives with one mark each, or alternatives and the chosen one."""
    rows = rows_of(head)
    plain = [plain_word(name) for name in rows[0]] if len(rows) > 2 else []
    if any(len(row) != len(plain) for row in rows) or {"best", "worst"} <= set(plain):
        return False
    long = _long(plain)
    if long and {row[long[2]].lower() for row in rows[1:]} <= {*_YES, *_NO}:
        keys = _keys(plain, long[0], rows[1:])
        marks: dict[tuple[str, ...], list[bool]] = {}
        for row in rows[1:]:
            marks.setdefault(tuple(row[k] for k in keys), []).append(row[long[2]].lower() in _YES)
        *complete, _ = marks.values()
        return bool(complete) and all(len(flags) > 1 and sum(flags) == 1 for flags in complete)
    wide = _wide(plain)
    return wide is not None and all(row[wide[1]] and _place(row, wide, plain) is not None for row in rows[1:])


def _keys(plain: Sequence[str], key: int, rows: Sequence[Sequence[str]]) -> list[int]:
    """Columns that identify a set: its own, and columns of people, since sets may begin anew for each person."""
    people = [k for k, word in enumerate(plain) if word in _PEOPLE and len({row[k] for row in rows}) < len(rows)]
    return [*people, key]


def _place(row: Sequence[str], wide: tuple[list[int], int], plain: Sequence[str]) -> int | None:
    """Index of the chosen alternative of a row; None if no cell identifies it."""
    items, chosen = wide
    choice = row[chosen]
    by_name = next((k for k in items if row[k] == choice), None)
    by_column = next((k for k in items if plain[k] == plain_word(choice)), None)
    letters = {**{str(n): k for n, k in enumerate(items, 1)}, **{chr(96 + n): k for n, k in enumerate(items, 1)}}
    return by_name if by_name is not None else by_column if by_column is not None else letters.get(choice.lower())


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file of choices."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    plain = [plain_word(name) for name in table.header]
    long, wide = _long(plain), _wide(plain)
    groups = _groups_of_items(table, long, location) if long else _groups_of_rows(table, wide or ([], 0), plain)
    rows, lines, sets, odd = [], [], 0, []
    for line, group in groups:
        sets += 1
        if sum(mark for _, mark in group) != 1:
            odd.append(line)
            continue
        for first, second, result, _ in pairs_within(group, equal=False):
            rows.append((first, second, result, "1"))
            lines.append(line)
    notes = [
        f"choices of one in a set: {len(rows):,} comparisons of {count_noun(sets, 'set')}, the chosen with all others; "
        "those of one set are not independent"
    ]
    if odd:
        notes.append(f"set apart: {count_noun(len(odd), 'set')} without exactly one choice (line {odd[0]})")
    used = (
        {*long, *(k for k, word in enumerate(plain) if word in _PEOPLE)}
        if long
        else {*(wide or ([], 0))[0], (wide or ([], 0))[1]}
    )
    unread_columns = [column for k, column in enumerate(table.header) if k not in used]
    notes += [f"not used: {list_names(unread_columns)}"] if unread_columns else []
    return source_of_rows(("Item 1", "Item 2", "Result", "neutral"), rows, name, location, lines, sha256, notes)


CHOICE_SETS = Form(recognises, columns)


def _groups_of_items(
    table: CsvColumns, long: tuple[int, int, int], location: str
) -> Iterator[tuple[int, list[tuple[str, float]]]]:
    """Yield the first line and the alternatives with their marks of each set."""
    key, item, mark = long
    groups: dict[tuple[str, ...], tuple[int, list[tuple[str, float]]]] = {}
    numbered_rows = cells_of(table)
    keys = _keys([plain_word(name) for name in table.header], key, [row for _, row in numbered_rows])
    for line, row in numbered_rows:
        if row[mark].lower() not in (*_YES, *_NO):
            raise GameTableError(f"{location}, line {line}, {table.header[mark]}", "1 or 0", repr(row[mark]))
        groups.setdefault(tuple(row[k] for k in keys), (line, []))[1].append(
            (row[item], float(row[mark].lower() in _YES))
        )
    yield from groups.values()


def _groups_of_rows(
    table: CsvColumns, wide: tuple[list[int], int], plain: Sequence[str]
) -> Iterator[tuple[int, list[tuple[str, float]]]]:
    """Yield the line and the alternatives with their marks of each row."""
    for line, row in cells_of(table):
        place = _place(row, wide, plain)
        yield line, [(row[k], float(k == place)) for k in wide[0] if row[k]]
