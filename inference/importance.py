r"""How far an approximation can be trusted: importance ratios of its draws, and their Pareto k.

    log r_s = log p(x_s, games) - log q(x_s),   x_s drawn from q

The largest ratios follow a generalised Pareto distribution with shape k; below 0.7 importance sampling mends the
approximation, above it the approximation misses part of the posterior (Vehtari, Simpson, Gelman, Yao & Gabry 2024,
JMLR 25:72; Yao, Vehtari, Simpson & Gelman 2018, ICML, for k as a judge of variational approximations). In hundreds of
dimensions k is above 0.7 even where every marginal is right: then compare with NUTS.
"""

import math
from dataclasses import dataclass

import numpy as np
from arviz_stats.base import array_stats

from halfpoint.games.table import Floats

TRUSTED_K = 0.7


@dataclass(frozen=True, eq=False)
class Importance:
    """Smoothed importance weights of an approximation's draws.

    Parameters
    ----------
    pareto_k : float
        Shape of the tail of the ratios.
    log_weight : array of float, shape (draw,)
        Smoothed log weights; their exponentials sum to 1.
    """

    pareto_k: float
    log_weight: Floats

    @property
    def trusted(self) -> bool:
        """Whether the weights mend the approximation."""
        return self.pareto_k < TRUSTED_K

    @property
    def effective(self) -> float:
        """Effective number of draws after weighting, 1 / sum of squared weights."""
        return float(1.0 / np.exp(2.0 * self.log_weight).sum())

    def verdict(self, method: str) -> str:
        """Return the verdict in words."""
        if math.isnan(self.pareto_k):
            return f"APPROXIMATE ({method}), not checked against the posterior"
        what = "weights mend it" if self.trusted else "compare with NUTS"
        return f"APPROXIMATE ({method}), Pareto k {self.pareto_k:.2f}: {what}"


def importance(log_ratio: Floats) -> Importance:
    """Return smoothed importance weights.

    Parameters
    ----------
    log_ratio : array of float, shape (draw,)
        Log posterior minus log density of the approximation, up to a constant.

    Returns
    -------
    Importance
    """
    # ArviZ takes log likelihoods, whose reciprocals leave-one-out weighs by: it turns the sign itself
    log_weight, k = array_stats.psislw(-np.asarray(log_ratio, dtype=np.float64))
    log_weight = np.asarray(log_weight) - np.logaddexp.reduce(log_weight)
    return Importance(float(k), log_weight)
