r"""Pareto-smoothed importance sampling (PSIS): weights of many sets of log ratios at once.

The largest M = min(S / 5, 3 sqrt(S)) of S ratios are modelled by a generalised Pareto distribution above the next
ratio,

    F(x) = 1 - (1 + k x / sigma)^(-1/k),

fitted by the posterior mean of b = -k / sigma over a grid of 30 + sqrt(M) (Zhang and Stephens 2009, Technometrics
51:316) with a prior of k = 1/2 that counts as ten ratios, and replaced by its quantiles at (i - 1/2) / M, at most the
largest ratio. Above k = 0.7 weights are unreliable. This code uses NumPy only and treats many sets at once; ArviZ, with
which it agrees (tests), takes one set at a time and a second to import. Vehtari, Simpson, Gelman, Yao and Gabry (2024),
JMLR 25:72.
"""

import numpy as np

from halfpoint.models.games.table import Floats

FEWEST = 25  # ratios, of which a tail of five can be fitted
_AT_ONCE = 64  # sets
_NEGLIGIBLE = 10.0 * np.finfo(np.float64).eps
_PRIOR_RATIOS, _PRIOR_K = 10.0, 0.5


def log_sum(values: Floats) -> Floats:
    """Logarithm of the sum of exponentials over the last axis."""
    largest = values.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(values - largest).sum(axis=-1)) + largest[..., 0])


def _pareto(tail: Floats) -> tuple[Floats, Floats]:
    """Shape k and scale sigma of sorted exceedances, shape (set, exceedance); k is infinite if none fits."""
    count = tail.shape[1]
    nodes = 30 + int(np.sqrt(count))
    quartile = tail[:, int(count / 4.0 + 0.5) - 1, None]
    grid = (1.0 - np.sqrt(nodes / (np.arange(nodes) + 0.5))) / (3.0 * quartile) + 1.0 / tail[:, -1:]
    shape = np.log1p(-grid[:, :, None] * tail[:, None, :]).mean(axis=2)
    score = count * (np.log(-grid / shape) - shape - 1.0)
    weight = np.exp(score - log_sum(score)[:, None])
    weight[weight < _NEGLIGIBLE] = 0.0
    centre = (grid * weight).sum(axis=1) / weight.sum(axis=1)
    k = np.log1p(-centre[:, None] * tail).mean(axis=1)
    sigma = -k / centre
    k = (count * k + _PRIOR_RATIOS * _PRIOR_K) / (count + _PRIOR_RATIOS)
    return np.where((quartile[:, 0] > tail[:, 0]) & ~np.isnan(k), k, np.inf), sigma


def smooth_log_ratios(log_ratio: Floats, relative_ess: float = 1.0) -> tuple[Floats, Floats]:
    """Smoothed log weights, whose exponentials sum to one, and Pareto k of log ratios (set, draw), 25 or more.

    k is infinite, and weights are the ratios themselves, if no tail can be fitted; `relative_ess` is the share of
    effective draws.
    """
    log_weight = np.array(log_ratio, dtype=np.float64)
    log_weight -= log_weight.max(axis=1, keepdims=True)
    k = np.empty(len(log_weight))
    for start in range(0, len(log_weight), _AT_ONCE):
        k[start : start + _AT_ONCE] = _smooth(log_weight[start : start + _AT_ONCE], relative_ess)
    log_weight -= log_sum(log_weight)[:, None]
    return log_weight, k


def _smooth(ratio: Floats, relative_ess: float) -> Floats:
    """Smooth the tails of some sets of log ratios, whose largest is 0, and return k."""
    count = ratio.shape[1]  # of which the tail has this number
    length = int(3.0 * np.sqrt(count / relative_ess)) if count * relative_ess > 225 else count // 5
    place = np.argpartition(ratio, count - length - 1, axis=1)[:, -length - 1 :]
    value = np.take_along_axis(ratio, place, axis=1)
    order = value.argsort(axis=1)
    place, value = np.take_along_axis(place, order, axis=1), np.exp(np.take_along_axis(value, order, axis=1))
    cutoff, below = value[:, :1], -np.log1p(-(np.arange(length) + 0.5) / length)
    with np.errstate(all="ignore"):  # where nothing can be fitted
        k, sigma = _pareto(value[:, 1:] - cutoff)
        shape = k[:, None]
        fitted = np.where(shape == 0.0, below, np.expm1(shape * below) / shape)
        smooth_tail = np.minimum(np.log(cutoff + sigma[:, None] * fitted), 0.0)
    good = np.flatnonzero(np.isfinite(k) & (sigma > 0.0))
    ratio[good[:, None], place[good, 1:]] = smooth_tail[good]
    return k
