"""Every model of the catalogue by weighted normal draws: Pareto k, effective draws and CPU seconds, on simulated games.

python benchmarks/bench_normal.py [ROW ...] > benchmarks/normal.md
HALFPOINT_DATA_DIR=... python benchmarks/bench_normal.py study >> benchmarks/normal.md

600 SIMULATED games of eight players and twelve rated opponents over six months, outcomes from Davidson's formula;
4,000 draws; seconds are those of the process with compiled kernels and one BLAS thread.
"""

import sys
import time

import numpy as np
import records
from bench_rows import selection
from threadpoolctl import threadpool_limits

from halfpoint.inference.errors import InferenceError
from halfpoint.inference.fit import fit
from halfpoint.inference.gaussian.hyperparameter_grid import HyperparameterGrid
from halfpoint.inference.gaussian.variational import VariationalProblem
from halfpoint.inference.gaussian.weighted_draws import draw_weighted
from halfpoint.models.declaration.catalogue import CATALOGUE, declare
from halfpoint.models.games.select import select
from halfpoint.readers.datasets.study import monitored_names, training

DRAWS = 4000
STUDIED = (
    "bt-population",
    "davidson-population",
    "davidson-all-draws",
    "bt-walk",
    "davidson-walk",
    "davidson-walk-scaled",
)


def study(rows):
    """Print effective draws a CPU second of the whole call on the study's games."""
    print("\n" + records.mark("python benchmarks/bench_normal.py study"))
    print(f"The study's games: CPU seconds of declaring, fitting, {DRAWS:,} draws and the trace, all together.\n")
    print("| row | z | k | effective | CPU s | effective draws a CPU s | verdict |\n|---|--:|--:|--:|--:|--:|---|")
    games = select(training(), monitored_names())
    for name in rows:
        for draws in (25, DRAWS // 4):  # kernels first
            began = time.process_time()
            declared = declare(name, games, "described")
            tree = fit(declared, "normal", draws=draws, pointwise_draws=0)
            spent = time.process_time() - began
        k, effective = tree.attrs["pareto_k"], tree.attrs.get("effective_draws", np.nan)
        said = "doubted" if tree.attrs["approximate"] else "believed"
        cells = (
            name,
            declared.layout.count,
            f"{k:.2f}",
            f"{effective:.0f}",
            f"{spent:.2f}",
            f"{effective / spent:.0f}",
            said,
        )
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def main(rows):
    """Print the table."""
    games = selection()
    print(records.mark("python benchmarks/bench_normal.py"))
    print(f"{__doc__}\n| row | z | thetas | k | effective of {DRAWS:,} | fit, CPU s | draws, CPU s | auto |")
    print("|---|--:|--:|--:|--:|--:|--:|---|")
    with threadpool_limits(1, user_api="blas"):
        for name in rows:
            try:
                declared = declare(name, games)
                draw_weighted(HyperparameterGrid(VariationalProblem(declared)), 50, 1)  # kernels
                began = time.process_time()
                nested = HyperparameterGrid(VariationalProblem(declared))
                fitted = time.process_time()
                found = draw_weighted(nested, DRAWS, 1)
            except InferenceError as error:
                print(f"| {name} | {error} |", flush=True)
                continue
            problem, k = nested.problem, found.weights.pareto_k
            cells = (
                name, problem.size, nested.count, f"{k:.2f}", f"{found.weights.effective:.0f}",
                f"{fitted - began:.2f}", f"{time.process_time() - fitted:.2f}",
                f"moves: {found.faults[0]}" if found.faults else "weights",
            )  # fmt: skip
            print(f"| {' | '.join(map(str, cells))} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["study"]:
        study(sys.argv[2:] or STUDIED)
    else:
        main(sys.argv[1:] or CATALOGUE)
