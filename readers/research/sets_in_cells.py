"""Choices from sets in one cell, "A|B|C" in CSV or a list in JSON, with the chosen item, or the best and the worst.

    options,choice            items,best,worst            {"options": ["A", "B", "C"], "chosen": "B"}
    A|B|C,B                   A;B;C;D,A,D

The chosen item beats the other items of its set; the best beats all other items, and all other items beat the worst.
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns, words_in
from halfpoint.readers.first_rows import cells_of, rows_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.research.within_groups import pairs_within
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_WORDS = words_in("readers.research")
_SETS = ("items", "options", "alternatives", "choiceset", "set", "shown", "candidates", "offered", "choices", "itemset")
_BETWEEN = re.compile(r"(?:(?<!\s)\s++)?[|;,/]\s*")
_IN_JSON = re.compile(rb'"(?:%s)"\s*:\s*\[\s*["\d]' % "|".join(_SETS).encode(), re.IGNORECASE)


def _places(keys: "tuple[str, ...] | list[str]") -> tuple[str, str, str] | None:
    """Keys of the set, the chosen or best item, and the worst (empty if none); None if a record lacks them."""
    plain = {plain_word(key): key for key in reversed(keys)}
    set_key = next((plain[word] for word in _SETS if word in plain), None)
    chosen, worst, best = (
        next((plain[word] for word in _WORDS[key] if word in plain), "") for key in ("chosen", "worst", "best")
    )
    if set_key is None or not (chosen or (best and worst)):
        return None
    return (set_key, best, worst) if best and worst else (set_key, chosen, "")


def recognises(path: str, head: bytes) -> bool:
    """True if a file has sets of three or more items in a cell or a list, with one chosen item each."""
    if head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"{", b"["):
        words = (*_WORDS["chosen"], *_WORDS["best"])
        return bool(_IN_JSON.search(head)) and any(
            b'"%s"' % word.encode() in head.lower() for word in words if len(word) > 1
        )
    rows = rows_of(head)
    places = _places(rows[0]) if len(rows) > 1 else None
    if places is None or any(len(row) != len(rows[0]) for row in rows):
        return False
    place, chosen = rows[0].index(places[0]), rows[0].index(places[1])
    sets = [(_BETWEEN.split(row[place]), row[chosen]) for row in rows[1:]]
    return all(len(items) > 1 and (choice in items or not choice) for items, choice in sets) and any(
        len(items) > 2 for items, _ in sets
    )


def columns(file: str | Path, name: str, location: str) -> Source:
    """The comparisons of a file of sets."""
    text, sha256 = read_text(file)
    records: list[tuple[int, Mapping[str, Any]]]
    by_line = True
    if text.lstrip("\ufeff \t\r\n")[:1] in "{[":
        document = read_document(file, location)
        records, by_line = list(document.objects()), document.lines is not None
    else:
        table = CsvColumns.whole(text, location)
        records = [(line, dict(zip(table.header, row, strict=True))) for line, row in cells_of(table)]
    keys = list(dict.fromkeys(key for _, record in records for key in record))
    places = _places(keys)
    if places is None:
        raise GameTableError(location, "a set of items, and which was chosen", list_names(keys))
    rows, lines, odd = [], [], []
    for line, record in records:
        listed = record.get(places[0]) or ""
        items = [str(item) for item in listed] if isinstance(listed, list) else _BETWEEN.split(str(listed).strip())
        best, worst = str(record.get(places[1]) or ""), str(record.get(places[2]) or "") if places[2] else ""
        group = [(item, 2.0 if item == best else 0.0 if places[2] and item == worst else 1.0) for item in items]
        if best not in items or (places[2] and worst not in items) or best == worst or len(set(items)) < len(items):
            odd.append(line)
            continue
        for first, second, result, _ in pairs_within(group, equal=False):
            rows.append((first, second, result, "1"))
            lines.append(line)
    kind = "best-worst" if places[2] else "choices of one in a set"
    notes = [
        f"{kind}: {len(rows):,} comparisons of {count_noun(len(records), 'set')}; those of one set are not independent"
    ]
    notes += [f"set apart: {count_noun(len(odd), 'set')} without a choice of its items (line {odd[0]})"] if odd else []
    unread_keys = [key for key in keys if key not in places]
    notes += [f"not used: {list_names(unread_keys)}"] if unread_keys else []
    return source_of_rows(
        ("Item 1", "Item 2", "Result", "neutral"), rows, name, location, lines if by_line else None, sha256, notes
    )


SETS_IN_CELLS = Form(recognises, columns)
