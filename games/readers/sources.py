"""From every format to columns of cells: CSV, TSV, JSON lines, Parquet, Arrow and data frames, and nothing more.

A cell is a text without blanks around it, empty where nothing stands there, or a list of such texts. Numbers are
written in one way (2000, not 2000.0) and days with the year first, so that a table is the same in every format. The
names of columns are known before the values are read, so that of wide files only those that are wanted are: texts of
conversations never reach the memory. A nested column is called by its path, ``conv_metadata.turns``.
"""

import json
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import islice
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas
import polars

from halfpoint.games.atomic_write import each_key_once
from halfpoint.games.errors import GameTableError, few, printable
from halfpoint.games.readers.compressed import open_stream, read_bytes, read_text, read_text_and_encoding
from halfpoint.games.readers.conversations import ANSWERED, are_turns, holds_turns, words_of_answers, words_written
from halfpoint.games.readers.cross_tables import cross_table_games
from halfpoint.games.readers.csv_files import CsvColumns, likely_delimiter
from halfpoint.games.readers.encodings import note_on
from halfpoint.games.readers.polars_files import FAULTS, readable, require_pool, scan_file, unreadable, without_panics
from halfpoint.games.readers.sound_cells import has_half_pair, require_text, require_width, suspect_lines
from halfpoint.games.readers.spreadsheet import as_spreadsheet

Cells = polars.Series  # of texts, or of lists of texts
Place = Callable[[int], str]
Path = tuple[str, ...]  # of a nested column

_SAMPLED_BYTES = 4 * 2**20
_SAMPLED_LINES = 1000
SAMPLED_ROWS = 2000
NAMES = polars.List(polars.String)


@dataclass(frozen=True, eq=False)
class Source:
    """Columns of cells from any source."""

    where: str  # file or object, for messages
    kind: str  # csv, jsonl, parquet, arrow or frame; study and pgn for texts whose columns are known
    names: tuple[str, ...]  # columns, nested ones by their path
    # from names to the cells of these columns, of the first so many rows or all
    cells: Callable[[Sequence[str], int | None], Mapping[str, Cells]]
    name: str = "games"  # name of the data set
    nested: frozenset[str] = frozenset()  # those of the names that are paths
    line: npt.NDArray[np.int64] | None = None  # (row,): line of each row in a file that has lines
    sha256: str | None = None  # hash of the file
    notes: tuple[str, ...] = ()  # what was passed over, a line each

    def __post_init__(self) -> None:
        require_width(len(self.names), self.where)

    @property
    def counts(self) -> str:
        """Unit of the rows: lines or rows."""
        return "row" if self.line is None else "line"

    def read(self, wanted: Sequence[str], rows: int | None = None) -> dict[str, Cells]:
        """The cells of some columns, of the first rows or of all."""
        require_pool()
        names = list(dict.fromkeys(wanted))
        found = self.cells(names, rows)
        return {name: found[name] for name in names}


def open_source(
    source: Any, kind: str | None = None, delimiter: str | None = None, name: str | None = None,
    where: str | None = None,
) -> Source:  # fmt: skip
    """The columns of a file or of a data frame."""
    if not isinstance(source, str | FilePath):
        return source_from_frame(source, name or "games", where or "data frame")
    name, where = name or printable(FilePath(source).name), where or str(source)
    if kind in ("parquet", "arrow"):
        lazy = scan_file(source, kind.capitalize())
        return _source_from_lazy(lazy, kind, name, where)
    if kind == "jsonl":
        return _source_from_lines(source, name, where)
    if kind == "json":
        return _source_from_array(source, name, where)
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '\r\n"'):
        raise GameTableError("delimiter", "one character", repr(delimiter))
    text, sha256, encoding = read_text_and_encoding(source)
    table = CsvColumns(text, delimiter or ("\t" if kind == "tsv" else likely_delimiter(text)), where, remarks=True)
    require_width(len(table.header), where)
    notes = (*note_on(encoding), *as_spreadsheet(table), *cross_table_games(table, where))
    place = {column: k for k, column in reversed(list(enumerate(table.header)))}  # the first of one name

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        if rows is None:
            table.check_width(where)
        columns = [table.columns[place[one]][:rows] for one in wanted]
        if all(isinstance(one, polars.Series) for one in columns):  # stripped when they were read
            return dict(zip(wanted, columns, strict=True))
        frame = polars.DataFrame([polars.Series(str(k), one, polars.String) for k, one in enumerate(columns)])
        return dict(zip(wanted, frame.select(polars.all().str.strip_chars()), strict=True))

    line = np.array(table.lines, dtype=np.int64)
    return Source(where, "csv", tuple(table.header), cells, name, line=line, sha256=sha256, notes=notes)


def one_below_other(sources: Sequence[Source]) -> Source:
    """Columns of several sources stacked into one, empty where a source lacks a column."""
    if len(sources) == 1:
        return sources[0]
    names = tuple(dict.fromkeys(name for source in sources for name in source.names))

    def cells(wanted: Sequence[str], rows: int | None) -> Mapping[str, Cells]:
        asked = ([source.names[0], *(name for name in wanted if name in source.names)] for source in sources)
        parts = [polars.DataFrame(one.read(own, rows)) for one, own in zip(sources, asked, strict=True)]
        whole = polars.concat(parts, how="diagonal").with_columns(polars.col(polars.String).fill_null(""))
        return {name: whole[name] for name in wanted}

    nested, notes = frozenset().union(*(one.nested for one in sources)), [note for one in sources for note in one.notes]
    name, where = (" and ".join(few([getattr(one, key) for one in sources])) for key in ("name", "where"))
    return Source(where, sources[0].kind, names, cells, name, nested, notes=tuple(dict.fromkeys(notes)))


def source_from_frame(frame: Any, name: str, where: str) -> Source:
    """Source of a data frame."""
    if isinstance(frame, polars.LazyFrame):
        return _source_from_lazy(frame, "frame", name, where)
    if not isinstance(frame, pandas.DataFrame):
        if hasattr(frame, "__arrow_c_stream__"):
            return _source_from_lazy(polars.DataFrame(frame).lazy(), "frame", name, where)
        if not callable(getattr(frame, "to_pandas", None)):
            raise GameTableError(where, "a data frame of pandas, polars or pyarrow", type(frame).__name__)
        frame = frame.to_pandas()
    columns: dict[str, tuple[int, Path]] = {}
    names, inside = [], set()
    for k, column in enumerate(map(str, frame.columns)):
        nested = frame.iloc[:, k].dropna().head(1).tolist() if frame.dtypes.iloc[k].kind == "O" else []
        first = nested[0].tolist() if nested and isinstance(nested[0], np.ndarray) else nested[0] if nested else None
        for path in _paths_of({"": first}) if isinstance(first, dict) or are_turns(first) else [("",)]:
            path = path[1:]
            names.append(".".join([column, *path]))
            columns.setdefault(names[-1], (k, path))
            inside |= {names[-1]} if path else set()

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        return {one: _cells_from_pandas(frame.iloc[:rows, columns[one][0]], columns[one][1]) for one in wanted}

    return Source(where, "frame", tuple(names), cells, name, frozenset(inside))


def _cells_from_pandas(column: Any, path: Path) -> Cells:
    """The cells of a column of pandas, or of a path within its mappings."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufbM":
        column = column.astype("datetime64[us]") if column.dtype.kind == "M" else column  # polars knows no seconds
        return _cells_as_texts(polars.DataFrame([polars.Series("cells", column.to_numpy())]))[0]
    values = column.tolist()
    if path:
        values = [_at_path(value, path) for value in values]
    texts = [_text_of(value) for value in values]
    for row, text in enumerate(texts, 1):
        for one in text if isinstance(text, list) else [text]:
            require_text(one, f"row {row}")
    if any(isinstance(text, list) for text in texts):
        return polars.Series([one if isinstance(one, list) else [one] if one else [] for one in texts])
    return polars.Series(texts, dtype=polars.String)


def _text_of(value: Any) -> str | list[str]:
    """One cell of a column of objects as text, or as a list of texts."""
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list | tuple | np.ndarray):
        return [str(_text_of(one)) for one in value]
    if value is None or value is pandas.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float | np.floating) and float(value).is_integer() and abs(float(value)) < 2**53:
        return str(int(value))
    return str(value).strip()


def _source_from_lazy(lazy: polars.LazyFrame, kind: str, name: str, where: str) -> Source:
    """The columns of a lazy frame of polars."""
    schema = lazy.collect_schema()
    paths = [path for column, dtype in schema.items() for path in _column_paths((column,), dtype)]
    path_of = {".".join(path): path for path in reversed(paths)}

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        whole = lazy if rows is None else lazy.head(rows)
        try:
            with without_panics():
                frame = whole.select([at(path_of[one], schema).alias(one) for one in wanted]).collect()
        except FAULTS as error:
            raise unreadable(where, error, kind.capitalize()) from None
        return dict(zip(wanted, _cells_as_texts(frame), strict=True))

    nested = frozenset(one for one, path in path_of.items() if len(path) > 1)
    return Source(where, kind, tuple(".".join(path) for path in paths), cells, name, nested)


def at(path: Path, schema: Mapping[str, Any]) -> polars.Expr:
    """The expression of a column by its path."""
    found, dtype = polars.col(path[0]), schema[path[0]]
    for part in path[1:]:
        if part == ANSWERED:
            return words_of_answers(found, dtype)
        found, dtype = found.struct.field(part), next(one.dtype for one in dtype.fields if one.name == part)
    return found


def _cells_as_texts(frame: polars.DataFrame) -> list[Cells]:
    """The columns of a frame as texts, or as lists of texts."""

    def of(name: str, dtype: Any) -> polars.Expr:
        column = polars.col(name)
        if isinstance(dtype, polars.List | polars.Array):
            inner = _as_texts(polars.element(), dtype.inner)
            return polars.coalesce(column.cast(polars.List(dtype.inner)).list.eval(inner), polars.lit([], NAMES))
        return _as_texts(column, dtype)

    numbered = polars.DataFrame([column.alias(str(k)) for k, column in enumerate(frame)])
    return numbered.select([of(name, dtype).alias(name) for name, dtype in numbered.schema.items()]).get_columns()


def _as_texts(column: polars.Expr, dtype: Any) -> polars.Expr:
    """A column as texts without surrounding blanks, empty for missing values."""
    if dtype.is_decimal():
        column, dtype = column.cast(polars.Float64), polars.Float64()
    if dtype.is_float():
        known = column.fill_nan(None)
        text = known.cast(polars.String)
        whole = known.cast(polars.Int64, strict=False).cast(polars.String)
        column = polars.when(known == known.round()).then(polars.coalesce(whole, text)).otherwise(text)
    elif isinstance(dtype, polars.Datetime):
        column = column.dt.date().cast(polars.String)
    else:
        column = column.cast(polars.String, strict=False)
    return column.fill_null("").str.strip_chars()


def _column_paths(path: Path, dtype: Any) -> Iterator[Path]:
    """Yield the paths of a column of a lazy frame; lists of other than plain values or turns are skipped."""
    if isinstance(dtype, polars.Struct):
        for one in dtype.fields:
            yield from _column_paths((*path, one.name), one.dtype)
    elif not isinstance(dtype, polars.List | polars.Array) or not dtype.inner.is_nested():
        yield path
    elif holds_turns(dtype):
        yield (*path, ANSWERED)


def _paths_of(value: Mapping[str, Any], before: Path = ()) -> Iterator[Path]:
    """Yield the paths of the plain values of a mapping, and of lists of plain values."""
    for key, one in value.items():
        if isinstance(one, dict):
            yield from _paths_of(one, (*before, key))
        elif are_turns(one):
            yield (*before, key, ANSWERED)
        elif not any(isinstance(part, dict | list) for part in (one if isinstance(one, list) else ())):
            yield (*before, key)


def _at_path(value: Any, path: Path) -> Any:
    """The value at a path of a mapping, None if there is none."""
    for part in path:
        if part == ANSWERED:
            return words_written(value)
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _source_from_lines(file: str | FilePath, name: str, where: str) -> Source:
    """The columns of JSON lines, from the first lines, or of an array within one object."""
    beginning = read_bytes(file, _SAMPLED_BYTES)
    whole = beginning.rpartition(b"\n")[0] if len(beginning) == _SAMPLED_BYTES else beginning
    kinds: dict[Path, Any] = {}
    lines = whole.splitlines()[:_SAMPLED_LINES]
    if len(lines) < 2 or not lines[0].rstrip().endswith(b"}"):
        with suppress(GameTableError):
            return _source_from_array(file, name, where)
    for number, line in enumerate(lines, 1):
        if line.strip():
            one = _object_of(line, f"{where}, line {number}")
            for path in _paths_of(one):
                listed = isinstance(_at_path(one, path), list)
                kinds[path] = NAMES if listed else kinds.get(path, polars.String)
    path_of = {".".join(path): path for path in reversed(kinds)}

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        asked = {path_of[one]: kinds[path_of[one]] for one in wanted}
        return dict(zip(wanted, read_lines(file, asked, rows), strict=True))

    nested = frozenset(one for one, path in path_of.items() if len(path) > 1)
    return Source(where, "jsonl", tuple(dict.fromkeys(".".join(path) for path in kinds)), cells, name, nested)


def _source_from_array(file: str | FilePath, name: str, where: str) -> Source:
    """The columns of a JSON array of objects, or of the longest array within an object."""
    text, sha256 = read_text(file)
    try:
        value = json.loads(text, object_pairs_hook=each_key_once)
        rows = value if isinstance(value, list) else max(_arrays_in(value), key=len, default=[])
    except (ValueError, RecursionError) as error:
        raise GameTableError(where, "a JSON array of objects", " ".join(str(error).split())[:80]) from None
    if not isinstance(value, list) and not rows:
        raise GameTableError(where, "a JSON array of objects", "none in the object")
    strange = next((k for k, row in enumerate(rows, 1) if not isinstance(row, dict)), None)
    if strange is not None:
        found = type(rows[strange - 1]).__name__
        raise GameTableError(f"{where}, row {strange}", "an object in each place of the array", f"a {found}")
    keys: set[str] = set()
    for row in rows:
        keys |= row.keys()
        require_width(len(keys), where)
    if has_half_pair(text.encode(errors="replace")):
        for k, row in enumerate(rows, 1):
            require_text(json.dumps(row, ensure_ascii=False), f"{where}, row {k}")
    return replace(source_from_frame(pandas.DataFrame(rows), name, where), sha256=sha256)


def _arrays_in(value: Any) -> Iterator[list[Any]]:
    """Yield the arrays of objects within objects of JSON."""
    for one in value.values() if isinstance(value, dict) else ():
        if isinstance(one, list) and one and isinstance(one[0], dict) and "role" not in one[0]:
            yield one
        yield from _arrays_in(one)


def _object_of(line: bytes, place: str) -> dict[str, Any]:
    """The mapping in a line of JSON."""
    try:
        value = json.loads(line.decode("utf-8-sig"), object_pairs_hook=each_key_once)
    except (ValueError, RecursionError) as error:
        raise GameTableError(place, "one JSON object a line", " ".join(str(error).split())[:80]) from None
    if not isinstance(value, dict):
        raise GameTableError(place, "one JSON object a line", f"a {type(value).__name__}")
    return value


def _schema_of(kinds: Mapping[Path, Any]) -> dict[str, Any]:
    """Schema that has exactly these paths."""
    tree: dict[str, Any] = {}
    for (*path, last), kind in kinds.items():
        here = tree
        for part in path:
            here = here.setdefault(part, {})
        here[last] = kind

    def of(branch: Any) -> Any:
        return polars.Struct({key: of(one) for key, one in branch.items()}) if isinstance(branch, dict) else branch

    return {key: of(one) for key, one in tree.items()}


def read_lines(file: str | FilePath, asked: Mapping[Path, Any], rows: int | None) -> list[Cells]:
    """Columns of JSON lines."""
    made = {one: _words_in_lines(file, one, rows) for one in asked if one[-1] == ANSWERED}
    if made:
        rest = {one: kind for one, kind in asked.items() if one not in made}
        read = dict(zip(rest, read_lines(file, rest, rows), strict=True)) if rest else {}
        return [(made | read)[one] for one in asked]
    with open_stream(file) as stream:
        packed = stream.content is not stream.raw or stream.read(len(BOM_UTF8)) == BOM_UTF8
    for number, line in suspect_lines(islice(_lines_of(file), rows), {one[-1] for one in asked}):
        value = _object_of(line, f"{file}, line {number}")
        if rows is None and has_half_pair(line):  # a sample has columns that are not used
            _require_characters(value, asked, f"{file}, line {number}")
    try:
        with without_panics():
            plain = BytesIO(read_bytes(file).removeprefix(BOM_UTF8)) if packed else readable(file)
            if rows is not None:  # polars would parse further lines in all columns
                plain = BytesIO(b"\n".join(line for _, line in islice(_lines_of(file), rows)))
            schema = _schema_of(asked)
            lazy = polars.scan_ndjson(plain, schema=schema, low_memory=True, n_rows=rows)
            chosen = lazy.select([at(one, schema).alias(str(k)) for k, one in enumerate(asked)])
            frame = chosen.collect(engine="streaming")
    except GameTableError:
        raise
    except FAULTS as error:
        _look_for_fault(file, asked)
        found = " ".join(str(error).split())[:100] or type(error).__name__
        raise GameTableError(str(file), "JSON lines that can be read", found) from None
    return _cells_as_texts(frame)


def _words_in_lines(file: str | FilePath, path: Path, rows: int | None) -> Cells:
    """Number of words the assistant wrote in the conversation of each line, as cells."""
    counts = [words_written(_at_path(json.loads(line), path[:-1])) for _, line in islice(_lines_of(file), rows)]
    return polars.Series(["" if one is None else str(one) for one in counts], dtype=polars.String)


def _lines_of(file: str | FilePath) -> Iterator[tuple[int, bytes]]:
    """Yield the nonempty lines of a file with their numbers."""
    rest, number = b"", 0
    with open_stream(file) as stream:
        while block := stream.read(_SAMPLED_BYTES):
            *whole, rest = (rest + block).split(b"\n")
            for line in whole:
                number += 1
                if line.strip():
                    yield number, line.removeprefix(BOM_UTF8)
    if rest.strip():
        yield number + 1, rest.removeprefix(BOM_UTF8)


def _require_characters(value: Any, asked: Iterable[Path], place: str) -> None:
    """Raise `GameTableError` if a cell of some columns has half of a surrogate pair."""
    for path in asked:
        require_text(json.dumps(_at_path(value, path), ensure_ascii=False), f"{place}, column {'.'.join(path)}")


def _look_for_fault(file: str | FilePath, asked: Mapping[Path, Any]) -> None:
    """Raise `GameTableError` at the first line of JSON that polars refuses: no object, no list, half a character."""
    lists = [path for path, kind in asked.items() if kind != polars.String]
    for number, line in _lines_of(file):
        place = f"{file}, line {number}"
        value = _object_of(line, place)
        if has_half_pair(line):
            _require_characters(value, asked, place)
        for one in lists:
            found = _at_path(value, one)
            if not isinstance(found, list | None):
                raise GameTableError(f"{place}, column {'.'.join(one)}", "a list, as in other lines", repr(found)[:60])
