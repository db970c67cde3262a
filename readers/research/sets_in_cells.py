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
    found = next((plain[word] for word in _SETS if word in plain), None)
    one, worst, best = (
        next((plain[word] for word in _WORDS[key] if word in plain), "") for key in ("chosen", "worst", "best")
    )
    if found is None or not (one or (best and worst)):
        return None
    return (found, best, worst) if best and worst else (found, one, "")


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
    at, chosen = rows[0].index(places[0]), rows[0].index(places[1])
    sets = [(_BETWEEN.split(row[at]), row[chosen]) for row in rows[1:]]
    return all(len(items) > 1 and (one in items or not one) for items, one in sets) and any(
        len(one) > 2 for one, _ in sets
    )


def columns(file: str | Path, name: str, where: str) -> Source:
    """The comparisons of a file of sets."""
    text, sha256 = read_text(file)
    records: list[tuple[int, Mapping[str, Any]]]
    by_line = True
    if text.lstrip("\ufeff \t\r\n")[:1] in "{[":
        document = read_document(file, where)
        records, by_line = list(document.objects()), document.lines is not None
    else:
        table = CsvColumns.whole(text, where)
        records = [(line, dict(zip(table.header, row, strict=True))) for line, row in cells_of(table)]
    keys = list(dict.fromkeys(key for _, record in records for key in record))
    places = _places(keys)
    if places is None:
        raise GameTableError(where, "a set of items, and which was chosen", list_names(keys))
    rows, lines, odd = [], [], []
    for line, record in records:
        told = record.get(places[0]) or ""
        items = [str(one) for one in told] if isinstance(told, list) else _BETWEEN.split(str(told).strip())
        best, worst = str(record.get(places[1]) or ""), str(record.get(places[2]) or "") if places[2] else ""
        group = [(one, 2.0 if one == best else 0.0 if places[2] and one == worst else 1.0) for one in items]
        if best not in items or (places[2] and worst not in items) or best == worst or len(set(items)) < len(items):
            odd.append(line)
            continue
        for one, other, result, _ in pairs_within(group, equal=False):
            rows.append((one, other, result, "1"))
            lines.append(line)
    kind = "best-worst" if places[2] else "choices of one in a set"
    notes = [
        f"{kind}: {len(rows):,} comparisons of {count_noun(len(records), 'set')}; those of one set are not independent"
    ]
    notes += [f"set apart: {count_noun(len(odd), 'set')} without a choice of its items (line {odd[0]})"] if odd else []
    rest = [key for key in keys if key not in places]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    return source_of_rows(
        ("Item 1", "Item 2", "Result", "neutral"), rows, name, where, lines if by_line else None, sha256, notes
    )


SETS_IN_CELLS = Form(recognises, columns)
