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
    cell_of_game: npt.NDArray[np.int64]  # (game,): cell of each game of the selection
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
    further = np.zeros(len(selection), dtype=np.int64) if key is None else np.asarray(key, dtype=np.int64)
    anchor = np.nan_to_num(selection.anchor_elo, nan=-1.0)
    order = np.lexsort((further, anchor, selection.black, selection.white))
    changed = np.zeros(order.size, dtype=bool)
    changed[0] = True
    for column in (selection.white, selection.black, anchor, further):
        changed[1:] |= np.diff(column[order]) != 0
    starts = np.flatnonzero(changed)
    cell_of_game = np.empty(order.size, dtype=np.int64)
    cell_of_game[order] = np.cumsum(changed) - 1
    weight = np.zeros((starts.size, 3))
    np.add.at(weight, (cell_of_game, selection.games.outcome), selection.weight)
    one = order[starts]
    white, black, anchor_elo = selection.white[one], selection.black[one], selection.anchor_elo[one]
    return Cells(selection.players, white, black, anchor_elo, weight, further[one], cell_of_game, selection.sides)
