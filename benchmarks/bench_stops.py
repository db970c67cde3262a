"""10,000 simulated sequential tests that stopped: bias of estimates, coverage of intervals; writes stops.md."""

import time
from pathlib import Path

import numpy as np
import records
from bench_sprt import AS_PAIRS, kinds_at

from halfpoint.apps.fields.arena.sequential_estimate import after_stop, whenever_looked
from halfpoint.apps.fields.arena.sprt import Sprt

TESTS, LOOK, ALWAYS, LOOKS = 10_000, 8, 1_000, 60
HEAD = """# Differences after a sequential stop

By `benchmarks/bench_stops.py`: {tests} simulated tests of each row, Elo {low:g} against {high:g}, alpha = beta = 0.05,
by pairs, looked at after every {look} pairs; openings as in sprt.md. "Plain" is the difference of the counts when the
test stopped, "median-unbiased" the estimate by the order of stages
(`halfpoint.apps.fields.arena.sequential_estimate`). Bias is that of the median, in Elo points, its standard error in
brackets; "below" is the share of estimates below the truth, "held" that of intervals of 95% that hold it.

| true difference | games (median) | bias, plain | bias, median-unbiased | below | held |
|---|---|---|---|---|---|
"""


def stopped(test: Sprt, share: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Mask of tests that accept H1, and the counts of pairs at their end, shape (test, 5)."""
    lower, upper = test.bounds
    counts, accepted = np.zeros((TESTS, 5), dtype=np.int64), np.zeros(TESTS, dtype=np.bool_)
    going = np.arange(TESTS)
    while going.size:
        counts[going] += rng.multinomial(LOOK, share, size=going.size)
        ratio = test.ratio(counts[going])
        accepted[going] = ratio >= upper
        going = going[(lower < ratio) & (ratio < upper)]
    return accepted, counts


def median_bias(values: np.ndarray, truth: float, rng: np.random.Generator) -> str:
    """The median less the truth, with its bootstrap error."""
    again = [np.median(rng.choice(values, values.size)) for _ in range(200)]
    return f"{np.median(values) - truth:+.2f} ({np.std(again):.2f})"


def row(test: Sprt, truth: float, seed: int) -> str:
    """One true difference."""
    rng = np.random.default_rng([seed, 9])
    accepted, counts = stopped(test, kinds_at(test, truth) @ AS_PAIRS, rng)
    found = np.array([
        after_stop(test, one, "H1" if up else "H0", LOOK) for one, up in zip(counts, accepted, strict=True)
    ])  # fmt: skip
    plain = np.array([test.estimate(one) for one in counts])
    held = (found[:, 1] <= truth) & (truth <= found[:, 2])
    error = np.sqrt(held.var() / TESTS)
    made = f"| {truth:g} | {2 * np.median(counts.sum(axis=1)):,.0f} | {median_bias(plain, truth, rng)} | "
    made += f"{median_bias(found[:, 0], truth, rng)} | {100 * (found[:, 0] < truth).mean():.2f}% (0.50%) | "
    return made + f"{100 * held.mean():.2f}% ({100 * error:.2f}%) |\n"


def always(truth: float, rng: np.random.Generator) -> str:
    """Share of anytime-valid intervals that miss the truth at one look or more."""
    share, counts = kinds_at(Sprt(0.0, 5.0), truth) @ AS_PAIRS, np.zeros((ALWAYS, 5), dtype=np.int64)
    lost, fixed = np.zeros(ALWAYS, dtype=np.bool_), np.zeros(ALWAYS, dtype=np.bool_)
    for _ in range(LOOKS):
        counts += rng.multinomial(50, share, size=ALWAYS)
        ends = np.array([whenever_looked(one) for one in counts])
        lost |= (ends[:, 0] > truth) | (truth > ends[:, 1])
        n, points = counts.sum(axis=1), np.linspace(0.0, 1.0, 5)
        mean = counts @ points / n
        reach = 1.96 * np.sqrt((counts @ points**2 / n - mean**2) / n)
        fixed |= np.abs(mean - 1.0 / (1.0 + 10.0 ** (-truth / 400.0))) > reach
    return (
        f"\nLooked at {LOOKS} times, after every 50 pairs, an interval that holds whenever one looks lost the truth at "
        f"some look in {100 * lost.mean():.1f}% of\n{ALWAYS:,} matches, one of 95% for a number of games fixed before "
        f"in {100 * fixed.mean():.1f}%.\n"
    )


def main() -> None:
    """Write stops.md beside this file."""
    test, begun = Sprt(0.0, 5.0), time.process_time()
    text = HEAD.format(tests=f"{TESTS:,}", low=test.elo0, high=test.elo1, look=LOOK)
    for place, truth in enumerate((0.0, 2.5, 5.0)):
        text += row(test, truth, place)
        print(text.splitlines()[-1], time.process_time() - begun, flush=True)
    text += always(2.5, np.random.default_rng(8))
    records.page(Path(__file__).with_name("stops.md"), text, "python benchmarks/bench_stops.py")


if __name__ == "__main__":
    main()
