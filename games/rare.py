"""Players with few games: pooled into one player, so that their games still tell about their opponents."""

from dataclasses import dataclass, replace

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range
from halfpoint.games.table import GameTable, Texts, code_players

GAMES_NEEDED = Range(1, 1_000_000_000)
POOL = "(players with few games)"


@dataclass(frozen=True, eq=False)
class Pooled:
    """A table in which the players with few games are one.

    Parameters
    ----------
    games : GameTable
        The games; the pooled player is called `POOL`.
    players : array of str, shape (pooled player,)
        Who was pooled.
    left_out : int
        Games between two of them, which tell nothing.
    """

    games: GameTable
    players: Texts
    left_out: int


def pool_rare(games: GameTable, at_least: int) -> Pooled:
    """Return the table with all players of fewer games pooled into one.

    Parameters
    ----------
    games : GameTable
        All games.
    at_least : int
        Smallest number of games of a player who keeps his name. To anchor the others instead, select the players with
        `halfpoint.games.select.most_active`.

    Returns
    -------
    Pooled

    Raises
    ------
    GameTableError
        If `at_least` is senseless or nobody has so many games.
    """
    GAMES_NEEDED.require("smallest number of games", at_least, GameTableError)
    played = sum(np.bincount(side, minlength=games.players.size) for side in (games.white, games.black))
    rare = np.asarray(played) < at_least
    if rare.all():
        raise GameTableError(games.source, f"a player with at least {at_least} games", f"at most {np.max(played)}")
    if not rare.any():
        return Pooled(games, games.players[rare], 0)
    kept = games.take(~(rare[games.white] & rare[games.black]))
    names = np.where(np.isin(kept.players, games.players[rare]), POOL, kept.players)
    players, white, black = code_players(names[kept.white], names[kept.black])
    pooled = replace(kept, players=players, white=white, black=black)
    return Pooled(pooled, games.players[rare], len(games) - len(kept))
