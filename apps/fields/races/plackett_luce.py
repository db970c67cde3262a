r"""Plackett-Luce: an event is a sequence of choices, the winner among all, the second among the remaining, and so on.

    P(i is next) = a_i / sum of a_k over the remaining, a_i = exp(g_i)

g  strength, natural units: 400 / ln 10 Elo points are odds of e to 1. The probability that one competitor is ahead of
   another does not depend on the rest of the field (Luce's axiom), so two competitors follow Bradley-Terry.

Competitors without a place are available at every choice and never chosen: their order is unknown.

Ties follow Davidson-Luce. A set C of at most D remaining competitors is next with

    P(C) = d_|C| m(C) / sum over sets S of at most D of those left of d_|S| m(S),     d_1 = 1

m(C) = exp(mean of g over C); two competitors then follow Davidson's model with d_2 = exp(lam). The sum over all sets of
d is the elementary symmetric polynomial of order d in a^(1/d), and by Newton's identities, with p_k = sum of a^(k/d),

    e_d = (p_1 e_(d-1) - p_2 e_(d-2) + ... ) / d,     e_0 = 1

so that an event of n costs n D^2 operations. Sums over remaining competitors are cumulative sums from the last place
on, of strengths less the largest of the event; they are exact while strengths within an event differ by less than 700
D.

Luce (1959) Individual Choice Behavior; Plackett (1975) Appl. Stat. 24:193. Firth, Kosmidis & Turner (2019)
arXiv:1901.09563 and Turner, van Etten, Firth & Kosmidis (2020) Comput. Stat. 35:1027, eq. 2, for ties.
"""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from halfpoint.apps.fields.races.table import RaceTable
from halfpoint.models.games.table import Floats, Integers
from halfpoint.models.pymc_import import Node, is_node, pt

MOST_TIED = 6  # competitors who share a place


@dataclass(frozen=True, eq=False)
class Choices:
    """Events as choices, each of shape (event, slot), the last competitor in slot 0."""

    who: Integers  # index into the competitors; 0 in empty slots
    there: Floats  # 1, and 0 in empty slots
    gain: Floats  # factor of a strength: 1 / number who share the place; 0 without a place or a choice
    choice: Floats  # 1 in the last slot of a shared place, if it was a choice
    ties: Floats  # (event, D - 1), places shared by 2, ..., D
    order: int  # D, most who may share a place


def choices_of(table: RaceTable, order: int | None = None) -> Choices:
    """Choices of events, with up to D competitors sharing a place: the most in the events by default."""
    order = table.most_tied if order is None else order
    count, width = len(table), int(table.sizes.max())
    slot = np.repeat(table.start[1:], table.sizes) - 1 - np.arange(table.who.size)  # from the last place on
    cell = (table.event, slot)
    who = np.zeros((count, width), dtype=np.int64)
    occupied, gain, choice = (np.zeros((count, width)) for _ in range(3))
    who[cell], occupied[cell] = table.who, 1.0
    first = np.ones(table.who.size, dtype=bool)  # of competitors with its place, so that its slot is their last
    same = (table.group[1:] == table.group[:-1]) & (table.event[1:] == table.event[:-1])
    first[1:] = ~same
    real = table.has_place & ~(first & (slot == 0))  # choosing from one competitor is not a choice
    gain[cell] = np.where(real, 1.0 / np.maximum(table.tie_sizes, 1), 0.0)
    choice[cell] = np.where(real & first, 1.0, 0.0)
    ties = np.zeros((count, order - 1))
    for shared in range(2, order + 1):
        tied = real & first & (table.tie_sizes == shared)
        np.add.at(ties[:, shared - 2], table.event[tied], 1.0)
    return Choices(who, occupied, gain, choice, ties, order)


def log_likelihood(strength: Node | Floats, log_tie: Node | Floats, choices: Choices) -> Node | Floats:
    """Log likelihood of each event, (..., event), of g (..., competitor), log d (..., D - 1), or nodes."""
    xp: ModuleType = pt if is_node(strength) else np
    g = strength[..., choices.who]
    least = xp.where(choices.there > 0.0, g, -np.inf)
    top = xp.max(least, axis=-1, keepdims=True)
    ahead = xp.where(choices.there > 0.0, g - top, 0.0)
    total = xp.cumsum(choices.there * xp.exp(ahead), axis=-1)
    log_weight = (choices.gain * ahead).sum(axis=-1)
    for d in range(2, choices.order + 1):
        weight = log_tie[..., d - 2]
        total = total + xp.exp(weight)[..., None, None] * _symmetric(xp, choices.there, ahead / d, d)
        log_weight = log_weight + weight[..., None] * choices.ties[:, d - 2]
    chosen = choices.choice > 0.0
    return log_weight - xp.where(chosen, xp.log(xp.where(chosen, total, 1.0)), 0.0).sum(axis=-1)


def _symmetric(xp: ModuleType, occupied: Floats, ahead: Node | Floats, d: int) -> Node | Floats:
    """Elementary symmetric sum e_d of exp(ahead) over a slot and those before it, of the shape of `ahead`."""
    powers = [xp.cumsum(occupied * xp.exp(k * ahead), axis=-1) for k in range(1, d + 1)]
    sums = [1.0, powers[0]]
    for order in range(2, d + 1):
        signed = ((-1.0) ** (k - 1) * powers[k - 1] * sums[order - k] for k in range(1, order + 1))
        sums.append(sum(signed, 0.0) / order)
    return xp.maximum(sums[d], 0.0)
