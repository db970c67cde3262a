"""How far what a list prints moves from seed to seed, in Elo points: seeds.md.

    python benchmarks/bench_seeds.py > benchmarks/seeds.md

SIMULATED games, and files of bench_clubs.py, rated by weighted normal draws at four seeds, as many as `rate`
takes. "Independent": noise as it is drawn; "matched": noise with mean 0 and unit covariance in the sample, as `rate`
draws it. Differences of all pairs of seeds: the median over players, the largest of a list, the median over pairs; of
ends of 95% intervals both ends count.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import records
from bench_clubs import FILES, write

from halfpoint import workflows
from halfpoint.inference.gaussian import transport

SEEDS = (1, 2, 3, 4)
CLUBS = ("children of 60, 7 rounds, most unrated", "open of 150, 9 rounds, rated")
MATCHED = transport.matched_noise


def independent(rng, count, size):
    """Noise as it is drawn, (draw, z)."""
    return rng.standard_normal((count, size))


def line(title, games, row):
    """A line of a file for each kind of noise."""
    for kind, noise in (("independent", independent), ("matched", MATCHED)):
        transport.matched_noise = noise
        found = [workflows.rate(games, seed=seed, model=row, method="normal") for seed in SEEDS]
        table = [one.frame.sort_values("player") for one in found]
        every = np.array([one[["rating_elo", "low_elo", "high_elo"]].to_numpy() for one in table])
        apart = np.abs(every[:, None] - every[None])[np.triu_indices(len(SEEDS), 1)]
        draws = found[0].trace["posterior"].sizes["draw"] * found[0].trace["posterior"].sizes["chain"]
        cells = [title, str(len(table[0])), f"{draws:,}", f"{table[0]['sd_elo'].median():.0f}", kind]
        for what in (apart[..., :1], apart[..., 1:]):
            cells += [f"{np.median(what):.2f}", f"{np.median(what.max(axis=(1, 2))):.1f}"]
        print(f"| {' | '.join(cells)} |", flush=True)


def main():
    """Print the table."""
    print(f"# From seed to seed\n\n{__doc__}\n{records.mark('python benchmarks/bench_seeds.py')}")
    heads = "file", "players", "draws", "sd, Elo", "noise", "means: median", "largest", "ends: median", "largest"
    print(f"| {' | '.join(heads)} |\n|---|--:|--:|--:|---|{'--:|' * 4}", flush=True)
    line("5,000 games", workflows.simulate(games=5000, players=100, seed=1)[0], "davidson-population")
    with TemporaryDirectory() as folder:
        for number, title in enumerate(CLUBS):
            path = Path(folder) / f"{number}.pgn"
            write(path, 1, *FILES[title])
            line(title, path, "auto")


if __name__ == "__main__":
    main()
