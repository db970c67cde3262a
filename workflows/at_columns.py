"""Values of a model's own columns in games of which only the players are known: `--at rapid=1`, else their means."""

import json
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import xarray as xr

from halfpoint.games.errors import GameTableError
from halfpoint.models.games import OWN
from halfpoint.models.reads import Reads
from halfpoint.models.trace_attributes import READS, reads_in


def at_columns(tree: xr.DataTree, at: Mapping[str, float] | None) -> xr.DataTree:
    """Trace whose own columns have some values in games of which only the players are known."""
    if not at:
        return tree
    reads = reads_in(tree.attrs)
    for name, value in at.items():
        if name not in reads.requested:
            columns = ", ".join(reads.requested) or "none"
            raise GameTableError("--at", f"columns that the model reads ({columns})", repr(name))
        if not np.isfinite(value):
            raise GameTableError("--at", f"a number for {name}", repr(value))
    means = {**reads.means, **{OWN + name: float(value) for name, value in at.items()}}
    result = tree.copy()
    result.attrs = {**tree.attrs, READS: json.dumps(replace(reads, means=means).as_record)}
    return result


def at_means(reads: Reads, at: Mapping[str, float] | None = None) -> str:
    """Sentence on columns that are not given: their means in the games of the fit; empty without any."""
    missing = {name: mean for name, mean in reads.requested.items() if name not in (at or {})}
    if not missing:
        return ""
    where = ", ".join(f"{name} = {mean:.6g}" for name, mean in missing.items())
    return f" Games are at {where} (means of the games of the fit; --at {next(iter(missing))}=NUMBER changes that)."
