"""The longest sheet of a workbook as CSV text, read by a process of its own whose memory is limited.

The reader of workbooks fills the rectangle up to the last cell, and repeats shared texts: a workbook of a few hundred
bytes may need a terabyte, for which the reader ends its process. That process parses a file that is not trusted, so its
answer is data, a line of JSON and CSV text, and no pickle.
"""

import datetime
import json
import pickle
import subprocess
import sys
from dataclasses import dataclass

from halfpoint.models.games.memory import limit_addresses, write_no_core
from halfpoint.readers.office.csv_of_rows import csv_of_rows, table_within, widest

_LEAST_BYTES, _TIMES = 700 * 2**20, 70  # memory at least, and by the bytes of the file
_BEGIN = ("import pickle, sys; job = pickle.load(sys.stdin.buffer); sys.path[:] = job['path']; "
          "from halfpoint.readers.office.sheets import answer; answer(job['content'], job['most_cells'])")  # fmt: skip


class NoSheetsError(Exception):
    """A workbook that cannot be read."""


@dataclass(frozen=True)
class Sheet:
    """The sheet of a workbook with the most rows of three or more cells."""

    title: str
    sheets: int  # of the workbook
    others: tuple[str, ...]  # titles of other sheets with rows
    cells: int  # blank ones included
    text: str  # CSV, empty if the sheet has more cells than asked for, or if no sheet has rows


def longest_sheet(content: bytes, most_cells: int) -> Sheet:
    """The longest sheet of a workbook, if it has no more cells; `NoSheetsError` if it cannot be read."""
    job = pickle.dumps({"path": sys.path, "content": content, "most_cells": most_cells})
    reader = subprocess.run([sys.executable, "-c", _BEGIN], input=job, capture_output=True)
    if reader.returncode != 0:
        raise NoSheetsError(f"cells that need more than {memory_for(content) / 2**20:,.0f} MiB of memory")
    return sheet_of_answer(reader.stdout)


def sheet_of_answer(answered: bytes) -> Sheet:
    """The sheet of an answer of the reading process; `NoSheetsError` for its error, or an answer of another form."""
    line, _, text = answered.partition(b"\n")
    try:
        about = json.loads(line)
        if set(about) == {"fault"}:
            raise NoSheetsError(str(about["fault"]))
        sheet = Sheet(**about | {"others": tuple(about["others"])}, text=text.decode())
        numbers, titles = (sheet.sheets, sheet.cells), (sheet.title, *sheet.others)
        if {*map(type, numbers)} != {int} or {*map(type, titles)} != {str}:
            raise TypeError("numbers or titles")
        return sheet
    except (ValueError, LookupError, TypeError, RecursionError) as error:
        raise NoSheetsError("an answer of the reading process that is not a sheet") from error


def memory_for(content: bytes) -> int:
    """Bytes of memory that reading a workbook may take."""
    return max(_LEAST_BYTES, _TIMES * len(content))


def answer(content: bytes, most_cells: int) -> None:
    """Read a workbook, and write its longest sheet, or the error, to standard output."""
    from io import BytesIO

    import python_calamine

    limit_addresses(lambda: memory_for(content))
    write_no_core()
    about: dict[str, object]
    text = ""
    try:
        book = python_calamine.load_workbook(BytesIO(content))
        sheets = {title: book.get_sheet_by_name(title).to_python(skip_empty_area=False) for title in book.sheet_names}
        tables = {title: [list(map(_text_of, row)) for row in rows] for title, rows in sheets.items()}
        filled = {title: rows for title, rows in tables.items() if rows}
        title = list(filled)[table_within(list(filled.values()))] if filled else ""
        rows = filled.get(title, [])
        count = widest(rows) * len(rows)
        text = csv_of_rows(rows) if count <= most_cells else ""
        other_titles = [name for name in filled if name != title]
        about = {"title": title, "sheets": len(tables), "others": other_titles, "cells": count}
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        about = {"fault": " ".join(str(error).split())[:80]}
    sys.stdout.buffer.write(json.dumps(about).encode() + b"\n")
    sys.stdout.buffer.write(text.encode())


def _text_of(cell: object) -> str:
    """A cell as text in one line: whole numbers without a point, days with the year first."""
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime.datetime) and cell.time() == datetime.time():
        return cell.date().isoformat()
    return "" if cell is None else " ".join(str(cell).split())
