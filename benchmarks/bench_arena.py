"""Graded votes on simulated boards: votes saved by `a>>b`, and their cost if grades are uninformative.

`python benchmarks/bench_arena.py graded` writes leaderboard.md. Truths: steps, the model itself; adjacent categories
(Agresti 1992, equal steps, symmetric cuts); a latent logistic difference with symmetric thresholds; random grades;
judges with different habits of grading, by whom votes are clustered.

Coverage of a board of expensive and cheap judges, and the expensive votes saved, for planted bias.

`python benchmarks/bench_arena.py cheap [SETS [BIAS [COUNT]]]`: each set has COUNT (10) competitors, and for each of
them 50 votes of expensive judges and 400 of a cheap one, whose bias has the standard deviation BIAS (0.15 natural
units) and is 1.5 more or less for one competitor. For comparison every fifth set is also fitted with the expensive
votes alone, and with twice as many.

10,000 simulated sequential tests at three true differences: errors and lengths; of tests that stopped, the bias of
estimates and the coverage of intervals.

`python benchmarks/bench_arena.py tests | stops` writes leaderboard.md.
"""

import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import records

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.apps.fields.arena.cheap_judges import JudgedCells, contrast_variance, judges_sampler
from halfpoint.apps.fields.arena.likelihood_ratio import points_of, shares_at
from halfpoint.apps.fields.arena.sequential_estimate import after_stop, whenever_looked
from halfpoint.apps.fields.arena.sprt import Sprt, simulate_tests, spread
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.models.games.table import Floats

REPORT = Path(__file__).with_name("leaderboard.md")
BOARDS, MODELS, VOTES, JUDGES = 32, 20, 2_000, 40
SPREAD, LOG_DRAW, CUT, SLOPE = 0.7, 0.4, -0.5, 0.5
ARMS = ("plain", "graded")
NAMES = {
    "steps": "its own: steps, slope 0.5", "adjacent": "adjacent categories", "latent": "latent difference",
    "habits": "steps, judges grade by habit", "nothing": "grades by chance",
}  # fmt: skip


def votes_of(truth: str, seed: int) -> tuple[pd.DataFrame, np.ndarray]:
    """Votes in words with their judges, and the strengths."""
    rng = np.random.default_rng([seed, 17])
    g = rng.normal(0.0, SPREAD, MODELS)
    a = rng.integers(0, MODELS, VOTES)
    b = (a + rng.integers(1, MODELS, VOTES)) % MODELS
    x, judge = g[a] - g[b], rng.integers(0, JUDGES, VOTES)
    uniform = rng.random(VOTES)
    if truth == "adjacent":
        scores = np.stack([-x - 0.5, -x / 2, LOG_DRAW + 0.0 * x, x / 2, x - 0.5])
        share = np.exp(scores - scores.max(axis=0))
        grade = (uniform > np.cumsum(share / share.sum(axis=0), axis=0)[:-1]).sum(axis=0) - 2
    elif truth == "latent":
        y = x + np.log(uniform / (1.0 - uniform))
        grade = np.sign(y) * np.searchsorted([0.75, 2.0], np.abs(y))
    else:
        share = np.exp(np.stack([-x / 2, LOG_DRAW + 0.0 * x, x / 2]))
        sign = (uniform > np.cumsum(share / share.sum(axis=0), axis=0)[:-1]).sum(axis=0) - 1
        cut = CUT + (rng.normal(0.0, 1.5, JUDGES)[judge] if truth == "habits" else 0.0)
        lean = cut + (0.0 if truth == "nothing" else SLOPE) * sign * x
        grade = sign * (1 + (rng.random(VOTES) < 1.0 / (1.0 + np.exp(-lean))))
    words = np.array(["B>>A", "B>A", "A=B", "A>B", "A>>B"])[grade.astype(int) + 2]
    names = np.array([f"model-{k:02d}" for k in range(MODELS)])
    frame = pd.DataFrame({"model_a": names[a], "model_b": names[b], "verdict": words})
    return (frame.assign(judge=np.char.add("judge-", judge.astype(str))) if truth == "habits" else frame), g - g.mean()


def ratings(frame: pd.DataFrame, grades: bool) -> np.ndarray:
    """Mean and both ends of 90% intervals of ratings around 1500, Elo points, shape (3, model)."""
    board = leaderboard(frame, method="normal", checks=False, interval=0.9, grades=grades, draws=250)
    rows = board.frame.sort_values("model")
    return rows[["rating_elo", "low_elo", "high_elo"]].to_numpy().T - 1500.0


def line(truth: str) -> str:
    """Row of the table for a simulated model."""
    found = {arm: [] for arm in ARMS}
    truths = []
    for seed in range(BOARDS):
        frame, g = votes_of(truth, seed)
        truths.append(g)
        found["plain"].append(ratings(frame, False))
        found["graded"].append(ratings(frame, True))
    g, square, inside = np.array(truths), {}, {}
    for arm in ARMS:
        mean, low, high = np.array(found[arm]).swapaxes(0, 1)
        unit = (mean * g).sum() / (mean * mean).sum()  # the formula's own unit; reading less shrinks more
        square[arm] = ((mean - g / unit) ** 2).mean(axis=1)
        inside[arm] = ((low <= g / unit) & (g / unit <= high)).mean()
    whole = {arm: one.mean() for arm, one in square.items()}
    saved = 1.0 - whole["graded"] / whole["plain"]
    left = [1.0 - np.delete(square["graded"], k).mean() / np.delete(square["plain"], k).mean() for k in range(BOARDS)]
    error = np.sqrt((BOARDS - 1) * np.var(left))
    roots = " | ".join(f"{np.sqrt(whole[arm]):.1f}" for arm in ARMS)
    covered = " | ".join(f"{100 * inside[arm]:.1f}%" for arm in ARMS)
    return f"| {NAMES[truth]} | {roots} | {100 * saved:+.1f} ± {100 * error:.1f} | {covered} |"


def gradients() -> tuple[float, float]:
    """Microseconds of a gradient of a board without and with grades: the smallest of many."""
    frame, _ = votes_of("steps", 0)
    found = []
    for grades in (False, True):
        declared = leaderboard(frame, method="normal", checks=False, grades=grades).board.declared
        at, times = density(numbers_of(declared)), []
        x = np.zeros(declared.layout.count)
        for _ in range(200):
            start = time.perf_counter()
            for _ in range(20):
                at(x)
            times.append((time.perf_counter() - start) / 20)
        found.append(1e6 * min(times))
    return found[0], found[1]


def main_of_graded() -> None:
    """Write the page."""
    rows = [line(truth) for truth in NAMES]
    plain, graded = gradients()
    text = f"""# Graded votes

{BOARDS} simulated boards a line, {MODELS} models, {VOTES:,} votes with ties, a third to a half of the decided ones
`a>>b`. Root mean square error of ratings, Elo points: read as `a>b` (`--no-grades`) and with their grades. Saved:
reduction in votes, in percent, at which grades give the error of the plain reading (squared errors are proportional to
one over the votes), with a jackknife error over boards. Inside: share of models whose truth is in the `90%` interval.
The scale of each reading is fitted to the truth by one factor for all boards, because formulas have different scales.

| truth | plain | graded | saved, % of votes | inside, plain | inside, graded |
|---|--:|--:|--:|--:|--:|
{chr(10).join(rows)}

A gradient of the board without grades takes {plain:.1f} us, with them {graded:.1f} us: each step is an additional row
with its own draw parameter. Models without grades use the same code as before.
"""
    records.section(REPORT, text, "python benchmarks/bench_arena.py graded")


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


def main_of_cheap() -> None:
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


TESTS = 10_000
# LL, LD, DD, WL, WD, WW of pairs from openings that favour one side: the games of a pair tend to cancel.
KINDS = np.array([0.02, 0.20, 0.22, 0.34, 0.20, 0.02])
AS_PAIRS = np.array(
    [[1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 0, 1, 0, 0], [0, 0, 1, 0, 0], [0, 0, 0, 1, 0], [0, 0, 0, 0, 1]]
)
AS_GAMES = np.array([[2, 0, 0], [1, 1, 0], [0, 2, 0], [1, 0, 1], [0, 1, 1], [0, 0, 2]])
TESTS_HEAD = """# Sequential tests

By `benchmarks/bench_arena.py tests`: {tests} simulated tests of each row, alpha = beta = 0.05. Pairs from openings that
favour a side: LL, LD, DD, WL, WD, WW in shares {kinds} where the engines are equal; a pair's points vary {ratio} times
as much as those of two games that have nothing to do with each other. Standard errors in brackets; "Wald" is Wald's
approximation, which ignores the overshoot of the bounds.

| test | looked at | true difference | H1 accepted | games | Wald |
|---|---|---|---|---|---|
"""

LOOK, ALWAYS, LOOKS = 8, 1_000, 60  # of tests that stopped
STOPS_HEAD = """# Differences after a sequential stop

By `benchmarks/bench_arena.py stops`: {tests} simulated tests of each row, Elo {low:g} against {high:g}, alpha = beta =
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


def main_of_tests() -> None:
    """Write a section of leaderboard.md."""
    pairs, games = KINDS @ AS_PAIRS, KINDS @ AS_GAMES
    ratio = spread(pairs) ** 2 / (spread(games) ** 2 / 2)
    assert abs(pairs @ points_of(5) - 0.5) < 1e-12
    text = TESTS_HEAD.format(tests=f"{TESTS:,}", kinds=", ".join(f"{one:g}" for one in KINDS), ratio=f"{ratio:.2f}")
    elo, normal = Sprt(0.0, 15.0), Sprt(0.0, 30.0, normalized=True)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 1, 1)
    text += rows("Elo 0 and 15, by pairs", elo, AS_PAIRS, 4, 4)
    text += rows("Elo 0 and 15, by games", elo, AS_GAMES, 4, 2)
    text += rows("normalised Elo 0 and 30, by pairs", normal, AS_PAIRS, 4, 3)
    records.section(REPORT, text, "python benchmarks/bench_arena.py tests")


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


def main_of_stops() -> None:
    """Write a section of leaderboard.md."""
    test, begun = Sprt(0.0, 5.0), time.process_time()
    text = STOPS_HEAD.format(tests=f"{TESTS:,}", low=test.elo0, high=test.elo1, look=LOOK)
    for place, truth in enumerate((0.0, 2.5, 5.0)):
        text += row(test, truth, place)
        print(text.splitlines()[-1], time.process_time() - begun, flush=True)
    text += always(2.5, np.random.default_rng(8))
    records.section(REPORT, text, "python benchmarks/bench_arena.py stops")


if __name__ == "__main__":
    records.run(graded=main_of_graded, cheap=main_of_cheap, tests=main_of_tests, stops=main_of_stops)
