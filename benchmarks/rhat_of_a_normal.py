"""The largest R-hat that NUTS gives on a standard normal of 2,000 dimensions, by draws a chain: python FILE.

No posterior of 2,000 parameters is easier, so what is left above 1.01 is the length of the chains, not a model. On a
normal, a trajectory of angle t takes (x, p) to x cos t + p sin t in all coordinates at once: squares of neighbouring
draws correlate by cos(t)^2; the angles of NUTS go round the circle, which leaves about 1/2, and R-hat looks at squares
too (it folds the draws about their median). Independent draws of the same number are beside it.
"""

from typing import Any

import arviz as az
import numpy as np
import nutpie
import records
from nutpie.compiled_pyfunc import from_pyfunc

DIMENSIONS = 2000


def density() -> Any:
    return lambda point: (-0.5 * float(point @ point), -point)


def expand(*_: Any) -> Any:
    return lambda point: {"x": point}


def start(seed: Any) -> Any:
    return np.random.default_rng(seed).uniform(-1.0, 1.0, DIMENSIONS)


def squares(drawn: Any) -> float:
    """The correlation of the squares of neighbouring draws, on average over coordinates."""
    square = drawn.to_numpy() ** 2 - 1.0
    return float((square[:, 1:] * square[:, :-1]).mean() / (square**2).mean())


print("| draws a chain | | largest R-hat | smallest bulk ESS | smallest tail ESS | correlation of squares |")
print("|---:|---|---:|---:|---:|---:|")
kind, figures = np.dtype("float64"), []
model = from_pyfunc(DIMENSIONS, density, expand, [kind], [(DIMENSIONS,)], ["x"], make_initial_point_fn=start)
for draws in (500, 1000, 1500):
    trace = nutpie.sample(
        model, draws=draws, tune=500, chains=4, cores=2, seed=1, save_warmup=False, progress_bar=False
    )
    alone = np.random.default_rng(1).normal(size=(4, draws, DIMENSIONS))
    ways = {
        "NUTS": trace["posterior"].to_dataset()["x"],
        "independent": az.from_dict({"posterior": {"x": alone}})["posterior"].to_dataset()["x"],
    }
    for way, drawn in ways.items():
        rhat, bulk = float(az.rhat(drawn).max()), float(az.ess(drawn).min())
        tail = float(az.ess(drawn, method="tail", prob=0.9).min())
        print(f"| {draws} | {way} | {rhat:.4f} | {bulk:.0f} | {tail:.0f} | {squares(drawn):.3f} |", flush=True)
        named = {"largest R-hat": rhat, "smallest bulk ESS": bulk, "smallest tail ESS": tail}
        named |= {"correlation of squares": squares(drawn)}
        figures += [records.figure(f"{draws} draws a chain, {way}: {name}", value) for name, value in named.items()]
records.write(
    "rhat_of_a_normal", "python benchmarks/rhat_of_a_normal.py", figures, dimensions=DIMENSIONS, chains=4, tune=500
)
