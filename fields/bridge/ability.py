r"""Abilities from margins in closed form: people and what they bring together, where everything is normal.

    y_r = a_white - a_black + b_d + e_r,     b_d ~ N(0, B^2),     e_r ~ N(0, (s w_r)^2)
    a   = sum_k share_k g_k + p_S,           g_k ~ N(0, T^2),     p_S ~ N(0, P^2)

This is the row `bridge-ability` with its spreads known or at a maximum, and with deals of known widths w_r, by default
all alike; the row learns both. Symbols, in units of the margin (IMPs a board):

y      margin of a game, `games.covariates["margin"]`
g, p   strengths of people, and what a set S of people who play together brings beyond their mean
b      what all games of one level of a column share: the deal in bridge, whose mean no table knows; B is known
T, P, s  spreads

With A the matrix from x = (g, p) to a_white - a_black, D that of the deals and V = diag(s^2 w^2) + B^2 D D',

    posterior     x ~ N(Q^-1 A' V^-1 y, Q^-1),      Q = C^-1 + A' V^-1 A,      C = diag(T^2, ..., P^2, ...)
    likelihood    y ~ N(0, V + A C A'),             V^-1 by Woodbury, deal by deal

Spreads that are not given maximise T P times the marginal likelihood: where few games tell P the likelihood alone is
often largest at 0, and all partnerships would be known to be worth nothing.

Up to `DENSE` unknowns Q is inverted whole. Beyond, means are solved for by conjugate gradients with the diagonal of Q
as preconditioner, and nothing larger than A is kept. Variances come from K draws of the posterior, each the solution of
Q d = C^(-1/2) u + A' V^-1 e with u ~ N(0, 1), e ~ N(0, V), which is exact, and Rao-Blackwell: for a few unknowns B,

    Cov(x_B) = Q_BB^-1 + Cov(d_B - Q_BB^-1 (Q d)_B)

whose first part, most of it, is known. Spreads follow MacKay's fixed point,

    T^2 = sum g^2 / (n - sum Var(g) / T^2 - 1)

Chung, Rabe-Hesketh, Dorie, Gelman & Liu (2013) Psychometrika 78:685 for T P. Papandreou & Yuille (2010) NIPS 23 for the
draws. Siden, Lindgren, Bolin & Villani (2018) J. Comput. Graph. Stat. 27:898 for the variances. MacKay (1992) Neural
Comput. 4:415 for the fixed point.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize
from scipy.sparse import coo_array, csr_array, diags_array

from halfpoint.games.sides import Sides
from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal.curvature import solved
from halfpoint.models.coding import partnerships, together
from halfpoint.models.margin import margins_of

Ints = npt.NDArray[np.int64]
DENSE = 3000  # unknowns up to which the precision is inverted whole
DEAL_SPREAD = 10.0  # B, that of the row
LEAST = 1e-3  # of a spread
DRAWS, ROUGH_DRAWS, AT_ONCE = 64, 8, 8
TOLERANCE, ROUGH = 1e-8, 1e-5  # of conjugate gradients; of draws, and on the way to the spreads
FEW_KINDS = 8  # of deals, up to which a matrix is kept of each
COLUMNS = 20_000  # of a sparse product at a time
ROUNDS, STILL = 60, 0.003  # of the fixed point; relative change of a spread that counts as none
SMALL = 0.02  # of the spread of a game: changes of smaller spreads count as if they were that


class Spreads(NamedTuple):
    """Spreads in units of the margin: of strengths (T), of what partners bring (P), of a game (s).

    Players of bridge bring half a strength each, so that theirs is T / 2.
    """

    strength: float
    partners: float
    width: float


FIRST = Spreads(2.0, 0.5, 5.0)


@dataclass(frozen=True, eq=False)
class Design:
    """Games as equations between people and partners."""

    people: Texts
    partners: Texts
    members: Codes  #: (partners, seat), who the partners are, -1 in empty seats
    matrix: csr_array  #: A, (game, person + partners)
    deal: npt.NDArray[np.int64]  #: (game,), level of the shared number of each game
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

    @cached_property
    def kinds(self) -> tuple[Ints, Ints]:
        """Kinds of deals, with how many games and how wide: a deal of each, and the kind of each deal."""
        return np.unique(self.of_deal @ self.width**-2.0, return_index=True, return_inverse=True)[1:]

    @cached_property
    def grams(self) -> tuple[Floats, list[Floats]]:
        """A' w^-2 A, and for each kind of deals what they take out of it, each whole."""
        scaled = diags_array(self.width**-2.0) @ self.matrix
        parts = [csr_array(self.of_deal[self.kinds[1] == k] @ scaled) for k in range(self.kinds[0].size)]
        return (self.matrix.T @ scaled).toarray(), [(part.T @ part).toarray() for part in parts]

    @cached_property
    def sides(self) -> tuple[npt.NDArray[np.int64], Floats]:
        """Unknowns that a side of partners is the sum of, and their weights, each of shape (partners, seat + 1)."""
        there = self.members >= 0
        share = there / np.maximum(there.sum(axis=1, keepdims=True), 1)
        own = self.people.size + np.arange(self.partners.size)[:, None]
        index = np.concatenate([np.maximum(self.members, 0), own], axis=1).astype(np.int64)
        return index, np.concatenate([share, np.ones((self.partners.size, 1))], axis=1)


def design(
    games: GameTable, column: str = "deal", width: Floats | None = None, deal_spread: float = DEAL_SPREAD
) -> Design:
    """Return the equations of games with margins; without the column no number is shared."""
    margin = margins_of(games)
    if not np.isfinite(margin).all():
        row = int(np.flatnonzero(~np.isfinite(margin))[0])
        raise InferenceError(f"ability: {games.place(row)}: expected a margin, found none")
    count, people = len(games), games.people
    partners = partnerships(games)
    alone = Sides(people, np.arange(people.size, dtype=np.int32)[:, None], np.ones((people.size, 1)))
    sat = alone if games.sides is None else games.sides
    members, share = sat.members, sat.weights
    place = {name: code for code, name in enumerate(partners.tolist())}
    bond = np.array([place.get(name, -1) for name in together(members, people)], dtype=np.int64)
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
        deals, _ = self.design.kinds
        if deals.size > FEW_KINDS:
            matrix = self.design.matrix
            made = (matrix.T @ (diags_array(self.weight) @ matrix) - self.of_deals.T @ self.of_deals).toarray()
        else:
            gram, parts = self.design.grams
            made = gram / self.spreads.width**2
            for deal, part in zip(deals, parts, strict=True):
                made -= self.shrunk[deal] / self.spreads.width**4 * part
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


@dataclass(frozen=True, eq=False)
class Ability:
    """People and partners with what is known of them, in units of the margin; the mean person is 0."""

    people: Texts  #: (person,), names
    partners: Texts  #: (partners,), sets of people who play together, by name
    members: Codes  #: (partners, seat), who they are, indexes into `people`; -1 in empty seats
    strength: Floats  #: (person,), posterior mean and standard deviation
    strength_sd: Floats
    bond: Floats  #: (partners,), the same of what partners bring beyond the mean of their strengths
    bond_sd: Floats
    side: Floats  #: (partners,), the same of what a side of them is worth, its people for the same share of play
    side_sd: Floats
    spreads: Spreads  #: T, P and s
    log_likelihood: float  #: marginal, at these spreads; NaN where it is too large to be had
    #: (person + partners, person + partners), posterior, about the mean of the population; None if not inverted whole
    covariance: Floats | None
    draws: int  #: draws behind the standard deviations, 0 where they are exact. Those of 64 are right to some per cent


def ability(
    games: GameTable,
    spreads: Spreads | None = None,
    width: Floats | None = None,
    column: str = "deal",
    deal_spread: float = DEAL_SPREAD,
    dense: int = DENSE,
    seed: int = 1,
) -> Ability:
    """Return people and partners from the margins of games, of single players or of sides of several, in closed form.

    Spreads are those at the maximum where they are not given; widths (game,) are multiples of s, 1 by default; levels
    of `column`, where the games have it, share a number of spread `deal_spread`, in units of the margin. Up to `dense`
    unknowns the precision is inverted whole; `seed` is that of the draws behind the variances of more.

    Raises
    ------
    InferenceError
        If a game has no margin, or the spreads are not found.
    """
    equations = design(games, column, width, deal_spread)
    return exactly(equations, spreads) if equations.size <= dense else by_draws(equations, spreads, seed)


def exactly(equations: Design, spreads: Spreads | None) -> Ability:
    """Return people and partners with the precision inverted whole."""
    y = equations.margin

    def value(given: Given) -> tuple[float, Any, Floats]:
        factor = cho_factor(given.whole(), lower=True)
        told = equations.matrix.T @ given.solved(y)
        mean = cho_solve(factor, told)
        determinant = 2.0 * np.log(np.diag(factor[0])).sum() + 2.0 * np.log(given.prior).sum()
        quadratic = float(y @ given.solved(y) - told @ mean)
        whole = quadratic + determinant + given.log_determinant() + y.size * np.log(2.0 * np.pi)
        return -0.5 * float(whole), factor, mean

    def at(logs: Floats) -> Given:
        return Given(equations, Spreads(*np.maximum(np.exp(logs), LEAST).tolist()))

    if spreads is None:
        options = {"xatol": 1e-3, "fatol": 1e-4}
        best = minimize(lambda x: -value(at(x))[0] - x[0] - x[1], np.log(FIRST), method="Nelder-Mead", options=options)
        spreads = at(best.x).spreads
    likelihood, factor, mean = value(Given(equations, spreads))
    covariance = cho_solve(factor, np.eye(equations.size))
    people = equations.people.size
    centred = covariance.copy()  # about the mean of these people, not that of a population
    centred[:people] -= centred[:people].mean(axis=0)
    centred[:, :people] -= centred[:, :people].mean(axis=1, keepdims=True)
    index, weight = equations.sides
    sd = np.sqrt(np.diag(centred))
    of_sides = np.einsum("ia,ib,iab->i", weight, weight, centred[index[:, :, None], index[:, None, :]])
    return told(Given(equations, spreads), mean, (sd, np.sqrt(of_sides)), likelihood, covariance)


def by_draws(equations: Design, spreads: Spreads | None, seed: int) -> Ability:
    """Return people and partners by conjugate gradients, standard deviations from draws."""
    y = equations.margin
    if spreads is None:
        spreads = fixed_point(equations, seed)
    given = Given(equations, spreads)
    mean = given.by_gradients((equations.matrix.T @ given.solved(y))[:, None])[:, 0]
    index, weight = equations.sides
    pairs, wide = index.shape
    upper = np.zeros((pairs, wide, wide))
    for a in range(wide):
        for b in range(a, wide):
            upper[:, a, b] = upper[:, b, a] = given.block(index[:, a], index[:, b])
    there = np.concatenate([equations.members >= 0, np.ones((pairs, 1), dtype=bool)], axis=1)
    empty = ~(there[:, :, None] & there[:, None, :])
    upper[empty] = np.broadcast_to(np.eye(wide), upper.shape)[empty]
    row = np.linalg.solve(upper, (weight * there)[:, :, None])[:, :, 0]  # of Q_BB^-1, for the sum
    known = (row * weight * there).sum(axis=1)
    single, summed = np.zeros(equations.size), np.zeros(pairs)
    rng = np.random.default_rng([seed, 1])
    for _ in range(0, DRAWS, AT_ONCE):
        right = given.right_sides(rng, AT_ONCE)
        drawn = given.by_gradients(right, ROUGH)
        single += ((drawn - right / given.diagonal[:, None]) ** 2).sum(axis=1) / DRAWS
        rest = np.einsum("ia,iak->ik", weight * there, drawn[index]) - np.einsum("ia,iak->ik", row, right[index])
        summed += (rest**2).sum(axis=1) / DRAWS
    sd, of_sides = np.sqrt(1.0 / given.diagonal + single), np.sqrt(known + summed)
    return told(given, mean, (sd, of_sides), draws=DRAWS)


def fixed_point(equations: Design, seed: int) -> Spreads:
    """Return the spreads at which they are what they make of the games (MacKay), variances by the same few draws."""
    y, single, spreads = equations.margin, equations.single, FIRST
    for _ in range(ROUNDS):
        given = Given(equations, spreads)
        right = given.right_sides(np.random.default_rng([seed, 2]), ROUGH_DRAWS)
        right = np.concatenate([(equations.matrix.T @ given.solved(y))[:, None], right], axis=1)
        solution = given.by_gradients(right, ROUGH)
        mean, drawn = solution[:, 0], solution[:, 1:]
        variance = 1.0 / given.diagonal + ((drawn - right[:, 1:] / given.diagonal[:, None]) ** 2).mean(axis=1)
        seen = 1.0 - variance / given.prior**2  # how far the games and not the prior tell each unknown
        strength, bond = (float((mean[one] ** 2).sum() / max(seen[one].sum() - 1.0, 1.0)) for one in (single, ~single))
        rest = y - equations.matrix @ mean
        shared = given.shrunk * (equations.of_deal @ (given.weight * rest))
        left = ((rest - shared[equations.deal]) / equations.width) ** 2
        moved = equations.of_deal @ (given.weight[:, None] * (equations.matrix @ drawn)) * given.shrunk[:, None]
        told_of_deals = (
            (1.0 - (given.shrunk + (moved**2).mean(axis=1)) / equations.deal_spread**2).sum()
            if equations.deal_spread > 0.0
            else 0.0
        )
        noise = float(np.sqrt(left.sum() / (y.size - seen.sum() - told_of_deals)))
        found = Spreads(max(strength**0.5, LEAST), max(bond**0.5, LEAST), max(noise, LEAST))
        still = max(abs(new - old) / max(old, SMALL * noise) for new, old in zip(found, spreads, strict=True))
        spreads = found
        if still < STILL:
            return spreads
    raise InferenceError("ability: expected spreads that stay, found them moving. Give them: spreads=...")


def told(
    given: Given, mean: Floats, sd: tuple[Floats, Floats], likelihood: float = np.nan,
    covariance: Floats | None = None, draws: int = 0,
) -> Ability:  # fmt: skip
    """Return the answer, strengths about their mean; standard deviations of the unknowns and of sides."""
    equations = given.design
    people = equations.people.size
    centred = np.where(equations.single, mean - mean[:people].mean(), mean)
    index, weight = equations.sides
    return Ability(
        equations.people, equations.partners, equations.members, centred[:people], sd[0][:people], centred[people:],
        sd[0][people:], (centred[index] * weight).sum(axis=1), sd[1], given.spreads, likelihood, covariance, draws,
    )  # fmt: skip
