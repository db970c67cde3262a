"""Did the sampler converge? Thresholds of the literature, and a verdict in words.

R-hat      rank-normalised split R-hat below 1.01                     Vehtari et al. (2021), Bayesian Analysis 16:667
ESS        bulk and tail effective sample size at least 100 a chain   the same
divergent  no divergent transition                                    Betancourt (2017), arXiv:1701.02434
E-BFMI     energy fraction of missing information at least 0.3        Betancourt (2016), arXiv:1604.00695
"""

from dataclasses import dataclass

import arviz as az
import numpy as np
import xarray as xr

MAX_RHAT = 1.01
MIN_ESS_PER_CHAIN = 100
MIN_EBFMI = 0.3


@dataclass(frozen=True)
class Diagnosis:
    """The worst figures over all parameters, and what follows.

    Parameters
    ----------
    max_rhat : float
        Largest rank-normalised split R-hat.
    min_ess_bulk, min_ess_tail : float
        Smallest effective sample sizes.
    divergences : int
        Divergent transitions after tuning.
    min_ebfmi : float
        Smallest E-BFMI of a chain; NaN if the sampler records no energy.
    faults : tuple of str
        What fails, in words; empty if nothing does.
    """

    max_rhat: float
    min_ess_bulk: float
    min_ess_tail: float
    divergences: int
    min_ebfmi: float
    faults: tuple[str, ...]

    @property
    def converged(self) -> bool:
        """Whether nothing fails."""
        return not self.faults

    @property
    def verdict(self) -> str:
        """The verdict in words."""
        return "converged" if self.converged else "NOT CONVERGED: " + "; ".join(self.faults)


def diagnose(posterior: xr.Dataset, sample_stats: xr.Dataset) -> Diagnosis:
    """Return the diagnosis of sampled chains.

    Parameters
    ----------
    posterior : xarray.Dataset
        Parameters with dims chain, draw; `rating_elo` is skipped where it repeats another variable.
    sample_stats : xarray.Dataset
        With `diverging` and, if recorded, `energy`; dims chain, draw.

    Returns
    -------
    Diagnosis
    """
    names = [name for name in posterior.data_vars if name != "rating_elo"] or ["rating_elo"]
    parameters = posterior[names]

    def worst(values: xr.Dataset, largest: bool) -> float:
        every = np.concatenate([np.atleast_1d(value.to_numpy()).ravel() for value in values.data_vars.values()])
        if np.isnan(every).any():
            return float("nan")
        return float(every.max() if largest else every.min())

    chains = parameters.sizes["chain"]
    with np.errstate(divide="ignore", invalid="ignore"):  # a parameter that never moves gives NaN, a fault below
        rhat = worst(az.rhat(parameters), True) if chains > 1 else float("nan")
        bulk = worst(az.ess(parameters, method="bulk"), False)
        tail = worst(az.ess(parameters, method="tail", prob=0.9), False)
    divergences = int(sample_stats["diverging"].sum()) if "diverging" in sample_stats else 0
    ebfmi = float("nan")
    if "energy" in sample_stats:
        energy = sample_stats["energy"].transpose("chain", "draw").to_numpy()
        ebfmi = float(np.min((np.diff(energy, axis=1) ** 2).mean(axis=1) / energy.var(axis=1)))
    needed = MIN_ESS_PER_CHAIN * chains
    faults = []
    if not rhat < MAX_RHAT:
        faults.append(f"R-hat {rhat:.3f}, should be below {MAX_RHAT}" if chains > 1 else "one chain only, no R-hat")
    if not bulk >= needed:
        faults.append(f"bulk ESS {bulk:.0f}, should be at least {needed}")
    if not tail >= needed:
        faults.append(f"tail ESS {tail:.0f}, should be at least {needed}")
    if divergences:
        faults.append(f"{divergences} divergent transitions, should be none")
    if ebfmi < MIN_EBFMI:
        faults.append(f"E-BFMI {ebfmi:.2f}, should be at least {MIN_EBFMI}")
    return Diagnosis(rhat, bulk, tail, divergences, ebfmi, tuple(faults))
