"""Simulated site of online chess: heavy-tailed numbers of games, opponents of similar rating.

Strengths are normal and constant; the site's ratings have constant errors. Numbers of games are log-normal: half of the
players have fewer than twenty games a year, the most active ten thousands. Each week the seats are sorted by rating
plus noise, and neighbours meet, with random colours. Draws are rare. A year is learned, the four weeks after it are
forecast.
"""

from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.simulate import outcome_probabilities, scores_drawn
from halfpoint.models.games.table import GameTable
from halfpoint.models.games.units import to_natural

LEVEL, SPREAD = 1500.0, 350.0  # Elo: of the players
ERROR, SEARCH = 75.0, 50.0  # Elo: how far ratings are off, and how far off one's own an opponent's is looked for
ADVANTAGE, LOG_DRAW = 0.12, float(np.log(2.0 / 24.0))  # natural units: White's, 21 Elo; 4 in 100 between equals
ACTIVITY = 1.6  # sd of the logarithm of how much players play
WEEKS, AFTER = 52, 4


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
