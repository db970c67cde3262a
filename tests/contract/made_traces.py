"""A trace of any row of the catalogue without a sampler: points near the start, the rest by the model's graph."""

from functools import cache
from pathlib import Path

import make_beyond_logp as outside
import numpy as np
import pytensor
import xarray as xr
from pytensor.compile.mode import Mode

from halfpoint.games.readers.csv_files import read_csv
from halfpoint.games.select import select
from halfpoint.inference.sample import assemble
from halfpoint.models.beyond import EXTENDED
from halfpoint.models.catalogue import MODELS, declare

INTERPRETED = Mode(linker="py", optimizer=None)  # small graphs, evaluated a few times: not worth a compile
GAMES = Path(__file__).parent.parent / "reference" / "beyond_games.csv"
ROWS = (*MODELS, *EXTENDED)
CHAINS, DRAWS = 2, 6


@cache
def played():
    """Return 23 invented games of six players over five periods, with ratings and a covariate."""
    return read_csv(GAMES, covariates=("rapid",))


@cache
def chosen(data="anchored"):
    """Return the selection of four players, two opponents anchored, or of all six players and nobody anchored."""
    return select(played(), outside.DATA[data], "any" if data == "anchored" else "both")


@cache
def declared(name, data="anchored"):
    """Return a row of the catalogue declared on these games."""
    return declare(name, chosen(data))


def points(model, count, seed=1, size=0.3):
    """Return sampled points near the start, as mappings of value variable to array."""
    rng = np.random.default_rng(seed)
    start = model.initial_point()
    return [
        {key: value + size * rng.standard_normal(np.shape(value)) for key, value in start.items()} for _ in range(count)
    ]


def posterior_of(model, seed=1):
    """Return draws of everything that a trace shows, dims chain, draw and the variable's own."""
    shown = [*model.deterministics, *(v for v in model.free_RVs if not v.name.endswith("_raw"))]
    outputs = model.replace_rvs_by_values([model[v.name] for v in shown])
    compute = pytensor.function(model.value_vars, outputs, mode=INTERPRETED, on_unused_input="ignore")
    values = [compute(*(p[v.name] for v in model.value_vars)) for p in points(model, CHAINS * DRAWS, seed)]
    data = {}
    for number, variable in enumerate(shown):
        stacked = np.stack([value[number] for value in values])
        dims = ("chain", "draw", *(model.named_vars_to_dims.get(variable.name) or ()))
        data[variable.name] = (dims, stacked.reshape(CHAINS, DRAWS, *stacked.shape[1:]))
    used = {dim for dims, _ in data.values() for dim in dims}
    coords = {key: list(labels) for key, labels in model.coords.items() if key in used}
    return xr.Dataset(data, coords={"chain": range(CHAINS), "draw": range(DRAWS), **coords})


@cache
def trace(name, data="anchored"):
    """Return the trace of a row; its verdict is that a dozen draws are too few."""
    one = declared(name, data)
    posterior = posterior_of(one.model)
    statistics = xr.Dataset({"diverging": (("chain", "draw"), np.zeros((CHAINS, DRAWS), dtype=bool))})
    return assemble(one, posterior, statistics, {"draws": DRAWS, "tune": 0, "chains": CHAINS, "seed": 1}, None)
