"""Judgements of any number summed by pair and outcome while they are read: who was shown first, second, what was found.

Nothing of a single judgement is kept, so that style, judges and dates are not to be had from it; millions of them are
read in seconds, and a board without style and judges sees the same.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import polars

from halfpoint.fields.arena.outcome_words import DROP, meanings, outcome_map, unknown_word
from halfpoint.fields.arena.read import assigned, clean, codes_of, named, scores_of
from halfpoint.games.cells import Cells
from halfpoint.games.errors import GameTableError
from halfpoint.games.larger_than_memory import Aggregate
from halfpoint.games.readers.parquet import FAULTS, not_parquet, without_panics
from halfpoint.games.readers.records import expression, records_of


def aggregate_judgements(
    path: str | Path,
    columns: Mapping[str, str] | None = None,
    outcomes: str | Mapping[str, Any] | None = None,
    ignore: Sequence[str] = (),
) -> Aggregate:
    """Return the judgements of a Parquet file as cells.

    Parameters
    ----------
    path : str or Path
        Parquet; other formats are read by `halfpoint.fields.arena.read.read_judgements`.
    columns, outcomes, ignore
        As there.

    Returns
    -------
    Aggregate
        Cells by who was shown first and second; `left_out` counts the judgements that `outcomes` drops.

    Raises
    ------
    GameTableError
        If the file is not Parquet, a column is missing, or rows break a rule; their number is told.
    """
    said, records = outcome_map(outcomes), records_of(path)
    if records.kind != "parquet":
        raise GameTableError(str(path), "a Parquet file", records.kind, "Use read_judgements.")
    _, chosen = assigned([one for one in records.names if one not in ignore], dict(columns or {}), records.source)
    keys = [key for key in chosen if key in ("first", "second", "outcome", "equal") or key.startswith("hot")]
    try:
        with without_panics():
            wanted = [expression(chosen[key]).cast(polars.String, strict=False).alias(key) for key in keys]
            frame = records.content.select(wanted).group_by(keys).len("rows").collect(engine="streaming")
    except FAULTS as error:
        raise not_parquet(path, error) from None
    if not frame.height:
        raise GameTableError(records.source, "at least one judgement", "no rows")
    texts = {key: clean(frame[key]) for key in keys}
    rows = frame["rows"].to_numpy().astype(np.float64)
    first, second = (named(texts[key], records, chosen[key], "model") for key in ("first", "second"))
    meaning = meanings(texts, first, second, chosen, said)
    bad = np.flatnonzero(meaning == "")
    if bad.size:
        raise unknown_word(texts, chosen, records, int(bad[0]), first, second)
    same = (first == second).to_numpy()
    if same.any():
        found = f"{first[int(np.argmax(same))]!r} twice ({int(rows[same].sum()):,} such rows)"
        raise GameTableError(records.source, "two different models", found, "Drop these rows.")
    keep = np.flatnonzero(meaning != DROP)
    if not keep.size:
        raise GameTableError(records.source, "at least one judgement", "all rows dropped by --outcomes")
    players, white, black = codes_of(first, second, keep)
    outcome = np.rint(2.0 * scores_of(meaning[keep])).astype(np.int64)
    pair, where = np.unique(white.astype(np.int64) * players.size + black, return_inverse=True)
    weight = np.zeros((pair.size, 3))
    np.add.at(weight, (where.ravel(), outcome), rows[keep])
    sides = (pair // players.size).astype(np.int32), (pair % players.size).astype(np.int32)
    nothing = np.zeros(0, dtype=np.int64)
    unknown, key = np.full(pair.size, np.nan), np.zeros(pair.size, dtype=np.int64)
    cells = Cells(players, *sides, unknown, weight, key, nothing)
    judged = int(weight.sum())
    return Aggregate(cells, judged, int(rows.sum()) - judged, Path(records.source).name, records.source)
