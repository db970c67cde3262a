"""Coverage of a board of expensive and cheap judges, and the expensive votes saved, for planted bias.

`python benchmarks/cheap_judges.py [SETS [BIAS [COUNT]]]`: each set has COUNT (10) competitors, and for each of them 50
votes of expensive judges and 400 of a cheap one, whose bias has the standard deviation BIAS (0.15 natural units) and is
1.5 more or less for one competitor. For comparison every fifth set is also fitted with the expensive votes alone, and
with twice as many.
"""

import sys
import time
from dataclasses import replace

import numpy as np

from halfpoint.apps.fields.arena.cheap_judges import JudgedCells, contrast_variance, judges_sampler
from halfpoint.inference.effort_limits import Effort
from halfpoint.models.games.table import Floats

COUNT, DEAR, CHEAP, SHARPNESS, TIES = 10, 50, 400, 0.8, -0.2
EFFORT = Effort(300, 400, 2)


def design(count: int) -> JudgedCells:
    """All ordered pairs with both judges, without votes."""
    first, second = np.nonzero(~np.eye(count, dtype=bool))
    names = np.array([f"m{k:02d}" for k in range(count)])
    judge = np.repeat([0, 1], first.size)
    return JudgedCells(
        names, ("cheap",), *(np.tile(one, 2) for one in (first, second)), judge, np.ones((judge.size, 3))
    )


def votes(cells: JudgedCells, strength: Floats, bias: Floats, dear: int, cheap: int, seed: int) -> JudgedCells:
    """Cells with votes drawn at these strengths and biases, natural units."""
    rng = np.random.default_rng(seed)
    pairs = cells.first.size // 2
    each = np.concatenate([rng.multinomial(count, np.full(pairs, 1.0 / pairs)) for count in (dear, cheap)])
    gap, own = (one[cells.first] - one[cells.second] for one in (strength, bias))
    eta = np.where(cells.judge == 0, gap + 0.1, SHARPNESS * gap + own + 0.3)
    share = np.exp(np.stack([-eta / 2.0, np.full(eta.size, TIES), eta / 2.0], axis=1))
    share /= share.sum(axis=1, keepdims=True)
    counts = np.array([rng.multinomial(n, p) for n, p in zip(each, share, strict=True)], dtype=np.float64)
    return replace(cells, counts=counts)


def main() -> None:
    """Print coverage, variances, seconds."""
    sets = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    small = float(sys.argv[2]) if len(sys.argv) > 2 else 0.15
    count = int(sys.argv[3]) if len(sys.argv) > 3 else COUNT
    dear, cheap, often = DEAR * count, CHEAP * count, 5 if sets >= 10 else 1
    cells = design(count)
    run = judges_sampler(cells)
    inside, ratios, began, failed = [], [], time.perf_counter(), 0
    for number in range(sets):
        rng = np.random.default_rng([1, number])
        strength, bias = rng.normal(0.0, 0.7, count), rng.normal(0.0, small, count)
        bias[rng.integers(count)] += rng.choice([-1.5, 1.5])
        made = votes(cells, strength, bias, dear, cheap, number)
        posterior, found = run(made, replace(EFFORT, seed=number + 1))
        failed += not found.converged
        draws = posterior["strength"].transpose("chain", "draw", "player").to_numpy().reshape(-1, count)
        low, high = np.quantile(draws - draws.mean(axis=1, keepdims=True), [0.025, 0.975], axis=0)
        truth = strength - strength.mean()
        inside.append((low <= truth) & (truth <= high))
        if number % often == 0:
            twice = votes(cells, strength, bias, 2 * dear, cheap, number)
            alone, double = (run(one.without_cheap(), EFFORT)[0] for one in (made, twice))
            ratios.append([contrast_variance(one) for one in (posterior, alone, double)])
        if number % (2 * often) == 2 * often - 1:
            seconds, so_far = time.perf_counter() - began, np.mean(ratios, axis=0).round(4).tolist()
            print(f"{number + 1} sets, {seconds:.0f} s: {100 * np.mean(inside):.2f}% inside; {so_far}", flush=True)
    covered, error = np.mean(inside), np.std(np.mean(inside, axis=1), ddof=min(1, sets - 1)) / np.sqrt(sets)
    both, alone, double = np.mean(ratios, axis=0)
    rest = f"{failed} of {sets} fits did not converge"
    print(
        f"95% intervals of {sets * count:,} strengths: {100 * covered:.2f}% ({100 * error:.2f}) hold the truth; {rest}"
    )
    variances = f"{dear} dear votes {alone:.4f}, {2 * dear} dear votes {double:.4f}"
    print(f"mean variance of a difference: {variances}, {dear} dear and {cheap} cheap votes {both:.4f}")
    print(f"as many dear votes alone have this variance: {dear * alone / both:.0f}")


if __name__ == "__main__":
    main()
