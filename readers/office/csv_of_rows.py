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


def tables_alike(tables: Sequence[Rows], best: int) -> list[int]:
    """Indexes of the tables with the header of the best; of it alone if two tables have a row in common."""
    alike = [k for k, table in enumerate(tables) if table[:1] == tables[best][:1]]
    rows = [tuple(row) for k in alike for row in tables[k][1:] if any(row)]
    return alike if len({*rows}) == len(rows) else [best]


def table_within(tables: Sequence[Rows]) -> int:
    """Index of the table with the most rows of three or more cells."""
    return max(range(len(tables)), key=lambda k: sum(sum(map(bool, map(str.strip, row))) > 2 for row in tables[k]))
