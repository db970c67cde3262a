r"""Forms: formats that recognise their own files, each a small reader behind the entry point group `halfpoint.readers`.

An entry point of that group is a function, which reads the files whose suffix is its name (file, options -> GameTable),
or a `Form`. A form is tried on every file whose suffix does not determine the format (.txt, .csv, .json, ...), gets the
file's name and its first bytes, and returns the columns of the file as a `Source`. Columns, results and dates are then
read as those of any table, so that `--columns`, `--outcomes` and `--date-format` apply to forms as well.

A form for files of lines "Ann beat Bob":

    def recognises(path: str, head: bytes) -> bool:
        return b" beat " in head.partition(b"\n")[0]

    def columns(file: str | Path, name: str, location: str) -> Source:
        text, sha256 = read_text(file)
        rows = [line.split(" beat ") for line in text.splitlines() if line.strip()]
        return source_of_rows(("winner", "loser"), rows, name, location, sha256=sha256)

    BEAT = Form(recognises, columns)  # "halfpoint.readers".beat = "MODULE:BEAT" in pyproject.toml
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from halfpoint.models.games.plugins import PluginError

if TYPE_CHECKING:
    from halfpoint.readers.sources import Source


KNOWN = "known-forms"  # reader of the forms that are data, tried first


@dataclass(frozen=True)
class Form:
    """A format that recognises its files."""

    # path and first 64 KiB (unpacked; UTF-16 as UTF-8; an archive of several files, such as .xlsx, unchanged) -> bool.
    # It must be quick, certain, and raise nothing.
    recognises: Callable[[str, bytes], bool]
    # file, name of the data set, the file in messages, and options by name -> its columns
    columns: "Callable[..., Source]"
    options: tuple[str, ...] = ()  # of `ReaderOptions`, those that `columns` takes


def form_of(forms: Mapping[str, Any], path: str, head: bytes) -> str | None:
    """Name of the first form that recognises a file, None if no form does; faulty plugins are skipped."""
    for name in sorted(forms, key=lambda name: name != KNOWN):
        with suppress(PluginError):
            form = forms[name]
            if isinstance(form, Form) and form.recognises(path, head):
                return name
    return None


def source_of_rows(
    header: Sequence[str], rows: Sequence[Sequence[Any]], name: str, where: str, lines: Sequence[int] | None = None,
    sha256: str | None = None, notes: Sequence[str] = (),
) -> "Source":  # fmt: skip
    """The columns of rows of texts, empty or None where unknown, without empty columns after the third.

    `lines` has the line of each row in its file. Empty notes are left out, and handicaps of go are noted.
    """
    import numpy as np
    import polars

    from halfpoint.readers.form_notes import with_stones
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
