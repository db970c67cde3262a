"""Rows of sums beside their terms: quarters, halves or maps and the whole game, or legs and their aggregate."""

from dataclasses import replace
from itertools import pairwise

import numpy as np

from halfpoint.readers.result_cells import goals_in
from halfpoint.readers.set_apart import GOALS, Rows, apart_in_words

_FEWEST, _MOST = 2, 100_000  # sums, rows
_MANY = 0.5  # of the sums have two terms or more
_BESIDE = ("date", "event", "game_id")
_PARTS, _SUMS = "parts of games whose whole is another row", "sums of the games beside them"


def without_sums(rows: Rows) -> tuple[Rows, list[str]]:
    """Rows without the parts of games, or without the sums of several games, and a note if there are any.

    In each run of one pair the last row, or the first, has the sums of the goals of the others, or the numbers of them
    that each side won; most have two terms or more. Terms of several days, or with the sides turned, are games. Else
    the sum is the game, and periods name its parts.
    """
    white, black = (rows.cells[side].to_list() for side in ("white", "black"))
    pair = [frozenset(sides) for sides in zip(white, black, strict=True)]
    beside = [rows.cells[field].to_list() for field in _BESIDE if field in rows.cells]
    fields = ["score"] if "score" in rows.cells else [field for field in GOALS if field in rows.cells]
    goals = np.empty((0, 2))
    for columns in (beside, []) if fields and len(pair) <= _MOST else ():
        of_game = [*zip(pair, *columns, strict=True)]
        first = np.flatnonzero([True, *(before != after for before, after in pairwise(of_game))])
        last = np.append(first[1:], len(pair)) - 1
        if first.size < _FEWEST or (last - first > 1).mean() <= _MANY:
            continue
        if not goals.size:
            texts = zip(*map(rows.cells.__getitem__, fields), strict=True)
            scores = [goals_in("-".join(map(str, cells))) for cells in texts]
            goals = np.array([(score.first, score.second) if score else (np.nan, np.nan) for score in scores])
        run = np.repeat(np.arange(first.size), last - first + 1)
        for whole in (last, first):
            turned = np.array(white)[whole][run] != white
            seen = np.where(turned[:, None], goals[:, ::-1], goals)
            for counts in (seen, (seen > seen[:, ::-1]).astype(np.float64)):
                if not seen[whole].any() or not np.array_equal(
                    np.add.reduceat(counts, first) - counts[whole], seen[whole]
                ):
                    continue
                terms = np.isin(np.arange(len(pair)), whole, invert=True)
                days = rows.cells["date"].to_list() if "date" in rows.cells else [""] * len(pair)
                if turned.any() or len({(run[row], days[row]) for row in np.flatnonzero(terms)}) > first.size:
                    return rows.keep(terms), [apart_in_words(rows.line[~terms].tolist(), rows.counts, _SUMS)]
                games, label = rows.keep(~terms), f", by {rows.called('period')}" if "period" in rows.cells else ""
                cells = {field: column for field, column in games.cells.items() if field != "period"}
                note = apart_in_words(rows.line[terms].tolist(), rows.counts, _PARTS) + label
                return replace(games, cells=cells), [note]
    return rows, []
