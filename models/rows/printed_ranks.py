"""Printed rankings as further rows of games: each player's last one in a calendar year, 1 the best.

They are columns `white_ranking` and `black_ranking` of the games, 0 or NaN where unknown. A row belongs to the game
beside which the ranking is printed, and counts and is learned with it.
"""

import numpy as np

from halfpoint.models.games.select import Selection
from halfpoint.models.games.table import Floats, GameTable, Integers

COLUMN = "ranked"  # of rows: 0 of a game, 1 of White's ranking, -1 of Black's
NAMES = ("white_ranking", "black_ranking")


def has_ranks(games: GameTable) -> bool:
    """True if games print rankings, on days, of one player a side."""
    there = all(name in games.covariates and np.issubdtype(games.covariates[name].dtype, np.number) for name in NAMES)
    return there and games.date is not None and not np.isnat(games.date).any() and games.sides is None


def has_numbers(games: GameTable, name: str) -> bool:
    """True if games have a column of numbers, or for `COLUMN` rankings."""
    if name == COLUMN:
        return has_ranks(games)
    values = games.covariates.get(name)
    return values is not None and values.dtype.kind in "fiu" and bool(np.isfinite(values).all())


def rank_rows(selection: Selection) -> tuple[Integers, Integers, Floats]:
    """Game, 1 for White or -1 for Black, and logarithm of the ranking, (row,) each, by players and years."""
    games, count = selection.games, len(selection)
    assert games.date is not None
    rank = np.concatenate([np.asarray(games.covariates[name], dtype=np.float64) for name in NAMES])
    player, game = np.append(selection.white, selection.black), np.tile(np.arange(count), 2)
    side, day = np.repeat([1, -1], count), games.date.astype("datetime64[D]").astype(np.int64)[game]
    year = games.date.astype("datetime64[Y]").astype(np.int64)[game]
    usable = np.flatnonzero((rank > 0.0) & (player >= 0))
    order = usable[np.lexsort((game[usable], day[usable], year[usable], player[usable]))]
    of = player[order] * np.int64(1 << 20) + year[order]
    last = order[np.append(of[1:] != of[:-1], True)] if order.size else order
    return game[last], side[last], np.log(rank[last])
