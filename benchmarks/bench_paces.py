"""Rows whose players walk at paces of their own by NUTS, beside another commit: divergences and effective draws.

    python benchmarks/bench_paces.py PYTHON      PYTHON: the interpreter of a checkout of the other commit

SIMULATED files of three shapes, strengths that walk by quarters, each player at a pace of their own: "few", 600 games
of 8 players in two quarters against rated opponents (bench_normal.py); "long", 8 players, 20 quarters of 4 rounds,
paces that differ much; "still", 20 players, 4 quarters of 4 rounds, hardly anybody moves. 4 x (200 + 1,000) draws at
five seeds as `sample` begins, by turns with the other commit; the least bulk effective number of all that a trace
keeps, over CPU seconds of sampling.
"""

import json
import subprocess
import sys
import time

import numpy as np
import records
from bench_metric import least
from bench_normal import selection

from halfpoint.games.select import select
from halfpoint.games.table import GameTable, code_players
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.nuts import all_draws, split_raw_trace
from halfpoint.inference.reweighted_sampler import first_plan
from halfpoint.models.catalogue import declare

SEEDS = (1, 2, 3, 4, 5)
ROWS = ("davidson-volatility-walk", "bt-volatility-walk", "davidson-stochastic-variance-walk")
# players, quarters, rounds, seed, spread of the logarithms of paces, pace in the middle
SHAPES = {"few": None, "long": (8, 20, 4, 2, 0.8, 0.12), "still": (20, 4, 4, 3, 0.2, 0.02)}


def league(players, quarters, rounds, seed, apart, middle):
    """Games of pairs drawn at random, Davidson's formula."""
    rng = np.random.default_rng(seed)
    pace = middle * np.exp(apart * rng.standard_normal(players))
    strength = 0.6 * rng.standard_normal(players)[:, None]
    strength = strength + np.cumsum(rng.standard_normal((players, quarters)) * pace[:, None], axis=1)
    order = np.array([rng.permutation(players) for _ in range(quarters * rounds)])
    white, black = order[:, 0:-1:2].ravel(), order[:, 1::2].ravel()
    quarter = np.repeat(np.arange(quarters), rounds * (players // 2))
    x = strength[white, quarter] - strength[black, quarter] + 0.15
    shares = np.column_stack([np.exp(-x / 2), np.full(x.size, 0.6), np.exp(x / 2)])
    below = rng.random(x.size)[:, None] * shares.sum(axis=1, keepdims=True) >= shares.cumsum(axis=1)[:, :2]
    names = np.array([f"P{number:02d}" for number in range(players)])
    people, one, other = code_players(names[white], names[black])
    return select(GameTable(people, one, other, below.sum(axis=1) / 2.0, period=3 * quarter + 1), people, "both")


def work():
    """Answer for each line of a row and a shape, then a seed a line, with one of results."""
    for line in sys.stdin:
        row, shape, seed = json.loads(line)
        declared = declare(row, selection() if SHAPES[shape] is None else league(*SHAPES[shape]))
        model, plan = compile_declared(declared).model, first_plan(declared, Effort())
        start = time.process_time()
        posterior, statistics = split_raw_trace(all_draws(model, plan, Effort(seed=seed, cores=1)))
        spent = time.process_time() - start
        faults, steps = int(statistics["diverging"].sum()), float(statistics["n_steps"].mean())
        print(json.dumps([declared.layout.count, faults, steps, least(posterior), spent]), flush=True)


def main(python):
    """Print the table."""
    sides = [
        subprocess.Popen([one, __file__, "work"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for one in (sys.executable, python)
    ]

    def ask(side, *task):
        sides[side].stdin.write(json.dumps(task) + "\n")
        sides[side].stdin.flush()
        return json.loads(sides[side].stdout.readline())

    print(f"{__doc__}\n{records.mark('python benchmarks/bench_paces.py PYTHON')}\n")
    heads = "row", "file", "numbers", "divergences, there", "here", "steps, there", "here", "effective, there", "here"
    heads += "effective a CPU s, there", "here", "ratio"
    print(f"| {' | '.join(heads)} |\n|---|---|{'--:|' * (len(heads) - 2)}", flush=True)
    for row in ROWS:
        for shape in SHAPES:
            for side in (0, 1):
                ask(side, row, shape, 99)  # kernels
            found = np.array([[ask(side, row, shape, seed) for side in (1, 0)] for seed in SEEDS])
            count, faults, steps, size, spent = np.moveaxis(found, 2, 0)
            rate = size.sum(axis=0) / spent.sum(axis=0)
            cells = [row, shape, f"{count[0, 0]:.0f}", *(f"{one:.0f}" for one in faults.sum(axis=0))]
            cells += [f"{one:.1f}" for one in steps.mean(axis=0)] + [f"{one:,.0f}" for one in size.mean(axis=0)]
            cells += [f"{one:,.0f}" for one in rate] + [f"{rate[1] / rate[0]:.1f}"]
            print(f"| {' | '.join(cells)} |", flush=True)
    for one in sides:
        one.stdin.close()
        one.wait()


if __name__ == "__main__":
    work() if sys.argv[1] == "work" else main(sys.argv[1])
