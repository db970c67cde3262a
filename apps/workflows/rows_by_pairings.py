"""Rows of the default by who meets whom: near ones only, as on a ladder, or anybody, as if drawn by lot."""

from dataclasses import replace

import numpy as np

from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.meetings import LOTS, is_chain, meetings
from halfpoint.models.games.pairings import by_results
from halfpoint.models.games.select import Selection, merge

_FEWEST = 6.0  # games of a player on average; with fewer, players are joined by long chains however they are paired
_SHUFFLES, _BY_CHANCE = 3, 0.05  # of the second seats, and by how much the eigenvalue of lots varies


def by_pairings(name: str, selection: Selection) -> str:
    """The row for players who meet near ones only, or anybody, in place of a `matched` one.

    Games of near ones say little of how far apart far players are, and nothing of it follows from how alike near ones
    are (`halfpoint.models.games.meetings`): a `chained` row. Pairings that mix players as lots do say nothing of
    strengths: a `mixed` row, without opponents.
    """
    stem, _, row = name.partition("-")
    enough = 2 * len(selection) >= _FEWEST * selection.players.size
    if not row.startswith("matched") or selection.sides is not None or not enough:
        return name
    slowest = slowest_walk(selection)
    if slowest < LOTS or by_results(selection.games).any():  # the row itself leaves such opponents out
        return name
    if is_chain(meetings(merge(selection))):
        return f"{stem}-chained{row.removeprefix('matched')}"
    return f"{stem}-mixed{row.removeprefix('matched')}" if slowest <= _slowest_by_lot(selection) else name


def _slowest_by_lot(selection: Selection) -> float:
    """Second eigenvalue of a walk from opponent to opponent up to which pairings are as lots.

    That of the same games with their second seats shuffled: where few games are drawn by lot it is above `LOTS` too.
    """
    rng = np.random.default_rng(0)
    shuffled = [slowest_walk(replace(selection, black=rng.permutation(selection.black))) for _ in range(_SHUFFLES)]
    return max(shuffled) + _BY_CHANCE
