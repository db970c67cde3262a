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


def seats_of(games: GameTable, place: Ints) -> tuple[Ints, Ints, Floats, Floats]:
    """Return who sits where, and for what share of play.

    Parameters
    ----------
    games : GameTable
        Games whose sides have several people.
    place : array of int64, shape (person,)
        Where each person stands in a ledger.

    Returns
    -------
    white, black : array of int64, shape (game, seat)
        Places in the ledger, -1 in empty seats.
    white_share, black_share : array of float, shape (game, seat)
        Shares of play, 0 in empty seats.
    """
    assert games.sides is not None
    members, share = games.sides.members, games.sides.share
    found = np.where(members >= 0, np.append(place, -1)[members], -1)
    return found[games.white], found[games.black], share[games.white], share[games.black]


def matches_in_order(games: GameTable, ledger: Ledger, order: npt.NDArray[np.intp]) -> Matches:
    """Return the games of a period as matches of people in a ledger, whom it enters, in the order of learning."""
    white, black, white_share, black_share = seats_of(games, ledger.enter_people(games))
    names = np.asarray(ledger.names, dtype=np.str_)
    return two_sided(names, white[order], black[order], white_share[order], black_share[order], games.outcome[order])


def side_sums(games: GameTable, values: Floats, power: int = 1) -> tuple[Floats, Floats]:
    """Return the sums over the people of White and Black of share^power times a value, shape (game,) each.

    Parameters
    ----------
    games : GameTable
        Games whose sides have several people.
    values : array of float, shape (person,)
        By person of the table.
    power : int
        0 adds values, 1 weighs them by shares, 2 by their squares, as variances are.
    """
    assert games.sides is not None
    members, share = games.sides.members, games.sides.share
    there = members >= 0
    sums = np.where(there, np.where(there, share, 1.0) ** power * np.append(values, 0.0)[members], 0.0).sum(axis=1)
    return sums[games.white], sums[games.black]


def side_means(games: GameTable, values: Floats) -> Floats:
    """Return the mean of each side's people, weighted by shares of play, shape (side,)."""
    assert games.sides is not None
    return np.asarray((games.sides.weights * np.append(values, 0.0)[games.sides.members]).sum(axis=1))


def ratings_before(rated: Any, ledger: Ledger, games: GameTable) -> Floats:
    """Return the ratings of the players of a table as they stand, shape (player,); of a side's people their mean."""
    if of_people(rated, games):
        return side_means(games, ledger.peek_people(games)["rating"])
    columns: Columns = ledger.peek(games)
    return columns["rating"]
