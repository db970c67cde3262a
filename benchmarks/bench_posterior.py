"""Posterior simulation-based calibration: CPU seconds of 200 refits, faults found and alarms; writes posterior.md."""

import time
from pathlib import Path

import numpy as np
import records

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.inference.calibration_designs import experiment
from halfpoint.inference.simulation_based_calibration import Ranks, calibrate

DRAWS, LARGE, SMALL, RUNS, REFITS, EVERY = 250, 5_000, 300, 100, 20, 200
HEAD = """# Does a model hold on a file?

By `benchmarks/bench_posterior.py`: `calibrate --posterior` by `--method auto` with {draws:,} draws a fit, one process.

| row | players | games | refits | believed | CPU s | outside |
|---|--:|--:|--:|--:|--:|--:|
"""
PLANTED = """
Planted: the sign of the advantage turned in what is simulated; ten players, {games} games, `davidson-common`. Of
{every} refits {runs} sets of {refits} are drawn, each of which calls the model wrong where a parameter leaves the bands
that hold all in 99 of 100 runs.

| what is simulated | sets | called wrong |
|---|--:|--:|
"""


def games_of(players: int, games: int, seed: int):
    """Simulated games with an advantage of White and draws."""
    rng = np.random.default_rng(seed)
    names = np.array([f"player {number:02d}" for number in range(players)])
    truth = Truth(names, rng.normal(15.0, 0.8, players), 0.6, 0.3)
    cycles = -(-2 * games // (players * (players - 1))) + 1
    return simulate(truth, round_robin(players, cycles), seed).take(np.arange(games))


def made(model: str, players: int, games: int, seed: int, wrong: bool = False):
    """The experiment of a model on such a file."""
    table = games_of(players, games, seed)
    return experiment(model, wrong, select(table, table.players, "both"), seen=True)


def called_wrong(ranks: Ranks, some: np.ndarray) -> bool:
    """Whether some refits leave the bands that hold all parameters in 99 of 100 runs."""
    few = Ranks({name: rank[some] for name, rank in ranks.rank.items()}, ranks.draws)
    return max(few.outside(1.0 - 0.01 / len(few.rank)).values()) > 0.0


def main() -> None:
    """Write posterior.md beside this file."""
    text = HEAD.format(draws=4 * DRAWS)
    for name in ("davidson-population",):
        begun = time.process_time()
        found = calibrate(made(name, 50, LARGE, 1), 200, 7, method="auto", draws=DRAWS)
        spent, outside = time.process_time() - begun, found.outside(1.0 - 0.01 / len(found.rank))
        bad = sum(value > 0.0 for value in outside.values())
        text += (
            f"| {name} | 50 | {LARGE:,} | 200 | {int(found.normal.sum())} | {spent:.0f} | {bad} of {len(outside)} |\n"
        )
        print(text.splitlines()[-1], flush=True)
    text += PLANTED.format(games=SMALL, runs=RUNS, refits=REFITS, every=EVERY)
    for what, wrong in (("the sign turned", True), ("as the model says", False)):
        ranks = calibrate(made("davidson-common", 10, SMALL, 2, wrong), EVERY, 5, method="auto", draws=DRAWS)
        rng = np.random.default_rng(6)
        alarms = sum(called_wrong(ranks, rng.choice(EVERY, REFITS, replace=False)) for _ in range(RUNS))
        text += f"| {what} | {RUNS} | {alarms} |\n"
        print(text.splitlines()[-1], time.process_time(), flush=True)
    records.page(Path(__file__).with_name("posterior.md"), text, "python benchmarks/bench_posterior.py")


if __name__ == "__main__":
    main()
