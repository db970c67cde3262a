"""Rows of the default by pairings: opponents of similar strength only, as on a ladder, or random opponents."""

from dataclasses import replace

import numpy as np

from halfpoint.models.games.components import slowest_walk
from halfpoint.models.games.meetings import LOTS, is_chain, meetings
from halfpoint.models.games.pairings import by_results
from halfpoint.models.games.select import Selection, merge

_MATCHED = "matched"
_FEWEST = 6.0  # games of a player on average; with fewer, players are joined by long chains however they are paired
_SHUFFLES, _BY_CHANCE = 3, 0.05  # of the second seats, and by how much the eigenvalue of lots varies


def by_pairings(selection: Selection, *rows: str) -> tuple[list[str], str]:
    """Rows of the default with `matched` in their names, by pairings, and the reason in words.

    If only players of similar strength meet, games have little information on the distance of distant players
    (`halfpoint.models.games.meetings`): `chained` rows. Random pairings have no information on strengths: `mixed` rows,
    without opponents.
    """
    kind, why = _MATCHED, ""
    if all(row.partition("-")[2].startswith(_MATCHED) for row in rows):
        kind, why = _kind_of_pairings(selection)
    return [row.replace(_MATCHED, kind) for row in rows], why


def _kind_of_pairings(selection: Selection) -> tuple[str, str]:
    """Word for the row, and the reason."""
    if selection.sides is not None or 2 * len(selection) < _FEWEST * selection.players.size:
        return _MATCHED, ""
    slowest = slowest_walk(selection)
    if slowest < LOTS or by_results(selection.games).any():  # the row itself leaves such opponents out
        return _MATCHED, ""
    if is_chain(meetings(merge(selection))):
        return "chained", "players meet only others near them"
    return ("mixed", "pairings are as if drawn at random") if slowest <= _slowest_by_lot(selection) else (_MATCHED, "")


def _slowest_by_lot(selection: Selection) -> float:
    """Second eigenvalue of a walk from opponent to opponent up to which pairings count as random.

    It is that of the same games with shuffled second seats, since a few games with random pairings exceed `LOTS` too.
    """
    rng = np.random.default_rng(0)
    shuffled = [slowest_walk(replace(selection, black=rng.permutation(selection.black))) for _ in range(_SHUFFLES)]
    return max(shuffled) + _BY_CHANCE
