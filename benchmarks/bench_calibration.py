"""Simulation-based calibration of every model by the method `auto`, as in `rate`.

python benchmarks/bench_calibration.py [--seed SEED] [--seconds S] [ROW ...] > benchmarks/calibration.md

Small designs with narrow priors (`halfpoint.inference.calibration_designs`): five players, four anchored opponents, 60
games. Each data set is fitted with 4,000 normal draws. Ranks are computed for data sets whose draws pass the checks, as
in `auto`; for the others `auto` uses NUTS, which is calibrated separately (docs/default.md). The checks depend on the
games alone, so ranks of the accepted data sets are uniform, too. "Outside": number of parameters whose ranks leave
their 99% band, and number of parameters; "smallest p": the smallest p value of the parameters by the deviation of the
whole curve of ranks from uniform (Saeilynoja, Buerkner & Vehtari 2022), and this p times their number. A model is
called wrong if a parameter leaves the bands that contain all its parameters in 99 of 100 runs. A model gets 100 data
sets, or as many as 35 CPU seconds allow; it is left to NUTS if fewer than 5 of the first 20 are accepted. One process,
compiled kernels.
"""

import argparse
import time
from functools import cache

import numpy as np
import records
from scipy.stats import binom

from halfpoint.inference.calibration_designs import calibratable, experiment
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.simulation_based_calibration import calibrate, join_ranks

SEED, MOST, LONGEST_S = 11, 100, 35.0
FIRST, FEW = 20, 5  # data sets, and those of them believed, below which a row is left to NUTS
LEAST = 10  # believed data sets whose ranks are judged
NULL = 20_000  # uniform samples behind a p


@cache
def null(size):
    """Tails of shares below each point, shape (point, count), and the smallest tails of uniform samples."""
    points = np.arange(1, size) / size
    count = np.arange(size + 1)
    tail = 2.0 * np.minimum(binom.cdf(count, size, points[:, None]), binom.sf(count - 1, size, points[:, None]))
    sample = np.random.default_rng(3).random((NULL, size))
    return points, tail, np.sort([smallest(one, points, tail) for one in sample])


def smallest(uniform, points, tail):
    """Smallest tail of the counts below the points."""
    counts = np.searchsorted(np.sort(uniform), points, side="right")
    return tail[np.arange(points.size), counts].min()


def p_values(ranks, seed=1):
    """Share of uniform samples with at least this deviation, by parameter."""
    rng, found = np.random.default_rng(seed), {}
    for name, rank in ranks.rank.items():
        points, tail, least = null(rank.size)
        here = smallest((rank + rng.random(rank.size)) / (ranks.draws + 1), points, tail)
        found[name] = (1 + np.searchsorted(least, here * (1 + 1e-9), side="right")) / (1 + NULL)
    return found


def believed(name, seed=SEED, longest=LONGEST_S):
    """Ranks of accepted data sets, number of data sets, CPU seconds, and the first error."""
    chosen, found, error, tried, began = experiment(name), [], "", 0, 0.0
    for k in range(MOST + 1):
        try:
            one = calibrate(chosen, MOST, seed, part=range(k, k + 1), method="normal")
        except InferenceError as why:
            one, error = None, error or str(why)
        if k == 0:  # kernels
            began = time.process_time()
            continue
        tried, spent = tried + 1, time.process_time() - began
        found += [one] if one is not None and one.normal[0] else []
        if spent > longest or (tried >= FIRST and len(found) < FEW):
            break
    return found, tried, spent, error


def line(name, seed=SEED, longest=LONGEST_S):
    """Cells of a row of the table."""
    found, tried, spent, error = believed(name, seed, longest)
    if len(found) < LEAST:
        return [name, tried, len(found), "", "", f"{spent:.0f}", f"too few: NUTS{error and ': ' + error}"]
    ranks = join_ranks(found)
    p, count = p_values(ranks), len(ranks.rank)
    least = min(p, key=p.get)
    wrong = [key for key, by in ranks.outside(1.0 - 0.01 / count).items() if by > 0]
    outside = sum(by > 0 for by in ranks.outside(0.99).values())
    said = f"WRONG: {', '.join(wrong)}" if wrong else "calibrated"
    chance = f"{p[least]:.4f} ({least}), {min(1.0, count * p[least]):.2f}"
    return [name, tried, len(found), f"{outside} of {count} ({0.01 * count:.2f})", chance, f"{spent:.0f}", said]


def main():
    """Print the table."""
    asked = argparse.ArgumentParser()
    asked.add_argument("rows", nargs="*")
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--seconds", type=float, default=LONGEST_S)
    given = asked.parse_args()
    heads = "row", "simulations", "normal draws believed", "outside 99% (by chance)", "smallest p, times parameters"
    print(f"# Calibration of the normal draws\n\n{records.mark('python benchmarks/bench_calibration.py')}{__doc__}")
    print(f"| {' | '.join(heads)} | CPU s | verdict |")
    print("|---|--:|--:|---|---|--:|---|")
    for name in given.rows or calibratable():
        print(f"| {' | '.join(map(str, line(name, given.seed, given.seconds)))} |", flush=True)


if __name__ == "__main__":
    main()
