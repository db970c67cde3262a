"""Choices from sets: the chosen item beats the others; the best item beats all others, and the worst loses to them.

    item1,item2,item3,best,worst    a row is a set; best, worst, choice: a name, the name of a column, or a place
    set,item,mark                   a row is an item: 1 for the best, -1 for the worst, 0 else; or 1 for the chosen item
    options,choice                  a cell is a set, "A|B|C", or a list in JSON, {"options": ["A", "B"], "chosen": "B"}

Items between the best and the worst, and items that are not chosen, are not compared. (Louviere's case 1, MaxDiff:
wScripts of Kiritchenko and Mohammad, bwsTools; mlogit, logitr, Biogeme; choix's top-1 lists.)
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import words_in
from halfpoint.readers.forms import Form, Sheet, pairs_within, place_of, read_sheet, rows_of, set_aside, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import TRUE, list_names

_WORDS = words_in("readers.research")
_ITEM = re.compile(rf"(?:{'|'.join(_WORDS['numbered'])})(?:\d{{1,2}}|[a-h])|[oi]\d{{1,2}}")
_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?[|;,/]\s*")
_IN_JSON = re.compile(rb'"(?:%s)"\s*:\s*\[\s*["\d]' % "|".join(_WORDS["listed"]).encode(), re.IGNORECASE)
_CHOSEN = dict.fromkeys(TRUE, 2.0) | dict.fromkeys(("0", "false", "no", "0.0", "f", "n", ""), 1.0)
_EXTREMES = {"1": 2.0, "best": 2.0, "0": 1.0, "": 1.0, "none": 1.0, "middle": 1.0, "-1": 0.0, "worst": 0.0}
_JSON = re.compile(rb"\A(?:\xef\xbb\xbf)?\s*+[\[{]")
_SAMPLED_ROWS = 39

type _Group = list[tuple[str, float]]  # items of a set, the highest number is the best, the lowest the worst
type _Set = tuple[int, list[Any], _Group]  # line and row, the first if a row is an item


class _Layout(NamedTuple):
    """Columns of the sets of a table."""

    items: list[int]  # of the items of a row; one column of the item, or of the whole set
    marks: list[int]  # of the choice, or of the best and the worst; of the mark if a row is an item
    people: list[int]
    key: list[int] | None = None  # columns that identify a set if a row is an item
    number_of_mark: Mapping[str, float] = {}

    @property
    def in_cells(self) -> bool:
        """True if a cell is a set."""
        return self.key is None and len(self.items) == 1

    @property
    def has_worst(self) -> bool:
        """True if sets have a best and a worst item."""
        return len(self.marks) == 2 or self.number_of_mark is _EXTREMES


def _layout_of(plain: Sequence[str], rows: Sequence[Sequence[Any]]) -> _Layout | None:
    """Columns of sets, by the names of columns and the first rows; None if a table has no sets."""
    places = {role: place_of(words, plain) for role, words in _WORDS.items()}
    people = [k for k, word in enumerate(plain) if word in _WORDS["person"]]
    items = [k for k, word in enumerate(plain) if _ITEM.fullmatch(word)]
    extremes = [k for k in (places["best"], places["worst"]) if k is not None]
    if len(items) > 2 and len(extremes) == 2 and len(rows) > 1:
        return _Layout(items, extremes, people[:1])
    item, mark = places["marked_item"], places["mark"]
    blocks = [k for k, word in enumerate(plain) if word in _WORDS["block"]]
    if item is not None and mark is not None and blocks and len(rows) > 1 and all(len(row) > mark for row in rows):
        marks = {_EXTREMES.get(row[mark].lower()) for row in rows}
        if None not in marks and {2.0, 0.0} <= marks:
            return _Layout([item], [mark], people, sorted({*people, *blocks}), _EXTREMES)
    if not rows or any(len(row) != len(plain) for row in rows):
        return None
    key, item, mark = (places[role] for role in ("choice_set", "alternative", "chosen"))
    if not {"best", "worst"} <= {*plain} and mark is not None and len(rows) > 1:
        if key is not None and item is not None and {str(row[mark]).lower() for row in rows} <= _CHOSEN.keys():
            keys = [*(k for k in people if len({row[k] for row in rows}) < len(rows)), key]
            layout = _Layout([item], [mark], people, keys, _CHOSEN)
            sample = Sheet(plain, plain, [(0, [*row]) for row in rows], "")
            *complete, _ = (group for _, _, group in _sets_of_items(sample, layout, ""))
            certain = all(len(group) > 1 and [number for _, number in group].count(2.0) == 1 for group in complete)
            return layout if complete and certain else None
        if len(items) > 2 and mark not in items:
            layout = _Layout(items, [mark], people[:1])
            if all(_place(row[mark], _items_of(row, layout), layout, plain) is not None for row in rows):
                return layout
    place, picks = places["listed"], extremes if len(extremes) == 2 else [mark]
    if place is None or picks[0] is None:
        return None
    layout = _Layout([place], [k for k in picks if k is not None], [])
    sets = [([*_items_of(row, layout).values()], row[picks[0]]) for row in rows]
    known = all(len(members) > 1 and (choice in members or not choice) for members, choice in sets)
    return layout if known and any(len(members) > 2 for members, _ in sets) else None


def _items_of(row: Sequence[Any], layout: _Layout) -> dict[int, str]:
    """Items of a row by their columns, or by their places in the cell."""
    if not layout.in_cells:
        return {k: row[k] for k in layout.items if row[k]}
    cell = row[layout.items[0]]
    return dict(enumerate(map(str, cell) if isinstance(cell, list) else _BETWEEN.split(cell.strip())))


def _place(text: str, items: Mapping[int, str], layout: _Layout, plain: Sequence[str]) -> int | None:
    """Place of the item that a cell names; None if it names none."""
    by_name = next((k for k, item in items.items() if item == text != ""), None)
    if by_name is not None or layout.in_cells:
        return by_name
    by_column = next((k for k in items if plain[k] == plain_word(text) != ""), None)
    numbers = {name: k for number, k in enumerate(layout.items, 1) for name in (str(number), chr(96 + number))}
    return numbers.get(text.lower()) if by_column is None else by_column


def recognises(path: str, head: bytes) -> bool:
    """True if a table or records have sets with a chosen item each, or a best and a worst."""
    if _JSON.match(head):
        words = (word.encode() for word in (*_WORDS["chosen"], *_WORDS["best"]) if len(word) > 1)
        return bool(_IN_JSON.search(head)) and any(b'"%s"' % word in head.lower() for word in words)
    rows = rows_of(head)
    return len(rows) > 1 and _layout_of([plain_word(name) for name in rows[0]], rows[1:]) is not None


def _sheet_of_records(file: str | Path, location: str) -> tuple[Sheet, bool]:
    """Records of JSON as a table, and True if each has a line."""
    document = read_document(file, location)
    records = [(line, row) for line, row in document.rows() if isinstance(row, dict)]
    keys = list(dict.fromkeys(key for _, record in records for key in record))
    rows = [(line, [value if isinstance(value := record.get(key) or "", list) else str(value) for key in keys])
            for line, record in records]  # fmt: skip
    return Sheet(keys, [plain_word(key) for key in keys], rows, document.sha256), document.lines is not None


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file of sets."""
    in_json = read_text(file)[0].lstrip("\ufeff \t\r\n")[:1] in ("{", "[")
    sheet, by_line = _sheet_of_records(file, location) if in_json else (read_sheet(file, location), True)
    layout = _layout_of(sheet.plain, [row for _, row in sheet.rows[:_SAMPLED_ROWS]])
    if layout is None:
        raise GameTableError(location, "a set of items, and which was chosen", list_names(sheet.header))
    rows, lines, sets, odd = list[tuple[str, ...]](), list[int](), 0, list[int]()
    read = _sets_of_rows if layout.key is None else _sets_of_items
    for line, row, group in read(sheet, layout, location):
        sets += 1
        marks, again = [mark for _, mark in group], len({item for item, _ in group}) < len(group)
        if again or marks.count(2.0) != 1 or marks.count(0.0) != layout.has_worst:
            odd.append(line)
            continue
        judge = row[layout.people[0]] if layout.people else ""
        rows += [(first, second, result, "1", judge) for first, second, result, _ in pairs_within(group, equal=False)]
        lines += [line] * (len(rows) - len(lines))
    kind, rule, without = "choices of one item from a set", "the chosen item with all others", "a choice of its items"
    if layout.has_worst:
        kind, without = "best-worst", "one best and one worst"
        rule = "the best with all others and all with the worst"
    notes = [
        f"{kind}: {len(rows):,} comparisons of {count_noun(sets, 'set')}, {rule}; not independent within a set",
        set_aside(len(odd), "set", f" without {without} (line {odd[0]})" if odd else ""),
        sheet.not_used((*layout.items, *layout.marks, *layout.people, *(layout.key or ()))),
    ]
    header = ("Item 1", "Item 2", "Result", "neutral", "judge")
    return source_of_rows(header, rows, name, location, lines if by_line else None, sheet.sha256, notes)


CHOICES = Form(recognises, columns)


def _sets_of_rows(sheet: Sheet, layout: _Layout, location: str) -> Iterator[_Set]:
    """Yield the sets of a table if a row is a set."""
    for line, row in sheet.rows:
        items = _items_of(row, layout)
        places = [_place(row[k], items, layout, sheet.plain) for k in layout.marks]
        for k, place in zip(layout.marks, places, strict=True):
            if place is None and row[k] and layout.has_worst and not layout.in_cells:
                expected = f"one of {', '.join(map(repr, items.values()))}"
                raise GameTableError(f"{location}, line {line}, {sheet.header[k]}", expected, repr(row[k]))
        numbers = {k: 0.0 for k in places[1:]} | {places[0]: 2.0} if len({*places}) == len(places) else {}
        yield line, row, [(item, numbers.get(k, 1.0)) for k, item in items.items()]


def _sets_of_items(sheet: Sheet, layout: _Layout, location: str) -> Iterator[_Set]:
    """Yield the sets of a table if a row is an item."""
    groups: dict[tuple[str, ...], _Set] = {}
    (item,), (mark,) = layout.items, layout.marks
    for line, row in sheet.rows:
        if (number := layout.number_of_mark.get(row[mark].lower())) is None:
            expected = "1, 0 or -1" if layout.has_worst else "1 or 0"
            raise GameTableError(f"{location}, line {line}, {sheet.header[mark]}", expected, repr(row[mark]))
        groups.setdefault(tuple(row[k] for k in layout.key or ()), (line, row, []))[2].append((row[item], number))
    yield from groups.values()
