"""Games from a file of any known format, or from a data frame.

Each format is imported when a file of it is read: many commands include a reader that few of their files need.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from halfpoint.models.games.compressed import check_text, decode, first_bytes, plain_suffix
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.models.games.keywords import passed_keywords, suggests_keywords
from halfpoint.models.games.plugins import Installed
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import GameTable
from halfpoint.readers.forms import KNOWN, Form, form_of
from halfpoint.readers.options import ReaderOptions
from halfpoint.readers.plain_rows import are_rows, frame_of_rows
from halfpoint.readers.words import STUDY_HEADER

if TYPE_CHECKING:
    from halfpoint.readers.limits import Limits
    from halfpoint.readers.sources import Source

_TABLES = ("csv", "tsv", "parquet", "arrow", "jsonl", "json", "trf")  # columns with names
# formats of their own, with the suffix of that name: a file and options -> games
_READERS = Installed("halfpoint.readers", taken=_TABLES)
_CERTAIN = ("parquet", "arrow", "trf")  # suffixes that leave no format open
_OTHER_SUFFIXES = {".ndjson": "jsonl", ".feather": "arrow", ".ipc": "arrow"}
_MAGIC = {b"PAR1": "parquet", b"ARROW1": "arrow"}
_KIND_OF_START = {"[": "pgn", "%": "pgn", "{": "jsonl"}  # by the first letter
_REPORT = re.compile(rb"(?:\A|[\r\n])(?:\xef\xbb\xbf)?(?:001 [ \d]{3}\d [^\r\n]{40}|0[1-9]2 [^\r\n]|132 )")
_JSON_ARRAY = re.compile(r"\A\s*\[\s*[{\]]")


@suggests_keywords
def read(
    games: object, /, kind: str | None = None, limits: "Limits | None" = None, *,
    columns: Mapping[str, str] | None = None, covariates: Sequence[str] = (), ignore: Sequence[str] = (),
    about: Sequence[str] = (), outcomes: str | Mapping[str, object] | None = None, date_format: str | None = None,
    scored: bool = True, sides: str | None = None, better: str | None = None, rope: float | None = None,
    form: str | Path | None = None, delimiter: str | None = None, faulty: str = "error", trust: bool = False,
    name: str | None = None, source: str | None = None, time_classes: Sequence[str] | None = None,
    tags: Sequence[str] = (), moves: bool = False, keep_event: bool = True,
) -> GameTable:  # fmt: skip
    """The games of a file, or of a data frame.

    Parameters
    ----------
    games : str, Path, list of str or Path, data frame, list of tuple or list of dict
        Several files are one table, and rounds that start again at 1 are renumbered. Tuples are (white, black, score)
        or (white, black, score, date), dicts have the names of columns. A data frame of pandas, polars, pyarrow or any
        library with Arrow's interface, or a file: CSV (with a header), TSV, JSON lines or a JSON array, PGN, FIDE's
        TRF, the study's text format (each plain or compressed with gzip, bzip2, Zstandard or zip), Parquet, or Arrow.
        Columns and results are identified by the words of `halfpoint.readers.words`, the same in every format and for
        every command.
    kind : {"csv", "tsv", "pgn", "study", "parquet", "arrow", "jsonl", "json", "trf"}, optional
        The format; by default detected from the suffix or the first line.
    limits : Limits, optional
        Budgets of seconds, memory and rows for a file of strangers (`halfpoint.readers.Limits`); limits of seconds and
        memory are enforced by reading in another process.
    columns, covariates, ignore, about, outcomes, date_format, scored, sides, better, rope, form
        Options of tables (`halfpoint.readers.options.ReaderOptions`).
    delimiter, faulty, trust, name, source
        Further options of tables; `source` is the name in messages.
    time_classes, tags, moves, keep_event
        Options of PGN (`halfpoint.readers.pgn.PgnOptions`), which also has `faulty` and `scored`.

    Raises
    ------
    GameTableError
        If the format or an option is unknown, the file cannot be read, a column is unknown, missing or repeated, a
        value breaks a rule, a limit is exceeded, or there are no rows; the message gives file and line.

    Examples
    --------
    >>> import pandas
    >>> games = read(pandas.DataFrame({"home": ["Ann", "Bob"], "away": ["Bob", "Ann"], "FTR": ["H", "D"]}))
    >>> games.score.tolist()
    [1.0, 0.5]
    """
    return read_source(games, kind, passed_keywords(read, locals()), limits)


def _are_files(source: object) -> bool:
    """True for a list of files."""
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(path, str | Path) for path in source)


def read_source(
    source: Any, kind: str | None = None, options: Mapping[str, Any] | None = None, limits: "Limits | None" = None
) -> GameTable:
    """The games of a file or a data frame by options of its reader; see `read`."""
    options, source = options or {}, frame_of_rows(source) if are_rows(source) else source
    if _are_files(source):  # each with its own columns and rounds
        from halfpoint.models.games.periods import concatenate_tables

        return concatenate_tables([read_source(path, kind, options, limits) for path in source])
    if limits is not None and (limits.seconds is not None or limits.memory_bytes is not None):
        from halfpoint.readers.limits import read_within

        return read_within(limits, read_here, source, kind, options)
    return read_here(source, kind, options, limits)


def read_here(source: Any, kind: str | None, options: Mapping[str, Any], limits: "Limits | None" = None) -> GameTable:
    """The games of a file or a data frame, read in this process; only the limit of rows applies."""
    frame = not isinstance(source, str | Path)
    chosen = "csv" if frame else KNOWN if options.get("form") else detect(source) if kind is None else kind
    require_word("format", chosen, (*_TABLES, *_READERS), GameTableError)
    if chosen in _TABLES or isinstance(_READERS[chosen], Form):
        from halfpoint.readers.build_table import read_table

        opened, settings = open_table(source, kind, options)  # which refuses those of other formats
        if limits is not None and opened.line is not None:
            limits.require_rows(opened.line.size, opened.where)
        games = read_table(opened, settings)
    else:
        games = _read_format(chosen, source, options)
    if limits is not None:
        limits.require_rows(len(games), games.source)
    return games


def _read_format(chosen: str, source: object, options: Mapping[str, object]) -> GameTable:
    """The games of a file whose format has a reader of its own."""
    try:
        return cast(GameTable, _READERS[chosen](source, **options))
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        raise GameTableError(f"options of the {chosen} reader", "those of its docstring", str(error)) from None


def open_table(
    source: Any, kind: str | None = None, options: Mapping[str, Any] | None = None
) -> "tuple[Source, ReaderOptions]":
    """The columns of a table in a file or a frame, and the options."""
    from halfpoint.readers.known_forms import read_form, with_form
    from halfpoint.readers.open_source import open_source
    from halfpoint.readers.reshape import reshape, with_judges
    from halfpoint.readers.sources import one_below_other

    names = [field.name for field in fields(ReaderOptions)]
    strange = next((name for name in options or {} if name not in names), None)
    if strange is not None:
        raise GameTableError("options of a table", ", ".join(names), repr(strange))
    settings = ReaderOptions(**(options or {}))
    if _are_files(source):
        return one_below_other([open_table(path, kind, options)[0] for path in source]), settings
    described = settings.form is not None and read_form(settings.form).kind != "table"
    if isinstance(source, str | Path):
        chosen = KNOWN if described else kind or detect(source)
        name, location = settings.name or printable(Path(source).name), settings.source or str(source)
    else:
        chosen, name, location = None, settings.name or "games", settings.source or "data frame"
    form = _READERS.get(chosen or "")
    accepted = form.options if isinstance(form, Form) else ()
    for key in ("better", "rope"):
        if getattr(settings, key) is not None and key not in accepted:
            raise GameTableError(f"--{key}", "a table of scores of algorithms on data sets", chosen or "a data frame")
    if isinstance(form, Form):
        return form.columns(source, name, location, **{key: getattr(settings, key) for key in accepted}), settings
    if chosen not in (None, *_TABLES):
        raise GameTableError(str(source), f"a table as {', '.join(_TABLES)}", chosen)
    if chosen == "trf":
        from halfpoint.readers.trf import read_report

        return read_report(source, name, location), settings
    opened = open_source(source, chosen, settings.delimiter, name, location)
    if settings.columns and settings.form is None:
        return opened, settings
    return with_judges(reshape(with_form(opened, settings.form))), settings


def _parquet(path: str | Path) -> str:
    """The format of a Parquet file: games, or cells."""
    from halfpoint.models.games.cells_file import is_cells

    return "cells" if is_cells(path) else "parquet"


def detect(path: str | Path, form: object = None) -> str:
    """Format of a file: by the user's form, by its suffix, by the form that recognises it, else by its first line."""
    if form is not None:
        return KNOWN
    suffix = plain_suffix(path)
    kind = _OTHER_SUFFIXES.get(suffix, suffix.removeprefix("."))
    if kind in _READERS:
        _READERS.entry(kind)  # of one distribution
    if kind in (*_CERTAIN, *_READERS) and kind != "study":
        return _parquet(path) if kind == "parquet" else kind
    if Path(path).is_dir() and (fitting := form_of(_READERS, str(path), b"")):
        return fitting
    beginning = first_bytes(path)
    if packed := next((name for magic, name in _MAGIC.items() if beginning.startswith(magic)), ""):
        return _parquet(path) if packed == "parquet" else packed
    if _REPORT.search(beginning) and b"001 " in beginning:
        return "trf"
    if tuple(beginning[:200].decode("latin-1").split()[: len(STUDY_HEADER)]) == STUDY_HEADER:
        return "study"
    if fitting := form_of(_READERS, str(path), beginning):
        return fitting
    if kind in _TABLES and kind != "json":  # .json: an array, or lines
        return kind
    check_text(beginning, str(path))
    text = decode(beginning)
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    if _JSON_ARRAY.match(text):
        return "json"
    if first[:1] in _KIND_OF_START and first[:2] != "{{":
        return _KIND_OF_START[first[:1]]
    if mark := next((mark for mark in "\t,;|" if mark in first and first[:2] != "{{"), ""):
        return "tsv" if mark == "\t" else "csv"
    shown = repr(first[:60]) if first else "an empty file"
    remedy = "Write the names of the columns in the first line, such as white,black,result."
    remedy = "Describe its elements in a TOML file: --form FILE." if first.startswith("<") else remedy
    expected = "games as CSV, TSV, JSON, Parquet, PGN, TRF, a workbook or plain text"
    raise GameTableError(str(path), expected, shown, remedy)
