r"""From the mode of a normal approximation to its mean.

Where the sides hold products of two parameters, such as a judge's sharpness and a difference of strengths, the mode is
not where the mass is: it buys a better density by a scale that is shared between the two, and strengths come out a
tenth too far apart. The centre is moved to where the expected gradient vanishes, as for the best normal approximation,

    E d log p(c + e) / dz = 0,    e ~ N(0, V) in pairs e, -e

by a few steps c <- c + V E d log p(c + e) / dz with the same e; then spreads follow (`normal_fit`, MacKay's fixed
point), V is the inverse information at c, and all is done again until nothing moves.

Opper & Archambeau (2009) Neural Computation 21:786; `halfpoint.inference.normal` does the same for sums.
"""

from dataclasses import replace

import numpy as np
from scipy.linalg.lapack import dpotrf

from halfpoint.games.table import Floats
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.normal_fit import STEP, STILL, NormalFit, Plan, Sums

PAIRS = 16
STEPS, PASSES = 4, 12
NEAR = 0.02  # of a step, in standard deviations: less makes no difference
SETTLED = 0.1  # standard deviations that a whole pass moves
LONGEST = 1.0  # of a step, in standard deviations
SHORTER, LEAST_SHARE = 0.8, 0.1  # how much shorter a step should be than the last one; least share of it that is taken


def score_of(plan: Plan, eta: Floats, lam: Floats, weight: Floats) -> tuple[Floats, Floats]:
    """Return the derivatives of each game's weighted log probability by eta and lam, shape (game,)."""
    outcome, zero = plan.declared.entry.outcome, np.zeros_like(eta)

    def at(a: Floats, b: Floats) -> Floats:
        return np.asarray((weight * outcome.log_probability(a, zero, b)).sum(axis=1))

    by_eta = (at(eta + STEP, lam) - at(eta - STEP, lam)) / (2.0 * STEP)
    return by_eta, (at(eta, lam + STEP) - at(eta, lam - STEP)) / (2.0 * STEP)


def gradient(plan: Plan, games: tuple[Sums, Sums], weight: Floats, z: Floats, spreads: dict[str, float]) -> Floats:
    """Return the gradient of the log posterior by z for given spreads, shape (value,); 0 for what is no part of z."""
    v = plan.natural(z)
    first, second = (one.at(v) for one in games)
    total = np.zeros(z.size)
    for one, slope in zip(games, score_of(plan, first, second, weight), strict=True):
        total += one.linear.T @ slope
        for coefficient, left, right in one.products:
            total += np.bincount(left, slope * coefficient * v[right], z.size)
            total += np.bincount(right, slope * coefficient * v[left], z.size)
    mean, precision = plan.prior(spreads)
    known = ~np.isfinite(precision)
    prior = np.where(known, 0.0, (z - mean) * np.where(known, 0.0, precision))
    return np.asarray(np.where(known, 0.0, total * plan.chain(z) - prior))


def to_mean(fit: NormalFit, games: tuple[Sums, Sums], weight: Floats, seed: int) -> NormalFit:
    """Return the approximation centred on (nearly) the posterior mean for its spreads, with the information there.

    Parameters
    ----------
    fit : NormalFit
        At the mode.
    games : (Sums, Sums)
        eta and lam of the games.
    weight : array of float, shape (game, outcome)
        How much each outcome of each game counts.
    seed : int
        Seed of the pairs.

    Raises
    ------
    InferenceError
        If the mean is not found near the mode.
    """
    plan = fit.plan
    seen = np.flatnonzero(np.diag(fit.covariance) > 0.0)
    raw = np.random.default_rng([seed, 6]).standard_normal((seen.size, PAIRS))
    length, share = np.inf, 1.0
    for _ in range(PASSES):
        covariance = fit.covariance[np.ix_(seen, seen)]
        lower, code = dpotrf(np.asfortranarray(covariance), lower=1, clean=1)
        if code != 0:
            raise InferenceError("normal approximation: expected a positive definite covariance, found another")
        noise, sd, z = lower @ raw, np.sqrt(np.diag(covariance)), fit.z.copy()
        for _ in range(STEPS):
            expected = np.zeros(seen.size)
            for column in noise.T:
                for sign in (1.0, -1.0):
                    point = z.copy()
                    point[seen] += sign * column
                    expected += gradient(plan, games, weight, point, fit.spreads)[seen] / (2 * PAIRS)
            step = covariance @ expected
            before, length = length, float(np.max(np.abs(step) / sd))
            share = share if length < SHORTER * before else max(0.5 * share, LEAST_SHARE)  # the curvature is larger
            z[seen] += step * min(share, LONGEST / length)
            if length < NEAR:
                break
        moved = float(np.max(np.abs(z - fit.z)[seen] / sd))
        spreads = plan.better(z, np.diag(fit.covariance), fit.spreads)
        still = max((abs(np.log(spreads[name] / fit.spreads[name])) for name in spreads), default=0.0)
        told, weights = plan.told(games), (weight, weight.sum(axis=1))
        curvature = plan.curvature(games, weights, z, told, plan.prior(spreads)[1])[1]
        fit = replace(fit, z=z, spreads=spreads, curvature=curvature, here=told)
        if max(moved, length) < SETTLED and still < STILL:
            return fit
    if length < LONGEST:
        return fit
    raise InferenceError("normal approximation: expected a mean near the mode, found none. Use method nuts.")
