"""Games from a file of any format we know: the format is told by the suffix, else by the first lines."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.compressed import plain_suffix
from halfpoint.games.readers.csv_files import read_csv
from halfpoint.games.readers.frames import read_frame
from halfpoint.games.readers.json_lines import read_json_lines
from halfpoint.games.readers.parquet import read_parquet
from halfpoint.games.readers.pgn import read_pgn_headers
from halfpoint.games.readers.study_format import HEADER, read_study
from halfpoint.games.readers.text_file import as_utf8, check_text, decode, read_bytes
from halfpoint.games.table import GameTable

FORMATS = ("csv", "tsv", "pgn", "study", "parquet", "jsonl")
SNIFFED_BYTES = 65536
PARQUET_MAGIC = b"PAR1"


def read(path: str | Path | Any, kind: str | None = None, **options: Any) -> GameTable:
    """Return the games of a file, or of a data frame.

    Parameters
    ----------
    path : str, Path or data frame
        A data frame of pandas, polars or pyarrow (see `halfpoint.games.readers.frames.read_frame`), or a file:
        CSV (with a header), TSV, PGN, the study's text format (each plain or compressed with gzip, bzip2, Zstandard or
        zip), JSON lines, or Parquet.
    kind : {"csv", "tsv", "pgn", "study", "parquet", "jsonl"}, optional
        The format; told from the suffix or the first line if not given.
    **options
        Handed to the reader: `name` for all; `columns`, `covariates`, `ignore` and `date_format` for CSV, JSON lines
        and Parquet; those of `halfpoint.games.readers.pgn.read_pgn_headers` for PGN, which also tells what is set
        apart.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If the format is unknown or the reader refuses the file.
    """
    if not isinstance(path, str | Path):
        return read_frame(path, **options)
    chosen = detect(path) if kind is None else kind
    readers: dict[str, Callable[..., GameTable]] = {
        "csv": read_csv,
        "jsonl": read_json_lines,
        "parquet": read_parquet,
        "pgn": read_pgn_games,
        "study": read_study,
    }
    if chosen == "tsv":
        return read_csv(path, **({"delimiter": "\t"} | options))
    if chosen not in readers:
        raise GameTableError("format", " | ".join(FORMATS), repr(chosen))
    try:
        return readers[chosen](path, **options)
    except TypeError as error:
        if "unexpected keyword" not in str(error):
            raise
        raise GameTableError(f"options of the {chosen} reader", "those of its docstring", str(error)) from None


def read_pgn_games(path: str | Path, **options: Any) -> GameTable:
    """Return the games of a PGN file, without the account of what was set apart."""
    return read_pgn_headers(path, **options).games


def detect(path: str | Path) -> str:
    """Return the format of a file: by its suffix, else by its first line that is not blank.

    Raises
    ------
    GameTableError
        If the file cannot be read, is not text, or has a first line of no known format.
    """
    suffix = plain_suffix(path)
    if suffix in (".csv", ".tsv", ".pgn", ".parquet", ".jsonl"):
        return suffix[1:]
    if suffix == ".ndjson":
        return "jsonl"
    beginning = as_utf8(read_bytes(path, SNIFFED_BYTES))
    if beginning.startswith(PARQUET_MAGIC):
        return "parquet"
    check_text(beginning, str(path))
    rows = decode(beginning).splitlines()
    first = next((row.strip() for row in rows if row.strip()), "")
    if tuple(first.split()) == HEADER:
        return "study"
    if first.startswith(("[", "%")):
        return "pgn"
    if first.startswith("{"):
        return "jsonl"
    if "\t" in first:
        return "tsv"
    if any(mark in first for mark in ",;|"):
        return "csv"
    found = repr(first[:60]) if first else "an empty file"
    raise GameTableError(str(path), f"games as {', '.join(FORMATS)}", found, "Name the format (kind).")
