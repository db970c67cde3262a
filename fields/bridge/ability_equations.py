r"""Games with margins as equations between people and partners, and what can be done with them at known spreads.

With A the matrix from x = (g, p) to a_white - a_black, D that of the deals, C the prior variances and
V = diag(s^2 w^2) + B^2 D D' (symbols as in `halfpoint.fields.bridge.ability`):

    Q = C^-1 + A' V^-1 A,      V^-1 by Woodbury, deal by deal

Q is kept whole where there are few unknowns; else it is an operation on columns, whose equations are solved as those of
every normal approximation are (`halfpoint.inference.normal.curvature`).
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array, csr_array, diags_array

from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.curvature import solved
from halfpoint.models.coding import partnerships, together
from halfpoint.models.margin import margins_of

Ints = npt.NDArray[np.int64]
TOLERANCE = 1e-8  # of conjugate gradients
FEW_KINDS = 8  # of deals, up to which a matrix is kept of each
COLUMNS = 20_000  # of a sparse product at a time


class Spreads(NamedTuple):
    """Spreads in units of the margin: of strengths (T), of what partners bring (P), of a game (s).

    Players of bridge bring half a strength each, so that theirs is T / 2.
    """

    strength: float
    partners: float
    width: float


@dataclass(frozen=True, eq=False)
class Design:
    """Games as equations between people and partners."""

    people: Texts
    partners: Texts
    members: Codes  #: (partners, seat), who the partners are, -1 in empty seats
    matrix: csr_array  #: A, (game, person + partners)
    deal: Ints  #: (game,), level of the shared number of each game
    margin: Floats  #: y
    width: Floats  #: w
    deal_spread: float  #: B

    @property
    def size(self) -> int:
        """Number of unknowns."""
        return int(self.people.size + self.partners.size)

    @cached_property
    def single(self) -> npt.NDArray[np.bool_]:
        """Which unknowns are people, shape (person + partners,)."""
        return np.arange(self.size) < self.people.size

    @cached_property
    def of_deal(self) -> csr_array:
        """D', shape (deal, game)."""
        count = self.deal.size
        return coo_array((np.ones(count), (self.deal, np.arange(count)))).tocsr()

    @property
    def kinds(self) -> int:
        """Number of kinds of deals: with how many games, and how wide."""
        return int(np.unique(self.of_deal @ self.width**-2.0).size)

    @cached_property
    def grams(self) -> tuple[Floats, Floats, list[Floats]]:
        """A' w^-2 A, and for deals of each summed weight this weight and what they take out of it, each whole."""
        scaled = diags_array(self.width**-2.0) @ self.matrix
        total, of_deal = self.of_deal @ self.width**-2.0, csr_array(self.of_deal @ scaled)
        sizes, kind = np.unique(total, return_inverse=True)
        parts = [(of_deal[kind == k].T @ of_deal[kind == k]).toarray() for k in range(sizes.size)]
        return (self.matrix.T @ scaled).toarray(), sizes, parts

    @cached_property
    def sides(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """Unknowns that a side of partners is the sum of, and their weights, each of shape (partners, seat + 1)."""
        there = self.members >= 0
        share = there / np.maximum(there.sum(axis=1, keepdims=True), 1)
        own = self.people.size + np.arange(self.partners.size)[:, None]
        index = np.concatenate([np.maximum(self.members, 0), own], axis=1).astype(np.int64)
        return index, np.concatenate([share, np.ones((self.partners.size, 1))], axis=1)


def design(games: GameTable, column: str = "deal", width: Floats | None = None, deal_spread: float = 10.0) -> Design:
    """Return the equations of games with margins; without the column no number is shared."""
    margin = margins_of(games)
    if not np.isfinite(margin).all():
        row = int(np.flatnonzero(~np.isfinite(margin))[0])
        raise InferenceError(f"ability: {games.place(row)}: expected a margin, found none")
    count, people = len(games), games.people
    partners = partnerships(games)
    if games.sides is None:
        members, share, of_side = np.arange(people.size, dtype=np.int32)[:, None], np.ones((people.size, 1)), [""]
        of_side = of_side * people.size
    else:
        members, share = games.sides.members, games.sides.weights
        of_side = together(members, people)
    place = {name: code for code, name in enumerate(partners.tolist())}
    bond = np.array([place.get(name, -1) for name in of_side], dtype=np.int64)
    of_several = np.flatnonzero(bond >= 0)
    seats = np.full((partners.size, members.shape[1]), -1, dtype=np.int32)
    seats[bond[of_several]] = members[of_several]
    side, seat = np.nonzero(members >= 0)
    rows = np.concatenate([side, of_several])
    columns = np.concatenate([members[side, seat], people.size + bond[of_several]])
    values = np.concatenate([share[side, seat], np.ones(of_several.size)])
    shape = len(members), people.size + partners.size
    sides = coo_array((values, (rows, columns)), shape=shape).tocsr()  # what each side is the sum of
    matrix = csr_array(sides[games.white] - sides[games.black])
    shared = column in games.covariates
    deal = np.unique(games.covariates[column], return_inverse=True)[1].ravel() if shared else np.zeros(count, np.int64)
    wide = np.ones(count) if width is None else np.asarray(width, dtype=np.float64)
    return Design(people, partners, seats, matrix, deal.astype(np.int64), margin, wide, deal_spread if shared else 0.0)


@dataclass(frozen=True, eq=False)
class Given:
    """The equations at known spreads: Q and V^-1 as operations, and what of them is small enough to be kept."""

    design: Design
    spreads: Spreads

    @cached_property
    def prior(self) -> Floats:
        """Prior standard deviation of each unknown."""
        return np.where(self.design.single, self.spreads.strength, self.spreads.partners)

    @cached_property
    def weight(self) -> Floats:
        """1 / (s w)^2 of each game."""
        return np.asarray((self.spreads.width * self.design.width) ** -2.0)

    @cached_property
    def shrunk(self) -> Floats:
        """1 / (sum of weights + B^-2) of each deal, 0 where nothing is shared; shape (deal,)."""
        spread = self.design.deal_spread
        total = self.design.of_deal @ self.weight
        return 1.0 / (total + spread**-2.0) if spread > 0.0 else np.zeros_like(total)

    @cached_property
    def of_deals(self) -> csr_array:
        """H^(1/2) D' W A, shape (deal, unknown): what the shared numbers take out of the precision."""
        return csr_array(
            diags_array(np.sqrt(self.shrunk)) @ (self.design.of_deal @ (diags_array(self.weight) @ self.design.matrix))
        )

    @cached_property
    def diagonal(self) -> Floats:
        """Diagonal of Q."""
        squared = self.design.matrix.power(2).T @ self.weight
        return np.asarray(self.prior**-2.0 + squared - self.of_deals.power(2).sum(axis=0))

    def solved(self, r: Any) -> Any:
        """Return V^-1 r, r of shape (game,) or (game, column)."""
        weight, shrunk = (one if r.ndim == 1 else one[:, None] for one in (self.weight, self.shrunk))
        scaled = weight * r
        return scaled - weight * (shrunk * (self.design.of_deal @ scaled))[self.design.deal]

    def precision(self, x: Any) -> Any:
        """Return Q x, x of shape (unknown,) or (unknown, column)."""
        prior = self.prior if x.ndim == 1 else self.prior[:, None]
        return x / prior**2 + self.design.matrix.T @ self.solved(self.design.matrix @ x)

    def whole(self) -> Floats:
        """Return Q."""
        if self.design.kinds > FEW_KINDS:
            matrix = self.design.matrix
            gram = matrix.T @ (diags_array(self.weight) @ matrix) - self.of_deals.T @ self.of_deals
            return np.asarray(gram.toarray() + np.diag(self.prior**-2.0))
        gram, sizes, parts = self.design.grams
        precision = self.spreads.width**-2.0
        made = precision * gram
        for size, part in zip(sizes, parts, strict=True):
            if self.design.deal_spread > 0.0:
                made = made - precision**2 / (precision * size + self.design.deal_spread**-2.0) * part
        made[np.diag_indices_from(made)] += self.prior**-2.0
        return np.asarray(made)

    def log_determinant(self) -> float:
        """Return log det V."""
        total = self.design.of_deal @ self.weight
        return float(-np.log(self.weight).sum() + np.log1p(self.design.deal_spread**2 * total).sum())

    def block(self, one: Ints, other: Ints) -> Floats:
        """Return Q at pairs of unknowns, shape (pair,)."""
        made = np.where(one == other, self.prior[one] ** -2.0, 0.0)
        left, right = self.design.matrix.tocsc(), self.of_deals.tocsc()
        weighted = (diags_array(self.weight) @ self.design.matrix).tocsc()
        for start in range(0, one.size, COLUMNS):
            i, j = one[start : start + COLUMNS], other[start : start + COLUMNS]
            made[start : start + COLUMNS] += left[:, i].multiply(weighted[:, j]).sum(axis=0)
            made[start : start + COLUMNS] -= right[:, i].multiply(right[:, j]).sum(axis=0)
        return made

    def by_gradients(self, right: Floats, tolerance: float = TOLERANCE) -> Floats:
        """Return Q^-1 of columns by conjugate gradients, shape (unknown, column)."""
        return solved(self.precision, lambda r: r / self.diagonal[:, None], right, tolerance)

    def right_sides(self, rng: np.random.Generator, count: int) -> Floats:
        """Return Q d for draws d of the posterior about its mean, shape (unknown, count)."""
        games, deals = self.design.margin.size, self.shrunk.size
        noise = rng.standard_normal((games, count)) / np.sqrt(self.weight)[:, None]
        noise += self.design.deal_spread * rng.standard_normal((deals, count))[self.design.deal]
        own = rng.standard_normal((self.prior.size, count)) / self.prior[:, None]
        return np.asarray(own + self.design.matrix.T @ self.solved(noise))
