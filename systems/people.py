"""People on the sides of games: systems that rate them, not their sides, find them here.

A system with `rates_people` set rates everybody on a side of several people: each has a rating of their own, in
whatever company. Other systems rate a side as a unit, like one player.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from halfpoint.games.table import Floats, GameTable
from halfpoint.systems.ledger import Columns, Ledger
from halfpoint.systems.matches import Ints, Matches, two_sided


def of_people(rated: Any, games: GameTable) -> bool:
    """Return whether a system rates the people of these games, not their sides."""
    return games.sides is not None and bool(getattr(rated, "rates_people", False))


def seats_of(rated: Any, ledger: Ledger, games: GameTable) -> tuple[Ints, Floats]:
    """Enter who plays in a ledger, and return who sits where and for what share of play.

    seat (game, 2, seat): Places in the ledger, White's side first; -1 in empty seats; share (game, 2, seat): Shares of
    play, 0 in empty seats.
    """
    if not of_people(rated, games):
        seat = np.stack(ledger.enter(games), axis=1).astype(np.int64)[:, :, None]
        return seat, np.ones(seat.shape)
    assert games.sides is not None
    place, members, share = np.append(ledger.enter_people(games), -1), games.sides.members, games.sides.share
    both = np.stack([games.white, games.black], axis=1)
    return np.where(members >= 0, place[members], -1)[both], share[both]


def matches_in_order(rated: Any, ledger: Ledger, games: GameTable, order: npt.NDArray[np.intp]) -> Matches:
    """Return the games of a period as matches in a ledger, whom it enters, in the order of learning."""
    seat, share = seats_of(rated, ledger, games)
    return two_sided(np.asarray(ledger.names, dtype=np.str_), seat[order], share[order], games.outcome[order])


def columns_before(rated: Any, ledger: Ledger, games: GameTable) -> Columns:
    """Return the columns of those who are rated, people or players of the table, as they stand."""
    return ledger.peek_people(games) if of_people(rated, games) else ledger.peek(games)


def side_sums(rated: Any, games: GameTable, values: Floats, power: int = 1) -> tuple[Floats, Floats]:
    """Return the sums over the people of White and Black of share^power times a value, shape (game,) each."""
    if not of_people(rated, games):
        return values[games.white], values[games.black]
    assert games.sides is not None
    members, share = games.sides.members, games.sides.share
    there = members >= 0
    sums = np.where(there, np.where(there, share, 1.0) ** power * np.append(values, 0.0)[members], 0.0).sum(axis=1)
    return sums[games.white], sums[games.black]


def ratings_before(rated: Any, ledger: Ledger, games: GameTable) -> Floats:
    """Return the ratings of the players of a table as they stand, shape (player,); of a side's people their mean."""
    rating = columns_before(rated, ledger, games)["rating"]
    if not of_people(rated, games):
        return rating
    assert games.sides is not None
    return np.asarray((games.sides.weights * np.append(rating, 0.0)[games.sides.members]).sum(axis=1))
