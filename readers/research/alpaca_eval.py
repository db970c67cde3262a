"""AlpacaEval's annotations: two generators, and a preference from 1 (the first is better) to 2 (the second).

Weighted annotators give 1 plus the probability that the second is better: a preference below 1.5 is a win of the first,
above 1.5 of the second, 1.5 is a tie, and 0 is AlpacaEval's older mark of a tie. If it is empty the annotator failed,
and the row is set apart. (tatsu-lab/alpaca_eval, `annotations.json`, JSON or CSV.)
"""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import count_noun
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.served.records import read_document
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_USED = ("generator_1", "generator_2", "preference", "annotator", "instruction", "dataset", "output_1", "output_2")
_HEADER = ("model_a", "model_b", "winner", "judge", "prompt", "category", "response_a", "response_b")
_KEYS = [re.compile(rb'(?:^|[",{\s])%s[",\s]' % key.encode()) for key in _USED[:3]]


def recognises(path: str, head: bytes) -> bool:
    """True if a file begins with the two generators and their preference."""
    return all(key.search(head) for key in _KEYS)


def columns(file: str | Path, name: str, where: str) -> Source:
    """The judgements of a file of annotations."""
    text, sha256 = read_text(file)
    numbers: list[int] | None = None
    if text.lstrip()[:1] in "[{":
        rows = [row for _, row in read_document(file, where).objects()]
    else:
        table = CsvColumns.whole(text, where)
        numbers = list(table.lines)
        rows = [dict(zip(table.header, cells, strict=True)) for cells in zip(*table.columns, strict=True)]
    cells = [[_winner(row) if key == "preference" else row.get(key) for key in _USED] for row in rows]
    kept = [k for k, key in enumerate(_USED) if k < 3 or any(row.get(key) for row in rows)]
    weighted = sum(_number(row) not in (None, 0.0, 1.0, 1.5, 2.0) for row in rows)
    notes = ["AlpacaEval: a preference below 1.5 is a win of generator_1, above 1.5 of generator_2"]
    if weighted:
        notes.append(f"{count_noun(weighted, 'weighted preference')}, such as 1.2, read as a win or a loss")
    rest = [key for key in dict.fromkeys(key for row in rows for key in row) if key not in _USED]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    made = [[row[k] for k in kept] for row in cells]
    return source_of_rows([_HEADER[k] for k in kept], made, name, where, numbers, sha256, notes)


def _number(row: Mapping[str, Any]) -> float | None:
    """The preference of a row; None if absent."""
    try:
        return float(row["preference"])
    except (KeyError, TypeError, ValueError):
        return None


def _winner(row: Mapping[str, Any]) -> str:
    """Preferred side; empty if absent, the text of a preference outside 1 to 2."""
    found = _number(row)
    if found is None or found != found:
        return ""
    if found not in (0.0, 1.5) and not 0.999 <= found <= 2.001:
        return str(row["preference"])
    return "tie" if found in (0.0, 1.5) else "model_a" if found < 1.5 else "model_b"


ALPACA_EVAL = Form(recognises, columns)
