"""Monte Carlo errors of posterior draws, and one limit for the distance of two sets of draws in the whole suite.

Draws differ between processors, so a comparison that passes with the draws of one machine shows little. The errors are
those of the tested posterior (ArviZ's: of a mean by the effective size, of a standard deviation by the fourth moment).
`LIMIT` is set for the suite: with 1,000 comparisons a false alarm in at most 1 of 1,000 runs. The errors are themselves
estimated from some 50 independent stretches of a chain, hence Student's t.
"""

import arviz_stats as azs
import numpy as np
import xarray as xr
from scipy.stats import t

COMPARISONS, FALSE_ALARM, STRETCHES = 1_000, 1e-3, 50
LIMIT = float(t.isf(0.5 * FALSE_ALARM / COMPARISONS, STRETCHES))  # 5.6 errors
CHAIN_AND_DRAW = ("chain", "draw")


def mean_error(values):
    """Monte Carlo error of the mean of draws, a DataArray with dims chain and draw."""
    return azs.mcse(values.rename("x"), method="mean")


def sd_error(values):
    """Monte Carlo error of the standard deviation of draws, from their fourth moment."""
    return azs.mcse(values.rename("x"), method="sd")


def independent_errors(values, effective):
    """Errors of mean and standard deviation of draws equivalent to a number of independent draws."""
    sd, away = values.std(CHAIN_AND_DRAW), values - values.mean(CHAIN_AND_DRAW)
    excess = (away**4).mean(CHAIN_AND_DRAW) / sd**4 - 1.0
    return sd / np.sqrt(effective), sd * np.sqrt(excess / (4.0 * effective))


def approximation_apart(drawn, effective, exact):
    """Largest distance of mean and standard deviation of weighted draws from a sampler's, in errors."""
    of_mean, of_sd = independent_errors(drawn, effective)
    means = largest(drawn.mean(CHAIN_AND_DRAW) - exact.mean(CHAIN_AND_DRAW), np.hypot(of_mean, mean_error(exact)))
    sds = largest(drawn.std(CHAIN_AND_DRAW) - exact.std(CHAIN_AND_DRAW), np.hypot(of_sd, sd_error(exact)))
    return max(means, sds)


def largest(distance, error):
    """Largest distance in units of its error; 0 where both are 0."""
    distance, error = np.broadcast_arrays(np.abs(distance), error)
    seen = (distance > 0) | (error > 0)
    return float(np.max(distance[seen] / error[seen], initial=0.0))


def means_apart(one, other):
    """Largest distance between the means of two sets of draws, in their errors."""
    return largest(one.mean(CHAIN_AND_DRAW) - other.mean(CHAIN_AND_DRAW), np.hypot(mean_error(one), mean_error(other)))


def sds_apart(one, other):
    """Largest distance between the standard deviations of two sets of draws, in their errors."""
    return largest(one.std(CHAIN_AND_DRAW) - other.std(CHAIN_AND_DRAW), np.hypot(sd_error(one), sd_error(other)))


def in_one(dataset: xr.Dataset) -> xr.DataArray:
    """All parameters of a posterior concatenated, dims chain, draw, entry."""
    parts = [dataset[name].to_numpy() for name in sorted(dataset.data_vars)]
    flat = np.concatenate([part.reshape(*part.shape[:2], -1) for part in parts], axis=2)
    return xr.DataArray(flat, dims=(*CHAIN_AND_DRAW, "entry"))
