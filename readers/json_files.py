"""Columns of cells from JSON: one object per line, an array of objects, or the longest array within an object."""

import json
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from io import BytesIO
from itertools import islice
from pathlib import Path as FilePath
from typing import Any

import pandas
import polars

from halfpoint.models.games.atomic_write import each_key_once
from halfpoint.models.games.compressed import open_stream, read_bytes, read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.polars_files import FAULTS, readable, without_panics
from halfpoint.readers.conversations import ANSWERED, words_written
from halfpoint.readers.frames import NAMES, Path, at, at_path, cells_as_texts, paths_of, source_from_frame
from halfpoint.readers.json_lists import lists_in, with_lists
from halfpoint.readers.sound_cells import has_half_pair, require_text, require_width, suspect_lines
from halfpoint.readers.sources import Cells, Source

_SAMPLED_BYTES = 4 * 2**20
_SAMPLED_LINES = 1000


def source_from_lines(file: str | FilePath, name: str, location: str) -> Source:
    """The columns of JSON lines, from the first lines, or of an array within one object."""
    beginning = read_bytes(file, _SAMPLED_BYTES)
    complete = beginning.rpartition(b"\n")[0] if len(beginning) == _SAMPLED_BYTES else beginning
    kinds: dict[Path, Any] = {}
    lines = complete.splitlines()[:_SAMPLED_LINES]
    if len(lines) < 2 or not lines[0].rstrip().endswith(b"}"):
        with suppress(GameTableError):
            return source_from_array(file, name, location)
    for number, line in enumerate(lines, 1):
        if line.strip():
            row = _object_of(line, f"{location}, line {number}")
            for path in paths_of(row):
                listed = isinstance(at_path(row, path), list)
                kinds[path] = NAMES if listed else kinds.get(path, polars.String)
    path_of = {".".join(path): path for path in reversed(kinds)}

    def cells(wanted: Sequence[str], rows: int | None) -> dict[str, Cells]:
        kind_of_path = {path_of[column]: kinds[path_of[column]] for column in wanted}
        return dict(zip(wanted, read_lines(file, kind_of_path, rows), strict=True))

    nested = frozenset(column for column, path in path_of.items() if len(path) > 1)
    return Source(location, "jsonl", tuple(dict.fromkeys(".".join(path) for path in kinds)), cells, name, nested)


def source_from_array(file: str | FilePath, name: str, location: str) -> Source:
    """The columns of a JSON array of objects, or of the longest array within an object."""
    text, sha256 = read_text(file)
    try:
        value = with_lists(json.loads(text, object_pairs_hook=each_key_once))
        arrays = () if isinstance(value, list) else (rows for rows in lists_in(value) if "role" not in rows[0])
        rows = value if isinstance(value, list) else max(arrays, key=len, default=[])
    except (ValueError, RecursionError) as error:
        raise GameTableError(location, "a JSON array of objects", " ".join(str(error).split())[:80]) from None
    if not isinstance(value, list) and not rows:
        raise GameTableError(location, "a JSON array of objects", "none in the object")
    strange = next((k for k, row in enumerate(rows, 1) if not isinstance(row, dict)), None)
    if strange is not None:
        type_name = type(rows[strange - 1]).__name__
        raise GameTableError(f"{location}, row {strange}", "an object in each place of the array", f"a {type_name}")
    keys: set[str] = set()
    for row in rows:
        keys |= row.keys()
        require_width(len(keys), location)
    if has_half_pair(text.encode(errors="replace")):
        for k, row in enumerate(rows, 1):
            require_text(json.dumps(row, ensure_ascii=False), f"{location}, row {k}")
    return replace(source_from_frame(pandas.DataFrame(rows), name, location), sha256=sha256)


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
    """The schema of these paths alone."""
    tree: dict[str, Any] = {}
    for (*path, last), kind in kinds.items():
        branch = tree
        for part in path:
            branch = branch.setdefault(part, {})
        branch[last] = kind

    def of(branch: Any) -> Any:
        return polars.Struct({key: of(child) for key, child in branch.items()}) if isinstance(branch, dict) else branch

    return {key: of(child) for key, child in tree.items()}


def read_lines(file: str | FilePath, kind_of_path: Mapping[Path, Any], rows: int | None) -> list[Cells]:
    """Columns of JSON lines."""
    answers = {path: _words_in_lines(file, path, rows) for path in kind_of_path if path[-1] == ANSWERED}
    if answers:
        further = {path: kind for path, kind in kind_of_path.items() if path not in answers}
        cells_of_path = dict(zip(further, read_lines(file, further, rows), strict=True)) if further else {}
        return [(answers | cells_of_path)[path] for path in kind_of_path]
    with open_stream(file) as stream:
        packed = stream.content is not stream.raw or stream.read(len(BOM_UTF8)) == BOM_UTF8
    for number, line in suspect_lines(islice(_lines_of(file), rows), {path[-1] for path in kind_of_path}):
        value = _object_of(line, f"{file}, line {number}")
        if rows is None and has_half_pair(line):  # a sample has columns that are not used
            _require_characters(value, kind_of_path, f"{file}, line {number}")
    try:
        with without_panics():
            plain = BytesIO(read_bytes(file).removeprefix(BOM_UTF8)) if packed else readable(file)
            if rows is not None:  # polars would parse further lines in all columns
                plain = BytesIO(b"\n".join(line for _, line in islice(_lines_of(file), rows)))
            schema = _schema_of(kind_of_path)
            lazy = polars.scan_ndjson(plain, schema=schema, low_memory=True, n_rows=rows)
            chosen = lazy.select([at(path, schema).alias(str(k)) for k, path in enumerate(kind_of_path)])
            frame = chosen.collect(engine="streaming")
    except GameTableError:
        raise
    except FAULTS as error:
        _look_for_fault(file, kind_of_path)
        fault = " ".join(str(error).split())[:100] or type(error).__name__
        raise GameTableError(str(file), "readable JSON lines", fault) from None
    return cells_as_texts(frame)


def _words_in_lines(file: str | FilePath, path: Path, rows: int | None) -> Cells:
    """Number of words the assistant wrote in the conversation of each line, as cells."""
    counts = [words_written(at_path(json.loads(line), path[:-1])) for _, line in islice(_lines_of(file), rows)]
    return polars.Series(["" if count is None else str(count) for count in counts], dtype=polars.String)


def _lines_of(file: str | FilePath) -> Iterator[tuple[int, bytes]]:
    """Yield the nonempty lines of a file with their numbers."""
    tail, number = b"", 0
    with open_stream(file) as stream:
        while block := stream.read(_SAMPLED_BYTES):
            *lines, tail = (tail + block).split(b"\n")
            for line in lines:
                number += 1
                if line.strip():
                    yield number, line.removeprefix(BOM_UTF8)
    if tail.strip():
        yield number + 1, tail.removeprefix(BOM_UTF8)


def _require_characters(value: Any, paths: Iterable[Path], place: str) -> None:
    """Raise `GameTableError` if a cell of some columns has half of a surrogate pair."""
    for path in paths:
        require_text(json.dumps(at_path(value, path), ensure_ascii=False), f"{place}, column {'.'.join(path)}")


def _look_for_fault(file: str | FilePath, kind_of_path: Mapping[Path, Any]) -> None:
    """Raise `GameTableError` at the first line of JSON that polars refuses: no object, no list, half a character."""
    lists = [path for path, kind in kind_of_path.items() if kind != polars.String]
    for number, line in _lines_of(file):
        place = f"{file}, line {number}"
        value = _object_of(line, place)
        if has_half_pair(line):
            _require_characters(value, kind_of_path, place)
        for path in lists:
            cell = at_path(value, path)
            if not isinstance(cell, list | None):
                raise GameTableError(f"{place}, column {'.'.join(path)}", "a list, as in other lines", repr(cell)[:60])
