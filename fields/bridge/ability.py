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
from typing import Any

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import minimize

from halfpoint.fields.bridge.ability_equations import Design, Given, Spreads, design
from halfpoint.games.table import Codes, Floats, GameTable, Texts
from halfpoint.inference.errors import InferenceError

DENSE = 3000  # unknowns up to which the precision is inverted whole
DEAL_SPREAD = 10.0  # B, that of the row
LEAST = 1e-3  # of a spread
DRAWS, ROUGH_DRAWS, AT_ONCE = 64, 8, 8
ROUGH = 1e-5  # of conjugate gradients: of draws, and on the way to the spreads
ROUNDS, STILL = 60, 0.003  # of the fixed point; relative change of a spread that counts as none
SMALL = 0.02  # of the spread of a game: changes of smaller spreads count as if they were that
FIRST = Spreads(2.0, 0.5, 5.0)


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
