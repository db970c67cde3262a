"""Connectivity of players: unconnected groups, players without a finite estimate, pooling of players with few games.

Players are joined by games, and all anchored opponents are joined with one another by the scale of their ratings. Only
the prior determines the difference of two groups that no game joins; no model can compare them. Nor does the likelihood
bound players who lost no point to any other player: it has no maximum, and only the prior bounds their strengths. Both
by Ford (1957), Am. Math. Mon. 64(8):28, assumption on page 29: in every division of the players into two sets, players
of each set have taken points from players of the other set.

Players with too few games for separate estimates share a name, so that their games still inform about others:
`pool_into_one` merges them, as `halfpoint rate` does for rows without a population; games inside the pool are
uninformative and left out. Because many players share one strength, intervals of their opponents are too narrow: to
anchor players with few games to their ratings instead, select the other players with
`halfpoint.models.games.select.most_active`; to keep all players, use a row with a population (`davidson-population`),
which estimates their spread.
"""

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.lazy_import import LazyModule
from halfpoint.models.games.ranges import GAMES_NEEDED
from halfpoint.models.games.select import ANCHORED, Cells, Selection
from halfpoint.models.games.sides import rename_people
from halfpoint.models.games.table import Codes, GameTable, Texts

if TYPE_CHECKING:
    from scipy.sparse import csr_array

_sparse, _csgraph = LazyModule("scipy.sparse"), LazyModule("scipy.sparse.csgraph")
_arpack = LazyModule("scipy.sparse.linalg")


@dataclass(frozen=True, eq=False)
class Components:
    """Groups of players joined by games, the largest first."""

    players: Texts  # (player,): the players
    component: npt.NDArray[np.int64]  # (player,): number of each player's group; 0 is the largest
    # (component,): whether the group has games against anchored opponents, which puts it on their scale
    anchored: npt.NDArray[np.bool_]

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """Number of players of each group, shape (component,)."""
        return np.bincount(self.component, minlength=self.anchored.size)

    @property
    def comparable(self) -> bool:
        """True if any two players can be compared."""
        return self.anchored.size == 1

    def describe(self, shown: int = 5) -> str:
        """A report: number of groups, their sizes, and the first players of each."""
        if self.comparable:
            return f"all {self.players.size} players are joined by games"
        rows = [f"{self.anchored.size} groups of players who never meet one another"]
        for number, size in list(enumerate(self.sizes.tolist()))[:shown]:
            names = self.players[self.component == number]
            rows.append(f"  {count_noun(size, 'player')}: {', '.join(names[:4].tolist())}{', ...' if size > 4 else ''}")
        return "\n".join(rows + ["  ..."] * (self.anchored.size > shown))


def _ends(white: Codes, black: Codes, listed: npt.NDArray[np.int64], count: int) -> npt.NDArray[np.int64]:
    """The pairs of players, shape (2, game): anchored opponents share one code, as do players known with an error."""
    ends = np.stack([np.where(side == ANCHORED, count, side) for side in (white, black)])
    return np.concatenate([ends, [listed, np.full(listed.size, count)]], axis=1)


def _who_met(ends: npt.NDArray[np.int64], count: int) -> "csr_array":
    """Number of games of each White against each Black, (count + 1, count + 1)."""
    return _sparse.csr_array((np.ones(ends.shape[1], dtype=np.float32), tuple(ends)), shape=(count + 1, count + 1))


def connected_groups(players: Texts, white: Codes, black: Codes, listed: npt.NDArray[np.int64]) -> Components:
    """Connected groups of players by games (white, black), codes into `players`, -1 for an anchored opponent.

    Players with an error in a list, codes `listed`, are on the scale of the anchored opponents.
    """
    count = players.size
    graph = _who_met(_ends(white, black, listed, count), count)
    _, label = _csgraph.connected_components(graph, directed=False)
    scale, label = label[count], label[:count]
    names, label, sizes = np.unique(label, return_inverse=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    return Components(players, np.argsort(order)[label].astype(np.int64), (names == scale)[order])


def components(games: GameTable | Selection) -> Components:
    """Unconnected groups of players; anchored opponents connect the monitored players of a selection.

    The groups of a selection are those of its monitored players, connected by anchored opponents.
    """
    sides = games.sides
    listed = np.flatnonzero(games.has_error).astype(np.int64) if isinstance(games, Selection) else np.zeros(0, np.int64)
    if sides is None:
        return connected_groups(games.players, games.white, games.black, listed)
    seats = np.concatenate([sides.members[games.white], sides.members[games.black]], axis=1)
    mates = seats[:, 1:]
    seated = mates >= 0
    return connected_groups(sides.people, np.broadcast_to(seats[:, :1], mates.shape)[seated], mates[seated], listed)


def slowest_walk(selection: Selection, at_least: int = 1) -> float:
    """Second eigenvalue of a random walk from opponent to opponent, one game per step.

    Parameters
    ----------
    selection : Selection
        Games of sides of one player; opponents with known ratings count as one player.
    at_least : int
        Fewest games of a player in the walk, which covers the largest group that games connect.

    Returns
    -------
    float
        Second largest eigenvalue of the matrix of transition probabilities (Chung 1997, Spectral Graph Theory, section
        1.5): near 1 if groups hardly meet, or players meet their neighbours only. 0.0 with fewer than four connected
        players, or with sides of several people.

    Examples
    --------
    A ring of twelve players who meet their neighbours: cos(2 pi / 12).

    >>> import pandas as pd
    >>> from halfpoint.models.games import select
    >>> from halfpoint.readers import read
    >>> rows = [(f"P{k:02}", f"P{(k + 1) % 12:02}", 0.5) for k in range(12)]
    >>> games = read(pd.DataFrame(rows, columns=["white", "black", "score"]))
    >>> round(slowest_walk(select(games, games.players)), 4)
    0.866
    """
    count, listed = selection.players.size, np.flatnonzero(selection.has_error)
    if selection.sides is not None:
        return 0.0
    enough = np.append(selection.games_of_players >= at_least, True)
    ends = _ends(selection.white, selection.black, listed, count)
    met = _who_met(ends[:, enough[ends].all(axis=0)], count)
    met = met + met.T
    _, label = _csgraph.connected_components(met, directed=False)
    joined = np.flatnonzero(label == np.bincount(label).argmax())
    if joined.size < 4:
        return 0.0
    root = _sparse.diags_array(1.0 / np.sqrt(met.sum(axis=1)[joined]))
    begun = np.random.default_rng(0).normal(size=joined.size)
    chances = root @ met[joined][:, joined] @ root
    values = _arpack.eigsh(chances, k=2, which="LA", v0=begun, tol=1e-4, return_eigenvectors=False)
    return float(values.min())


def unbounded_players(cells: Cells) -> npt.NDArray[np.bool_]:
    """Players bounded by the prior only: they lost no point to the other players, or took none from them.

    Players are in one class if each took points from each other player, directly or through further players. The frame
    is the class of any anchored opponents, else the largest; players of other classes are separated. White's advantage
    is ignored. Sides of several people are not checked. Shape (player,).

    Examples
    --------
    B wins all games, from A and C, who drew with one another:

    >>> import pandas as pd
    >>> from halfpoint.models.games import merge, select
    >>> from halfpoint.readers import read
    >>> rows = [("A", "B", 0.0), ("B", "C", 1.0), ("A", "C", 0.5)]
    >>> games = read(pd.DataFrame(rows, columns=["white", "black", "score"]))
    >>> unbounded_players(merge(select(games, games.players, "both"))).tolist()
    [False, True, False]
    """
    count = cells.players.size
    if cells.sides is not None:
        return np.zeros(count, dtype=np.bool_)
    ends = _ends(cells.white, cells.black, np.zeros(0, np.int64), count)
    weight = cells.weight_of_games
    scored = weight[:, 1:].sum(axis=1) > 0, weight[:, :2].sum(axis=1) > 0
    graph = _who_met(np.concatenate([ends[:, scored[0]], ends[::-1, scored[1]]], axis=1), count)
    _, label = _csgraph.connected_components(graph, directed=True, connection="strong")
    anchored = bool((ends == count).any())
    frame = label[count] if anchored else np.bincount(label[:count]).argmax()
    return np.asarray(label[:count] != frame)


def require_comparable(
    games: GameTable | Selection, among: Texts | None = None, remedy: str = "Add --groups apart or --groups largest."
) -> None:
    """Raise `GameTableError` unless any two players can be compared; the message names the groups; among (player,)."""
    connected = components(games)
    compared = connected.component if among is None else connected.component[np.isin(connected.players, among)]
    if np.unique(compared).size > 1:
        source = games.source if isinstance(games, GameTable) else games.games.source
        groups = connected.describe().replace("\n  ", "; ")
        raise GameTableError(source, "players connected by games", groups, remedy)


def split(games: GameTable) -> list[GameTable]:
    """The games of each group as a separate table, the largest group first."""
    groups = components(games)
    group = groups.component[games.members(games.white)[:, 0]]
    return [games.take(group == number) for number in range(groups.anchored.size)]


def largest_by_far(games: GameTable, share: float = 0.9) -> tuple[GameTable, str]:
    """Games of the largest group if this share of all is in it, and a note on the others; else all games, no note."""
    groups = components(games)
    in_largest = groups.component[games.members(games.white)[:, 0]] == 0
    if groups.comparable or in_largest.mean() < share:
        return games, ""
    players, few = int(groups.sizes[1:].sum()), count_noun(int((~in_largest).sum()), "game")
    note = f"{players} players who never meet the others, and their {few}, are left out; --groups apart rates them"
    return games.take(in_largest), note


POOL = "(players with few games)"


@dataclass(frozen=True, eq=False)
class FewGames:
    """A table in which players with few games share a name."""

    games: GameTable  # the games, without those inside the pool
    players: Texts  # (pooled player,): who was pooled
    left_out: int  # games inside the pool, which are uninformative


def pool_into_one(games: GameTable, at_least: int, kept: Collection[str] = ()) -> FewGames:
    """Pool all players of fewer than `at_least` games into one, called `POOL`.

    Parameters
    ----------
    games : GameTable
        All games.
    at_least : int
        Smallest number of games of a player who keeps their name.
    kept : collection of str
        Players who keep their names with fewer games.

    Raises
    ------
    GameTableError
        If `at_least` is not positive, or no player has that many games.
    """
    GAMES_NEEDED.require("smallest number of games", at_least, GameTableError)
    names = games.people[games.games_of_people < at_least]
    if names.size == games.people.size:
        most = games.games_of_people.max()
        raise GameTableError(games.source, f"a player with at least {at_least} games", f"at most {most}")
    names = names[~np.isin(names, list(kept))]
    if not names.size:
        return FewGames(games, names, 0)
    pool = dict.fromkeys(names.tolist(), POOL)
    if POOL in set(games.people.tolist()) - set(pool):
        raise GameTableError("pooled players", "a free name", f"a player called {POOL!r}", "Rename that player.")
    if games.sides is None:
        called = np.array([pool.get(name, name) for name in games.players.tolist()])
    else:
        called = np.array([str(sorted(side.items())) for side in rename_people(games.sides, pool)])
    between = called[games.white] != called[games.black]
    if not between.any():
        raise GameTableError(games.source, "games with a player who is not pooled", "none")
    remaining = games.take(between)
    return FewGames(remaining.renaming(pool), names, len(games) - len(remaining))
