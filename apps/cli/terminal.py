"""Print at the width of the terminal; for output to a file, at the width COLUMNS, or 80 if not set.

No column is dropped and no heading cut: a wider table continues in a second block with the names repeated.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

from halfpoint.models.games.errors import HalfpointError, printable

_PIPED_WIDTH = 80

_LEAST_WIDTH = 20
_NAMING = 3  # columns of names begin with one of the first: a rank may precede them


def _width(terminal: bool) -> int | None:
    """Columns to print: None for the width of the terminal."""
    columns = os.environ.get("COLUMNS", "")
    return max(int(columns), _LEAST_WIDTH) if columns.isdecimal() else None if terminal else _PIPED_WIDTH


console = Console(width=_width(sys.stdout.isatty()), highlight=False)
_error_console = Console(width=_width(sys.stderr.isatty()), highlight=False, stderr=True)


def say(line: str, style: str | None = None) -> None:
    """Print one line that may contain names of files: control characters escaped, no markup, never broken."""
    with _given_out():
        console.print(printable(line), style=style, markup=False, soft_wrap=True)


@contextmanager
def _given_out() -> Iterator[None]:
    """Report a failure to print as a `HalfpointError` of the output."""
    try:
        yield
    except OSError as error:
        raise HalfpointError(f"output: cannot be written: {error.strerror or error}.") from error


def table_of(
    title: str | None, left: tuple[str, ...], right: tuple[str, ...] = (), last: tuple[str, ...] = ()
) -> Table:
    """An empty table whose columns are aligned left, right and left; only the last columns are wrapped."""
    table = Table(title=title, box=SIMPLE_HEAD)
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in last:
        table.add_column(heading, overflow="fold")
    return table


def put_table(table: Table) -> None:
    """Print a table with all its columns, in several blocks if it is too wide.

    Later blocks begin with the columns that name the rows. A cell of a column that may be wrapped is broken between
    words if its block is too narrow; other text is not broken.
    """
    title, table.title = table.title, None
    if title and console.measure(table).maximum < len(str(title)):  # rich would fold it into the table's width
        console.print(title, style="table.title", soft_wrap=True)
        title = None
    for block in _blocks(table.columns):
        part = Table(title=title, box=table.box)
        part.columns = [replace(table.columns[place], _index=k) for k, place in enumerate(block)]
        part.rows = table.rows
        widest = sum(map(_room_of, part.columns)) + 1
        part.width = widest if widest > console.width else None  # rich would cut it
        console.print(part, crop=False)
        title = None


def _room_of(column: Column) -> int:
    """Minimum width of a column with its margin: whole cells, or whole words if it may be wrapped."""
    texts = [Text.from_markup(str(cell)).plain for cell in (column.header, *column.cells)]
    words = texts if column.no_wrap else [word for text in texts for word in text.split()]
    return 3 + max(map(cell_len, words), default=0)


def _blocks(columns: Sequence[Column]) -> list[list[int]]:
    """Columns of each block; every block begins with the columns that name the rows, and has one other or more."""
    rooms = [_room_of(column) for column in columns]
    first = next((k for k, column in enumerate(columns[:_NAMING]) if column.justify == "left"), 0)
    names = _naming(columns, rooms, first)
    leading, last = {*range(first), *names}, names[-1]  # a rank before the names names no row
    blocks, width = [list(range(last + 1))], sum(rooms[: last + 1]) + 1
    for place in range(last + 1, len(columns)):
        if width + rooms[place] > console.width and not {*blocks[-1]} <= leading:
            blocks.append([*names])
            width = sum(rooms[name] for name in names) + 1
        blocks[-1].append(place)
        width += rooms[place]
    return blocks


def _naming(columns: Sequence[Column], rooms: Sequence[int], first: int) -> list[int]:
    """Columns that name the rows: the first, and the next that are aligned left while names repeat.

    The widest is left out if no other column has room beside them.
    """
    names = [first]
    for place in range(first + 1, min(first + _NAMING, len(columns))):
        rows = list(zip(*(columns[name].cells for name in names), strict=True))
        if len(set(rows)) == len(rows) or columns[place].justify != "left":
            break
        names.append(place)
    widest = max(rooms[names[-1] + 1 :], default=0)
    while len(names) > 1 and sum(rooms[name] for name in names) + widest >= console.width:
        names.remove(max(names, key=rooms.__getitem__))
    return names


def timed_lines(aside: bool = False, clock: Callable[[], float] = time.monotonic) -> Callable[[str], None]:
    """Make a function that prints lines at once, with the seconds of each if there is no terminal.

    With `aside` lines go to standard error, because standard output is for JSON.
    """
    before, place = [clock()], _error_console if aside else console

    def heard(text: str) -> None:
        instant = clock()
        seconds, before[0] = instant - before[0], instant
        line = text if place.is_terminal or seconds < 1.0 else f"{text} ({seconds:.0f} s)"
        with _given_out():
            unwrapped = not place.is_terminal  # files and options that are named are copied from there
            place.print("\n".join(map(printable, line.split("\n"))), markup=False, soft_wrap=unwrapped)

    return heard


@contextmanager
def reading_bar(name: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar while reading a file; the callable gets the bytes read and the file's size."""
    from rich.progress import Progress

    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task(f"reading {name}", total=None)
        yield lambda count, size: bar.update(task, completed=count, total=size)
