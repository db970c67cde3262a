"""Games as plain Python rows: a list of tuples or of dicts."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from halfpoint.models.games.errors import GameTableError

_COLUMNS = ("white", "black", "score", "date")
_SHAPE = "(white, black, score) or (white, black, score, date)"


def are_rows(source: object) -> bool:
    """True for a list or tuple of dicts, or of tuples or lists: rows of games rather than files or tables."""
    return isinstance(source, list | tuple) and bool(source) and isinstance(source[0], Mapping | tuple | list)


def frame_of_rows(rows: Any) -> pd.DataFrame:
    """Rows of games as a data frame.

    Parameters
    ----------
    rows : list of dict, or list of tuple
        Dicts have the names of columns as a file has them. Tuples are (white, black, score) or (white, black, score,
        date); the score is White's, 1, 0.5 or 0, or a result such as "1-0".

    Raises
    ------
    GameTableError
        If rows have different types or lengths; the message identifies the first such row.

    Examples
    --------
    >>> frame_of_rows([("Ann", "Bob", 1), ("Bob", "Ann", 0.5)]).columns.tolist()
    ['white', 'black', 'score']
    """
    columns = None if isinstance(rows[0], Mapping) else list(_COLUMNS[: len(rows[0])])
    types: Any = Mapping if columns is None else tuple | list
    valid = [isinstance(row, types) and (columns is None or len(row) == len(rows[0]) in (3, 4)) for row in rows]
    if not all(valid):
        strange, shape = valid.index(False), "a dict" if columns is None else _SHAPE
        raise GameTableError(f"games, row {strange + 1}", f"{shape}, as the first row", repr(rows[strange])[:80])
    return pd.DataFrame([dict(row) if columns is None else tuple(row) for row in rows], columns=columns)
