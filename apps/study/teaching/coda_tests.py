r"""The convergence tests of the study's authors, from the R package coda, in addition to R-hat and ESS.

geweke               z = (mean of the first tenth - mean of the last half) / s.e.; about N(0, 1) for a chain at rest
heidelberger_welch   Cramer-von Mises test that a chain is at rest, its start cut by tenths until it passes; then the
                     half-width of the interval of the mean against the mean
raftery_lewis        required length of a chain for a quantile q to within r with probability s, from the chain of the
                     events "below the quantile", thinned until it is Markov
brooks_gelman        Gelman and Rubin's potential scale reduction with Brooks and Gelman's degrees of freedom, its upper
                     limit, and the multivariate factor

The spectral density at zero is that of an autoregression of the order selected by AIC (Yule-Walker), as in coda since
0.10.

Geweke (1992) Bayesian Statistics 4:169. Heidelberger and Welch (1983) Operations Research 31:1109. Raftery and Lewis
(1992) Statistical Science 7:493. Gelman and Rubin (1992) Statistical Science 7:457. Brooks and Gelman (1998) Journal of
Computational and Graphical Statistics 7:434.
Definitions as in Plummer et al. (2006) R News 6(1):7. These tests check means and quantiles of one parameter at a time
and are weaker than rank-normalised R-hat, the basis of verdicts (`halfpoint.inference.diagnostics.convergence`).
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy.linalg import solve_toeplitz
from scipy.special import gamma, kv
from scipy.stats import f as f_distribution
from scipy.stats import norm

from halfpoint.inference.errors import InferenceError
from halfpoint.models.games.table import Floats


def as_chain(values: npt.ArrayLike, least: int = 10) -> Floats:
    """One chain as an array, shape (draw,)."""
    chain = np.asarray(values, dtype=np.float64)
    if chain.ndim != 1 or chain.size < least or not np.isfinite(chain).all():
        raise InferenceError(f"chain: expected {least} finite numbers or more in a row, found shape {chain.shape}")
    return chain


def spectrum_at_zero(values: npt.ArrayLike) -> float:
    """Spectral density of a chain at frequency zero: n times the variance of its mean.

    From the autoregression selected by AIC among the orders 0 to 10 log10 n: the innovations' variance over (1 - sum of
    the coefficients)^2; 0 for a constant chain.
    """
    chain = as_chain(values, 2)
    count = chain.size
    centred = chain - chain.mean()
    if centred @ centred <= 1e-24 * max(1.0, float(chain @ chain)):
        return 0.0
    most = min(count - 1, math.floor(10.0 * math.log10(count)))
    covariance = np.array([centred[: count - lag] @ centred[lag:] / count for lag in range(most + 1)])
    best, density = np.inf, 0.0
    for order in range(most + 1):
        coefficients = solve_toeplitz(covariance[:order], covariance[1 : order + 1]) if order else np.empty(0)
        variance = covariance[0] - coefficients @ covariance[1 : order + 1]
        if variance <= 0.0:
            break
        criterion = count * math.log(variance) + 2.0 * order
        if criterion < best:
            best = criterion
            unbiased = variance * count / (count - (order + 1))
            density = float(unbiased / (1.0 - coefficients.sum()) ** 2)
    return density


def geweke(values: npt.ArrayLike, first: float = 0.1, last: float = 0.5) -> float:
    """Geweke's z of one chain.

    Parameters
    ----------
    values : array_like of float, shape (draw,)
        The chain, ten draws or more.
    first, last : float
        Shares at the two ends of the chain whose means are compared; they may not overlap.

    Returns
    -------
    float
        About N(0, 1) for a chain at rest.

    Raises
    ------
    InferenceError
        If the shares overlap, or the chain is too short or not finite.
    """
    chain = as_chain(values)
    if not (0.0 < first < 1.0 and 0.0 < last < 1.0 and first + last <= 1.0):
        raise InferenceError(f"geweke: expected two shares that sum to at most 1, found {first} and {last}")
    span = chain.size - 1  # coda counts from the first iteration to the last one
    begin = chain[: math.ceil(1 + first * span)]
    end = chain[math.floor(chain.size - last * span) - 1 :]
    variance = spectrum_at_zero(begin) / begin.size + spectrum_at_zero(end) / end.size
    return float((begin.mean() - end.mean()) / math.sqrt(variance))


def cramer_von_mises(statistic: float) -> float:
    """Limiting distribution of the Cramer-von Mises statistic (Anderson and Darling 1952, 4.35).

    coda stops after four terms, too early for statistics far above 1 (probability 0.52 at 1,000), so that such a chain
    passes its test. Here the series continues, and is 1 from 5 on.

    Examples
    --------
    >>> [round(cramer_von_mises(x), 3) for x in (0.3473, 0.4614, 0.7435)]
    [0.9, 0.95, 0.99]
    """
    if statistic > 5.0:
        return 1.0
    total = 0.0
    for k in range(40):
        power = (4 * k + 1) ** 2 / (16.0 * statistic)
        if power > 700.0:
            break
        factor = gamma(k + 0.5) * math.sqrt(4 * k + 1) / (gamma(k + 1) * math.pi**1.5 * math.sqrt(statistic))
        total += factor * math.exp(-power) * kv(0.25, power)
    return float(total)


@dataclass(frozen=True)
class AtRest:
    """Result of the stationarity test of Heidelberger and Welch."""

    at_rest: bool  #: whether a part of the chain passes the test
    start: int  #: where that part begins, from 1; 0 if none passes
    p_value: float  #: of the last test made
    mean: float  #: of that part; NaN if none passes
    half_width: float  #: of its 95% interval, likewise
    precise: bool  #: whether the half-width is within the share asked for of the mean


def heidelberger_welch(values: npt.ArrayLike, share: float = 0.1, level: float = 0.05) -> AtRest:
    """Test of the stationarity of one chain, and of the precision of its mean.

    Parameters
    ----------
    values : array_like of float, shape (draw,)
        The chain, twenty draws or more.
    share : float
        The largest half-width of the interval of the mean as a share of the mean.
    level : float
        The level of the test.

    Returns
    -------
    AtRest

    Raises
    ------
    InferenceError
        If the chain is too short or not finite.
    """
    chain = as_chain(values, 20)
    count, p_value = chain.size, 0.0
    spectrum = spectrum_at_zero(chain[count // 2 - 1 :])
    for first in np.arange(1.0, count / 2.0 + 1e-9, count / 10.0).tolist():
        start = math.ceil(first - 1e-9)
        part = chain[start - 1 :]
        bridge = np.cumsum(part) - part.mean() * np.arange(1, part.size + 1)
        statistic = float(bridge @ bridge) / (part.size**2 * spectrum) if spectrum > 0.0 else math.inf
        p_value = 1.0 - cramer_von_mises(statistic)
        if p_value > level:
            mean, half = float(part.mean()), 1.96 * math.sqrt(spectrum_at_zero(part) / part.size)
            return AtRest(True, start, p_value, mean, half, abs(half / mean) <= share)
    return AtRest(False, 0, p_value, math.nan, math.nan, False)


@dataclass(frozen=True)
class RunLength:
    """Required length of a chain, after Raftery and Lewis."""

    burn_in: int  #: draws to leave out
    total: int  #: draws in all, of the thinned chain
    least: int  #: independent draws that would do
    dependence: float  #: (burn_in + total) / least as coda prints it: above 5 the chain is slow
    thinning: int  #: every so manyth draw makes the events a Markov chain


def raftery_lewis(
    values: npt.ArrayLike,
    quantile: float = 0.025,
    precision: float = 0.005,
    probability: float = 0.95,
    convergence: float = 0.001,
) -> RunLength:
    """Required length of a chain for a quantile, from a pilot run.

    Parameters
    ----------
    values : array_like of float, shape (draw,)
        The pilot run.
    quantile, precision, probability : float
        The share of draws below the quantile is to be within `precision` of it with this probability.
    convergence : float
        The precision of the time to converge.

    Returns
    -------
    RunLength

    Raises
    ------
    InferenceError
        If the pilot run is shorter than the least number of independent draws, or on one side of the quantile only.
    """
    chain = as_chain(values)
    phi = float(norm.ppf((1.0 + probability) / 2.0))
    least = math.ceil(quantile * (1.0 - quantile) * (phi / precision) ** 2)
    if chain.size < least:
        raise InferenceError(f"raftery_lewis: expected a chain of {least} draws or more, found {chain.size}")
    below = (chain <= np.quantile(chain, quantile)).astype(np.int64)
    thinning = 0
    while True:
        thinning += 1
        events = below[::thinning]
        if events.size < 4:
            raise InferenceError(
                f"raftery_lewis: the chain is still correlated at thinning {thinning}. Use a longer chain"
            )
        triples = np.bincount(4 * events[:-2] + 2 * events[1:-1] + events[2:], minlength=8).reshape(2, 2, 2)
        fitted = triples.sum(2)[:, :, None] * triples.sum(0)[None] / np.maximum(triples.sum((0, 2)), 1)[None, :, None]
        is_met = triples > 0
        deviance = 2.0 * float((triples[is_met] * np.log(triples[is_met] / fitted[is_met])).sum())
        if deviance - 2.0 * math.log(events.size - 2) < 0.0:
            break
    pairs = np.bincount(2 * events[:-1] + events[1:], minlength=4).reshape(2, 2)
    if (pairs.sum(1) == 0).any():
        raise InferenceError("raftery_lewis: expected draws on both sides of the quantile, found one side")
    alpha, beta = pairs[0, 1] / pairs[0].sum(), pairs[1, 0] / pairs[1].sum()
    total = alpha + beta
    burn = math.ceil(math.log(convergence * total / max(alpha, beta)) / math.log(abs(1.0 - total))) * thinning
    keep = math.ceil((2.0 - total) * alpha * beta * phi**2 / (total**3 * precision**2)) * thinning
    return RunLength(burn, burn + keep, least, (burn + keep) / least, thinning)


@dataclass(frozen=True, eq=False)
class ScaleReduction:
    """Potential scale reduction factors."""

    estimate: Floats  #: (parameter,), point estimates
    upper: Floats  #: (parameter,), upper confidence limits
    multivariate: float  #: that of any sum of parameters at most; NaN for a single parameter


def brooks_gelman(values: npt.ArrayLike, confidence: float = 0.95, second_half: bool = True) -> ScaleReduction:
    """Potential scale reduction factors of several chains.

    Parameters
    ----------
    values : array_like of float, shape (chain, draw, parameter) or (chain, draw)
        Two chains or more, of ten draws or more.
    confidence : float
        The upper limit is the quantile (1 + confidence) / 2.
    second_half : bool
        True if only the second half of every chain is used, as in coda.

    Returns
    -------
    ScaleReduction

    Raises
    ------
    InferenceError
        If there is one chain, or fewer than ten draws.
    """
    draws = np.asarray(values, dtype=np.float64)
    draws = draws[..., None] if draws.ndim == 2 else draws
    if draws.ndim != 3 or draws.shape[0] < 2 or draws.shape[1] < 10 or not np.isfinite(draws).all():
        raise InferenceError(f"brooks_gelman: expected finite numbers (chain, draw, parameter), found {draws.shape}")
    if second_half:
        draws = draws[:, draws.shape[1] // 2 :]
    chains, count, size = draws.shape
    centred = draws - draws.mean(axis=1, keepdims=True)
    within_each = np.einsum("cdi,cdj->cij", centred, centred) / (count - 1)
    within = within_each.mean(axis=0)
    means = draws.mean(axis=1)
    between = count * np.atleast_2d(np.cov(means.T))
    multivariate = math.nan
    if size > 1:
        largest = float(np.linalg.eigvals(np.linalg.solve(within, between)).real.max())
        multivariate = math.sqrt(1.0 - 1.0 / count + (1.0 + 1.0 / size) * largest / count)
    w, b = np.diag(within), np.diag(between)
    s2 = np.diagonal(within_each, axis1=1, axis2=2)
    centre = means.mean(axis=0)

    def covariance(left: Floats, right: Floats) -> Floats:
        return np.asarray(((left - left.mean(0)) * (right - right.mean(0))).sum(0) / (chains - 1))

    var_w = s2.var(axis=0, ddof=1) / chains
    var_b = 2.0 * b**2 / (chains - 1)
    cov_wb = count / chains * (covariance(s2, means**2) - 2.0 * centre * covariance(s2, means))
    inflation = 1.0 + 1.0 / chains
    total = (count - 1) * w / count + inflation * b / count
    var_total = ((count - 1) ** 2 * var_w + inflation**2 * var_b + 2.0 * (count - 1) * inflation * cov_wb) / count**2
    freedom = 2.0 * total**2 / var_total
    adjusted = (freedom + 3.0) / (freedom + 1.0)
    fixed, random = (count - 1) / count, inflation * (b / w) / count
    ratio = f_distribution.ppf((1.0 + confidence) / 2.0, chains - 1, 2.0 * w**2 / var_w)
    return ScaleReduction(
        np.sqrt(adjusted * (fixed + random)), np.sqrt(adjusted * (fixed + ratio * random)), multivariate
    )
