"""Games from a pandas DataFrame."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_names import SAMPLED_ROWS, assign_columns
from halfpoint.games.readers.columns import build_table
from halfpoint.games.readers.score_cells import is_score
from halfpoint.games.table import GameTable


def read_frame(
    frame: Any,
    columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (),
    ignore: Sequence[str] = (),
    name: str = "games",
    source: str = "data frame",
    date_format: str | None = None,
    scored: bool = True,
    sides: str | None = None,
    margin: bool = False,
) -> GameTable:
    """Return the games of a data frame, one row a game.

    Parameters
    ----------
    frame : pandas.DataFrame, polars.DataFrame, pyarrow.Table
        Columns white, black and score (or white_goals and black_goals), and any of period, date, white_rating_elo,
        black_rating_elo, event, weight; or the words of other sports (`halfpoint.games.readers.column_names`).
    columns : mapping of str to str, optional
        Field to the frame's column, where the names differ: ``{"white": "W", "black": "B", "score": "y"}``.
    covariates, ignore : sequence of str
        Columns to keep as covariates, and to leave out. Others are left out too and named in the table's notes.
    name, source : str
        Name of the data set, and what messages call the frame.
    date_format : str, optional
        How dates are written where they are text, such as %d/%m/%Y.
    scored : bool
        Whether scores are wanted; games to come have none, and get half a point that nothing looks at.
    sides : str, optional
        What stands between the people of a side in one cell, such as +, or "whole" for names as they stand. People may
        also have columns of their own (white_1, white_2), or stand in lists; see `halfpoint.games.readers.side_cells`.
    margin : bool
        Whether goals are kept beside a score, for models of margins.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If a column is missing or repeated, a value breaks a rule, or there are no rows.

    Examples
    --------
    >>> games = read_frame(pandas.DataFrame({"white": ["Ann", "Bob"], "black": ["Bob", "Ann"], "score": [1, 0.5]}))
    >>> games.score.tolist()
    [1.0, 0.5]
    """
    if not isinstance(frame, pandas.DataFrame) and callable(getattr(frame, "to_pandas", None)):
        frame = frame.to_pandas()  # of polars, pyarrow and others
    if not isinstance(frame, pandas.DataFrame):
        raise GameTableError(source, "a pandas DataFrame", type(frame).__name__)
    present = [str(column) for column in frame.columns]
    texts = {name: frame.iloc[:SAMPLED_ROWS, k].tolist() for k, name in enumerate(present)}
    assigned = assign_columns(
        present, columns or {}, covariates, ignore, source, scored, cells=texts, is_score=is_score, margin=margin
    )
    chosen = assigned.every
    by_name = frame.set_axis(present, axis=1)
    raw = {field: by_name[column].to_numpy() for field, column in chosen.items()}
    if not scored:
        raw["score"] = np.full(len(frame), 0.5)
    further = {column: by_name[column].to_numpy() for column in covariates}
    return build_table(
        raw, source, None, name, chosen, further, date_format=date_format, assigned=assigned, sides=sides
    )
