"""Rows of sums beside their terms: quarters, halves or maps and the whole game, or legs and their aggregate."""

from dataclasses import replace

import numpy as np
import polars

from halfpoint.models.games.sums_of_games import LEAST_AGAIN, sums_beside_terms
from halfpoint.readers.set_apart import Rows, apart_in_words, goals_by_row

_SAMPLED = 10_000  # rows that tell whether pairs come in runs
_PARTS, _SUMS = "parts of games whose whole is another row", "sums of the games beside them"


def without_sums(rows: Rows) -> tuple[Rows, list[str]]:
    """Rows without the parts of games, or without the sums of several games, and a note if there are any.

    Terms of several days, or with the sides turned, are games. Else the sum is the game, and periods name its parts.
    """
    first, second = (rows.cells[side][:_SAMPLED] for side in ("white", "black"))
    same = (first == first.shift()) & (second == second.shift()) | (first == second.shift()) & (second == first.shift())
    if any(cells.dtype != polars.String for cells in rows.cells.values()) or same.sum() < LEAST_AGAIN * len(same):
        return rows, []
    known = [key for key in ("white", "black", "date", "event", "game_id") if key in rows.cells]
    white, black, *beside = ([*map(str, rows.cells[key].to_list())] for key in known)
    sums, turned = sums_beside_terms(white, black, beside, lambda: goals_by_row(rows))
    if not sums.any():
        return rows, []
    day = np.array(rows.cells["date"].to_list() if "date" in rows.cells else [""] * len(sums))
    if turned.any() or (day[1:] != day[:-1])[~(sums[1:] | sums[:-1])].any():
        return rows.keep(~sums), [apart_in_words(rows.line[sums].tolist(), rows.counts, _SUMS)]
    cells = {field: column for field, column in rows.cells.items() if field != "period"}
    parts = apart_in_words(rows.line[~sums].tolist(), rows.counts, _PARTS)
    return replace(rows, cells=cells).keep(sums), [parts + f", by {rows.called('period')}" * ("period" in rows.cells)]
