"""Hamiltonian moves on simulated files: CPU seconds, R-hat, effective draws, and agreement of two seeds.

python benchmarks/moves.py            # all designs, some ten minutes of a processor
python benchmarks/moves.py club tour  # some of them
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
import records

import halfpoint as hp

PAGE = Path(__file__).with_suffix(".md")
HEAD = """# Moves around the closest normal

`python benchmarks/moves.py`: `halfpoint.rate` without options on simulated files, two seeds. CPU s are user and system
time of the function without imports and compilation; "numbers" is the number of parameters. Apart: root mean square
difference between the mean ratings of the two seeds, in posterior standard deviations.

| file | model | numbers | method | sweeps | CPU s | R-hat | least effective | converged | apart |
|---|---|--:|---|--:|--:|--:|--:|---|--:|
"""


def games(rng, players, count, days=0, near=0, ratings=False, draws=0.2):
    """Games with random pairings, or between neighbours in strength, as a data frame."""
    strength = np.sort(rng.normal(0.0, 0.8, players))
    white = rng.integers(0, players, count)
    step = rng.integers(1, (near or players - 1) + 1, count)
    black = np.clip(white + step * rng.choice([-1, 1], count), 0, players - 1) if near else (white + step) % players
    black = np.where(black == white, (white + 1) % players, black)
    gap = strength[white] - strength[black] + 0.2
    chance = np.exp(np.stack([-gap / 2, np.full(count, draws), gap / 2]))
    result = (rng.random(count) > np.cumsum(chance / chance.sum(axis=0), axis=0)[:2]).sum(axis=0)
    names = np.array([f"P{k:05d}" for k in range(players)])
    made = {"white": names[white], "black": names[black], "result": np.array(["0-1", "1/2-1/2", "1-0"])[result]}
    if days:
        made["date"] = (np.datetime64("2024-01-08") + np.sort(rng.integers(0, days, count))).astype(str)
    if ratings:
        printed = np.round(1500 + 120 * (strength + rng.normal(0.0, 0.3, players)))
        made |= {"white_elo": printed[white], "black_elo": printed[black]}
    return pd.DataFrame(made)


DESIGNS = {
    "club": (
        "club, 68 players, 306 games, rated, near",
        {"players": 68, "count": 306, "days": 300, "near": 3, "ratings": True},
    ),
    "season": ("20 clubs, 380 games", {"players": 20, "count": 380, "days": 280}),
    "years": ("200 players, 1,000 games, two years", {"players": 200, "count": 1000, "days": 730}),
    "near": ("1,000 players, 5,000 games, near", {"players": 1000, "count": 5000, "days": 300, "near": 12}),
    "many": ("10,000 players, 100,000 games, near", {"players": 10_000, "count": 100_000, "near": 12}),
}


def row(name, about):
    """Row of the table for a design."""
    file, means, sds = games(np.random.default_rng(0), **about), [], []
    for seed in (1, 2):
        start = time.process_time()
        trace = hp.rate(file, seed=seed).trace
        seconds = time.process_time() - start
        rating = trace["posterior"]["rating_elo"]
        means.append(rating.mean(("chain", "draw")).to_numpy())
        sds.append(rating.std(("chain", "draw")).to_numpy())
    attributes, numbers = trace.attrs, sum(value[0, 0].size for value in trace["posterior"].data_vars.values())
    apart = np.sqrt(np.mean(np.square((means[0] - means[1]) / np.maximum(sds[0], 1e-9))))
    sweeps = str(attributes["sampling"]).rpartition(" columns of ")[2].removesuffix(" sweeps")
    least = min(attributes["min_ess_bulk"], attributes["min_ess_tail"])
    cells = [name, attributes["model"], f"{numbers:,}", attributes["method"]]
    cells += [sweeps if attributes["method"] == "moves" else "", f"{seconds:.1f}", f"{attributes['max_rhat']:.3f}"]
    cells += [f"{least:,.0f}", "yes" if attributes["converged"] else "no", f"{apart:.3f}"]
    return f"| {' | '.join(cells)} |\n"


def main():
    """Rate the designs and write the page."""
    asked = sys.argv[1:] or list(DESIGNS)
    hp.rate(games(np.random.default_rng(1), 10, 40), seed=1)  # imports and compiled code
    command = " ".join(["python benchmarks/moves.py", *sys.argv[1:]])
    text = HEAD.replace("python benchmarks/moves.py", command)
    for key in asked:
        line = row(*DESIGNS[key])
        print(line, end="", flush=True)
        text += line
    records.page(PAGE, text, command)


if __name__ == "__main__":
    main()
