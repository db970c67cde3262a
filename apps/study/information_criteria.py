r"""Criteria of the study and its literature: AIC, BIC, DIC, WAIC, the Bayes factor, and their purposes.

    AIC    -2 l(max) + 2 k                              expected fit to new games at the maximum; needs a maximum
    BIC    -2 l(max) + k ln n                           about -2 ln of the evidence under a prior worth one game
    DIC    D(mean) + 2 p,  p = mean D - D(mean)         AIC for a posterior; fails if the posterior is not unimodal
           or p = var(D) / 2                            the same, never negative
    WAIC   -2 (lpd - p),  p = sum_g var(l_g)            about leave-one-out; use PSIS-LOO, which reports its failures
    Z      p(y) = integral of p(y | v) p(v) dv          evidence, by bridge sampling; ratio of two: the Bayes factor

D = -2 l, l the log-likelihood of all games under a draw, l_g of one game, k parameters, n games. Evidence depends on
the priors: with an uninformative prior sd of 400 natural units on every strength it depends more on the prior than on
the model. Half points and weighted games have no likelihood, so that for them these criteria serve only for comparison
with printed numbers.

Akaike (1974). Schwarz (1978). Spiegelhalter et al. (2002) JRSS B 64:583, Gelman et al. (2014) Statistics and Computing
24:997 for p = var(D) / 2 and WAIC (Watanabe 2010). Meng and Wong (1996) Statistica Sinica 6:831, eq. 4.1, for the
bridge; its error: Fruhwirth-Schnatter (2004) Econometrics Journal 7:143.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.special import logsumexp

from halfpoint.evaluation.errors import EvaluationError
from halfpoint.evaluation.scores import Floats

_ITERATIONS = 1_000
CONVERGED = 1e-10


def aic(largest: float, parameters: int) -> float:
    """Akaike's criterion from the log-likelihood at its maximum; lower is better."""
    return -2.0 * largest + 2.0 * parameters


def bic(largest: float, parameters: int, games: int) -> float:
    """Schwarz' criterion from the log-likelihood at its maximum; lower is better."""
    return -2.0 * largest + parameters * math.log(games)


@dataclass(frozen=True)
class Criterion:
    """A criterion with its penalty."""

    value: float  #: on the deviance scale; lower is better
    parameters: float  #: effective number of parameters
    standard_error: float = math.nan  #: over games; NaN where the criterion is not a sum over games


def dic(total: npt.ArrayLike, at_mean: float, by_variance: bool = False) -> Criterion:
    """The deviance information criterion.

    From the log-likelihood of all games under each draw, any shape, and at the posterior mean of the parameters; on
    request their effective number is half the deviance's variance.
    """
    deviance = -2.0 * _finite(total, "log-likelihoods")
    centre = -2.0 * at_mean
    count = float(deviance.var(ddof=1) / 2.0) if by_variance else float(deviance.mean() - centre)
    return Criterion(centre + 2.0 * count, count)


def waic(pointwise: npt.ArrayLike) -> Criterion:
    """Widely applicable criterion from the log-likelihood of each game under each draw, (..., game)."""
    draws = _finite(pointwise, "log-likelihoods")
    draws = draws.reshape(-1, draws.shape[-1])
    lpd = logsumexp(draws, axis=0) - math.log(draws.shape[0])
    penalty = draws.var(axis=0, ddof=1)
    terms = -2.0 * (lpd - penalty)
    return Criterion(float(terms.sum()), float(penalty.sum()), float(np.sqrt(terms.size * terms.var(ddof=1))))


def _finite(values: npt.ArrayLike, what: str) -> Floats:
    """Values as an array; an error if one is not finite or there are fewer than two."""
    array = np.asarray(values, dtype=np.float64)
    if array.size < 2 or not np.isfinite(array).all():
        raise EvaluationError(what, "two or more finite numbers", f"shape {array.shape}")
    return array


@dataclass(frozen=True)
class Evidence:
    """The logarithm of a marginal likelihood."""

    log_evidence: float  #: ln p(y)
    error: float  #: its Monte Carlo standard error


def bridge_sampling(
    draws: npt.ArrayLike, log_density: Callable[[Floats], Floats], seed: int = 1, relative_ess: float = 1.0
) -> Evidence:
    """Evidence by bridge sampling from a normal with the draws' mean and covariance.

    Draws of the posterior, shape (draw, parameter): half of the draws fit the normal, the other half are used for the
    bridge. `log_density` goes from points, shape (point, parameter), to ln p(y | v) p(v) with all constants, shape
    (point,). `relative_ess`, the ratio of effective draws to draws, is used for the error. `EvaluationError` if there
    are too few draws for a covariance, or the bridge does not converge.

    Meng and Wong (1996): r <- mean_q[ l2 / (s1 l2 + s2 r) ] / mean_p[ 1 / (s1 l1 + s2 r) ], l = p / q.
    """
    draws = _finite(draws, "draws")
    count, size = draws.shape
    half = count // 2
    if half < size + 2:
        raise EvaluationError("bridge sampling", f"{2 * (size + 2)} draws or more", str(count))
    fitting, posterior = draws[:half], draws[half:]
    mean = fitting.mean(axis=0)
    root = np.linalg.cholesky(np.atleast_2d(np.cov(fitting.T)))
    rng = np.random.default_rng(seed)
    proposed = mean + rng.standard_normal(posterior.shape) @ root.T

    def log_normal(points: Floats) -> Floats:
        z = np.linalg.solve(root, (points - mean).T)
        constant = size / 2.0 * math.log(2.0 * math.pi) + np.log(np.diag(root)).sum()
        return np.asarray(-0.5 * (z**2).sum(axis=0) - constant)

    of_posterior = log_density(posterior) - log_normal(posterior)
    of_proposal = log_density(proposed) - log_normal(proposed)
    centre = float(np.median(of_posterior))
    first, second = np.exp(of_posterior - centre), np.exp(of_proposal - centre)
    effective = posterior.shape[0] * relative_ess
    s1 = effective / (effective + proposed.shape[0])
    s2 = 1.0 - s1
    ratio = 1.0
    for _ in range(_ITERATIONS):
        before = ratio
        ratio = float(np.mean(second / (s1 * second + s2 * ratio)) / np.mean(1.0 / (s1 * first + s2 * ratio)))
        if abs(ratio - before) <= CONVERGED * ratio:
            break
    else:
        raise EvaluationError("bridge sampling", "convergence", f"ratio {ratio:g}")
    f1 = second / ratio / (s1 * second / ratio + s2)
    f2 = 1.0 / (s1 * first / ratio + s2)
    variance = f1.var() / f1.mean() ** 2 / proposed.shape[0] + f2.var() / f2.mean() ** 2 / effective
    return Evidence(centre + math.log(ratio), float(math.sqrt(variance)))


def bayes_factor(one: Evidence, other: Evidence) -> tuple[float, float]:
    """Log of the Bayes factor of the first model against the second, and its Monte Carlo standard error."""
    return one.log_evidence - other.log_evidence, math.hypot(one.error, other.error)
