"""Judgements of any number summed by pair and outcome while they are read: who was shown first, second, what was found.

Nothing of a single judgement is kept, so that style, judges and dates are not to be had from it; millions of them are
read in seconds, and a board without style and judges sees the same.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars

from halfpoint.games.errors import GameTableError
from halfpoint.games.larger_than_memory import Aggregate
from halfpoint.games.readers.build_table import build_table
from halfpoint.games.readers.column_names import Assignment, assign_columns
from halfpoint.games.readers.options import ReaderOptions
from halfpoint.games.readers.polars_files import FAULTS, scan_file, unreadable, without_panics
from halfpoint.games.readers.sources import of_lazy
from halfpoint.games.select import merge, select

LOOKED_AT = ("white", "black", "score", "winner", "equal", "first_won", "second_won", "tied")
COUNT = "judgements that are alike"


def aggregate_judgements(path: str | Path, **options: Any) -> Aggregate:
    """Return the judgements of a Parquet file as cells.

    Parameters
    ----------
    path : str or Path
        Parquet; other formats are read by `halfpoint.fields.arena.read.read_judgements`.
    **options
        Of `halfpoint.games.readers.options.ReaderOptions`: columns, outcomes, ignore.

    Returns
    -------
    Aggregate
        Cells by who was shown first and second; `left_out` counts the judgements without an outcome and those that
        `outcomes` drops.

    Raises
    ------
    GameTableError
        If the file is not Parquet, a column is missing, or judgements break a rule; rows are those of what is summed.
    """
    asked = ReaderOptions(**options)
    lazy = scan_file(path)
    opened = of_lazy(lazy, "parquet", Path(path).name, str(path))
    chosen = {key: name for key, name in assign_columns(opened, asked).columns.items() if key in LOOKED_AT}
    try:
        with without_panics():
            names = list(chosen.values())
            frame = (
                lazy.select(names)
                .group_by(names)
                .agg(polars.len().alias(COUNT))
                .sort(names)
                .collect(engine="streaming")
            )
    except FAULTS as error:
        raise unreadable(path, error) from None
    if not frame.height:
        raise GameTableError(str(path), "at least one judgement", "no rows")
    summed = of_lazy(frame.lazy(), "parquet", opened.name, opened.where)
    asked = ReaderOptions(outcomes=asked.outcomes, ignore=("*",), sides="whole", covariates=(COUNT,))
    games = build_table(summed, Assignment(chosen), asked)
    cells = merge(select(replace(games, weight=games.covariates[COUNT]), games.players, "both"))
    judged = int(cells.weight.sum())
    return Aggregate(cells, judged, int(np.sum(frame[COUNT].to_numpy())) - judged, opened.name, opened.where)
