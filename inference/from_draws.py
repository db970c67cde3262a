"""What a model's own graph says of its draws: deterministics and potentials recomputed from the sampled variables."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pymc as pm
import pytensor
import xarray as xr
from pytensor.compile.mode import Mode
from pytensor.graph.replace import clone_replace, vectorize_graph

INTERPRETED = Mode(linker="py", optimizer=None)  # no compiler: these graphs run a few times over all draws
CHUNK_VALUES = 2_000_000  # numbers of one variable at a time


def recomputed(model: pm.Model, variables: Sequence[Any], draws: xr.Dataset) -> list[npt.NDArray[Any]]:
    """Return variables of a model at its draws, each of shape (chain, draw, ...)."""
    inputs, given = {}, []
    for variable in model.free_RVs:
        values = draws[str(variable.name)].transpose("chain", "draw", ...).to_numpy()
        inputs[variable] = variable.type()
        given.append(values.reshape(-1, *values.shape[2:]).astype(variable.dtype))
    chains, count = values.shape[:2]
    outputs = clone_replace(list(variables), inputs)
    found = over_draws(list(inputs.values()), outputs, given)
    return [value.reshape(chains, count, *value.shape[1:]) for value in found]


def over_draws(inputs: list[Any], outputs: list[Any], given: list[npt.NDArray[Any]]) -> list[npt.NDArray[Any]]:
    """Return outputs at every draw, shape (draw, ...): in large steps, or draw by draw where an operator cannot."""
    single = pytensor.function(inputs, outputs, mode=INTERPRETED, on_unused_input="ignore")
    first = [np.asarray(value) for value in single(*(value[0] for value in given))]
    try:
        several = [pytensor.tensor.tensor(dtype=one.dtype, shape=(None, *one.type.shape)) for one in inputs]
        batched = vectorize_graph(outputs, dict(zip(inputs, several, strict=True)))
        together = pytensor.function(several, batched, mode=INTERPRETED, on_unused_input="ignore")
        step = max(1, CHUNK_VALUES // max(1, *(value[0].size for value in given), *(value.size for value in first)))
        parts = []
        for start in range(0, given[0].shape[0], step):
            chunk = [value[start : start + step] for value in given]
            found = zip(together(*chunk), first, strict=True)  # what no draw moves has no axis of draws
            parts.append([np.broadcast_to(one, (chunk[0].shape[0], *alone.shape)) for one, alone in found])
    except (NotImplementedError, TypeError, ValueError):
        parts = [
            [np.asarray(v)[None] for v in single(*(value[row] for value in given))] for row in range(len(given[0]))
        ]
    return [np.concatenate(part) for part in zip(*parts, strict=True)]
