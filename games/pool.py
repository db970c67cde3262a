"""Pool players with few games: one shared player a group, so that a large problem is well posed.

Players with fewer games than asked for cannot be told apart; those of one group (a club, a country, all of them) become
one player who has all their games. Games between two players who are pooled into the same shared player say nothing
about strengths and are dropped. The alternative that keeps everybody is a common spread, estimated from all players
(`halfpoint.inference.laplace`, spread="estimated").
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.table import GameTable, Texts

EVERYBODY = "pooled"


@dataclass(frozen=True, eq=False)
class Pooled:
    """A table in which players with few games share a name.

    Parameters
    ----------
    games : GameTable
        The games, without those inside a pool.
    shared : array of str, shape (pool,)
        Names of the shared players that occur.
    shared_of : mapping of str to str
        Shared player of each pooled player.
    dropped : int
        Games inside a pool, left out.
    """

    games: GameTable
    shared: Texts
    shared_of: Mapping[str, str]
    dropped: int


def pool(games: GameTable, at_least: int, group_of: Mapping[str, str] | None = None) -> Pooled:
    """Return the games with the players of fewer than `at_least` games pooled.

    Parameters
    ----------
    games : GameTable
        All games.
    at_least : int
        Games from which a player keeps his own name.
    group_of : mapping of str to str, optional
        Group of each player; a player it does not name, and everybody if it is absent, goes to "pooled".

    Returns
    -------
    Pooled

    Raises
    ------
    GameTableError
        If `at_least` is below 1, a player is called like a shared one, or no game is left.
    """
    if at_least < 1:
        raise GameTableError("at_least", "a number of games, 1 or more", repr(at_least))
    seats = np.concatenate([games.white, games.black])
    few = np.bincount(seats, minlength=games.players.size) < at_least
    group = group_of or {}
    label = {name: f"{EVERYBODY} {group[name]}" if name in group else EVERYBODY for name in games.players[few].tolist()}
    clash = sorted(set(label.values()) & set(games.players[~few].tolist()))
    if clash:
        raise GameTableError("pooled players", "names no player has", repr(clash[0]), "Rename that player.")
    names = np.array([label.get(name, name) for name in games.players.tolist()])
    players, code = np.unique(names, return_inverse=True)
    code = code.astype(np.int32)
    white, black = code[games.white], code[games.black]
    keep = white != black
    if not keep.any():
        raise GameTableError(games.source, "games between players who are not pooled together", "none")
    inner = games.take(keep)
    # two players may now be one, so the columns are set together and the table is checked once
    used = np.unique(np.concatenate([white[keep], black[keep]]))
    rank = np.searchsorted(used, np.arange(players.size)).astype(np.int32)
    pooled = replace(inner, players=players[used], white=rank[white[keep]], black=rank[black[keep]])
    shared = pooled.players[np.isin(pooled.players, sorted(set(label.values())))]
    return Pooled(pooled, shared, label, int((~keep).sum()))
