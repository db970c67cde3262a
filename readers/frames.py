"""Columns of cells from data frames of pandas, polars and pyarrow, with nested columns by their paths.

A conversation, a list of turns with role and content, is a column of the number of words that the assistant wrote. The
content of a turn is a text, or a list of parts (texts, or mappings with a `text`, as in later public releases).
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas
import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.polars_files import FAULTS, unreadable, without_panics
from halfpoint.readers.sound_cells import require_text
from halfpoint.readers.sources import Cells, Source

ANSWERED = "assistant words"  # of a conversation, a column that is made of it
_LISTS = (list, tuple, np.ndarray, polars.Series)
WORD = re.compile(r"\S+")


def are_turns(value: object) -> bool:
    """True if a value is a list of turns."""
    return isinstance(value, list) and bool(value) and all(isinstance(turn, dict) and "role" in turn for turn in value)


def words_written(turns: object) -> int | None:
    """Number of words the assistant wrote; None without turns.

    Examples
    --------
    >>> words_written([{"role": "user", "content": "Hi"}, {"role": "assistant", "content": [{"text": "Good day."}]}])
    2
    """
    if not isinstance(turns, _LISTS):
        return None
    return sum(_words_in(turn.get("content")) for turn in turns if turn is not None and turn.get("role") == "assistant")


def _words_in(content: object) -> int:
    """Number of words of a content, a text or a list of parts."""
    if isinstance(content, str):
        return len(WORD.findall(content))
    if isinstance(content, dict):
        return _words_in(content.get("text"))
    return sum(_words_in(part) for part in content) if isinstance(content, _LISTS) else 0


def words_of_answers(conversation: polars.Expr, dtype: Any) -> polars.Expr:
    """Number of words the assistant wrote, for a column of polars."""
    if {field.name: field.dtype for field in dtype.inner.fields}["content"] != polars.String:
        return conversation.map_elements(words_written, polars.Int64)
    turn = polars.element()
    words = turn.struct.field("content").str.extract_all(r"\S+").list.len()
    of_assistant = polars.when(turn.struct.field("role") == "assistant").then(words).otherwise(0)
    return conversation.list.eval(of_assistant).list.sum()


Path = tuple[str, ...]  # of a nested column

NAMES = polars.List(polars.String)


def source_from_frame(frame: Any, name: str, location: str) -> Source:
    """The columns of a data frame."""
    if isinstance(frame, polars.LazyFrame):
        return source_from_lazy(frame, "frame", name, location)
    if not isinstance(frame, pandas.DataFrame):
        if not hasattr(frame, "__arrow_c_stream__"):
            raise GameTableError(location, "a data frame of pandas, polars or pyarrow", type(frame).__name__)
        return source_from_lazy(polars.DataFrame(frame).lazy(), "frame", name, location)
    columns: dict[str, tuple[int, Path]] = {}
    names, inside = [], set()
    for k, column in enumerate(map(str, frame.columns)):
        nested = frame.iloc[:, k].dropna().head(1).tolist() if frame.dtypes.iloc[k].kind == "O" else []
        first = nested[0].tolist() if nested and isinstance(nested[0], np.ndarray) else nested[0] if nested else None
        for path in paths_of({column: first}) if isinstance(first, dict) or are_turns(first) else [(column,)]:
            names.append(".".join(path))
            columns.setdefault(names[-1], (k, path[1:]))
            inside |= {names[-1]} if path[1:] else set()

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        return {name: _cells_from_pandas(frame.iloc[:rows, columns[name][0]], columns[name][1], location, name)
                for name in wanted}  # fmt: skip

    return Source(location, "frame", tuple(names), cells, name, frozenset(inside))


def _cells_from_pandas(column: Any, path: Path, location: str, name: str) -> Cells:
    """The cells of a column of pandas, or of a path within its mappings."""
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iufbM":
        column = column.astype("datetime64[us]") if column.dtype.kind == "M" else column  # polars knows no seconds
        return cells_as_texts(polars.DataFrame([polars.Series("cells", column.to_numpy())]))[0]
    values = column.tolist()
    values = [at_path(value, path) for value in values] if path else values
    return cells_of_values(values, lambda row: f"{location}, row {row + 1}", name)


def cells_of_values(values: Sequence[object], place: Callable[[int], str] | None, name: str) -> Cells:
    """Cells of values of any type: texts, or lists of texts if some value is a list.

    `place` names the place of a row, for messages; None for a sample, in which half of a character is replaced.
    """
    texts = [value.strip() if type(value) is str else _text_of(value) for value in values]
    for row, text in enumerate(texts):
        if isinstance(text, str) and text.isascii():
            continue
        if place is not None:
            require_text("".join(text), f"{place(row)}, column {name}")
        elif isinstance(text, str):
            texts[row] = text.encode(errors="replace").decode()
    if any(isinstance(text, list) for text in texts):
        return polars.Series([text if isinstance(text, list) else [text] if text else [] for text in texts])
    return polars.Series(texts, dtype=polars.String)


def _text_of(value: object) -> str | list[str]:
    """One cell of a column of objects as text, or as a list of texts."""
    if isinstance(value, list | tuple | np.ndarray):
        return [str(_text_of(part)) for part in value]
    if value is None or value is pandas.NA or value != value:
        return ""
    if isinstance(value, bool | np.bool_):
        return str(value).lower()
    if isinstance(value, float | np.floating) and float(value).is_integer() and abs(float(value)) < 2**53:
        return str(int(value))
    return str(value).strip()


def source_from_lazy(lazy: polars.LazyFrame, kind: str, name: str, location: str) -> Source:
    """The columns of a lazy frame of polars."""
    schema = lazy.collect_schema()
    paths = [path for column, dtype in schema.items() for path in _column_paths((column,), dtype)]
    path_of = {".".join(path): path for path in reversed(paths)}

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        chosen = lazy if rows is None else lazy.head(rows)
        columns = chosen.select([at(path_of[column], schema).alias(column) for column in wanted])
        return dict(zip(wanted, cells_as_texts(collect(columns, location, kind.capitalize())), strict=True))

    nested = frozenset(column for column, path in path_of.items() if len(path) > 1)
    return Source(location, kind, tuple(".".join(path) for path in paths), cells, name, nested)


def collect(lazy: polars.LazyFrame, location: str, kind: str) -> polars.DataFrame:
    """The rows of a lazy frame; `GameTableError` if they cannot be read."""
    try:
        with without_panics():
            return lazy.collect()
    except FAULTS as error:
        raise unreadable(location, error, kind) from None


def at(path: Path, schema: Mapping[str, Any]) -> polars.Expr:
    """The expression of a column by its path."""
    column, dtype = polars.col(path[0]), schema[path[0]]
    for part in path[1:]:
        if part == ANSWERED:
            return words_of_answers(column, dtype)
        column, dtype = column.struct.field(part), next(field.dtype for field in dtype.fields if field.name == part)
    return column


def cells_as_texts(frame: polars.DataFrame) -> list[Cells]:
    """The columns of a frame as texts, or as lists of texts."""

    def of(name: str, dtype: object) -> polars.Expr:
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
        numbers = column.fill_nan(None)
        text = numbers.cast(polars.String)
        integers = numbers.cast(polars.Int64, strict=False).cast(polars.String)
        column = polars.when(numbers == numbers.round()).then(polars.coalesce(integers, text)).otherwise(text)
    else:
        column = (column.dt.date() if isinstance(dtype, polars.Datetime) else column).cast(polars.String, strict=False)
    return column.fill_null("").str.strip_chars()


def _column_paths(path: Path, dtype: object) -> Iterator[Path]:
    """Yield the paths of a column of a lazy frame; lists of anything but plain values or turns are left out."""
    if isinstance(dtype, polars.Struct):
        for field in dtype.fields:
            yield from _column_paths((*path, field.name), field.dtype)
    elif not isinstance(dtype, polars.List | polars.Array) or not dtype.inner.is_nested():
        yield path
    elif isinstance(dtype.inner, polars.Struct) and {"role", "content"} <= {field.name for field in dtype.inner.fields}:
        yield (*path, ANSWERED)


def paths_of(value: Mapping[str, object], before: Path = ()) -> Iterator[Path]:
    """Yield the paths of the plain values of a mapping, and of lists of such."""
    for key, inner in value.items():
        if isinstance(inner, dict):
            yield from paths_of(inner, (*before, key))
        elif are_turns(inner):
            yield (*before, key, ANSWERED)
        elif not any(isinstance(part, dict | list) for part in (inner if isinstance(inner, list) else ())):
            yield (*before, key)


def at_path(value: object, path: Path) -> object:
    """The value at a path of a mapping, None if absent."""
    for part in path:
        if part == ANSWERED:
            return words_written(value)
        value = value.get(part) if isinstance(value, dict) else None
    return value
