"""Workbooks of spreadsheets (.xlsx, .xlsm, .xlsb, .ods, and the older .xls): the sheet with the most rows is read.

python-calamine reads them (the extra `office`).
"""

import hashlib
from importlib.util import find_spec
from pathlib import Path

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.forms import Form
from halfpoint.readers.office.as_text import MOST_CELLS, read_csv_text, require_cells
from halfpoint.readers.office.sheets import NoSheetsError, longest_sheet
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

_OLD = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"  # the container of .xls
_SUFFIXES = (".xlsx", ".xlsm", ".xlsb", ".ods", ".xls")


def recognises(path: str, head: bytes) -> bool:
    """True if a file is an archive with a workbook, or an older workbook."""
    if head.startswith(_OLD):
        return True
    packed = head.startswith(b"PK\x03\x04")
    return packed and (b"xl/" in head or b"opendocument.spreadsheet" in head[:200] or path.lower().endswith(_SUFFIXES))


def columns(file: str | Path, name: str, location: str) -> Source:
    """The columns of the sheet with the most rows."""
    if find_spec("python_calamine") is None:
        fault = "a workbook, and no python-calamine"
        raise GameTableError(location, "the extra for workbooks", fault, "Install it: pip install 'halfpoint[office]'.")
    content = Path(file).read_bytes()
    try:
        sheet = longest_sheet(content, MOST_CELLS)
    except NoSheetsError as error:
        raise GameTableError(location, "a readable workbook", str(error), "Save the sheet as CSV.") from None
    if not sheet.cells:
        raise GameTableError(location, "a sheet with rows", "empty sheets")
    require_cells(sheet.cells, location)
    titles = list(sheet.others)
    notes = [f"a workbook: sheet {sheet.title!r}"] if sheet.sheets > 1 else []
    notes += [f"not read: {'sheets' if len(titles) > 1 else 'sheet'} {list_names(titles)}"] if titles else []
    return read_csv_text(sheet.text, name, location, hashlib.sha256(content).hexdigest(), notes)


WORKBOOKS = Form(recognises, columns)
