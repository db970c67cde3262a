"""Fit the same model again on more games: from where the last fit ended, and without compiling anew.

A catalogue model needs no compiling (see `compiled`), so a refit costs its sampling alone. Chains start around the last
posterior mean, carried over to the units of the new games, which saves tuning, not accuracy: the target is the same.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import xarray as xr

from halfpoint.games.table import Floats
from halfpoint.inference.compiled import compile_model
from halfpoint.inference.diagnose import Diagnosis, diagnose
from halfpoint.inference.limits import require_memory, require_settings
from halfpoint.inference.nuts import all_draws
from halfpoint.inference.sample import acceptance, free_level
from halfpoint.models.catalogue import Declared
from halfpoint.models.level import sampled

SAMPLED = "_raw"


@dataclass(frozen=True)
class Effort:
    """How much a refit samples.

    Parameters
    ----------
    draws, tune, chains : int
        Draws kept and tuning draws a chain, chains.
    seed : int
        Seed of the first fit; each further fit adds one.
    cores : int
        Chains at a time.
    """

    draws: int = 1000
    tune: int = 200
    chains: int = 4
    seed: int = 20140501
    cores: int = 2


def refit(declared: Declared, effort: Effort, means: dict[str, Floats] | None = None) -> tuple[xr.Dataset, Diagnosis]:
    """Return the posterior of a catalogue model and its diagnosis.

    Parameters
    ----------
    declared : Declared
        The model on the games so far.
    effort : Effort
        Draws, tuning, chains, seed.
    means : dict of str to array, optional
        Posterior means of an earlier fit by parameter, in the parameters' own units; chains start around them.

    Returns
    -------
    posterior : xarray.Dataset
        Draws of the parameters, dims chain, draw (and player).
    diagnosis : Diagnosis
    """
    require_settings(draws=effort.draws, tune=effort.tune, chains=effort.chains, cores=effort.cores)
    require_memory(declared, effort.draws, effort.tune, effort.chains, 0)
    compiled = compile_model(declared.model)
    ready = compiled.model
    if means is not None:
        ready = replace(ready, initial_point_func=start_around(declared, means))
    raw = all_draws(
        ready,
        draws=effort.draws,
        tune=effort.tune,
        chains=effort.chains,
        cores=effort.cores,
        seed=effort.seed,
        target_accept=acceptance(declared.model),
    )
    posterior = compiled.completed(raw["posterior"].to_dataset())
    kept = posterior[[str(name) for name in posterior.data_vars if not str(name).endswith(SAMPLED)]]
    return kept, diagnose(kept, raw["sample_stats"].to_dataset(), free_level(declared.cells, declared.entry))


def start_around(declared: Declared, means: dict[str, Floats]) -> Callable[[Any], Floats]:
    """Return nutpie's start of a chain: a point within one unit of earlier means, from the chain's seed."""
    pieces = []
    for variable in declared.model.free_RVs:
        name = variable.name.removesuffix(SAMPLED)
        pieces.append(np.atleast_1d(sampled(declared.model, name, means[name])).ravel())
    around = np.concatenate(pieces)

    def start(seed: Any) -> Floats:
        return around + np.random.default_rng(seed).uniform(-1.0, 1.0, size=around.size)

    return start


def posterior_means(declared: Declared, posterior: xr.Dataset) -> dict[str, Floats]:
    """Return the mean of each sampled parameter, in its own unit, to start the next fit from."""
    names = [variable.name.removesuffix(SAMPLED) for variable in declared.model.free_RVs]
    return {name: np.asarray(posterior[name].mean(("chain", "draw")).to_numpy()) for name in names}
