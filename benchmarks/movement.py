"""p of the test of changing strengths for constant strengths: python benchmarks/movement.py > benchmarks/movement.md.

SIMULATED truths of tests/helpers/moving_truths.py: constant strengths, and strengths that walk by 200 Elo during the
games.
"""

import sys
from pathlib import Path

import numpy as np
from bench_coverage import ADVANTAGE, LOG_DRAW, PLAYERS, league
from scipy.stats import chi2, kstest, ncx2

from halfpoint.evaluation.movement import movement

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "helpers"))
import records
from moving_truths import DESIGNS, one_swiss

STILL, MOVED = 500, 60
LEVELS = (0.01, 0.05, 0.1, 0.5, 0.9)


def probabilities(design, moved_elo: float, count: int):
    """p and the upper bound of the walk for simulated files, shape (file,), and the number of games of a file."""
    found = []
    for seed in range(count):
        white, black, score, day = design(np.random.default_rng([seed, 42]), moved_elo)
        seats = white.astype(np.int32), black.astype(np.int32)
        found.append(movement(*seats, score, day.astype(np.float64), np.zeros(score.size)))
    p, _, longest = np.array(found).T
    return p, longest, score.size


def of_leagues(count: int):
    """Mean non-centrality and power of a line for each player at the true parameters; share of significant p."""
    found, seen, levels = [], [], np.array(LEVELS[:3])
    for seed in range(count):
        table, at, _ = league("improving", np.random.default_rng([seed, 42]))
        day = (table.date - np.datetime64("2020-01-01")).astype(int)
        way, who, gain = day / (at.shape[1] - 1.0), np.arange(len(table)), at[:, -1] - at[:, 0]
        eta = at[table.white, day] - at[table.black, day] + ADVANTAGE
        share = np.exp(np.stack([-eta / 2, np.full(eta.size, LOG_DRAW), eta / 2]))
        _, draw, win = share / share.sum(axis=0)
        design = np.zeros((eta.size, 2 * PLAYERS + 1))
        for side, sign in ((table.white, 1.0), (table.black, -1.0)):
            design[who, side] += sign
            design[who, PLAYERS + side] += sign * way
        design[:, -1] = 1.0
        fisher = design.T @ (design * (win + draw / 4.0 - (win + draw / 2.0) ** 2)[:, None])
        lines = np.arange(PLAYERS, 2 * PLAYERS)
        rest = np.setdiff1d(np.arange(2 * PLAYERS + 1), lines)
        inner = np.linalg.pinv(fisher[np.ix_(rest, rest)]) @ fisher[np.ix_(rest, lines)]
        far = gain @ (fisher[np.ix_(lines, lines)] - fisher[np.ix_(lines, rest)] @ inner) @ gain
        found.append([far, *ncx2.sf(chi2.isf(levels, PLAYERS - 1), PLAYERS - 1, far)])
        seats = table.white, table.black
        seen.append(movement(*seats, table.score, day.astype(float), np.zeros(day.size))[0] < levels)
    return np.mean(found, axis=0), np.mean(seen, axis=0)


SCALE = 2.0 / (2.0 + np.exp(0.1))  # Elo points of expected scores for one of natural units, at these draws
print("# Whether strengths moved: p by design\n")
print(records.mark("python benchmarks/movement.py"))
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

(far, *told), seen = of_leagues(100)
print("\nHigher power is not possible with so few games. In the leagues of [coverage](coverage.md) three players in")
print(
    "ten gain 216 Elo over 400 games of twenty players. Rao's score of a line through time for each player, by Fisher's"
)
print(
    f"information at the true strengths, advantage and draws, has a non-centrality of {far:.1f} with 19 degrees of "
    "freedom:"
)
print(f"it detects {', '.join(f'{share:.0%}' for share in told)} of such leagues at levels of 0.01, 0.05 and 0.1 (100")
print(f"leagues); the test, without this knowledge, {', '.join(f'{share:.0%}' for share in seen)}. A test that is not")
print("significant is no proof of constant strengths, so the output also has the upper bound of the walk.")
