"""Trace of races without sampling: draws around known strengths."""

import numpy as np
import xarray as xr

from halfpoint.apps.fields.races.model import Fitted, Sampling, declare_races, in_elo, trace_of
from halfpoint.inference.diagnostics.convergence import diagnose


def made_trace(table, strength, draws=600, sd=0.1, seed=1):
    """Trace of independent draws around strengths, shape (competitor,)."""
    rng = np.random.default_rng(seed)
    shape, coords = (2, draws, len(strength)), {"player": table.competitors.astype(object)}
    values = strength + sd * rng.standard_normal(shape)
    posterior = xr.Dataset(
        {"strength": (("chain", "draw", "player"), values),
         "strength_spread": (("chain", "draw"), 1.0 + 0.1 * rng.random(shape[:2])),
         "log_tie": (("chain", "draw", "tied"), -4.0 + rng.standard_normal((*shape[:2], 1)))},
        coords=coords | {"chain": np.arange(2), "draw": np.arange(draws), "tied": [2]},
    )  # fmt: skip
    statistics = xr.Dataset({"diverging": (("chain", "draw"), np.zeros(shape[:2], dtype=bool))})
    posterior = in_elo(posterior)
    fitted = Fitted(posterior, statistics, diagnose(posterior, statistics, True), "", 0.9)
    return trace_of(declare_races(table), fitted, Sampling(draws=draws, chains=2))
