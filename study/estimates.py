"""Estimates from draws with their Monte Carlo errors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from arviz_stats.base import array_stats

from halfpoint.evaluation.scores import Floats
from halfpoint.models.mixing import mean_error


@dataclass(frozen=True)
class Estimate:
    """A number from draws."""

    value: float  # the estimate
    mc_error: float = 0.0  # its Monte Carlo standard error
    sd: float = 0.0  # standard deviation over draws of what is averaged; 0 where it is not a mean
    low: float = float("nan")  # ends of the 95% highest density interval over draws; NaN where not asked for
    high: float = float("nan")


def posterior_mean(draws: Floats) -> Estimate:
    """Return mean, Monte Carlo error, standard deviation and 95% highest density interval of draws (chain, draw)."""
    low, high = array_stats.hdi(draws.ravel(), prob=0.95)
    return Estimate(float(draws.mean()), mean_error(draws), float(draws.std(ddof=1)), float(low), float(high))


def batch_error(draws: Floats, statistic: Callable[[Floats], float], batches: int = 4) -> Estimate:
    """Return a statistic of draws (chain, draw, ...), with a Monte Carlo error from batches of each chain."""
    flat = draws.reshape(-1, *draws.shape[2:])
    pieces = max(1, min(batches, draws.shape[1] // 2))
    parts = [part for chain in draws for part in np.array_split(chain, pieces)]
    found = np.array([statistic(part) for part in parts])
    return Estimate(statistic(flat), float(found.std(ddof=1) / np.sqrt(found.size)))
