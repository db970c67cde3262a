"""Who can be compared: groups of players that never meet one another.

Players are joined by games, and all anchored opponents are joined with one another by the scale of their ratings. The
strengths of two groups that no game joins differ by whatever the prior says; no model can compare them (Ford, 1957).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from halfpoint.games.errors import GameTableError
from halfpoint.games.select import ANCHORED, Selection
from halfpoint.games.table import Codes, GameTable, Texts


@dataclass(frozen=True, eq=False)
class Components:
    """Groups of players joined by games, the largest first.

    Parameters
    ----------
    players : array of str, shape (player,)
        The players.
    component : array of int64, shape (player,)
        Number of each player's group; 0 is the largest.
    anchored : array of bool, shape (component,)
        Whether the group has games against anchored opponents, which puts it on their scale.
    """

    players: Texts
    component: npt.NDArray[np.int64]
    anchored: npt.NDArray[np.bool_]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Number of players of each group, shape (component,)."""
        return np.bincount(self.component, minlength=self.anchored.size)

    @property
    def comparable(self) -> bool:
        """Whether any two players can be compared."""
        return self.anchored.size == 1

    def describe(self, shown: int = 5) -> str:
        """Return the report: how many groups, their sizes, and the first players of each."""
        if self.comparable:
            return f"all {self.players.size} players are joined by games"
        rows = [f"{self.anchored.size} groups of players never meet one another"]
        for number, size in list(enumerate(self.sizes.tolist()))[:shown]:
            names = self.players[self.component == number]
            rows.append(f"  {size} players: {', '.join(names[:4].tolist())}{', ...' if size > 4 else ''}")
        return "\n".join(rows + ["  ..."] * (self.anchored.size > shown))


def joined(players: Texts, white: Codes, black: Codes) -> Components:
    """Return the groups of players by the games (white, black), codes into `players`, -1 for an anchored opponent."""
    count = players.size
    ends = [np.where(side == ANCHORED, count, side) for side in (white, black)]
    graph = coo_array((np.ones(white.size, dtype=np.int8), (ends[0], ends[1])), shape=(count + 1, count + 1))
    _, label = connected_components(graph, directed=False)
    scale, label = label[count], label[:count]
    names, label, sizes = np.unique(label, return_inverse=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    rank = np.empty_like(order)
    rank[order] = np.arange(order.size)
    return Components(players, rank[label].astype(np.int64), (names == scale)[order])


def components(games: GameTable | Selection) -> Components:
    """Return the groups of players that never meet one another.

    Parameters
    ----------
    games : GameTable or Selection
        A table's players, or a selection's monitored players, whom anchored opponents join.

    Returns
    -------
    Components
    """
    return joined(games.players, games.white, games.black)


def require_comparable(games: GameTable | Selection) -> None:
    """Raise `GameTableError` unless any two players can be compared; the message names the groups."""
    found = components(games)
    if not found.comparable:
        source = games.source if isinstance(games, GameTable) else games.games.source
        groups = found.describe().replace("\n  ", "; ")
        raise GameTableError(source, "players joined by games", groups, "Rate each group apart, or anchor the players.")


def split(games: GameTable) -> list[GameTable]:
    """Return the games of each group as a table of its own, the largest group first."""
    found = components(games)
    group = found.component[games.white]
    return [games.take(group == number) for number in range(found.anchored.size)]
