"""Movement of printed interval ends from seed to seed: python benchmarks/bench_seeds.py [SEEDS] > benchmarks/seeds.md.

Each of five files is rated with ten seeds by the normal approximation. The page gives, over all players and both ends
of their 95% intervals, the standard deviation between seeds and the largest difference between any two seeds.

The football season is `outside/football/E0_1415.csv` of HALFPOINT_DATA_DIR where that exists, else the shipped league.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import records

from halfpoint import readers
from halfpoint.apps import workflows
from halfpoint.readers.datasets.examples import example_file

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
from moving_truths import swiss

SEEDS = 10


def tournament():
    """A SIMULATED Swiss of 154 players in nine rounds."""
    white, black, score, day = swiss(np.random.default_rng(7), players=154, rounds=9, events=1)
    names = np.array([f"P{k:03d}" for k in range(154)])
    dates = (np.datetime64("2024-01-01") + day).astype(str)
    return readers.read(pd.DataFrame({"date": dates, "white": names[white], "black": names[black], "score": score}))


def season():
    """Path of a football season."""
    kept = Path(os.environ.get("HALFPOINT_DATA_DIR", "."), "outside", "football", "E0_1415.csv")
    return kept if kept.is_file() else example_file("season")


FILES = {
    "simulated club": lambda: example_file("club"),
    "football season": season,
    "Swiss": tournament,
    "1,000 players": lambda: workflows.simulate(games=15_000, players=1000, seed=3)[0],
    "engines": lambda: example_file("engines"),
}


def ends(played, seed: int):
    """Ends of the intervals of all players in the order of their names, (player, 2), and attributes of the trace."""
    rated = workflows.rate(played, method="normal", seed=seed)
    frame = rated.frame.sort_values(rated.ranking.noun)
    return frame[["low_elo", "high_elo"]].to_numpy(), rated.trace


def row(name: str, played, seeds: int) -> str:
    """Row of the page."""
    start, found, traces = time.process_time(), [], []
    for seed in range(seeds):
        one, tree = ends(played, seed)
        found.append(one)
        traces.append(tree.attrs | {"kept": tree["posterior"].sizes["chain"] * tree["posterior"].sizes["draw"]})
    seconds = (time.process_time() - start) / seeds
    values = np.array(found)
    sd, widest = values.std(axis=0, ddof=1), np.ptp(values, axis=0)
    digits = np.ptp(np.round(values), axis=0)
    k = np.mean([one["pareto_k"] for one in traces])
    share = np.mean([one["effective_draws"] / one["kept"] for one in traces])
    cells = [name, traces[0]["model"], f"{values.shape[1]:,}", f"{traces[0]['kept']:,}", f"{k:.2f}", f"{share:.0%}"]
    cells += [f"{np.median(values[..., 1] - values[..., 0]):.0f}", f"{np.sqrt(np.mean(sd**2)):.2f}"]
    cells += [f"{np.median(widest):.2f}", f"{widest.max():.2f}", f"{np.mean(digits == 0):.0%}", f"{digits.max():.0f}"]
    return "| " + " | ".join([*cells, f"{seconds:.1f}"]) + " |"


def main(seeds: int, wanted: str) -> None:
    """Print the page."""
    print("# Movement of interval ends from seed to seed\n")
    print(records.mark("python benchmarks/bench_seeds.py"))
    print(
        f"Each file is rated with {seeds} seeds, `method='normal'`, at the default number of draws. Ends are those of"
    )
    print("95% intervals, Elo; movement is the difference between the largest and the smallest of the seeds' values.\n")
    heads = ["file", "model", "players", "draws", "k", "effective", "median width", "sd between seeds"]
    heads += ["median movement", "largest movement", "same digits", "largest in digits", "CPU s a list"]
    print("| " + " | ".join(heads) + " |")
    print("|---|---|" + "--:|" * (len(heads) - 2))
    for name, made in FILES.items():
        if wanted in name:
            print(row(name, made(), seeds), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS, sys.argv[2] if len(sys.argv) > 2 else "")
