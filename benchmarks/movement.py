"""p of strengths that stand still, by how players are paired: python benchmarks/movement.py > benchmarks/movement.md.

SIMULATED truths of tests/helpers/moving_truths.py, still ones and those that walk by 200 Elo while games go on.
"""

import sys
from pathlib import Path

import numpy as np
from scipy.stats import kstest

from halfpoint.evaluation.movement import movement

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
from moving_truths import DESIGNS, one_swiss

STILL, MOVED = 500, 60
LEVELS = (0.01, 0.05, 0.1, 0.5, 0.9)


def probabilities(design, moved_elo: float, count: int):
    """Return p and the longest possible walk of so many simulated files, shape (file,), and how many games one has."""
    found = []
    for seed in range(count):
        white, black, score, day = design(np.random.default_rng([seed, 42]), moved_elo)
        seats = white.astype(np.int32), black.astype(np.int32)
        found.append(movement(*seats, score, day.astype(np.float64), np.zeros(score.size)))
    p, _, longest = np.array(found).T
    return p, longest, score.size


SCALE = 2.0 / (2.0 + np.exp(0.1))  # Elo points of expected scores for one of natural units, at these draws
print("# Whether strengths moved: p by design\n")
print(f"Written by `python benchmarks/movement.py`: {STILL:,} SIMULATED files of still strengths a design, {MOVED} of")
print(
    "strengths that walk by 100 and by 200 points of natural units (64 and 129 Elo, standard deviation) over the time;"
)
print(
    f"errors of shares of {STILL:,} are 0.4, 1.0, 1.3, 2.2 and 1.3 points. KS: p of Kolmogorov and Smirnov's test that"
)
print("p is uniform. Longest: median of the walk that is said to be the longest possible; how often it held 129 Elo.\n")
heads = "longest, still", "64 Elo: p < 0.1", "129 Elo: p < 0.01", "p < 0.1", "held"
print(f"| design | games | {' | '.join(f'p < {level:g}' for level in LEVELS)} | KS | {' | '.join(heads)} |")
print(f"|---|--:|{'--:|' * (len(LEVELS) + 1 + len(heads))}")
for name, design in {**DESIGNS, "one Swiss event": one_swiss}.items():
    still, bound, games = probabilities(design, 0.0, STILL)
    little, _, _ = probabilities(design, 100.0, MOVED)
    moved, longest, _ = probabilities(design, 200.0, MOVED)
    shares = " | ".join(f"{100 * np.mean(still < level):.1f}%" for level in LEVELS)
    found = np.mean(little < 0.1), np.mean(moved < 0.01), np.mean(moved < 0.1), np.mean(longest >= 200.0 * SCALE)
    seen = " | ".join(f"{share:.0%}" for share in found)
    ks = kstest(still, "uniform").pvalue
    print(f"| {name} | {games} | {shares} | {ks:.2g} | {np.median(bound):.0f} | {seen} |", flush=True)
