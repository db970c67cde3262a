"""Estimates from draws with their Monte Carlo errors, halfpoint's and the study's."""

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot, sqrt

import numpy as np
from arviz_stats.base import array_stats

from halfpoint.evaluation.scores import Floats
from halfpoint.models.rhat_ess import mean_error

STUDY_DRAWS = 4000  # draws a chain the study kept (Pires 2014, section 3.2); its three chains give less error


@dataclass(frozen=True)
class Estimate:
    """Number with its errors, from draws."""

    value: float  # the estimate
    mc_error: float = 0.0  # its Monte Carlo standard error
    sd: float = 0.0  # standard deviation over draws of the averaged value; 0 if it is not a mean
    low: float = float("nan")  # ends of the 95% highest density interval over draws; NaN where not asked for
    high: float = float("nan")


def posterior_mean(draws: Floats) -> Estimate:
    """Mean, Monte Carlo error, standard deviation and 95% highest density interval of draws (chain, draw)."""
    low, high = array_stats.hdi(draws.ravel(), prob=0.95)
    return Estimate(float(draws.mean()), mean_error(draws), float(draws.std(ddof=1)), float(low), float(high))


def batch_error(draws: Floats, statistic: Callable[[Floats], float]) -> Estimate:
    """A statistic of draws (chain, draw, ...), with a Monte Carlo error from batches of each chain."""
    pieces = max(1, min(4, draws.shape[1] // 2))
    batches = np.array([statistic(part) for chain in draws for part in np.array_split(chain, pieces)])
    return Estimate(statistic(draws.reshape(-1, *draws.shape[2:])), float(batches.std(ddof=1) / np.sqrt(batches.size)))


def both_errors(estimate: Estimate) -> float:
    """Monte Carlo error of our posterior mean less the study's, which comes from one chain."""
    return hypot(estimate.mc_error, estimate.sd / sqrt(STUDY_DRAWS))
