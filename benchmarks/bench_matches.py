"""Coverage of `rate` on matches of two players with few games and many draws.

    .venv/bin/python benchmarks/bench_matches.py [--files 40] [--sd 100]

simulates matches of 2 to 20 games by Davidson's model, with alternating colours and no advantage, and rates each as
`rate` does. The two players draw 50% to 98% of their games, whatever their strengths, whose difference is normal with
standard deviation `--sd`, in Elo points of decided games. Prints for each number of games and share of draws: the share
of 95% intervals of the difference in Elo points of the expected score that contain the truth and their median width,
the same for the share of draws between the two, the same for matches with a draw, and CPU seconds a match.
"""

import argparse
import time

import numpy as np
import pandas as pd

from halfpoint.apps import workflows

GAMES, DRAWN = (2, 4, 8, 20), (0.5, 0.8, 0.98)
ELO, TAILS = 400.0 / np.log(10.0), (0.025, 0.975)


def expected(x, log_draw):
    """Expected score of the first of two players whose strengths differ by x, natural units."""
    win, lost, drawn = np.exp(x / 2.0), np.exp(-x / 2.0), np.exp(log_draw)
    return (win + drawn / 2.0) / (win + lost + drawn)


def elo_of(score):
    """Elo points of an expected score."""
    return ELO * (np.log(score) - np.log1p(-score))


def judged(games, drawn, sd, seed):
    """One match: coverage and widths of intervals of difference and draws, whether a game was drawn, CPU seconds."""
    rng = np.random.default_rng([seed, games, round(100 * drawn)])
    x = rng.normal(0.0, sd / ELO)
    log_draw = np.log(drawn / (1.0 - drawn)) + np.log(2.0 * np.cosh(x / 2.0))
    truth = elo_of(expected(x, log_draw))
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
        share = 1.0 / (1.0 + 2.0 * np.cosh(apart / 2.0) * np.exp(-level))
    else:
        gap, share = ELO * apart, np.zeros(apart.size)
    low, high = np.quantile(gap, TAILS)
    less, more = np.quantile(share, TAILS)
    held = less <= drawn <= more
    return low <= truth <= high, high - low, held, more - less, seconds, held if (score == 0.5).any() else np.nan


def main():
    """Simulate matches and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=40)
    parser.add_argument("--sd", type=float, default=100.0)
    asked = parser.parse_args()
    print("| games | drawn, % | differences, % | width, Elo | draws, % | width, % | draws where any, % | CPU s |")
    print("|--:|--:|--:|--:|--:|--:|--:|--:|", flush=True)
    every = []
    for games in GAMES:
        for drawn in DRAWN:
            found = np.array([judged(games, drawn, asked.sd, seed) for seed in range(asked.files)], dtype=float)
            every.append(found)
            print(row(f"{games} | {100 * drawn:.0f}", found), flush=True)
    print(row("all |", np.concatenate(every)))


def row(name, found):
    """Row of the table."""
    any_drawn = found[~np.isnan(found[:, 5])]
    means = [with_error(values[:, k]) for values, k in ((found, 0), (found, 2), (any_drawn, 5))]
    width, share, seconds = np.median(found[:, [1, 3, 4]], axis=0)
    return f"| {name} | {means[0]} | {width:.0f} | {means[1]} | {100 * share:.0f} | {means[2]} | {seconds:.2f} |"


def with_error(held):
    """Share in percent with its standard error."""
    return f"{100 * held.mean():.0f} ± {100 * held.std() / len(held) ** 0.5:.0f}"


if __name__ == "__main__":
    main()
