r"""Weng and Lin's Plackett-Luce ratings of rankings with ties, a closed-form update an event.

An event is a sequence of choices: the winner among all competitors, the second among the remaining competitors, and so
on. With a_i = exp(mu_i / c), c^2 = sum of sigma_i^2 + beta^2 over the event, and S the sum of a over the remaining
competitors,

    mu_i <- mu_i + sigma_i^2 / c (1 - sum of p_i),           p_i = a_i / S at every choice that i is among
    sigma_i^2 <- sigma_i^2 max(1 - (sigma_i / c)^3 sum of p_i (1 - p_i), kappa)

without the 1 for competitors who are never chosen. The update of competitors who share a place is a mean over the
orders consistent with their tie: with k tied competitors, whose a sum to T, at the l-th choice (l = 0, ..., k - 1) each
still remains with probability w = 1 - l / k, and S falls by l T / k (Efron's rule of ties, exact for equal strengths):

    p_i = w a_i / (S - l T / k)   in the mean,    w q (1 - q) with q = a_i / (S - l T / k) in the variance

The published rule (and openskill) divides a choice by k instead, so that a tie for the first place can count less than
the place behind it. Without ties both are the same. Before each event sigma^2 grows by tau^2.

Weng & Lin (2011) J. Mach. Learn. Res. 12:267, algorithm 4; Efron (1977) J. Am. Stat. Assoc. 72:557, section 6.
"""

import math

import numpy as np

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.table import Floats, Integers
from halfpoint.systems.matches import Matches

_KAPPA = 1e-4  # smallest factor of a variance


def update_rankings(matches: Matches, mean: Floats, deviation: Floats, beta: float, tau: float) -> None:
    """Update means and deviations in place, event by event.

    Parameters
    ----------
    matches : Matches
        Rankings of single competitors; equal ranks are ties.
    mean, deviation : array of float, shape (player,)
        mu and sigma.
    beta, tau : float
        Standard deviation of one performance, and growth of sigma before each event.
    """
    _move(matches.member, matches.rank, matches.match_start, mean, deviation, (float(beta), float(tau)))


@compile_lazily
def _move(
    member: Integers, rank: Floats, start: Integers, mean: Floats, deviation: Floats, numbers: tuple[float, float]
) -> None:
    """Update means and deviations in place, event by event, by beta and tau."""
    beta, tau = numbers
    for event in range(start.size - 1):
        who = member[start[event] : start[event + 1]]
        place = rank[start[event] : start[event + 1]]
        variance = deviation[who] ** 2 + tau**2
        c = math.sqrt((variance + beta**2).sum())
        a = np.exp((mean[who] - mean[who].max()) / c)
        lost, curved = np.zeros(who.size), np.zeros(who.size)
        for level in np.unique(place):
            remaining, tied = place >= level, place == level
            many, total = tied.sum(), a[tied].sum()
            remaining_sum = a[remaining].sum()
            for choice in range(many):
                gone = choice / many
                for competitor in range(who.size):
                    if remaining[competitor]:
                        presence = 1.0 - gone if tied[competitor] else 1.0
                        p = a[competitor] / (remaining_sum - gone * total)
                        lost[competitor] += presence * p
                        curved[competitor] += presence * max(p * (1.0 - p), 0.0)
        for competitor in range(who.size):
            gamma = math.sqrt(variance[competitor]) / c
            mean[who[competitor]] += variance[competitor] / c * (1.0 - lost[competitor])
            shrunk = max(1.0 - gamma * variance[competitor] / c**2 * curved[competitor], _KAPPA)
            deviation[who[competitor]] = math.sqrt(variance[competitor] * shrunk)
