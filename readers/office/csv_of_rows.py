"""Rows of cells, from a sheet, a table of HTML or aligned text, as CSV text; of several tables, the longest."""

import csv
from collections.abc import Sequence
from io import StringIO

type Rows = Sequence[Sequence[str]]


def csv_of_rows(rows: Rows) -> str:
    """Rows as CSV text, all as wide as the widest."""
    width = widest(rows)
    text = StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows([*row, *[""] * (width - len(row))] for row in rows)
    return text.getvalue()


def widest(rows: Rows) -> int:
    """Number of cells of the widest row."""
    return max(map(len, rows), default=0)


def table_within(tables: Sequence[Rows]) -> int:
    """Index of the table with the most rows of three or more cells."""
    if len(tables) == 1:
        return 0
    return max(range(len(tables)), key=lambda k: sum(sum(map(bool, map(str.strip, row))) > 2 for row in tables[k]))
