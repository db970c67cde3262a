"""Seats that follow an order of the players, such as seeds, printed ratings or names, and are not random.

If a player's number of first seats is not that of random or alternating seats, it may depend on strength. A model
cannot separate such seats from strength, and takes a part of the strength for the first-seat advantage.

    seeds    the mean square of (first seats - second seats) / root(games) of players: 1 for random seats, less for
             alternating ones
    order    the share of games whose first player has the larger share of first seats in all other games: about 0.5 for
             random seats and at most 0.65 in simulated events with 20 games and more, 0 if each pair meets home and
             away, 0.76 by the seeds of knockouts, and 0.94 if players are named by strength with an error of 0.6 of its
             spread
"""

import numpy as np

from halfpoint.models.games.pairings import in_knockouts
from halfpoint.models.games.table import GameTable, Integers

_SEATED = 1.5  # mean square from which on seats follow players
_IN_ORDER, _FEWEST = 0.85, 50  # share of games in order, and games, from which on seats follow an order of players
_MIXED = 0.5  # share of players with both seats: where one player has all first seats there is no order to see
_NEUTRAL = "seats count as neutral ground"


def order_of_seats(games: GameTable) -> str:
    """Reason why seats follow the players, in words; empty if they do not."""
    if games.sides is not None or not len(games):
        return ""
    first, second = (np.bincount(side, minlength=games.people.size) for side in (games.white, games.black))
    played = first + second
    seeded = np.mean(np.square(first - second) / np.maximum(played, 1)) >= _SEATED
    if seeded and in_knockouts(games).mean() > 0.5:
        return f"knockouts in which the same players are first in most games, as seeds are: {_NEUTRAL}"
    share = share_in_order(games, first, second)
    several = played > 1
    if share > _IN_ORDER and np.mean((np.minimum(first, second) > 0)[several]) >= _MIXED:
        reason = f"in {share:.0%} of the games the first player is also first in one order of all players"
        return f"{reason}, as in a list by strength or by name: {_NEUTRAL}"
    return ""


def share_in_order(games: GameTable, first: Integers, second: Integers) -> float:
    """Share of games whose first player has the larger share of first seats in other games; 0 with few games.

    Shapes: first, second (player,), games in each seat.
    """
    played = first + second
    white, black = games.white, games.black
    judged = (played[white] > 1) & (played[black] > 1)
    white, black = white[judged], black[judged]
    if white.size < _FEWEST:
        return 0.0
    ahead = (first[white] - 1.0) / (played[white] - 1.0) - first[black] / (played[black] - 1.0)
    return float(np.mean(ahead > 0.0) + np.mean(ahead == 0.0) / 2.0)
