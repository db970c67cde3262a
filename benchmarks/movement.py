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

STILL, MOVED = 300, 50
LEVELS = (0.01, 0.05, 0.1, 0.5, 0.9)


def probabilities(design, moved_elo: float, count: int):
    """Return p of so many simulated files, and how many games one has."""
    found = []
    for seed in range(count):
        white, black, score, day = design(np.random.default_rng([seed, 42]), moved_elo)
        seats = white.astype(np.int32), black.astype(np.int32)
        found.append(movement(*seats, score, day.astype(np.float64), np.zeros(score.size))[0])
    return np.array(found), score.size


print("# Whether strengths moved: p by design\n")
print(f"Written by `python benchmarks/movement.py`: {STILL:,} SIMULATED files of still strengths a design, {MOVED} of")
print("strengths that walk by 200 Elo (standard deviation) over the time; errors of shares of 300 are 0.6, 1.3, 1.7,")
print("2.9 and 1.7 points. KS: p of Kolmogorov and Smirnov's test that p is uniform.\n")
print(f"| design | games | {' | '.join(f'p < {level:g}' for level in LEVELS)} | KS | 200 Elo: p < 0.01 |")
print(f"|---|--:|{'--:|' * len(LEVELS)}--:|--:|")
for name, design in {**DESIGNS, "one Swiss event": one_swiss}.items():
    still, games = probabilities(design, 0.0, STILL)
    moved, _ = probabilities(design, 200.0, MOVED)
    shares = " | ".join(f"{100 * np.mean(still < level):.1f}%" for level in LEVELS)
    ks = kstest(still, "uniform").pvalue
    print(f"| {name} | {games} | {shares} | {ks:.2f} | {np.mean(moved < 0.01):.0%} |", flush=True)
