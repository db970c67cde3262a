"""Sheets of a workbook, read by a process of its own whose memory is limited.

The reader of workbooks fills the rectangle up to the last cell, and repeats shared texts: a workbook of a few hundred
bytes may need a terabyte, for which the reader ends its process.
"""

import pickle
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from halfpoint.games.memory import limit_addresses, write_no_core

_LEAST_BYTES, _TIMES = 700 * 2**20, 70  # memory at least, and by the bytes of the file
_BEGIN = (
    "import pickle, sys; job = pickle.load(sys.stdin.buffer); sys.path[:] = job['path']; "
    "from halfpoint.games.readers.office.sheets import answer; answer(job['content'])"
)


class NoSheetsError(ValueError):
    """A workbook that cannot be read."""


def sheets_of(content: bytes) -> dict[str, list[list[Any]]]:
    """Rows of each sheet of a workbook by its title; `NoSheetsError` if it cannot be read."""
    job = pickle.dumps({"path": sys.path, "content": content})
    reader = subprocess.run(
        [sys.executable, "-c", _BEGIN], input=job, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    if reader.returncode != 0:
        raise NoSheetsError(f"cells that need more than {memory_for(content) / 2**20:,.0f} MiB of memory")
    result = pickle.loads(reader.stdout)
    if isinstance(result, str):
        raise NoSheetsError(result)
    return dict(result)


def memory_for(content: bytes) -> int:
    """Bytes of memory that reading a workbook may take."""
    return max(_LEAST_BYTES, _TIMES * len(content))


def answer(content: bytes) -> None:
    """Read a workbook, and write the rows of its sheets, or the error, to standard output."""
    from io import BytesIO

    import python_calamine

    limit_addresses(lambda: memory_for(content))
    write_no_core()
    result: Mapping[str, list[list[Any]]] | str
    try:
        book = python_calamine.load_workbook(BytesIO(content))
        result = {one: book.get_sheet_by_name(one).to_python(skip_empty_area=False) for one in book.sheet_names}
    except (python_calamine.CalamineError, OSError, ValueError) as error:
        result = " ".join(str(error).split())[:80]
    sys.stdout.buffer.write(pickle.dumps(result))
