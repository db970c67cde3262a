r"""Forms: formats that recognise their own files, each a small reader behind the entry point group `halfpoint.readers`.

An entry point of that group is a function, which reads the files whose suffix is its name (file, options -> GameTable),
or a `Form`. A form is tried on every file whose suffix does not determine the format (.txt, .csv, .json, ...), gets the
file's name and its first bytes, and returns the columns of the file as a `Source`. Columns, results and dates are then
read as those of any table, so that `--columns`, `--outcomes` and `--date-format` apply to forms as well.

A form for files of lines "Ann beat Bob":

    def recognises(path: str, head: bytes) -> bool:
        return b" beat " in head.partition(b"\n")[0]

    def games_of(text: str, location: str) -> Rows:
        rows = [line.split(" beat ") for line in text.splitlines() if line.strip()]
        return Rows(("winner", "loser"), rows)

    BEAT = text_form(recognises, games_of)  # "halfpoint.readers".beat = "MODULE:BEAT" in pyproject.toml

Functions below recognise files by their first bytes, and make notes, each empty if there is nothing to report.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from halfpoint.models.games.compressed import decode, read_text
from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.models.games.plugins import PluginError
from halfpoint.readers.csv_files import CsvColumns, first_rows, likely_delimiter
from halfpoint.readers.words import list_names

if TYPE_CHECKING:
    from halfpoint.readers.sources import Source

KNOWN = "known-forms"  # reader of the forms that are data, tried first
NUMBER = re.compile(r"\A[-+]?(?:\d++(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?")


@dataclass(frozen=True)
class Form:
    """A format that recognises its files."""

    # path and first 64 KiB (unpacked; UTF-16 as UTF-8; an archive of several files, such as .xlsx, unchanged) -> bool.
    # It must be quick, certain, and raise nothing.
    recognises: Callable[[str, bytes], bool]
    # file, name of the data set, the file in messages, and options by name -> its columns
    columns: "Callable[..., Source]"
    options: tuple[str, ...] = ()  # of `ReaderOptions`, those that `columns` takes


def form_of(forms: Mapping[str, object], path: str, head: bytes) -> str | None:
    """Name of the first form that recognises a file, None if no form does; faulty plugins are skipped."""
    for name in sorted(forms, key=lambda name: name != KNOWN):
        with suppress(PluginError):
            form = forms[name]
            if isinstance(form, Form) and form.recognises(path, head):
                return name
    return None


class Rows(NamedTuple):
    """Rows of the games of a form."""

    header: Sequence[str]
    cells: Sequence[Sequence[Any]]  # texts, empty or None where unknown
    lines: Sequence[int] | None = None  # line of each row
    notes: Sequence[str] = ()  # empty notes are left out


def text_form(recognises: Callable[[str, bytes], bool], read: Callable[[str, str], Rows]) -> Form:
    """Form of files of text; `read` has the rows of a text, whose name for messages is its second argument."""

    def columns(file: str | Path, name: str, location: str) -> "Source":
        text, sha256 = read_text(file)
        header, cells, lines, notes = read(text, location)
        return source_of_rows(header, cells, name, location, lines, sha256, notes)

    return Form(recognises, columns)


def source_of_rows(
    header: Sequence[str], rows: Sequence[Sequence[object]], name: str, where: str, lines: Sequence[int] | None = None,
    sha256: str | None = None, notes: Sequence[str] = (),
) -> "Source":  # fmt: skip
    """The columns of rows of texts, empty or None where unknown, without empty columns after the third.

    `lines` has the line of each row in its file. Empty notes are left out, and handicaps of go are noted.
    """
    import numpy as np
    import polars

    from halfpoint.readers.sources import Source

    texts = [["" if cell is None else str(cell).strip() for cell in row] for row in rows]
    filled = [k for k in range(len(header)) if k < 3 or not texts or any(row[k] for row in texts)]
    columns = {header[k]: polars.Series([row[k] for row in texts], dtype=polars.String) for k in filled}
    line = None if lines is None else np.asarray(lines, dtype=np.int64)
    stones = columns["handicap"].to_list() if "handicap" in columns else []
    handicaps = sum(cell not in ("", "0") and bool(row[2]) for cell, row in zip(stones, texts, strict=False))
    return Source(
        where, "frame" if line is None else "csv", tuple(columns),
        lambda wanted, count: {column: columns[column][:count] for column in wanted},
        name, line=line, sha256=sha256, notes=tuple(filter(None, (*notes, with_stones(handicaps)))),
    )  # fmt: skip


def text_of_head(head: bytes) -> str:
    """The whole lines of the first 64 KiB of a file as text."""
    text = decode(head)
    return text if len(head) < 65536 else text[: text.rfind("\n") + 1]


def plain_text(head: bytes, marks: bytes = b"{[<(") -> str:
    """Text of the first bytes of a file; empty for binary files and those that begin as JSON, PGN or HTML."""
    return "" if begins_as(head, marks) or b"\0" in head[:4096] else text_of_head(head)


def begins_as(head: bytes, marks: bytes) -> bool:
    """True if the first character of a file, other than blanks, is one of some marks, or if there is none."""
    return head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in marks


@lru_cache(maxsize=4)
def rows_of(head: bytes) -> tuple[tuple[str, ...], ...]:
    """Header and first rows of a table in the first bytes of a file; empty for JSON, PGN and binary files."""
    complete = plain_text(head, b"{[<%(")
    return tuple(tuple(map(str.strip, row)) for row in first_rows(complete, likely_delimiter(complete)))


def place_of(words: Sequence[str], plain: Sequence[str]) -> int | None:
    """Column of the first of some words that a header has; None if it has none."""
    return next((plain.index(word) for word in words if word in plain), None)


class Sheet(NamedTuple):
    """A table in text, or of records of JSON."""

    header: Sequence[str]
    plain: Sequence[str]  # the header without case, blanks and punctuation
    rows: Sequence[tuple[int, list[Any]]]  # each with its line
    sha256: str

    def not_used(self, used: Collection[int | None]) -> str:
        """Note on the columns that are not used."""
        return not_used(column for k, column in enumerate(self.header) if k not in used)


def read_sheet(file: str | Path, location: str) -> Sheet:
    """The table in a file of text, whose rows all have the length of the header."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    cells = zip(*([cell.strip() for cell in column] for column in table.columns), strict=True)
    rows = list(zip(table.lines, map(list, cells), strict=True))
    return Sheet(table.header, [plain_word(name) for name in table.header], rows, sha256)


def not_used(names: Iterable[str]) -> str:
    """Columns or keys that a form does not read."""
    unread = [*names]
    return f"not used: {list_names(unread)}" if unread else ""


def set_aside(count: int, what: str, why: str = "") -> str:
    """Number of rows that are no games, and the reason."""
    return f"set apart: {count_noun(count, what)}{why}" if count else ""


def unknown_seats(count: int, who: str = "who had White") -> str:
    """Number of games whose first seat is unknown."""
    return f"{who} is unknown in {count_noun(count, 'game')}, which count as neutral" if count else ""


def with_stones(count: int) -> str:
    """Number of games of go with a handicap."""
    return f"{count_noun(count, 'game')} with handicap stones (column handicap), counted as even" if count else ""


def pairs_within(
    group: Sequence[tuple[str, float]], equal: bool, within: float = 0.0
) -> Iterator[tuple[str, str, str, float]]:
    """Yield each pair of a group with its result and margin, by numbers; the higher number wins.

    Numbers that differ by at most `within` are a tie if `equal`, else a pair in unknown order.
    """
    for (name, first), (rival, second) in combinations(group, 2):
        margin = first - second
        if abs(margin) > within:
            yield name, rival, "1-0" if margin > 0 else "0-1", margin
        elif equal:
            yield name, rival, "1/2-1/2", margin
