"""Paired comparisons, one column per pair and one row per judge: 1 prefers the first, -1 the second, 0 neither.

The columns are n(n - 1)/2 pairs of n items: named by both items (A:B, "A vs B", A.B) or by their numbers (comp12), else
in the order 12, 13, 23, 14, 24, 34, ... with numbers as names of the items. Larger numbers are stronger preferences; on
a scale from 0 to 2, 0 prefers the first, 1 neither, 2 the second. Cells may also name the preferred item. (prefmod:
`dat4`, `cemspc`; psychotools: `paircomp`.)
"""

import re
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.forms import Form, place_of, read_sheet, rows_of, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import TIE, verdict_of

_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?(?:\bvs?\.?\b|\bversus\b|[:/>|]|\.vs?\.|_vs?_|--?|\.|_)\s*|(?<!\s)\s++", re.I)
_MARK = re.compile(r"(?<!\s)\s++(?:vs?\.?|versus)\s++|(?:(?<!\s)\s++)?[:/>|]\s*+", re.IGNORECASE)
_NUMBERED = re.compile(r"(comp|pc|v|pair|c|paircomp|cmp)[_.]?(\d{1,3})", re.IGNORECASE)
_JOINED = re.compile(r"([A-Za-z]{1,8})(\d{1,2})\1(\d{1,2})")  # o1o2
_CODES = re.compile(r"[-+]?[0-4]|NA|", re.IGNORECASE)
_EMPTY = ("", "NA", "na")


def _pairs_of(header: Sequence[str]) -> dict[int, tuple[str, str]]:
    """Two items of each column that is a pair; empty unless they are all pairs of three or more items."""
    named: dict[int, tuple[str, str]] = {}
    for k, column in enumerate(header):
        parts = _MARK.split(column.strip().strip('"'))  # names may have blanks
        parts = parts if len(parts) == 2 else _BETWEEN.split(column.strip().strip('"'))
        if joined := _JOINED.fullmatch(column.strip()):
            parts = [joined[1] + joined[2], joined[1] + joined[3]]
        if len(parts) == 2 and all(parts) and parts[0] != parts[1]:
            named[k] = parts[0], parts[1]
    items = {item for pair in named.values() for item in pair}
    distinct = {frozenset(pair) for pair in named.values()}
    if len(items) > 2 and len(distinct) == len(named) == len(items) * (len(items) - 1) // 2:
        return named
    stems: dict[str, list[int]] = {}
    for k, column in enumerate(header):
        if found_number := _NUMBERED.fullmatch(column.strip()):
            stems.setdefault(found_number[1].lower(), []).append(k)
    for stem, places in stems.items():
        digits = [re.sub(r"\D", "", header[k]) for k in places]
        codes = {k: (int(text[0]), int(text[1])) for k, text in zip(places, digits, strict=True) if len(text) == 2}
        count = max((number for pair in codes.values() for number in pair), default=0)
        if count > 2 and sorted(map(sorted, codes.values())) == sorted(map(list, combinations(range(1, count + 1), 2))):
            return {k: (f"item {first}", f"item {second}") for k, (first, second) in codes.items()}
        count = next((n for n in range(3, 60) if n * (n - 1) // 2 == len(places)), 0)
        if count and (stem != "v" or len(places) >= 6):
            pairs = [(first, second) for second in range(2, count + 1) for first in range(1, second)]
            return {k: (f"item {first}", f"item {second}") for k, (first, second) in zip(places, pairs, strict=True)}
    return {}


def _code(cell: str, pair: tuple[str, str]) -> str:
    """The number of a cell with the name of an item of a pair, or with a text of a tie; other cells unchanged."""
    named = plain_word(cell) if cell else ""
    codes = {plain_word(item): code for item, code in zip(pair, ("1", "-1"), strict=True)}
    return codes.get(named, "0" if named and verdict_of(cell) == TIE else cell)


def recognises(path: str, head: bytes) -> bool:
    """True if columns are all pairs of three or more items, with small numbers in their cells."""
    rows = rows_of(head)
    pairs = _pairs_of(rows[0]) if len(rows) > 1 else {}
    if not pairs or any(len(row) != len(rows[0]) for row in rows):
        return False
    cells = {_code(row[k], pair) for row in rows[1:] for k, pair in pairs.items()}
    return all(map(_CODES.fullmatch, cells)) and len(cells - {*_EMPTY}) > 1


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file with a column a pair."""
    sheet = read_sheet(file, location)
    pairs = _pairs_of(sheet.header)
    judge = place_of(("id", "judge", "subject", "respondent", "panelist", "assessor", "taster", ""), sheet.plain)
    for _, row in sheet.rows:
        for k, pair in pairs.items():
            row[k] = _code(row[k], pair)
    answers = {row[k] for k in pairs for _, row in sheet.rows} - {*_EMPTY}
    odd = next((cell for cell in answers if not _CODES.fullmatch(cell)), None)
    if odd is not None:
        raise GameTableError(location, "numbers from -4 to 4 in the columns of pairs", repr(odd))
    numbers = {int(cell) for cell in answers}
    if min(numbers, default=0) < 0:
        middle, sign, meaning = 0.0, 1.0, "above 0 the first is preferred, below 0 the second, 0 neither"
    elif numbers <= {1, 2}:
        middle, sign, meaning = 1.5, -1.0, "1 the first is preferred, 2 the second"
    elif numbers <= {0, 1}:
        middle, sign, meaning = 0.5, 1.0, "1 the first is preferred, 0 the second"
    else:
        middle, sign, meaning = max(numbers) / 2.0, -1.0, f"0 the first is preferred, {max(numbers)} the second"
    answered = [(line, row, k) for line, row in sheet.rows for k in pairs if row[k] not in _EMPTY]
    empty, rows = len(sheet.rows) * len(pairs) - len(answered), []
    for _, row, k in answered:
        way = sign * (float(row[k]) - middle)
        result = "1-0" if way > 0 else "0-1" if way < 0 else "1/2-1/2"
        rows.append([*pairs[k], result, "1", "" if judge is None else row[judge]])
    notes = [f"a column a pair: {count_noun(len(pairs), 'pair')}, {meaning}"]
    if next(iter(pairs.values()))[0].startswith("item "):
        shown = ", ".join(f"{first[5:]}-{second[5:]}" for first, second in [*pairs.values()][:6])
        notes.append(f"items have no names: the columns are the pairs {shown}{', ...' if len(pairs) > 6 else ''}")
    notes += [f"{count_noun(empty, 'comparison')} without an answer" if empty else "", sheet.not_used((*pairs, judge))]
    header = ("Item 1", "Item 2", "Result", "neutral", "judge")
    return source_of_rows(header, rows, name, location, [line for line, *_ in answered], sheet.sha256, notes)


PAIR_COLUMNS = Form(recognises, columns)
