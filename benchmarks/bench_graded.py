"""Graded votes on simulated boards: votes saved by `a>>b`, and their cost if grades are uninformative.

`python benchmarks/bench_graded.py` writes graded.md. Truths: steps, the model itself; adjacent categories (Agresti
1992, equal steps, symmetric cuts); a latent logistic difference with symmetric thresholds; random grades; judges with
different habits of grading, by whom votes are clustered.
"""

import time
from pathlib import Path

import numpy as np
import pandas as pd
import records

from halfpoint.apps.fields.arena import leaderboard
from halfpoint.inference.loops.engine import density, numbers_of

REPORT = Path(__file__).with_name("graded.md")
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


def main() -> None:
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
    records.page(REPORT, text, "python benchmarks/bench_graded.py")


if __name__ == "__main__":
    main()
