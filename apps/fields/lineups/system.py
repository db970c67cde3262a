r"""Basketball by network: a player's share of a random walk among team-mates in shared line-ups.

A unit u is a set of players who were on the floor together, w_u its performance, at least 0. With W the matrix of units
by players, w_u if a player is in the unit and else 0,

    A = W^T W without its diagonal: A_ij = sum of w_u^2 over the units with both      (weights not squared: option)
    x = d P x + (1 - d) / n,  P = A with columns that sum to 1;  players without team-mates restart
    p_i = (1 + number of b with x_i^(b) >= x_i) / (B + 1)

x^(b) has the same graph with uninformative weights: resampled from the weights of all units, or simulated for units of
equal skill. The graph is fixed, so p does not depend on a player's number of team-mates, while x does: A is symmetric,
and the time of a walk without restart at each player is proportional to their weight in A. Unconnected parts of the
graph have shares of the walk proportional to their numbers of players: x compares team-mates, not teams. The leading
eigenvector of A is an alternative to the walk; the text mentions both.

Performance of a unit: with v its points per possession (on defence minus the points allowed), m the mean, e its
standard error and B = s^2 / (s^2 + e^2) for the spread s of units, w = Phi(sqrt(B) (v - m) / e), the shrunk probability
that it is better than the mean. If units differ by chance alone (s = 0) all w are one half, and p is 1. Alternatively w
is the points themselves, on defence their distance below the most allowed.

Krajowski-Kukiel (2011), section 2.5, after Piette, Pham & Anand (2011), MIT Sloan Sports Analytics Conference, and Pham
et al. (2011), PNAS 108:13347. Columns of W enter squared in the text's A = W^T W.
"""

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh
from scipy.special import ndtr

from halfpoint.apps.fields.lineups.options import NetworkWalk, UnitWeight
from halfpoint.apps.fields.lineups.table import Ints, LineupTable
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.table import Codes, Floats
from halfpoint.systems.centrality import centrality

_Side = Literal["offence", "defence", "total"]
SIDES: tuple[_Side, ...] = ("offence", "defence", "total")
_MOST_DENSE = 800  # players; the dense matrix of more is slower than the sparse one


@dataclass(frozen=True, eq=False)
class Units:
    """Sets of players who were on the floor together."""

    members: Codes  #: (unit, seat), index into the players
    scored: Floats  #: (unit,), points
    allowed: Floats
    offence: Floats  #: (unit,), possessions
    defence: Floats
    variance: float  #: variance of the points of one possession

    def __len__(self) -> int:
        return int(self.members.shape[0])

    def take(self, rows: npt.NDArray[np.bool_]) -> "Units":
        """Some of the units."""
        scored, allowed = self.scored[rows], self.allowed[rows]
        return Units(self.members[rows], scored, allowed, self.offence[rows], self.defence[rows], self.variance)

    def possessions_of(self, side: _Side) -> Floats:
        """Possessions that count for a side, shape (unit,): for the total the fewer of the two."""
        if side == "total":
            return np.minimum(self.offence, self.defence)
        return self.offence if side == "offence" else self.defence


def units_of(table: LineupTable) -> Units:
    """The units of all stints."""
    if table.offence.shape[1] != table.defence.shape[1]:
        sizes = f"{table.offence.shape[1]} and {table.defence.shape[1]}"
        raise RatingSystemError("line-ups", "as many on offence as on defence", sizes)
    members, code = np.unique(np.concatenate([table.offence, table.defence]), axis=0, return_inverse=True)
    attack, defend = code.ravel()[: len(table)], code.ravel()[len(table) :]
    count = members.shape[0]
    rate = table.points.sum() / table.possessions.sum()
    away = table.points - rate * table.possessions
    variance = float((away**2).sum() / table.possessions.sum())
    return Units(
        members.astype(np.int32), np.bincount(attack, table.points, count), np.bincount(defend, table.points, count),
        np.bincount(attack, table.possessions, count), np.bincount(defend, table.possessions, count), variance,
    )  # fmt: skip


def unit_z(units: Units, side: _Side) -> Floats:
    """Distance of each unit from the mean in standard errors, shrunk, shape (unit,): sqrt(B) (v - m) / e."""
    value, error = advantage_of(units, side)
    spread = max(float(np.average(value**2 - error**2, weights=error**-2.0)), 0.0)
    return np.asarray(np.sqrt(spread / (spread + error**2)) * value / error)


def advantage_of(units: Units, side: _Side) -> tuple[Floats, Floats]:
    """Points a possession above the mean of the units, and their standard errors, shape (unit,) each."""
    if side == "total":
        (scored, scored_error), (allowed, allowed_error) = (
            advantage_of(units, "offence"),
            advantage_of(units, "defence"),
        )
        return scored + allowed, np.hypot(scored_error, allowed_error)
    points, possessions, sign = (
        (units.scored, units.offence, 1.0) if side == "offence" else (units.allowed, units.defence, -1.0)
    )
    value = points / possessions - points.sum() / possessions.sum()
    return sign * value, np.sqrt(units.variance / possessions)


def unit_weights(units: Units, side: _Side, weight: UnitWeight = "chance") -> Floats:
    """Weight w of each unit, shape (unit,), from 0 up."""
    if side not in SIDES or weight not in ("chance", "raw"):
        raise RatingSystemError("line-ups", "offence | defence | total, chance | raw", f"{side}, {weight}")
    if weight == "chance":
        return np.asarray(ndtr(unit_z(units, side)))
    offence, allowed = units.scored / units.offence, units.allowed / units.defence
    good = allowed.max() - allowed
    return {"offence": offence, "defence": good, "total": offence + good}[side]


def incidence(members: Codes, players: int) -> sparse.csr_array:
    """Matrix of units by players, 1 if a player is in a unit."""
    starts = np.arange(0, members.size + 1, members.shape[1])
    return sparse.csr_array((np.ones(members.size), members.ravel(), starts), shape=(members.shape[0], players))


def together(units: sparse.csr_array, weight: Floats, squared: bool = True, diagonal: bool = False) -> sparse.csr_array:
    """Matrix A, (player, player), from units by players (`incidence`) and w of units, squared as W^T W or plain."""
    matrix = sparse.csr_array(units.T @ sparse.diags_array(weight**2 if squared else weight) @ units)
    if not diagonal:
        matrix.setdiag(0.0)
        matrix.eliminate_zeros()
    return matrix


def leading_eigenvector(matrix: sparse.csr_array) -> Floats:
    """The leading eigenvector of a symmetric matrix without negative entries, which sums to 1.

    Each unconnected part has an eigenvector of its own, scaled to the part's share of players.
    """
    count, label = connected_components(matrix, directed=False)
    leading = np.zeros(matrix.shape[0])
    for part in range(count):
        inside = np.flatnonzero(label == part)
        block = matrix[inside][:, inside]
        vector = np.ones(inside.size)
        if inside.size > 1:
            vector = np.abs(eigsh(block, 1, which="LA", v0=vector)[1][:, 0])
        leading[inside] = vector / vector.sum() * inside.size / matrix.shape[0]
    return leading


def dense_walk(units: Floats, weight: Floats, squared: bool, going_on: float) -> Floats:
    """Shares of the walk, as `centrality` of `together` gives them, (player,), by dense algebra."""
    matrix = units.T @ ((weight**2 if squared else weight)[:, None] * units)
    np.fill_diagonal(matrix, 0.0)
    sums = matrix.sum(axis=0)
    walk = matrix / np.where(sums > 0.0, sums, 1.0)
    size = sums.size
    share = np.linalg.solve(np.eye(size) - going_on * walk, np.full(size, (1.0 - going_on) / size))
    return np.asarray(share / share.sum())


@dataclass(frozen=True, eq=False)
class Shares:
    """Network measures of each player in a unit."""

    player: Ints  #: (kept,), index into the players
    share: Floats  #: (kept,), x, which sums to 1
    p: Floats  #: (kept,), chance of so large a share where weights say nothing; NaN without a bootstrap
    units: Ints  #: (kept,), units that a player is in
    component: Ints  #: (kept,), which part of the graph, 0 the largest
    counted: int  #: number of units


def network_shares(units: Units, players: int, side: _Side, how: NetworkWalk) -> Shares:
    """Share of each player, and the frequency of as large a share under permuted weights.

    `RatingSystemError` if no unit has enough possessions.
    """
    eligible = units.take(units.possessions_of(side) >= max(how.minimum, 1e-9))
    if not len(eligible):
        most = units.possessions_of(side).max()
        remedy = f"The most is {most:.0f}: pass --minimum."
        raise RatingSystemError("line-ups", f"units of {how.minimum:.0f} or more possessions", "none", remedy)
    who, code = np.unique(eligible.members, return_inverse=True)
    graph = incidence(code.reshape(eligible.members.shape).astype(np.int32), who.size)

    dense = graph.toarray() if who.size <= _MOST_DENSE and not how.eigenvector else None

    def shares(w: Floats) -> Floats:
        """Shares x for weights."""
        if dense is not None:
            return dense_walk(dense, w, how.squared, how.going_on)
        matrix = together(graph, w, how.squared)
        return leading_eigenvector(matrix) if how.eigenvector else centrality(matrix, how.going_on)

    weights = unit_weights(eligible, side, how.weight)
    share = shares(weights)
    rng = np.random.default_rng(how.seed)
    beaten = np.zeros(who.size)
    for _ in range(how.bootstrap):
        beaten += shares(rng.choice(weights, weights.size)) >= share - 1e-12
    p = (1.0 + beaten) / (how.bootstrap + 1.0) if how.bootstrap else np.full(who.size, np.nan)
    _, label = connected_components(together(graph, np.ones(len(eligible))), directed=False)
    place = np.argsort(np.argsort(-np.bincount(label), kind="stable"))
    counted = np.asarray(graph.sum(axis=0)).astype(np.int64)
    return Shares(who.astype(np.int64), share, p, counted, place[label], len(eligible))
