"""Rows sampled by the loops of their own graph: gradients, effective draws a CPU second, the price of an edit.

    .venv/bin/python benchmarks/bench_graph.py [ROW ...]

On the study's games or, without them, on the simulated replica: two chains of 500 draws after 500 of tuning, one core.
Run the same file in a checkout of an older commit, and the two stand side by side. `edited` is the row with a
potential on the mean strength.
"""

import sys
import time
import warnings
from typing import Any

import numpy as np
import nutpie
import records

import halfpoint as hp
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.models.catalogue import CATALOGUE, declare
from halfpoint.models.declared import Declared
from halfpoint.models.graph.pymc_import import pm
from halfpoint.models.rhat_ess import rhat_and_ess

DRAWS, CHAINS = 500, 2


def worst_ess(posterior: Any) -> float:
    """Smallest bulk effective sample size of all parameters that a trace keeps."""
    found = np.inf
    for name, value in posterior.data_vars.items():
        flat = value.transpose("chain", "draw", ...).to_numpy().reshape(CHAINS, DRAWS, -1).transpose(2, 0, 1)
        if not str(name).endswith(("_", "_raw", "_noncentred")) and flat.dtype.kind == "f":
            moving = flat[flat.std(axis=(1, 2)) > 0]
            found = min(found, rhat_and_ess(moving)[1].min()) if moving.size else found
    return float(found)


def measure(name: str, declared: Declared) -> None:
    """Print one line of the table."""
    start = time.process_time()
    compiled = compile_declared(declared)
    middle = time.process_time()
    tree = nutpie.sample(
        compiled.model, draws=DRAWS, tune=DRAWS, chains=CHAINS, cores=1, seed=1, progress_bar=False, save_warmup=True
    )
    spent = time.process_time() - middle
    steps = int(sum(tree[group]["n_steps"].sum() for group in ("sample_stats", "warmup_sample_stats")))
    ess, diverging = worst_ess(tree["posterior"].to_dataset()), int(tree["sample_stats"]["diverging"].sum())
    print(
        f"| {name} | {compiled.route} | {middle - start:.1f} | {spent:.2f} | {1e6 * spent / steps:.1f} | {ess:.0f} "
        f"| {ess / spent:.0f} | {diverging} |",
        flush=True,
    )


def main() -> None:
    """Measure the rows named, or all that fit the study's games."""
    warnings.simplefilter("ignore")
    played = hp.replica()
    chosen = hp.select(played.training, played.monitored)
    print(records.mark("python benchmarks/bench_graph.py"))
    print("| row | route | compile, CPU s | sample, CPU s | us a gradient | least ESS | ESS a CPU s | divergences |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    for name in sys.argv[1:] or CATALOGUE:
        try:
            measure(name, declare(name, chosen, "described"))
        except ValueError as error:
            print(f"| {name} | {str(error)[:60]} |", flush=True)
    declared = declare("davidson-player", chosen, "described")
    with declared.model:
        pm.Potential("level", pm.logp(pm.Normal.dist(15.6, 0.05), declared.model["strength"].mean()))
    measure("davidson-player, edited", declared)


if __name__ == "__main__":
    main()
