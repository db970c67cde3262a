"""Coverage of `rate` on matches of two with few games and many draws.

    .venv/bin/python benchmarks/bench_matches.py [--files 40] [--sd 100]

simulates matches of 2 to 20 games by Davidson's model, colours in turn and worth nothing, and rates each as `rate`
does. The difference of the two is normal with standard deviation `--sd`, Elo points of the expected score; equals draw
50% to 98% of their games. Prints for each number of games and share of draws: the share of 95% intervals of the
difference that contain the truth and their median width, the same of the draw rate of equals, CPU seconds a match.
"""

import argparse
import time

import numpy as np
import pandas as pd
from scipy.optimize import brentq

from halfpoint import workflows

GAMES, DRAWN = (2, 4, 8, 20), (0.5, 0.8, 0.98)
ELO, TAILS = 400.0 / np.log(10.0), (0.025, 0.975)


def expected(x, log_draw):
    """Expected score of the first of two whose strengths differ by x, natural units."""
    win, lost, drawn = np.exp(x / 2.0), np.exp(-x / 2.0), np.exp(log_draw)
    return (win + drawn / 2.0) / (win + lost + drawn)


def elo_of(score):
    """Elo points of an expected score."""
    return ELO * (np.log(score) - np.log1p(-score))


def judged(games, drawn, sd, seed):
    """One match: whether intervals of difference and draw rate contain the truth, their widths, CPU seconds."""
    rng = np.random.default_rng([seed, games, round(100 * drawn)])
    log_draw, truth = np.log(2.0 * drawn / (1.0 - drawn)), rng.normal(0.0, sd)
    x = brentq(lambda one: elo_of(expected(one, log_draw)) - truth, -60.0, 60.0)
    share = np.array([np.exp(-x / 2.0), np.exp(log_draw), np.exp(x / 2.0)])
    score = rng.choice([0.0, 0.5, 1.0], games, p=share / share.sum())
    turned = np.arange(games) % 2 == 1
    file = pd.DataFrame({
        "white": np.where(turned, "B", "A"), "black": np.where(turned, "A", "B"),
        "score": np.where(turned, 1.0 - score, score),
    })  # fmt: skip
    begun = time.process_time()
    found = workflows.rate(file)
    seconds = time.process_time() - begun
    posterior = found.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    strength = posterior["strength"].sel(player=["A", "B"]).transpose("player", "sample").to_numpy()
    apart = strength[0] - strength[1]
    if "log_draw" in posterior:
        level = posterior["log_draw"].to_numpy()
        gap = elo_of(expected(apart, level))
        share = 1.0 / (1.0 + 2.0 * np.exp(-level))
    else:
        gap, share = ELO * apart, np.zeros(apart.size)
    low, high = np.quantile(gap, TAILS)
    less, more = np.quantile(share, TAILS)
    return low <= truth <= high, high - low, less <= drawn <= more, more - less, seconds


def main():
    """Judge matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--sd", type=float, default=100.0)
    asked = parser.parse_args()
    print("| games | draws of equals, % | differences, % | width, Elo | draw rate, % | width, % | CPU s |")
    print("|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    every = []
    for games in GAMES:
        for drawn in DRAWN:
            told = np.array([judged(games, drawn, asked.sd, seed) for seed in range(asked.files)], dtype=float)
            every.append(told)
            print(row(f"{games} | {100 * drawn:.0f}", told), flush=True)
    print(row("all |", np.concatenate(every)))


def row(name, told):
    """A line of the table."""
    mean, error = told.mean(axis=0), told.std(axis=0) / len(told) ** 0.5
    middle = np.median(told, axis=0)
    cells = [
        f"{100 * mean[0]:.0f} ± {100 * error[0]:.0f}",
        f"{middle[1]:.0f}",
        f"{100 * mean[2]:.0f} ± {100 * error[2]:.0f}",
    ]
    return f"| {name} | " + " | ".join([*cells, f"{100 * middle[3]:.0f}", f"{middle[4]:.2f}"]) + " |"


if __name__ == "__main__":
    main()
