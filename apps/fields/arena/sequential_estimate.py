r"""Estimates of a difference after a sequential test has stopped, and always-valid intervals.

Stopping after good results biases the plain estimate upwards. Outcomes of a test are ordered by stages: earlier stops
at the upper bound are higher, earlier stops at the lower bound are lower, and tests that have not stopped are ordered
by the ratio (Siegmund 1985, Sequential Analysis, III.4). With P(d) the probability of an outcome no higher than the
observed outcome, the estimate is the d with P = 1/2, which is median-unbiased, and its interval ends at the d with P =
.975 and .025. The ratio is approximated by a Brownian motion with absorbing ends: from x0 above the lower of two bounds
L apart,

    drift mu, variance v per unit,   w_k = k pi / L,   g_k = (w_k^2 v + mu^2 / v) / 2
    density at y, alive after n units:  (2 / L) e^(mu (y - x0) / v) sum_k sin(w_k x0) sin(w_k y) e^(-g_k n)
    out at the bottom after n or later: (v / L) e^(-mu x0 / v) sum_k w_k sin(w_k x0) e^(-g_k n) / g_k

and for few units a series of images of x0 at the bounds, which converges there (Siegmund 1985, III.3; Cox and Miller
1965, 5.7). A match checked every few units passes a bound by 0.583 standard deviations of these units on average: the
bounds are moved out by this amount (Siegmund 1985, (8.50)). v is the observed variance of the units for every d, since
otherwise P is not monotone (fishtest, pull request 2581).

A confidence sequence covers the truth at all times simultaneously, under any stopping rule, with the given probability.
For n units whose points have mean m and, with one unit of each kind added, standard deviation s, it is

    m +- s sqrt(2 (n r^2 + 1) / (n r)^2 log(sqrt(n r^2 + 1) / alpha))

tightest at n0 units with r^2 = (-2 log alpha + log(1 - 2 log alpha)) / n0 (Waudby-Smith, Arbour, Sinha, Kennedy and
Ramdas 2024, Ann. Stat. 52:2613, theorem 2.2; for many units).
"""

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import log_ndtr

from halfpoint.apps.fields.arena.likelihood_ratio import points_of, regular
from halfpoint.apps.fields.arena.sprt import Sprt, spread
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL

_PASSED = 0.583  # standard deviations by which a bound is passed
_TERMS, _IMAGES, _SHORT = 60, 2.0 * np.arange(-4, 5), 0.7  # a standard deviation of so much of L, below which: images
_WIDENED, _TIGHTEST = 16, 500.0


def _chance_no_higher(
    drift: float, variance: float, start: float, length: float, units: float, outcome: float
) -> float:
    """Probability of an outcome no higher than `outcome`, from 0 to `length`, after a number of units."""
    if outcome >= length:  # all but the paths stopped at the top before
        return 1.0 - _chance_of_bottom(-drift, variance, length - start, length, units)
    below = _chance_of_bottom(drift, variance, start, length, units)
    if outcome <= 0.0:
        return below
    pull, sd = drift / variance, np.sqrt(variance * units)
    if sd < _SHORT * length:
        image = np.array([(sign * start + shift, sign) for shift in _IMAGES * length for sign in (1.0, -1.0)]).T
        ends = (np.array([[outcome], [0.0]]) - image[0] - drift * units) / sd
        turn = np.where(ends[1] > 0.0, -1.0, 1.0)  # the tail in which differences are
        weight = turn * image[1] * np.exp(pull * (image[0] - start) + log_ndtr(turn * ends))
        return below + float(weight[0].sum() - weight[1].sum())
    w, decay = _waves(drift, variance, length)
    inside = np.exp(pull * outcome) * (pull * np.sin(w * outcome) - w * np.cos(w * outcome)) + w
    series = np.sin(w * start) * np.exp(-decay * units) * inside / (pull**2 + w**2)
    return below + float((2.0 / length) * np.exp(-pull * start) * series.sum())


def _waves(drift: float, variance: float, length: float) -> tuple[Floats, Floats]:
    """Coefficients W_k and g_k."""
    w = np.arange(1, _TERMS + 1, dtype=np.float64) * (np.pi / length)
    return w, 0.5 * (w**2 * variance + drift**2 / variance)


def _chance_of_bottom(drift: float, variance: float, start: float, length: float, units: float) -> float:
    """Probability of having crossed the lower bound after a number of units."""
    pull, sd = drift / variance, np.sqrt(variance * units)
    if sd < _SHORT * length:
        images = start + _IMAGES * length
        far, gone = np.abs(images), drift * units
        sooner = np.exp(-pull * (start + far) + log_ndtr((gone - far) / sd))
        later = np.exp(-pull * (start - far) + log_ndtr(-(gone + far) / sd))
        return float(np.sum(np.sign(images) * (sooner + later)))
    w, decay = _waves(drift, variance, length)
    series = np.sum(w * np.sin(w * start) * np.exp(-decay * units) / decay)
    return _chance_of_top(-pull, length - start, length) - float(np.exp(-pull * start) * (variance / length) * series)


def _chance_of_top(pull: float, start: float, length: float) -> float:
    """Probability of having crossed the upper bound, for a drift of `pull` times the variance."""
    if abs(pull) * length < 1e-9:
        return start / length
    if pull < 0.0:  # no large exponentials
        return float(np.exp(2.0 * pull * (length - start))) * _chance_of_top(-pull, start, length)
    return float(np.expm1(-2.0 * pull * start) / np.expm1(-2.0 * pull * length))


def after_stop(
    test: Sprt, counts: npt.ArrayLike, stopped: str = "", look: int = 1, level: float = 0.95
) -> tuple[float, float, float]:
    """Median-unbiased difference of a test with its interval, in Elo points of the test: estimate, low, high.

    Parameters
    ----------
    test : Sprt
        The test; it may not have stopped yet.
    counts : array, (3,) or (5,)
        Games, or pairs by the first engine's points, at the stop or so far.
    stopped : {"H1", "H0", ""}
        The bound passed, if any.
    look : int
        Number of units between two looks at the ratio.

    All are NaN if all units have the same points.

    Examples
    --------
    >>> [round(one, 1) for one in after_stop(Sprt(0.0, 15.0), [6, 50, 120, 80, 9], "H1")]
    [21.0, 2.6, 39.1]
    """
    regular_counts = regular(counts)
    if (np.asarray(counts) > 0).sum() < 2:  # all alike: the variance of points is unknown
        return np.nan, np.nan, np.nan
    null, alternative = test.t_of((test.elo0, test.elo1), regular_counts)
    step, (lower, upper) = float(alternative - null), test.bounds
    passed = _PASSED * step * np.sqrt(look)
    start, length = passed - lower, upper - lower + 2.0 * passed
    reached = {"H1": length, "H0": 0.0}.get(stopped, float(test.ratio(regular_counts)) + start)
    slope, middle = (
        float(test.t_of(1.0, regular_counts)) if test.normalized else spread(regular_counts),
        0.5 * float(null + alternative),
    )

    def above(t: float, share: float) -> float:
        return (
            _chance_no_higher(step * (t - middle), step**2, start, length, float(regular_counts.sum()), reached) - share
        )

    observed = float(regular_counts @ points_of(regular_counts.size) / regular_counts.sum() - 0.5) / spread(
        regular_counts
    )

    def end(share: float) -> float:
        for reach in (1.5 ** np.arange(_WIDENED)) / np.sqrt(regular_counts.sum()):
            low, high = observed - reach, observed + reach
            if above(low, share) > 0.0 > above(high, share):
                return float(brentq(above, low, high, (share,), xtol=1e-9))
        return float("nan")

    ends = [end(share) for share in (0.5, 0.5 + level / 2, 0.5 - level / 2)]
    if test.normalized:
        estimate, low, high = (t / slope for t in ends)
    else:
        shares = np.clip([0.5 + t * slope for t in ends], 1e-9, 1.0 - 1e-9)
        estimate, low, high = (ELO_PER_NATURAL * np.log(shares / (1.0 - shares))).tolist()
    return estimate, low, high


def whenever_looked(counts: npt.ArrayLike, level: float = 0.95, tightest: float = _TIGHTEST) -> tuple[float, float]:
    """Anytime-valid interval, Elo points, of the difference in counts of games or pairs.

    Examples
    --------
    >>> [round(one, 1) for one in whenever_looked([6, 50, 120, 80, 9])]
    [-4.3, 51.9]
    """
    regular_counts, alpha = regular(counts), 1.0 - level
    n, score = (
        float(regular_counts.sum()),
        float(regular_counts @ points_of(regular_counts.size) / regular_counts.sum()),
    )
    tight = (-2.0 * np.log(alpha) + np.log1p(-2.0 * np.log(alpha))) / tightest * n + 1.0  # n r^2 + 1
    reach = spread(regular_counts + 1.0) * np.sqrt(2.0 * tight / (n * (tight - 1.0)) * np.log(np.sqrt(tight) / alpha))
    ends = np.clip([score - reach, score + reach], 1e-9, 1.0 - 1e-9)
    low, high = (ELO_PER_NATURAL * np.log(ends / (1.0 - ends))).tolist()
    return low, high
