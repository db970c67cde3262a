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
        first, size = start[event], start[event + 1] - start[event]
        variance, a, lost, curved = np.zeros(size), np.zeros(size), np.zeros(size), np.zeros(size)
        is_placed = np.zeros(size, dtype=np.bool_)
        total_variance, top = size * beta**2, -np.inf
        for k in range(size):
            variance[k] = deviation[member[first + k]] ** 2 + tau**2
            total_variance += variance[k]
            top = max(top, mean[member[first + k]])
        c = math.sqrt(total_variance)
        for k in range(size):
            a[k] = math.exp((mean[member[first + k]] - top) / c)
        placed = 0
        while placed < size:  # the best place of those who remain, and all who share it
            level, many, tied_sum, remaining_sum = np.inf, 0, 0.0, 0.0
            for k in range(size):
                if not is_placed[k]:
                    level = min(level, rank[first + k])
                    remaining_sum += a[k]
            for k in range(size):
                if rank[first + k] == level:
                    many += 1
                    tied_sum += a[k]
            for choice in range(many):
                gone = choice / many
                for k in range(size):
                    if not is_placed[k]:
                        presence = 1.0 - gone if rank[first + k] == level else 1.0
                        p = a[k] / (remaining_sum - gone * tied_sum)
                        lost[k] += presence * p
                        curved[k] += presence * max(p * (1.0 - p), 0.0)
            for k in range(size):
                is_placed[k] = rank[first + k] <= level
            placed += many
        for k in range(size):
            who, gamma = member[first + k], math.sqrt(variance[k]) / c
            mean[who] += variance[k] / c * (1.0 - lost[k])
            shrunk = max(1.0 - gamma * variance[k] / c**2 * curved[k], _KAPPA)
            deviation[who] = math.sqrt(variance[k] * shrunk)
