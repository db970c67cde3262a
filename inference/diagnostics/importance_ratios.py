r"""Reliability of an approximation: importance ratios of its draws, and their Pareto k (PSIS).

    log r_s = log p(x_s, games) - log q(x_s),   x_s drawn from q

The largest ratios follow a generalised Pareto distribution with shape k; if k is below 0.7, importance sampling
corrects the approximation; above 0.7 the approximation misses part of the posterior (Vehtari, Simpson, Gelman, Yao &
Gabry 2024, JMLR 25:72; Yao, Vehtari, Simpson & Gelman 2018, ICML). In hundreds of dimensions k exceeds 0.7 even if
every marginal is right: then compare with NUTS. A fitted k is uninformative if the ratios hardly vary: the largest of S
ratios with a tail of shape k is about S^k times their mean; if it is below S^0.25, the raw weights are reliable for any
fitted k.

If weights are reliable, draws are resampled with them (Rubin 1987, J. Am. Stat. Assoc. 82:543) and become draws of the
posterior. Systematic resampling adds the least noise (Kitagawa 1996, J. Comput. Graph. Stat. 5:1).
"""

import math
from dataclasses import dataclass

import numpy as np

from halfpoint.models.games.table import Codes, Floats
from halfpoint.models.psis import FEWEST, smooth_log_ratios

_TRUSTED_K = 0.7
# of draws that replace NUTS: largest k, that where at least a share of the draws is effective, and effective draws
BELIEVED_K, _EVEN_K, _EVEN, ENOUGH = 0.5, 0.7, 0.7, 400
ROUNDING = 1e-6  # share of effective draws that equal weights lack by rounding
_SAME = 1e-9  # log ratios that differ by less are of an exact approximation
HARMLESS_K = 0.25  # of the largest ratio


@dataclass(frozen=True, eq=False)
class Importance:
    """Smoothed importance weights of an approximation's draws."""

    pareto_k: float  # shape of the tail of the ratios
    log_weight: Floats  # (draw,): smoothed log weights; their exponentials sum to 1
    absence: str = ""  # why k was not computed, if it was not

    @property
    def trusted(self) -> bool:
        """True if the weights correct the approximation."""
        return self.pareto_k < _TRUSTED_K or self.harmless

    @property
    def limit(self) -> float:
        """Largest k at which the draws may replace NUTS."""
        return limit_of_k(self.effective, self.log_weight.size)

    @property
    def replaces_sampling(self) -> bool:
        """True if the draws may replace NUTS, whatever their number."""
        return self.pareto_k < self.limit or self.harmless

    @property
    def even(self) -> bool:
        """True if the weights hardly vary, or so many draws are effective that the limit of k is the higher one."""
        return self.harmless or self.effective >= _EVEN * self.log_weight.size

    @property
    def largest(self) -> float:
        """The largest weight over their mean."""
        return float(np.exp(self.log_weight.max()) * self.log_weight.size)

    @property
    def harmless(self) -> bool:
        """True if ratios were computed and hardly vary."""
        return not math.isnan(self.pareto_k) and self.largest < self.log_weight.size**HARMLESS_K

    @property
    def effective(self) -> float:
        """Effective number of draws after weighting, 1 / sum of squared weights."""
        return float(1.0 / np.exp(2.0 * self.log_weight).sum())

    def resampled(self, count: int, seed: int) -> Codes:
        """Indices of the draws to keep, in random order, (count,): each in proportion to its weight, rounded."""
        chance = np.random.default_rng([seed, 4])
        share = np.cumsum(np.exp(self.log_weight))
        places = (np.arange(count) + chance.random()) / count * share[-1]
        return chance.permutation(np.searchsorted(share, places, side="right").astype(np.int32))


def limit_of_k(effective: float, count: float) -> float:
    """Largest k at which weighted draws may replace NUTS: higher where weights of `count` draws are nearly even."""
    return _EVEN_K if effective >= _EVEN * count else BELIEVED_K


def unchecked_weights(count: int, absence: str) -> Importance:
    """Equal weights of draws without ratios, and the reason."""
    return Importance(float("nan"), np.full(count, -np.log(count)), absence)


def importance(log_ratio: Floats) -> Importance:
    """Smoothed importance weights; log_ratio (draw,)."""
    ratio = np.asarray(log_ratio, dtype=np.float64)
    if ratio.size < FEWEST:
        return unchecked_weights(ratio.size, f"fewer than {FEWEST} draws")
    if np.ptp(ratio) < _SAME:
        return Importance(0.0, np.full(ratio.size, -np.log(ratio.size)))
    log_weight, shape = smooth_log_ratios(ratio[None])
    k, raw = float(shape[0]), Importance(float(shape[0]), ratio - np.logaddexp.reduce(ratio))
    return raw if k >= _TRUSTED_K and raw.harmless else Importance(k, log_weight[0])
