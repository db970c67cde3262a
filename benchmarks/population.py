"""Simulated federation: clubs, open events, opponents of similar strength, and a few very active players.

Strengths are normal. Numbers of games are log-normal: the most active tenth has nearly half of them. Seven evenings in
ten are for one club, the others are open to all. On each evening the players who come are sorted by form, strength plus
noise, and neighbours meet, roughly as in a Swiss pairing; colours are random.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.simulate import Schedule, Truth

STRENGTH = (15.571, 1.2)  # natural units: 2705 Elo and 208 Elo
ADVANTAGE = 0.19  # White's, natural units: 33 Elo
LOG_DRAW = 0.3
FORM = 0.6  # sd of form on the day, natural units


@dataclass(frozen=True)
class Federation:
    """Size of a federation and the activity of its players.

    Parameters
    ----------
    players, games : int
        Size.
    club : int
        Members of a club.
    spread : float
        Standard deviation of the logarithm of the numbers of games.
    """

    players: int
    games: int
    club: int = 100
    spread: float = 1.2


def truth_of(federation: Federation, seed: int) -> Truth:
    """Strengths, White's advantage and the draw parameter."""
    chance = np.random.default_rng([seed, 1])
    width = len(str(federation.players - 1))
    names = np.char.zfill(np.arange(federation.players).astype(f"U{width}"), width)
    return Truth(names, chance.normal(*STRENGTH, federation.players), ADVANTAGE, LOG_DRAW)


def schedule_of(federation: Federation, truth: Truth, seed: int) -> Schedule:
    """Draw the sides of each game."""
    chance = np.random.default_rng([seed, 2])
    players, games = federation.players, federation.games
    share = chance.lognormal(0.0, federation.spread, players)
    share /= share.sum()
    club = chance.permutation(players) // federation.club
    evenings = max(10, min(400, games // 1000))
    white, black, left = [], [], games
    while left > 0:
        seats = 2 * max(1, min(left, -(-games // evenings)))
        come = np.repeat(np.arange(players, dtype=np.int32), chance.multinomial(seats, share))
        if left == games:  # everybody plays at least once
            come = np.concatenate([come, np.arange(players, dtype=np.int32)])
        form = truth.strength[come] + chance.normal(0.0, FORM, come.size)
        at_home = len(white) % 10 < 7
        come = come[np.lexsort((form, club[come])) if at_home else np.argsort(form)]
        come = come[: come.size // 2 * 2]
        first, second = come[0::2], come[1::2]
        keep = first != second
        first, second = first[keep][:left], second[keep][:left]
        turned = chance.random(first.size) < 0.5
        white.append(np.where(turned, second, first))
        black.append(np.where(turned, first, second))
        left -= first.size
    return Schedule(np.concatenate(white), np.concatenate(black))
