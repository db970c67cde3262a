"""10,000 simulated sequential tests at three true differences: errors and lengths. Both write leaderboard.md.

python benchmarks/bench_sprt.py          all tests
python benchmarks/bench_sprt.py stops    tests that stopped: bias of estimates, coverage of intervals
"""

import sys
import time
from pathlib import Path

import numpy as np
import records

from halfpoint.apps.fields.arena.likelihood_ratio import points_of, shares_at
from halfpoint.apps.fields.arena.sequential_estimate import after_stop, whenever_looked
from halfpoint.apps.fields.arena.sprt import Sprt, simulate_tests, spread

TESTS = 10_000
# LL, LD, DD, WL, WD, WW of pairs from openings that favour one side: the games of a pair tend to cancel.
KINDS = np.array([0.02, 0.20, 0.22, 0.34, 0.20, 0.02])
AS_PAIRS = np.array(
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
)
AS_GAMES = np.array([[2, 0, 0], [1, 1, 0], [0, 2, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]])
HEAD = """# Sequential tests

By `benchmarks/bench_sprt.py`: {tests} simulated tests of each row, alpha = beta = 0.05. Pairs from openings that favour
a side: LL, LD, DD, WL, WD, WW in shares {kinds} where the engines are equal; a pair's points vary {ratio} times
as much as those of two games that have nothing to do with each other. Standard errors in brackets; "Wald" is Wald's
approximation, which ignores the overshoot of the bounds.

| test | looked at | true difference | H1 accepted | games | Wald |
|---|---|---|---|---|---|
"""

LOOK, ALWAYS, LOOKS = 8, 1_000, 60  # of tests that stopped
STOPS_HEAD = """# Differences after a sequential stop

By `benchmarks/bench_sprt.py stops`: {tests} simulated tests of each row, Elo {low:g} against {high:g}, alpha = beta =
0.05, by pairs, looked at after every {look} pairs; openings as above. "Plain" is the difference of the counts when
the test stopped, "median-unbiased" the estimate by the order of stages
(`halfpoint.apps.fields.arena.sequential_estimate`). Bias is that of the median, in Elo points, its standard error in
brackets; "below" is the share of estimates below the truth, "held" the share of 95% intervals that contain it.

| true difference | games (median) | bias, plain | bias, median-unbiased | below | held |
|---|---|---|---|---|---|
"""


def kinds_at(test: Sprt, difference: float) -> np.ndarray:
    """Shares of six kinds of pairs with a given difference; DD and WL keep their ratio."""
    five = KINDS @ AS_PAIRS
    found = shares_at(five, difference, test.normalized)
    return (AS_PAIRS @ (found / five)) * KINDS


def rows(name: str, test: Sprt, counted: np.ndarray, look: int, seed: int) -> str:
    """Three rows: the difference is elo0, in between, elo1."""
    made = ""
    for place, difference in enumerate((test.elo0, 0.5 * (test.elo0 + test.elo1), test.elo1)):
        share = kinds_at(test, difference)
        accepted, games = simulate_tests(test, share, TESTS, np.random.default_rng([seed, place]), look, counted)
        wald = float(test.outlook(difference, share @ counted)[1])
        rate, error = accepted.mean(), np.sqrt(accepted.var() / TESTS)
        made += f"| {name} | {'every pair' if look == 1 else f'every {look} pairs'} | {difference:g} | "
        made += f"{100 * rate:.2f}% ({100 * error:.2f}%) | {games.mean():,.0f} ({games.std() / TESTS**0.5:,.0f}) | "
        made += f"{wald:,.0f} |\n"
    print(made, flush=True)
    return made


def main() -> None:
    """Write a section of leaderboard.md."""
    pairs, games = KINDS @ AS_PAIRS, KINDS @ AS_GAMES
    ratio = spread(pairs) ** 2 / (spread(games) ** 2 / 2)
    assert abs(pairs @ points_of(5) - 0.5) < 1e-12
    text = HEAD.format(tests=f"{TESTS:,}", kinds=", ".join(f"{one:g}" for one in KINDS), ratio=f"{ratio:.2f}")
    elo, normal = Sprt(0.0, 15.0), Sprt(0.0, 30.0, normalized=True)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 1, 1)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 4, 4)
    text += rows("Elo 0 and 15, by games", elo, AS_GAMES, 4, 2)
    text += rows("normalised Elo 0 and 30, by pairs", normal, AS_PAIRS, 4, 3)
    records.section(Path(__file__).with_name("leaderboard.md"), text, "python benchmarks/bench_sprt.py")


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
    """Median minus the truth, with its bootstrap error."""
    again = [np.median(rng.choice(values, values.size)) for _ in range(200)]
    return f"{np.median(values) - truth:+.2f} ({np.std(again):.2f})"


def row(test: Sprt, truth: float, seed: int) -> str:
    """Row for one true difference."""
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


def stops() -> None:
    """Write a section of leaderboard.md."""
    test, begun = Sprt(0.0, 5.0), time.process_time()
    text = STOPS_HEAD.format(tests=f"{TESTS:,}", low=test.elo0, high=test.elo1, look=LOOK)
    for place, truth in enumerate((0.0, 2.5, 5.0)):
        text += row(test, truth, place)
        print(text.splitlines()[-1], time.process_time() - begun, flush=True)
    text += always(2.5, np.random.default_rng(8))
    records.section(Path(__file__).with_name("leaderboard.md"), text, "python benchmarks/bench_sprt.py stops")


if __name__ == "__main__":
    stops() if sys.argv[1:] == ["stops"] else main()
