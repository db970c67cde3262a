"""Files of cells: their columns, and one as a lazy frame of polars (`halfpoint.readers.cells`)."""

from pathlib import Path

import polars

from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.polars_files import FAULTS, readable, scan_file, unreadable, without_panics
from halfpoint.models.games.table import OUTCOMES

KEY = ("white", "black", "neutral")
BATCH = 2_000_000  # rows of a Parquet file that are read at a time
RATED, RATINGS = ("white_rated", "black_rated"), ("white_rating_sum_elo", "black_rating_sum_elo")
SCHEMA: dict[str, type[polars.DataType]] = (
    {"white": polars.String, "black": polars.String, "neutral": polars.Boolean}
    | dict.fromkeys((*OUTCOMES, *RATED), polars.Int64)
    | dict.fromkeys(RATINGS, polars.Float64)
)


def is_cells(path: str | Path, head: bytes = b"") -> bool:
    """True if a file is Parquet with the columns of cells, or a folder of such files."""
    place = Path(path)
    if place.is_dir():
        parts = shards_of(place)
        return bool(parts) and is_cells(parts[0])
    try:
        with place.open("rb") as file:
            packed = file.read(4) == b"PAR1"
        return packed and set(polars.read_parquet_schema(readable(place))) == set(SCHEMA)
    except FAULTS:
        return False


def shards_of(place: Path) -> list[Path]:
    """The Parquet files of a folder in the order of their names, or the file itself."""
    return sorted(place.glob("*.parquet")) if place.is_dir() else [place]


def scan_cells(path: str | Path) -> polars.LazyFrame:
    """Lazy frame of a file of cells; `GameTableError` if a count is negative or a name is missing."""
    lazy = scan_file(path)
    names = lazy.collect_schema().names()
    if set(names) != set(SCHEMA):
        raise GameTableError(str(path), f"cells, with the columns {', '.join(SCHEMA)}", ", ".join(names) or "none")
    wrong = polars.any_horizontal(polars.col(*OUTCOMES, *RATED) < 0, polars.col("white") == polars.col("black"))
    empty = polars.any_horizontal(polars.all().is_null())
    try:
        with without_panics():
            cells = lazy.select(polars.col(name).cast(kind) for name, kind in SCHEMA.items())
            faults = cells.select((wrong | empty).sum()).collect(engine="streaming").item()
    except FAULTS as error:
        raise unreadable(path, error) from None
    if faults:
        raise GameTableError(str(path), "counts of at least 0 of two different players", f"{faults} rows without")
    return cells
