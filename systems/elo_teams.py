r"""Elo for sides of several players and for more than two sides.

A side is rated as the mean of its players, weighted by their shares of play w. Among n sides all players meet:

    change of a player of side i = K w / (n - 1) sum over j != i of (S_ij - E_ij)
    E_ij = 1 / (1 + 10^(-(r_i - r_j) / s))

S_ij is 1, 1/2 or 0 by the ranks of the two sides, s = 400 Elo points. With two sides of one player this is Elo's rule;
with n single players it reduces a free-for-all to duels (Days of Wonder). The ratings of a side's players change in
proportion to their shares, so the sum of points is constant if the sides have the same size.
"""

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Floats
from halfpoint.systems.matches import Matches, Seats


def update_team_elo(
    matches: Matches, rating: Floats, k: float = 20.0, scale_elo: float = 400.0, advantage_elo: float = 0.0
) -> Floats:
    """Update ratings in place, match by match, and return each side's expected score against all others.

    Parameters
    ----------
    matches : Matches
        Sides and ranks.
    rating : array of float, shape (player,)
        Elo points.
    k : float
        K.
    scale_elo : float
        s.
    advantage_elo : float
        Elo points added to the rating of the first side of a match.

    Returns
    -------
    array of float, shape (side,)
        Mean of E over the other sides, before the match.

    Raises
    ------
    RatingSystemError
        If K is negative or the scale not positive.
    """
    if not (k >= 0.0 and scale_elo > 0.0):
        raise RatingSystemError("Elo of teams", "K >= 0 and a scale above 0", f"{k}, {scale_elo}")
    expected = np.empty(matches.rank.size)
    _move_team_elo(matches.seats, rating, float(k), float(scale_elo), float(advantage_elo), expected)
    return expected


@compile_lazily
def _move_team_elo(
    seats: Seats, rating: Floats, k: float, scale_elo: float, advantage_elo: float, expected: Floats
) -> None:
    """Move ratings in place, match after match."""
    member, share, side_start, rank, match_start = seats
    for match in range(match_start.size - 1):
        first, end = match_start[match], match_start[match + 1]
        count = end - first
        r, won = np.empty(count), np.empty(count)
        for side in range(first, end):
            total, weight = 0.0, 0.0
            for seat in range(side_start[side], side_start[side + 1]):
                total += share[seat] * rating[member[seat]]
                weight += share[seat]
            r[side - first] = total / weight
        r[0] += advantage_elo
        for place in range(count):
            chance, score = 0.0, 0.0
            for rival in range(count):
                if rival != place:
                    chance += 1.0 / (1.0 + 10.0 ** ((r[rival] - r[place]) / scale_elo))
                    own_rank, rival_rank = rank[first + place], rank[first + rival]
                    score += 1.0 if own_rank < rival_rank else 0.0 if own_rank > rival_rank else 0.5
            expected[first + place] = chance / (count - 1)
            won[place] = (score - chance) / (count - 1)
        for place in range(count):
            for seat in range(side_start[first + place], side_start[first + place + 1]):
                rating[member[seat]] += k * share[seat] * won[place]
