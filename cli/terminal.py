"""Where commands print: as wide as the terminal, and 80 columns when piped into a file."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.box import SIMPLE_HEAD
from rich.cells import cell_len
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from halfpoint.games.errors import HalfpointError, printable

_PIPED_WIDTH = 80

console = Console(width=None if sys.stdout.isatty() else _PIPED_WIDTH, highlight=False)
_error_console = Console(width=None if sys.stderr.isatty() else _PIPED_WIDTH, highlight=False, stderr=True)


def say(line: str, style: str | None = None) -> None:
    """Print one line that may contain names of files: control characters escaped, no markup, never broken."""
    with _given_out():
        console.print(printable(line), style=style, markup=False, soft_wrap=True)


@contextmanager
def _given_out() -> Iterator[None]:
    """Tell a line that is not taken from a fault of a file that is being made."""
    try:
        yield
    except OSError as error:
        raise HalfpointError(f"output: expected to read or write it, found {error.strerror or error}.") from error


def table_of(
    title: str | None, left: tuple[str, ...], right: tuple[str, ...] = (), last: tuple[str, ...] = ()
) -> Table:
    """An empty table whose columns are aligned left, right and left; only the last ones are wrapped."""
    table = Table(title=title, box=SIMPLE_HEAD)
    for heading in left:
        table.add_column(heading, no_wrap=True)
    for heading in right:
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in last:
        table.add_column(heading, overflow="fold")
    return table


def put_table(table: Table) -> None:
    """Print a table with the first columns that there is room for: whole ones are left out and named, not letters.

    Cells of columns that may be wrapped are broken between words where there is no room for all of them.
    """
    used, kept = 1, 0
    for column in table.columns:
        texts = [str(cell) for cell in (column.header, *column.cells)]
        words = texts if column.no_wrap else [word for text in texts for word in text.split()]
        used += 3 + max(map(cell_len, words), default=0)
        if used > console.width and kept > 1 and column.no_wrap:
            break
        kept += 1
    left = [str(column.header) for column in table.columns[kept:]]
    del table.columns[kept:]
    if table.title and console.measure(table).maximum < len(str(table.title)):  # it is folded into the table's width
        console.print(table.title, style="table.title", soft_wrap=True)
        table.title = None
    console.print(table)
    if left:
        with _given_out():
            console.print(f"No room for {', '.join(left)}: a wider terminal, --json or --out has all.", markup=False)


def timed_lines(aside: bool = False, clock: Callable[[], float] = time.monotonic) -> Callable[[str], None]:
    """A function that prints lines as they come, with the seconds of each if there is no terminal.

    Aside: on standard error, where standard output is for JSON.
    """
    before, place = [clock()], _error_console if aside else console

    def heard(text: str) -> None:
        now = clock()
        seconds, before[0] = now - before[0], now
        told = text if place.is_terminal or seconds < 1.0 else f"{text} ({seconds:.0f} s)"
        with _given_out():
            whole = not place.is_terminal  # files and options that are named are copied from there
            place.print("\n".join(map(printable, told.split("\n"))), markup=False, soft_wrap=whole)

    return heard


@contextmanager
def reading_bar(name: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar while a file is read; the callable gets the bytes read and the file's size."""
    with Progress(console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task(f"reading {name}", total=None)
        yield lambda used, size: bar.update(task, completed=used, total=size)
