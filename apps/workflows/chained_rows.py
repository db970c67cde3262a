"""Rows of the default for players who meet near ones only, as on a ladder or in a large pool paired by strength."""

from halfpoint.models.games.meetings import is_chain, meetings
from halfpoint.models.games.select import Selection, merge

_FEWEST = 6.0  # games of a player on average; with fewer, players are joined by long chains however they are paired


def of_chain(name: str, selection: Selection) -> str:
    """The row for players who meet near ones only, in place of a `matched` one, if these do.

    Such games say little of how far apart far players are, and nothing of it follows from how alike near ones are
    (`halfpoint.models.games.meetings`).
    """
    stem, _, row = name.partition("-")
    if (
        not row.startswith("matched")
        or selection.sides is not None
        or 2 * len(selection) < _FEWEST * selection.players.size
    ):
        return name
    chained = is_chain(meetings(merge(selection)))
    return f"{stem}-chained{row.removeprefix('matched')}" if chained else name
