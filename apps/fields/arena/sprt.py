r"""Sequential tests of two engines: decision, posterior of the difference, expected number of games left.

Wald's sequential probability ratio test of H0: d = elo0 against H1: d = elo1 with errors alpha and beta continues while

    log(beta / (1 - alpha)) < LLR < log((1 - beta) / alpha)

and accepts H0 when the log likelihood ratio (`halfpoint.apps.fields.arena.likelihood_ratio`) passes the lower bound, H1
at the upper bound. Under continuous monitoring it is approximately a Brownian motion over units (games or pairs) with

    drift mu = (t_1 - t_0) (t - (t_0 + t_1) / 2),   variance v = (t_1 - t_0)^2,   t = (s - 1/2) / sigma of a unit

so that from its present value, `up` below one bound and `down` above the other, H1 will be accepted with probability P
after N units on average (Wald's approximation, without the overshoot of the bound; for mu = 0 its limit):

    P = (1 - exp(-2 mu down / v)) / (1 - exp(-2 mu (up + down) / v)),   N = (P up - (1 - P) down) / mu

The Bayesian probabilities are P(d > elo0) and P(d > elo1) under the posterior of d, with the prior d ~ N(0, sd^2) and
the likelihood above. They are valid at every look if the user accepts the prior; the error rates of the test apply to
the rule, for every d.

Wald (1945) Ann. Math. Stat. 16:117, (3:24), (3:42) and (4:8); Van den Bergh (2021), Normalized Elo, practical.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.stats import norm

from halfpoint.apps.fields.arena.asked import PRIOR, PRIOR_SD_ELO, Hypotheses
from halfpoint.apps.fields.arena.likelihood_ratio import (
    NORMALIZED_PER_T,
    games_of,
    log_likelihood_ratio,
    points_of,
    regular,
    shares_at,
)
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Floats
from halfpoint.models.games.units import ELO_PER_NATURAL

_UNSEEN = 0.05  # of a kind of unit that was not seen, in the belief
_GRID, _REACH = 801, 6.0  # differences at which the prior is summed; standard deviations on either side


@dataclass(frozen=True)
class Sprt(Hypotheses):
    """A sequential probability ratio test.

    Raises
    ------
    GameTableError
        If a number is outside its range, or elo0 is not below elo1.

    Examples
    --------
    >>> [round(bound, 2) for bound in Sprt(0.0, 2.0).bounds]
    [-2.94, 2.94]
    """

    @property
    def bounds(self) -> tuple[float, float]:
        """Bounds of the log likelihood ratio: H0 is accepted below the first, H1 above the second."""
        return float(np.log(self.beta / (1.0 - self.alpha))), float(np.log((1.0 - self.beta) / self.alpha))

    @property
    def unit(self) -> str:
        """Unit of the differences."""
        return "normalised Elo" if self.normalized else "Elo"

    def ratio(self, counts: npt.ArrayLike) -> Floats:
        """Log likelihood ratio of counts (..., 3), games, or (..., 5), pairs by the first's points."""
        return log_likelihood_ratio(np.asarray(counts, dtype=np.float64), self.elo0, self.elo1, self.normalized)

    def t_of(self, difference: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
        """Differences in standard deviations of a unit from differences in Elo points, given these counts."""
        regular_counts, difference = regular(counts), np.asarray(difference, dtype=np.float64)
        if self.normalized:
            return np.asarray(difference * (np.sqrt(games_of(regular_counts.size)) / NORMALIZED_PER_T))
        return np.asarray((1.0 / (1.0 + np.exp(-difference / ELO_PER_NATURAL)) - 0.5) / spread(regular_counts))

    def outlook(self, difference: npt.ArrayLike, counts: npt.ArrayLike, ratio: float = 0.0) -> tuple[Floats, Floats]:
        """Probability that H1 is accepted, and the expected number of games left, if a difference (...) is true.

        Counts (3,) or (5,), in any proportion, give the variance of the points of a unit; the log likelihood ratio is
        at `ratio`. Both use Wald's approximation; no games are left if a bound is passed.
        """
        lower, upper = self.bounds
        if not lower < ratio < upper:
            passed = np.full(np.shape(difference), float(ratio >= upper))
            return passed, np.zeros_like(passed)
        null, alternative = self.t_of((self.elo0, self.elo1), counts)
        drift = (alternative - null) * (self.t_of(difference, counts) - 0.5 * (null + alternative))
        variance, up, down = (alternative - null) ** 2, upper - ratio, ratio - lower
        pull = 2.0 * drift / variance
        slow = np.abs(pull) * (up + down) < 1e-5  # there the limit is the better one
        near, steady = np.where(pull > 0, down, up), np.where(slow, 1.0, np.abs(pull))
        right = np.expm1(-steady * near) / np.expm1(-steady * (up + down))  # the bound to which the drift leads
        chance = np.where(slow, down / (up + down), np.where(pull > 0, right, 1.0 - right))
        passed = (chance * up - (1.0 - chance) * down) / np.where(slow, 1.0, drift)
        units = np.where(slow, up * down / variance, passed)
        return chance, units * games_of(np.size(counts))

    def belief(self, counts: npt.ArrayLike, prior_sd_elo: float = PRIOR_SD_ELO) -> tuple[Floats, Floats]:
        """Differences, equally spaced, and their posterior probabilities, if d ~ N(0, sd^2) before the games.

        The width of the grid uses half a unit more of each kind, since a few games may all have the same outcome. A
        kind without a unit counts as a twentieth of a unit.
        """
        PRIOR.require("--prior", prior_sd_elo, GameTableError)
        positive_counts, padded = np.maximum(np.asarray(counts, dtype=np.float64), _UNSEEN), smooth_counts(counts)
        slope = float(self.t_of(1.0, padded)) * np.sqrt(padded.sum())  # standard errors an Elo point
        estimate = self.estimate(padded)
        sd = (prior_sd_elo**-2 + slope**2) ** -0.5
        middle = np.clip(estimate, *(_REACH * prior_sd_elo * np.array([-1.0, 1.0]))) * (sd * slope) ** 2
        difference = np.linspace(middle - _REACH * sd, middle + _REACH * sd, _GRID)
        log = (
            np.log(shares_at(positive_counts / positive_counts.sum(), difference[:, None], self.normalized))
            @ positive_counts
        )
        log += norm.logpdf(difference, 0.0, prior_sd_elo)
        weight = np.exp(log - log.max())
        return difference, weight / weight.sum()

    def estimate(self, counts: npt.ArrayLike) -> float:
        """Difference observed in the counts, Elo points of this test."""
        regular_counts = regular(counts)
        score = float(regular_counts @ points_of(regular_counts.size) / regular_counts.sum())
        return (
            normalized_elo(regular_counts)[0]
            if self.normalized
            else float(ELO_PER_NATURAL * np.log(score / (1.0 - score)))
        )


def smooth_counts(counts: npt.ArrayLike) -> Floats:
    """Counts with half a unit of each kind added (Dirichlet(1/2)), shape (kind,), for the variance of points."""
    return np.asarray(counts, dtype=np.float64) + 0.5


def spread(counts: Floats) -> float:
    """Standard deviation of the share of points of a unit."""
    points, share = points_of(counts.size), counts / counts.sum()
    return float(np.sqrt(share @ (points - share @ points) ** 2))


def normalized_elo(counts: npt.ArrayLike) -> tuple[float, float]:
    """The normalised Elo difference of counts and its standard error, by the moments of a unit's points.

    With skewness and kurtosis of the points: Var(t) = (1 - t skewness + t^2 (kurtosis - 1) / 4) / n.
    """
    regular_counts = regular(counts)
    points, share = points_of(regular_counts.size), regular_counts / regular_counts.sum()
    mean, sd = share @ points, spread(regular_counts)
    t = (mean - 0.5) / sd
    skewness, kurtosis = (share @ ((points - mean) / sd) ** power for power in (3, 4))
    error = np.sqrt(np.maximum(1.0 - t * skewness + 0.25 * t**2 * (kurtosis - 1.0), 0.0) / regular_counts.sum())
    scale = NORMALIZED_PER_T / np.sqrt(games_of(regular_counts.size))
    return float(scale * t), float(scale * error)


def simulate_tests(
    test: Sprt,
    share: Floats,
    tests: int,
    rng: np.random.Generator,
    look: int = 1,
    counted: npt.NDArray[np.int64] | None = None,
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Simulated results of tests: True if H1 is accepted, and the number of games, shape (test,) each.

    `share` (kind,) is the frequency of each kind of unit (`likelihood_ratio.shares_at` gives shares with a difference),
    `counted` (kind, 3) or (kind, 5) the amounts that one unit of each kind adds to the counts, by default one of its
    own kind; the ratio is checked after each `look` units.
    """
    lower, upper = test.bounds
    counted = np.eye(len(share), dtype=np.int64) if counted is None else counted
    counts = np.zeros((tests, counted.shape[1]), dtype=np.int64)
    accepted, going = np.zeros(tests, dtype=np.bool_), np.arange(tests)
    while going.size:
        counts[going] += rng.multinomial(look, share, size=going.size) @ counted
        ratio = test.ratio(counts[going])
        accepted[going] = ratio >= upper
        going = going[(lower < ratio) & (ratio < upper)]
    return accepted, counts.sum(axis=1) * games_of(counts.shape[1])
