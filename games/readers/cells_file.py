"""Files of cells, which readers of single games recognise and refuse (`halfpoint.games.cells`)."""

from pathlib import Path
from typing import Any, NoReturn

import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.forms import Form
from halfpoint.games.readers.polars_files import FAULTS, readable

OUTCOMES = ("loss", "draw", "win")
RATED, RATINGS = ("white_rated", "black_rated"), ("white_rating_sum_elo", "black_rating_sum_elo")
SCHEMA: dict[str, Any] = (
    {"white": polars.String, "black": polars.String, "neutral": polars.Boolean}
    | dict.fromkeys((*OUTCOMES, *RATED), polars.Int64)
    | dict.fromkeys(RATINGS, polars.Float64)
)
_TAKEN_BY = "halfpoint rate, list, leaderboard and cells"


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


def refuse_cells(file: str | Path, *_: Any, **__: Any) -> NoReturn:
    """Raise `GameTableError` for cells: the command needs single games."""
    remedy = f"{_TAKEN_BY} take cells; other commands need dates, order or columns. Give the games."
    raise GameTableError(str(file), "single games", "cells (halfpoint cells)", remedy)


CELLS = Form(is_cells, refuse_cells)
