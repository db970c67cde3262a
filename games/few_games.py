"""Players with too few games to be told apart: pooled into shared players, so that their games still tell about others.

Two rules. `pool` gives the players with few games of each group (a club, a country, everybody) one shared name: games
between two of one pool say nothing about strengths and are left out. `pool_into_one` makes one player of all of them,
as `halfpoint rate` does. To anchor them to their ratings instead, select the others with
`halfpoint.games.select.most_active`; to keep everybody, take a row with a population (`davidson-population`), which
learns their spread.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from halfpoint.games.errors import GameTableError
from halfpoint.games.ranges import Range
from halfpoint.games.sides import renamed
from halfpoint.games.table import GameTable, Texts

GAMES_NEEDED = Range(1, 1_000_000_000)
EVERYBODY = "pooled"
POOL = "(players with few games)"


@dataclass(frozen=True, eq=False)
class FewGames:
    """A table in which players with few games share a name."""

    games: GameTable  # the games, without those inside a pool
    shared_of: Mapping[str, str]  # shared player of each pooled player
    left_out: int  # games inside a pool, which tell nothing

    @property
    def shared(self) -> Texts:
        """Return the names of the shared players that have games, shape (pool,)."""
        return self.games.people[np.isin(self.games.people, sorted(set(self.shared_of.values())))]

    @property
    def players(self) -> Texts:
        """Return who was pooled, shape (pooled player,)."""
        return np.array(sorted(self.shared_of), dtype=np.str_)


def few(games: GameTable, at_least: int) -> Texts:
    """Return the players with fewer games than asked for."""
    GAMES_NEEDED.require("smallest number of games", at_least, GameTableError)
    return games.people[games.games_of_people < at_least]


def pool_into_one(games: GameTable, at_least: int, kept: Collection[str] = ()) -> FewGames:
    """Return the games with all players of fewer than `at_least` games pooled into one, called `POOL`.

    Parameters
    ----------
    games : GameTable
        All games.
    at_least : int
        Smallest number of games of a player who keeps their name.
    kept : collection of str
        Players who keep their names with fewer.

    Raises
    ------
    GameTableError
        If `at_least` is senseless or nobody has so many games.
    """
    names = few(games, at_least)
    if names.size == games.people.size:
        most = games.games_of_people.max()
        raise GameTableError(games.source, f"a player with at least {at_least} games", f"at most {most}")
    names = names[~np.isin(names, list(kept))]
    return shared(games, dict.fromkeys(names.tolist(), POOL))


def pool(games: GameTable, at_least: int, group_of: Mapping[str, str] | None = None) -> FewGames:
    """Return the games with the players of fewer than `at_least` games pooled by group."""
    group = group_of or {}
    names = few(games, at_least).tolist()
    return shared(games, {name: f"{EVERYBODY} {group[name]}" if name in group else EVERYBODY for name in names})


def shared(games: GameTable, shared_of: Mapping[str, str]) -> FewGames:
    """Return the games with some players renamed to shared ones, without games inside a pool."""
    if not shared_of:
        return FewGames(games, {}, 0)
    others = set(games.people.tolist()) - set(shared_of)
    clash = sorted(set(shared_of.values()) & others)
    if clash:
        raise GameTableError("pooled players", "names no player has", repr(clash[0]), "Rename that player.")
    if games.sides is None:
        names = np.array([shared_of.get(name, name) for name in games.players.tolist()])
    else:
        names = np.array([str(sorted(side.items())) for side in renamed(games.sides, shared_of)])
    between = names[games.white] != names[games.black]
    if not between.any():
        raise GameTableError(games.source, "games between players who are not pooled together", "none")
    kept = games.take(between)
    return FewGames(kept.renaming(shared_of), shared_of, len(games) - len(kept))
