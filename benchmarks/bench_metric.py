"""NUTS in coordinates that are nearly normal beside NUTS in units: effective draws a CPU second, metric.md.

    python benchmarks/bench_metric.py [FILE ...] > benchmarks/metric.md

SIMULATED files: those of tests/outside/kinds.py, rows on the games of bench_normal.py, and opens of 40 players and five
rounds, where some win or lose every game. 4 x (200 + 1,000) draws in either coordinates at three seeds, compiled
before; the least bulk effective number of all that a trace keeps, over seconds of sampling, and of the fit of the map
(`halfpoint.inference.nested_coordinates`) where there is one. "Bounded by the prior": players who won or lost all
against the others. Rows for which no map serves are sampled in units as before.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import records
from bench_normal import selection

from halfpoint import workflows
from halfpoint.games.components import unbounded_players
from halfpoint.games.select import select
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.loops.engine import numbers_of
from halfpoint.inference.nested_coordinates import straightened
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.inference.reweighted_sampler import first_plan
from halfpoint.models.catalogue import CATALOGUE, declare
from halfpoint.models.rhat_ess import rhat_and_ess

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "outside"))
from kinds import KINDS

SEEDS = (1, 2, 3)
ROWS = {"separated": "davidson-population", "swiss": "davidson-population", "club evening": "davidson-population"}
ROWS |= {"open 1": "davidson-population", "open 2": "davidson-population"}
ROWS |= {name: name for name in ("davidson-all-draws", "davidson-rated", "bt-pooled", "davidson-walk", "margin-walk")}
ROWS |= {name: name for name in ("davidson-population-walk", "listed", "davidson-volatility-walk")}


def declared_of(name):
    """A file or row of this name, declared."""
    row = ROWS[name]
    if name in CATALOGUE:
        return declare(name, selection())
    if name.startswith("open"):
        table = workflows.simulate(games=100, players=40, seed=int(name[-1]))[0]
    else:
        with TemporaryDirectory() as folder:
            table = workflows.rate(KINDS[name].make(Path(folder))[0], model=row, method="normal").selection.games
    return declare(row, select(table, table.people))


def least(posterior):
    """The least bulk effective number of all numbers that move."""
    found = []
    for value in posterior.data_vars.values():
        draws = value.transpose("chain", "draw", ...).to_numpy()
        draws = np.moveaxis(draws.reshape(*draws.shape[:2], -1), 2, 0)
        found.append(rhat_and_ess(draws[draws.std(axis=(1, 2)) > 1e-12])[1])
    return float(np.concatenate(found).min())


def main(names):
    """Print the table."""
    print(f"{__doc__}\n{records.mark('python benchmarks/bench_metric.py')}\n")
    heads = "file", "row", "numbers", "bounded by the prior", "effective, units", "normal", "steps, units", "normal"
    heads += "divergences, units", "normal", "map, CPU s", "effective a CPU s, units", "normal", "ratio", "by seed"
    print(f"| {' | '.join(heads)} |\n|---|---|{'--:|' * (len(heads) - 2)}", flush=True)
    for name in names:
        declared, found, fitted = declared_of(name), [], 0.0
        models = {straight: compile_declared(declared, straight=straight) for straight in (False, True)}
        cells = [name, declared.spec.name, str(declared.layout.count)]
        cells += [str(int(unbounded_players(declared.cells).sum()))]
        if not models[True].straight:
            print(f"| {' | '.join(cells)} | none serves{' |' * (len(heads) - 4)}", flush=True)
            continue
        for straight in (False, True):
            plan = first_plan(declared, Effort())
            all_draws(models[straight].model, replace(plan, draws=20, tune=20), Effort(chains=1))
        start = time.process_time()
        straightened(declared, numbers_of(declared), declared.layout, None)
        fitted = time.process_time() - start
        for seed in SEEDS:
            for straight in (False, True) if seed % 2 else (True, False):
                start, plan = time.process_time(), first_plan(declared, Effort())
                raw = all_draws(models[straight].model, plan, Effort(seed=seed, cores=1))
                seconds = time.process_time() - start + (fitted if straight else 0.0)
                posterior, statistics = split_raw_trace(raw)
                steps, faults = float(statistics["n_steps"].mean()), int(statistics["diverging"].sum())
                found.append((straight, least(posterior), seconds, faults, steps))
        table = np.array(sorted(found, key=lambda one: one[0])).reshape(2, len(SEEDS), 5)
        size, seconds, faults, steps = (table[..., k] for k in (1, 2, 3, 4))
        rate, each = size.sum(axis=1) / seconds.sum(axis=1), (size[1] / seconds[1]) / (size[0] / seconds[0])
        cells += [f"{value:,.0f}" for value in size.mean(axis=1)] + [f"{value:.1f}" for value in steps.mean(axis=1)]
        cells += [f"{value:.0f}" for value in faults.sum(axis=1)] + [f"{fitted:.2f}"]
        cells += [f"{value:,.0f}" for value in rate]
        cells += [f"{rate[1] / rate[0]:.1f}", f"{each.min():.1f} to {each.max():.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or list(ROWS))
