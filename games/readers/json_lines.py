"""Games from JSON lines, one object a game; columns as in CSV, nested ones by their path."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from halfpoint.games.readers.column_names import assign_columns
from halfpoint.games.readers.columns import build_table
from halfpoint.games.readers.records import records_of
from halfpoint.games.readers.score_cells import is_score
from halfpoint.games.table import GameTable


def read_json_lines(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    covariates: Sequence[str] = (),
    ignore: Sequence[str] = (),
    name: str | None = None,
    date_format: str | None = None,
    scored: bool = True,
) -> GameTable:
    """Return the games of a file of JSON lines.

    Parameters
    ----------
    path : str or Path
        The file, plain or compressed.
    columns, covariates, ignore, name, date_format, scored
        As in `halfpoint.games.readers.csv_files.read_csv`; a nested column is called by its path,
        ``conv_metadata.turns``.

    Returns
    -------
    GameTable

    Raises
    ------
    GameTableError
        If a line is no JSON object, a column is unknown or missing, a value breaks a rule, or there are no rows.
    """
    records = records_of(path)
    flat = [one for one in records.names if "." not in one or one in (*covariates, *(columns or {}).values())]
    assigned = assign_columns(flat, columns or {}, covariates, ignore, records.source, scored, None, is_score)
    chosen = assigned.columns
    frame = records.read([*chosen.values(), *covariates])
    cells = {column: frame[column].to_numpy() for column in frame.columns}
    raw = {field: cells[column] for field, column in chosen.items()}
    if not scored:
        raw["score"] = np.full(frame.height, 0.5)
    further = {column: cells[column] for column in covariates}
    name = name or Path(path).name
    return build_table(raw, records.source, None, name, chosen, further, date_format=date_format, assigned=assigned)
