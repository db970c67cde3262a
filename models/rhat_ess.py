r"""Mixing of chains: rank-normalised split R-hat, effective sample sizes, Monte Carlo error of a mean.

Chains are halved. Bulk: draws are replaced by the normal scores of their ranks, z = Phi^-1((rank - 3/8) / (S + 1/4)).

    R-hat   sqrt((B / W + n - 1) / n) of z and of the z of |x - median|, the larger      Vehtari et al. (2021), eq. 4
    ESS     S / (2 sum_t rho_t - 1), rho summed by Geyer's initial monotone sequence     eq. 10 and 13
    tail    the smaller ESS of being below the 10% and below the 90% quantile            section 4.3
    error   standard deviation / sqrt(ESS of the draws themselves)

S draws in halves of n each; B and W the variances between and within halves. This code treats many numbers at once, by
NumPy: every reader of a trace judges it, and ArviZ, with which all results agree (tests), takes a second to
import. Vehtari, Gelman, Simpson, Carpenter and Buerkner (2021), Bayesian Analysis 16:667.
"""

from functools import lru_cache
from statistics import NormalDist

import numpy as np

from halfpoint.models.games.table import Booleans, Floats

_FEWEST = 4  # draws of a chain that can be judged
_TAILS = (0.1, 0.9)
_LAGS = 16  # distances of draws whose covariances are summed before all are found by a Fourier transform
_AT_ONCE = 2**16  # numbers, of which the sorted, the scores and their spectra are held at once


def _split_chains(draws: Floats) -> Floats:
    """Split chains in halves, (..., chain, draw) to (..., 2 chain, draw / 2); an odd middle draw is dropped."""
    half = draws.shape[-1] // 2
    return np.concatenate((draws[..., :half], draws[..., -half:]), axis=-2)


@lru_cache(maxsize=4)
def _scores_of(size: int) -> Floats:
    """The normal scores of the ranks 1, 1.5, 2, ... of N."""
    share = (np.arange(2 * size - 1) / 2.0 + 1.0 - 0.375) / (size + 0.25)
    return np.array([*map(NormalDist().inv_cdf, share.tolist())])


def _scores_in_order(ordered: Floats) -> Floats:
    """The normal scores of sorted values, ties sharing theirs, (number, value)."""
    size = ordered.shape[1]
    differs = np.ones(ordered.shape, dtype=np.bool_)  # from the value before
    np.not_equal(ordered[:, 1:], ordered[:, :-1], out=differs[:, 1:])
    tied, score = ~differs[:, 2:].all(axis=1), np.empty(ordered.shape)
    score[:] = _scores_of(size)[::2]
    score[~differs[:, 1], :2] = _scores_of(size)[1]  # the two next to the median, by their distance from it
    if not tied.any():
        return score
    differs, place = differs[tied], np.arange(size)
    first = np.maximum.accumulate(np.where(differs, place, 0), axis=1)
    ends = np.column_stack((differs[:, 1:], np.ones(len(differs), dtype=np.bool_)))  # of equal values
    last = np.minimum.accumulate(np.where(ends, place, size)[:, ::-1], axis=1)[:, ::-1]
    score[tied] = _scores_of(size)[first + last]
    return score


def _scores_by_size(draws: Floats) -> tuple[Floats, Floats, Floats]:
    """Normal scores of ranks over all chains, and of distances from the median; sorted draws (number, chain * draw).

    Shape: draws and scores (number, chain, draw).
    """
    flat = draws.reshape(len(draws), -1)
    first = np.arange(len(flat))[:, None] * flat.shape[1]  # of a number's draws among all
    order = np.argsort(flat, axis=1) + first
    ordered = flat.ravel()[order]
    scores, folded = np.empty(flat.size), np.empty(flat.size)
    scores[order] = _scores_in_order(ordered)
    distance = np.abs(ordered - _quantiles(ordered, (0.5,)).T)
    outwards = np.argsort(distance, axis=1, kind="stable") + first  # merges the two sorted sides of the median
    folded[order.ravel()[outwards]] = _scores_in_order(distance.ravel()[outwards])
    return scores.reshape(draws.shape), folded.reshape(draws.shape), ordered


def _quantiles(ordered: Floats, shares: tuple[float, ...]) -> Floats:
    """Quantiles of sorted values, linear between them, (share, number); ordered (number, value)."""
    place = np.array(shares) * (ordered.shape[1] - 1)
    below = place.astype(np.int64)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    return np.asarray(ordered[:, below] + (place - below) * (ordered[:, above] - ordered[:, below])).T


def _rhat(split: Floats) -> Floats:
    """R-hat of chains without splitting, shape (number,)."""
    count = split.shape[-1]
    between = count * split.mean(axis=-1).var(axis=-1, ddof=1)
    within = split.var(axis=-1, ddof=1).mean(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # of what never moves it is not a number
        return np.asarray(np.sqrt((between / within + count - 1) / count))


def _effective_size(split: Floats) -> Floats:
    """Effective number of draws of chains, shape (number,); split (number, chain, draw)."""
    count = split.shape[-1]
    centred, lags = split - split.mean(axis=-1, keepdims=True), min(count, _LAGS)
    size, stops = _size_by(split, np.stack([_shared_at(centred, lag) for lag in range(lags)], axis=1))
    if lags < count and not stops.all():  # correlated for longer
        further = ~stops
        spectrum = np.fft.rfft(centred[further], n=1 << (2 * count - 1).bit_length(), axis=-1)
        shared = np.fft.irfft((spectrum.real**2 + spectrum.imag**2).mean(axis=1), axis=-1)[:, :count] / count
        size[further], _ = _size_by(split[further], shared)
    return size


def _shared_at(centred: Floats, lag: int) -> Floats:
    """Covariance of draws that are `lag` apart, mean of the chains, (number,)."""
    chains, count = centred.shape[1:]
    products = np.einsum("ncd,ncd->n", centred[..., : count - lag], centred[..., lag:])
    return np.asarray(products / (chains * count))


def _size_by(split: Floats, shared: Floats) -> tuple[Floats, Booleans]:
    """Effective numbers of draws by the first covariances (number, lag), and whether these reach Geyer's stop."""
    chains, count = split.shape[1:]
    within = shared[:, :1] * (count / (count - 1.0))
    variance = shared[:, :1] + (split.mean(axis=-1).var(axis=-1, ddof=1)[:, None] if chains > 1 else 0.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        rho = 1.0 - (within - shared) / variance
    rho[:, 0] = 1.0
    pairs = rho[:, : shared.shape[1] // 2 * 2].reshape(len(rho), -1, 2).sum(axis=2)
    most = max(0, (count - 3) // 2)  # the last pair used
    stops = pairs[:, : most + 1] <= 0.0
    stops[:, most:] = True
    stop = stops.argmax(axis=1)
    lowered = np.minimum.accumulate(pairs, axis=1)
    before = np.concatenate((np.zeros((len(rho), 1)), np.cumsum(lowered, axis=1)), axis=1)
    row = np.arange(len(rho))
    end = rho[row, 2 * stop]
    end = np.where((end > 0.0) | (pairs[row, stop] >= 0.0), end, 0.0)
    size = chains * count
    tau = np.maximum(2.0 * before[row, stop] - 1.0 + end, 1.0 / np.log10(size))
    still = np.ptp(split.reshape(len(split), -1), axis=1) < np.finfo(np.float64).resolution
    return np.where(still, float(size), size / tau), stops.any(axis=1)


def rhat_and_ess(draws: Floats) -> Floats:
    """R-hat, bulk and tail effective numbers, shape (3, number); draws (number, chain, draw).

    NaN for chains of fewer than four draws and for no numbers, R-hat also for one chain.
    """
    measures = np.full((3, len(draws)), np.nan)
    step = max(1, _AT_ONCE // max(1, draws[:1].size))
    for start in range(0, len(draws) if draws.shape[2] >= _FEWEST else 0, step):
        batch = draws[start : start + step].astype(np.float64)
        split, part = _split_chains(batch), slice(start, start + step)
        score, folded, ordered = _scores_by_size(split)
        if draws.shape[1] > 1:
            measures[0, part] = np.maximum(_rhat(score), _rhat(folded))
        measures[1, part] = _effective_size(score)
        whole = ordered if split[0].size == batch[0].size else np.sort(batch.reshape(len(batch), -1), axis=1)
        limits = _quantiles(whole, _TAILS)[:, :, None, None]
        measures[2, part] = np.minimum(
            *(_effective_size(_split_chains((batch <= limit).astype(np.float64))) for limit in limits)
        )
        measures[:, part][:, np.isnan(batch).any(axis=(1, 2))] = np.nan
    return measures


def mean_error(draws: Floats) -> float:
    """Monte Carlo standard error of the mean of draws, shape (chain, draw); NaN for fewer than four."""
    if draws.shape[1] < _FEWEST:
        return float("nan")
    return float(draws.std(ddof=1) / np.sqrt(_effective_size(_split_chains(draws[None]))[0]))
