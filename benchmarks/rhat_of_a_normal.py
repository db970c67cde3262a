"""The largest R-hat that NUTS gives on a standard normal of 2,000 dimensions, by draws a chain: python FILE.

No posterior of 2,000 parameters is easier, so what this leaves above 1.01 is the length of the chains, not a model.
"""

from typing import Any

import arviz as az
import numpy as np
import nutpie
from nutpie.compiled_pyfunc import from_pyfunc

DIMENSIONS = 2000


def density() -> Any:
    return lambda point: (-0.5 * float(point @ point), -point)


def expand(*_: Any) -> Any:
    return lambda point: {"x": point}


def start(seed: Any) -> Any:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, DIMENSIONS)


print("| draws a chain | largest R-hat | smallest bulk ESS | smallest tail ESS |\n|---:|---:|---:|---:|")
for draws in (500, 1000, 1500):
    kind = np.dtype("float64")
    model = from_pyfunc(DIMENSIONS, density, expand, [kind], [(DIMENSIONS,)], ["x"], make_initial_point_fn=start)
    trace = nutpie.sample(
        model, draws=draws, tune=500, chains=4, cores=2, seed=1, save_warmup=False, progress_bar=False
    )
    drawn = trace["posterior"].to_dataset()["x"]
    rhat, bulk = float(az.rhat(drawn).max()), float(az.ess(drawn).min())
    tail = float(az.ess(drawn, method="tail", prob=0.9).min())
    print(f"| {draws} | {rhat:.4f} | {bulk:.0f} | {tail:.0f} |")
