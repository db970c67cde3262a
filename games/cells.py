"""Games with the same White, Black and anchor, merged: exact for every likelihood that sums over games.

A likelihood sees a game through who sat where, the anchor and the outcome, so games that agree in these are one cell
with the weights of its losses, draws and wins summed. Cells are sorted by White and then Black.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from halfpoint.games.select import Selection
from halfpoint.games.sides import Sides
from halfpoint.games.table import Codes, Floats, Texts


@dataclass(frozen=True, eq=False)
class Cells:
    """Merged games of a selection, sorted by White, then Black, then anchor."""

    players: Texts  # (player,): the monitored players
    # (cell,): index into `players`, -1 where that side is anchored; into `sides` where these have several people
    white: Codes
    black: Codes  # likewise
    anchor_elo: Floats  # (cell,): rating of the anchored side in Elo points, NaN where both are monitored
    weight: Floats  # (cell, outcome): summed weights of the losses, draws and wins for White
    # (cell,): further class that kept games apart (period, covariate class), 0 if none was asked for
    key: npt.NDArray[np.int64]
    cell_of_game: Codes  # (game,): cell of each game of the selection
    sides: Sides | None = None  # who is on each side, indexes into `players`, where sides have several people

    def __len__(self) -> int:
        return int(self.white.size)

    def seats(self, side: Codes) -> tuple[Codes, Floats]:
        """Return who is on a side of each cell, indexes into `players`, and their weights, each of shape (cell, seat).

        An empty seat, and that of an anchored opponent, is -1 and weighs nothing; the others of a side weigh 1 in all.
        """
        if self.sides is None:
            return side[:, None], (side >= 0).astype(np.float64)[:, None]
        return self.sides.members[side], self.sides.weights[side]


def merge(selection: Selection, key: npt.NDArray[np.int64] | None = None) -> Cells:
    """Return the cells of a selection.

    Parameters
    ----------
    selection : Selection
        Games with indexes, anchors and weights.
    key : array of int64, shape (game,), optional
        Games with different keys stay in different cells (a month, a time control).
    """
    further = np.broadcast_to(0, len(selection)) if key is None else np.asarray(key, dtype=np.int64)
    number = selection.white * np.int64(2 + selection.black.max()) + selection.black  # -1 where anchored
    anchor = np.nan_to_num(selection.anchor_elo, nan=-1.0)
    told = [column for column in (further, anchor) if np.any(column != column[0])]
    changed = np.zeros(number.size, dtype=bool)
    changed[0] = True
    bits = number.size.bit_length()
    if not told and abs(int(number.max())) < 1 << (62 - bits):  # with its place in one number: a sort of one
        number = (number << bits) | np.arange(number.size)
        number.sort()
        order = (number & ((1 << bits) - 1)).astype(np.int32 if bits < 32 else np.int64)
        changed[1:] = np.diff(number >> bits) != 0
        del number
    else:
        order = np.lexsort((*told, number))
        for column in (*told, number):
            changed[1:] |= np.diff(column[order]) != 0
    starts = np.flatnonzero(changed)
    cell_of_game = np.empty(order.size, dtype=np.int32)
    cell_of_game[order] = np.cumsum(changed, dtype=np.int32) - 1
    which = cell_of_game * np.int64(3) + selection.games.outcome
    weight = np.bincount(which, selection.weight, 3 * starts.size).reshape(-1, 3)
    one = order[starts]
    white, black, anchor_elo = selection.white[one], selection.black[one], selection.anchor_elo
    anchor_elo = anchor_elo[one] if any(anchor_elo.strides) else anchor_elo[: one.size]
    further = further[one] if told else np.broadcast_to(further[0], starts.shape)
    return Cells(selection.players, white, black, anchor_elo, weight, further, cell_of_game, selection.sides)
