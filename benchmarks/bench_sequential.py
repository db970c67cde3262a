"""Games per second and peak memory of the rating systems on simulated games; prints a markdown table.

    python benchmarks/bench_sequential.py [--games 1000000] [--players 20000] [--periods 40] [--systems elo,glicko]

Each system learns all games in one pass, in its own process, so that peak memory is its own. Compiled loops are
compiled (or loaded from the cache on disk) on a small table first; compiling is not counted. Timed is `learn` alone,
names and entry of players included, over the periods of the table, in CPU seconds of its one thread.
"""

import argparse
import multiprocessing as mp
import os
import platform
import resource
import time
from importlib.metadata import version

import numpy as np
import records

from halfpoint.games.table import GameTable
from halfpoint.systems.catalogue import SYSTEMS

SEED = 11
CHOSEN = "elo,elo-normal,elo-game,elo-event,elo-fide,glicko,glicko-2,stephenson,trueskill,weng-lin-full"
MEBIBYTE = 1024.0


def simulated(games, players, periods, seed=SEED):
    """Simulated games: strengths N(1800, 250^2) Elo, White 35 Elo ahead, two in five between equals drawn."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(1800.0, 250.0, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    expected = 1.0 / (1.0 + 10.0 ** (-(strength[white] - strength[black] + 35.0) / 400.0))
    half = 0.4 * np.minimum(expected, 1.0 - expected)
    uniform = rng.random(games)
    score = np.where(uniform < expected - half, 1.0, np.where(uniform < expected + half, 0.5, 0.0))
    names = np.array([f"player {number:06d}" for number in range(players)])
    period = np.sort(rng.integers(1, periods + 1, games))
    event = np.array([f"event {number}" for number in range(50)])[rng.integers(0, 50, games)]
    codes = white.astype(np.int32), black.astype(np.int32)
    return GameTable(names, *codes, score, period=period, event=event, simulated=True), strength


def measure(name, games, players, periods, answer):
    """Put seconds, peak memory before and after, and the correlation with the true strengths, into a queue."""
    spec = SYSTEMS[name]
    warm, _ = simulated(200, 20, 1, seed=1)
    spec.build(spec.start).learn(warm)
    table, strength = simulated(games, players, periods)
    parts = [table.take(table.period == period) for period in np.unique(table.period)]
    system = spec.build(spec.start)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    begun = time.process_time()
    for part in parts:
        system.learn(part)
    seconds = time.process_time() - begun
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    known = system.ledger.places(table.players)
    found = system.ledger["rating"][known[known >= 0]]
    right = float(np.corrcoef(found, strength[known >= 0])[0, 1])
    answer.put((seconds, before / MEBIBYTE, peak / MEBIBYTE, right))


def main():
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    for option, value in (("--games", 1_000_000), ("--players", 20_000), ("--periods", 40)):
        parser.add_argument(option, type=int, default=value)
    parser.add_argument("--systems", default=CHOSEN)
    asked = parser.parse_args()
    print("# Rating systems: games per second\n")
    print(records.mark("python benchmarks/bench_sequential.py"))
    print("Written by `python benchmarks/bench_sequential.py > benchmarks/sequential.md`.\n")
    print(f"{asked.games:,} simulated games among {asked.players:,} players in {asked.periods} periods, one core.")
    versions = ", ".join(f"{name} {version(name)}" for name in ("numpy", "numba", "openskill"))
    print(f"Python {platform.python_version()}, {versions}; {platform.machine()}, {os.cpu_count()} cores shared.\n")
    print("| system | games/s | CPU seconds | peak memory, MiB | of it learning, MiB | correlation with truth |")
    print("|---|---|---|---|---|---|")
    context = mp.get_context("spawn")
    for name in asked.systems.split(","):
        answer = context.Queue()
        worker = context.Process(target=measure, args=(name, asked.games, asked.players, asked.periods, answer))
        worker.start()
        seconds, before, peak, right = answer.get()
        worker.join()
        rate = asked.games / seconds
        row = (
            SYSTEMS[name].title,
            f"{rate:,.0f}",
            f"{seconds:.2f}",
            f"{peak:.0f}",
            f"{peak - before:.0f}",
            f"{right:.3f}",
        )
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main()
