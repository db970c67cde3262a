"""Simulated games of a site of online chess and of a federation of clubs, with opponents of similar strength.

Site: strengths are normal and constant; the site's ratings have constant errors. Numbers of games are log-normal: half
of the players have fewer than twenty games a year, the most active ten thousands. Each week the seats are sorted by
rating plus noise, and neighbours meet, with random colours. Draws are rare. A year is learned, the four weeks after it
are forecast.

Federation: strengths are normal. Numbers of games are log-normal: the most active tenth has nearly half of them. Seven
evenings in ten are for one club, the others are open to all. On each evening the players who come are sorted by form,
strength plus noise, and neighbours meet, roughly as in a Swiss pairing; colours are random.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.simulate import Schedule, Truth, outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural

LEVEL, SPREAD = 1500.0, 350.0  # Elo: of the players
ERROR, SEARCH = 75.0, 50.0  # Elo: how far ratings are off, and how far off one's own an opponent's is looked for
ADVANTAGE, LOG_DRAW = 0.12, float(np.log(2.0 / 24.0))  # natural units: White's, 21 Elo; 4 in 100 between equals
ACTIVITY = 1.6  # sd of the logarithm of how much players play
WEEKS, AFTER = 52, 4
CLUB_STRENGTH = (15.571, 1.2)  # natural units: 2705 Elo and 208 Elo
CLUB_ADVANTAGE = 0.19  # White's, natural units: 33 Elo
CLUB_LOG_DRAW = 0.3
FORM = 0.6  # sd of form on the day, natural units


@dataclass(frozen=True, eq=False)
class Site:
    """Games of a year and of the following weeks, and their players."""

    strength: np.ndarray  # (player,): natural units
    rating: np.ndarray  # (player,): of the site, Elo
    white: np.ndarray  # (game,)
    black: np.ndarray
    outcome: np.ndarray  # (game,): 0, 1, 2
    week: np.ndarray  # (game,): 1 to WEEKS, and those after


def simulated(players: int, games: int, seed: int) -> Site:
    """Simulated games of a year and the following weeks; each player plays in the first week."""
    chance = np.random.default_rng(seed)
    strength = chance.normal(LEVEL, SPREAD, players)
    rating = np.clip(np.rint(strength + chance.normal(0.0, ERROR, players)), 0.0, 4000.0)
    strength = to_natural(strength)
    share = chance.lognormal(0.0, ACTIVITY, players)
    share /= share.sum()
    columns = [], [], [], []
    for week in range(1, WEEKS + AFTER + 1):
        want = games * week // WEEKS - games * (week - 1) // WEEKS
        come = np.repeat(np.arange(players, dtype=np.int32), chance.multinomial(2 * want, share))
        if week == 1:  # everybody plays at least once
            come = np.concatenate([chance.permutation(come)[players:], np.arange(players, dtype=np.int32)])
        come = come[np.argsort(rating[come] + chance.normal(0.0, SEARCH, come.size))]
        turned = chance.random(want) < 0.5
        white, black = np.where(turned, come[1::2], come[::2]), np.where(turned, come[::2], come[1::2])
        kept = white != black
        white, black = white[kept], black[kept]
        chances = outcome_probabilities(strength[white] - strength[black] + ADVANTAGE, LOG_DRAW)
        outcome = (2.0 * scores_drawn(chances, chance)).astype(np.int8)
        for column, one in zip(columns, (white, black, outcome, np.full(white.size, week, np.int8)), strict=True):
            column.append(one)
    return Site(strength, rating, *(np.concatenate(one) for one in columns))


def table_of(site: Site, here: np.ndarray, rated: bool = True) -> GameTable:
    """Games of the site as a table, with or without printed ratings; only players with games."""
    width, white, black = len(str(site.strength.size - 1)), site.white[here], site.black[here]
    seen = np.zeros(site.strength.size, np.bool_)
    seen[white] = seen[black] = True
    names = np.char.zfill(np.flatnonzero(seen).astype(f"U{width}"), width)
    ratings = {"white_rating_elo": site.rating[white], "black_rating_elo": site.rating[black]} if rated else {}
    code = np.cumsum(seen, dtype=np.int32) - 1
    white, black = code[white], code[black]
    return GameTable(names, white, black, site.outcome[here] / 2.0, name="site", simulated=True, **ratings)


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
    return Truth(names, chance.normal(*CLUB_STRENGTH, federation.players), CLUB_ADVANTAGE, CLUB_LOG_DRAW)


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
