r"""The log likelihood ratio of two differences in strength, from counts of games or of pairs of games.

With n units (games, or pairs of games with reversed colours), of whose points a_i in [0, 1] the shares are q_i (three
points 0, 1/2, 1, or five 0, 1/4, ..., 1), the profile likelihood of a difference d is that of the most likely shares p
with this difference, so that users need not specify the share of draws or the correlation within pairs:

    LLR(d0, d1) = n sum_i q_i (log p_i(d1) - log p_i(d0)),   p(d) = argmax sum_i q_i log p_i  where p has difference d

A difference in Elo points is a mean, s = sum_i p_i a_i = 1 / (1 + 10^(-d/400)). A difference in normalised Elo points
is a mean in standard deviations of one game, so that the length of a test depends neither on draws nor on openings:

    d = (800 / ln 10) t / sqrt(g),   t = (s - 1/2) / sqrt(sum_i p_i (a_i - s)^2),   g games a unit (1 or 2)

The most likely shares with a linear condition sum_i p_i z_i = 0 are p_i = q_i / (1 + theta z_i) with the unique theta
for which all are positive: z_i = a_i - s for a mean. For a normalised difference, with b_i = a_i - 1/2, the moments m_k
= sum_i p_i b_i^k and tau = t / sqrt(1 + t^2), the condition is m_1 = tau sqrt(m_2), and

    z_i = b_i - tau (b_i^2 / r + r) / 2,   r = sqrt(m_2),

is linear given r; r is found by fixed-point iteration. A zero share counts as 1/1000 of a unit, as in fishtest and
fastchess: otherwise no difference of the other sign would have a likelihood.

Wald (1945) Ann. Math. Stat. 16:117 for the ratio; Owen (1988) Biometrika 75:237 for shares with a condition; Van den
Bergh, "Normalized Elo" (2.2) and "Normalized Elo, practical", section 4.1. The values equal those of fishtest and
fastchess; the code is independent.
"""

import math

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compiled_loops import compile_lazily
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL

_LEAST_COUNT = 1e-3  # of an outcome that has not been seen
NORMALIZED_PER_T = 2.0 * ELO_PER_NATURAL
_MOST_STEPS, _NEWTON_STEPS = 200, 200
_PRECISION, _RESIDUAL = 1e-9, 1e-12


def points_of(outcomes: int) -> Floats:
    """Points of a unit with three outcomes (a game) or five (a pair of games), as shares of the maximum."""
    return np.linspace(0.0, 1.0, outcomes)


def games_of(outcomes: int) -> int:
    """Number of games of a unit with this number of outcomes."""
    return (outcomes - 1) // 2


def regular(counts: npt.ArrayLike) -> Floats:
    """Counts without zeros, shape (..., outcome)."""
    return np.maximum(np.asarray(counts, dtype=np.float64), _LEAST_COUNT)


def log_likelihood_ratio(counts: Floats, first: float, second: float, normalized: bool = False) -> Floats:
    """Log likelihood ratio of a second to a first difference, in nats, shape (...).

    Counts are (..., 3), games by outcome, or (..., 5), pairs by points, of the first engine; differences in Elo points.

    Examples
    --------
    >>> pairs = np.array([379.0, 10170.0, 21828.0, 10640.0, 343.0])  # 2.94598, prints fastchess
    >>> round(float(log_likelihood_ratio(pairs, 0.0, 2.0, normalized=True)), 4)
    2.9455
    """
    regular_counts = regular(counts)
    share = regular_counts / regular_counts.sum(axis=-1, keepdims=True)
    null, alternative = (shares_at(share, difference, normalized) for difference in (first, second))
    return (regular_counts * np.log(alternative / null)).sum(axis=-1)


def shares_at(share: Floats, difference: float | Floats, normalized: bool = False) -> Floats:
    """Most likely shares, (..., outcome), with a difference, (..., 1); `HalfpointError` if absent.

    Observed shares are (..., outcome), all above 0; differences are in Elo points or, with `normalized`, in normalised
    Elo.
    """
    points, difference = points_of(share.shape[-1]), np.asarray(difference, dtype=np.float64)
    shape = np.broadcast_shapes(share.shape, difference.shape)
    if normalized:
        t = difference / NORMALIZED_PER_T * np.sqrt(games_of(points.size))
        target = t / np.sqrt(1.0 + t**2)
    else:
        target = 1.0 / (1.0 + np.exp(-difference / ELO_PER_NATURAL))
    shares = np.array(np.broadcast_to(share, shape), dtype=np.float64).reshape(-1, points.size)
    targets = np.ascontiguousarray(np.broadcast_to(target, (*shape[:-1], 1))).reshape(-1)
    if not _most_likely(shares, targets, points, normalized):
        raise HalfpointError("elo0, elo1: the difference is too large for these games. Use smaller values.")
    return shares.reshape(shape)


@compile_lazily
def _with_mean_zero(share: Floats, z: Floats, out: Floats) -> bool:
    """Set found to share / (1 + theta z) with sum z found = 0, by bracketed Newton steps; False if none."""
    least, most = z[0], z[0]
    for score in z:
        least, most = min(least, score), max(most, score)
    if not least < 0.0 < most:
        return False
    low, high, theta = -1.0 / most, -1.0 / least, 0.0  # the sum falls from one to the other
    for _ in range(_NEWTON_STEPS):
        value, slope = 0.0, 0.0
        for outcome in range(z.size):
            tilted = z[outcome] / (1.0 + theta * z[outcome])
            value += share[outcome] * tilted
            slope += share[outcome] * tilted**2
        if abs(value) <= _RESIDUAL:
            break
        if value > 0.0:
            low = theta
        else:
            high = theta
        step = theta + value / slope
        step = step if low < step < high else 0.5 * (low + high)
        if step == theta:
            break
        theta = step
    for outcome in range(z.size):
        out[outcome] = share[outcome] / (1.0 + theta * z[outcome])
    return True


@compile_lazily
def _root_square(share: Floats, points: Floats) -> float:
    """The root of the mean square of points about one half."""
    total = 0.0
    for outcome in range(points.size):
        total += share[outcome] * (points[outcome] - 0.5) ** 2
    return math.sqrt(total)


@compile_lazily
def _most_likely(rows: Floats, targets: Floats, points: Floats, normalized: bool) -> bool:
    """Replace each row of shares by the most likely one with its score, or its tau; False if absent."""
    share, z = np.empty(points.size), np.empty(points.size)
    for row in range(len(rows)):
        shares = rows[row]
        for outcome in range(points.size):
            share[outcome] = shares[outcome]
            z[outcome] = points[outcome] - targets[row]
        if not normalized:
            if not _with_mean_zero(share, z, shares):
                return False
            continue
        r = max(_root_square(share, points), points[1])  # there are such shares
        for step in range(_MOST_STEPS):
            for outcome in range(points.size):
                away = points[outcome] - 0.5
                z[outcome] = away - 0.5 * targets[row] * (away**2 / r + r)
            if step == _MOST_STEPS - 1 or not _with_mean_zero(share, z, shares):
                return False
            before, r = r, _root_square(shares, points)
            if abs(r - before) <= _PRECISION * before:
                break
    return True
