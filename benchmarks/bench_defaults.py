"""Coverage of `rate` without options on files paired at random, by strength, results, leagues or ratings.

    .venv/bin/python benchmarks/bench_defaults.py designs [--files 100] [--from 0] [--model ROW] [--record FILE] [NAME]

rates the files of each design (`default_designs`) as `rate` does and prints a row for each design: shares of 90%
intervals that contain the truth (differences of pairs, ranks, the best player, draw rate, first seat), the slope of the
truth on forecasts of random pairs (1 is right, below 1 forecasts are too bold), the models chosen, files with a warning
of a deviation from the model by kind, files that needed NUTS, median CPU seconds. With `--record` each file is a line
of FILE, and files of an earlier run are not rated again.

CPU seconds of `rate` on 5,000 games of 200 players, twice in a process.

    .venv/bin/python benchmarks/bench_defaults.py seconds FOLDER write
    .venv/bin/python benchmarks/bench_defaults.py seconds FOLDER lot|matched|dated ...

The first command writes three simulated files to FOLDER: random opponents, opponents by a hidden rating, random
opponents over 200 days. The second rates them with the code of the Python that runs it, so that another checkout can be
timed on the same files.

Priors of the spreads of `davidson-matched` compared on files with known truth, about 1 CPU s a file.

    .venv/bin/python benchmarks/bench_defaults.py priors [--files 20] [--from 0] [DESIGN ...]

For each file (`default_designs`) the mode and curvature of strengths, first seat and draws are found on a grid of the
two spreads, s of players and w of opponents (`docs/default.md`); the evidence of each point is Laplace's. All priors of
the spreads weight the same grid, so their rows differ by the prior alone. Strengths are constant here, so the figures
apply to models of constant strengths. A row is: share of 90% intervals of differences that contain the truth, the same
for ranks, slope of the truth on forecasts of random pairs (1 is right, below 1 forecasts are too bold), mean squared
error of these forecasts in 1/10,000, median width in Elo points; standard errors over files.

Laplace's evidence is biased with few games a player: s is then too small. For Swiss events compare priors by
`bench_defaults.py --model FILE.py:NAME`, whose weights are exact.
"""

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pandas as pd
import records
import scipy.linalg as linalg
import scipy.sparse as sparse
from default_designs import DESIGNS, ELO

from halfpoint.apps import workflows
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.games import select
from halfpoint.models.reading.ground import Ground
from halfpoint.readers import read

TAILS, PAIRS = (0.05, 0.95), 4000
LEADS = {  # words of a line of what is unlike the model
    "draws by strength": "stronger players draw", "draws by gap": "players far apart draw",
    "draws by player": "inclination to draw", "seats": "first-seat advantage",
}  # fmt: skip
SHOWN = {"differences": "differences, %", "ranks": "ranks, %", "best": "best, %", "draw": "draws, %", "seat": "seat, %"}


def ranks(values):
    """Ranks, 1 for the largest, along the last axis."""
    return (-values).argsort(axis=-1).argsort(axis=-1) + 1


def judged(file, rng, model="auto", draws=500):
    """Comparison of the output of `rate` on a file with the truth, as a mapping."""
    begun = time.process_time()
    found = workflows.rate(file.frame, model=model, draws=draws, groups="largest")
    seconds = time.process_time() - begun
    posterior = found.trace["posterior"].to_dataset().stack(sample=("chain", "draw"))
    strength = posterior["strength"]
    strength = strength.isel(month=-1) if "month" in strength.dims else strength
    names = [int(str(name)[1:]) for name in posterior["player"].to_numpy()]
    draw, truth = strength.transpose("sample", "player").to_numpy(), file.strength[names]
    one, other = np.triu_indices(len(names), 1)
    if len(one) > PAIRS:
        kept = rng.choice(len(one), PAIRS, replace=False)
        one, other = one[kept], other[kept]
    apart, true = draw[:, one] - draw[:, other], truth[one] - truth[other]
    row = {
        "differences": inside(apart, true),
        "width": float(np.median(np.ptp(np.quantile(apart, TAILS, 0), 0)) * ELO),
    }
    place, right, lot = ranks(draw), ranks(truth), rng.random(len(names))
    below = (place < right).mean(axis=0) + lot * (place == right).mean(axis=0)
    row["ranks"] = float(((below > TAILS[0]) & (below < TAILS[1])).mean())
    best = (place == 1).mean(axis=0)
    share = best[right == 1][0]
    row["best"] = float(best[best > share].sum() + lot[0] * share < 0.9)
    for name, variable, number in (("draw", "log_draw", file.log_draw), ("seat", "advantage", file.seat)):
        if number is not None and variable in posterior and posterior[variable].ndim == 1:
            row[name] = inside(posterior[variable].to_numpy()[:, None], np.array([number]))
    log_draw = posterior["log_draw"].to_numpy()[:, None] if "log_draw" in posterior else None
    forecast = expected(apart, log_draw).mean(axis=0) - 0.5
    row["slope"] = float(forecast @ (expected(true, file.log_draw) - 0.5) / (forecast @ forecast))
    return row | {
        "model": found.about["model"], "method": found.trace.attrs.get("method", "nuts"), "seconds": seconds,
        "lines": [one for one in found.trace.attrs.get("checks", "").splitlines() if one],
    }  # fmt: skip


def inside(draws, truth):
    """Share of 90% intervals of draws (draw, number) that contain the truth (number,)."""
    low, high = np.quantile(draws, TAILS, axis=0)
    return float(((low <= truth) & (truth <= high)).mean())


def expected(difference, log_draw):
    """Expected scores by differences."""
    if log_draw is None:
        return 1.0 / (1.0 + np.exp(-difference))
    win, lost, drawn = np.exp(difference / 2), np.exp(-difference / 2), np.exp(log_draw)
    return (win + drawn / 2) / (win + lost + drawn)


def leads(files):
    """Number of files with a warning on a deviation from the model, by kind."""
    kinds = Counter(
        kind
        for one in files
        for kind in {next((name for name, words in LEADS.items() if words in line), "other") for line in one["lines"]}
    )
    return ", ".join(f"{kind} {count}" for kind, count in kinds.most_common()) or "0"


def with_error(values, digits):
    """Mean and its standard error over files, without an error for one file; empty without values."""
    error = f" ± {values.std() / len(values) ** 0.5:.{digits}f}" if len(values) > 1 else ""
    return f"{values.mean():.{digits}f}{error}" if len(values) else ""


def row_of(name, files):
    """Row of the table."""
    cells = [name, str(len(files))]
    for key in SHOWN:
        values = 100.0 * np.array([one[key] for one in files if key in one])
        cells.append(with_error(values, 0))
    slopes, rows = np.array([one["slope"] for one in files]), Counter(one["model"] for one in files)
    sampled = sum(one["method"] == "nuts" for one in files)
    width, seconds = (np.median([one[key] for one in files]) for key in ("width", "seconds"))
    cells += [with_error(slopes, 2), f"{width:.0f}"]
    cells += [", ".join(f"`{row}` {count}" for row, count in rows.most_common()), leads(files), f"{sampled}"]
    return "| " + " | ".join([*cells, f"{seconds:.1f}"]) + " |"


def main_of_designs():
    """Rate the files and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="*", metavar="DESIGN")
    parser.add_argument("--files", type=int, default=100)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--model", default="auto")
    parser.add_argument("--record", type=Path, default=None)
    asked = parser.parse_args()
    names, files = asked.designs or list(DESIGNS), {}
    if asked.record is not None and asked.record.exists():
        for line in asked.record.read_text(encoding="utf-8").splitlines():
            one = json.loads(line)
            files[one["design"], one["seed"]] = one
    for seed in range(asked.first, asked.first + asked.files):
        for name in names:
            if (name, seed) in files:
                continue
            rng = np.random.default_rng([seed, 77])
            files[name, seed] = judged(DESIGNS[name](rng), rng, asked.model) | {"design": name, "seed": seed}
            if asked.record is not None:
                with asked.record.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(files[name, seed]) + "\n")
    heads = ["design", "files", *SHOWN.values(), "slope", "width, Elo", "rows", "lines", "NUTS", "CPU s"]
    print("| " + " | ".join(heads) + " |\n|---" + "|--:" * (len(heads) - 1) + "|")
    for name in names:
        print(row_of(name, [one for (design, _), one in files.items() if design == name]))


def write(folder):
    """Write the three files."""
    from default_designs import by_lot, matched, played

    rng = np.random.default_rng(5)
    strength, still = rng.normal(0.0, 0.9, 200), np.zeros(5000, dtype=int)
    lot = played(rng, strength, *by_lot(rng, 200, 5000), day=still)
    dated = played(rng, strength, *by_lot(rng, 200, 5000), day=rng.integers(0, 200, 5000))
    near = matched(rng, players=200, rounds=50)
    near = played(rng, near.strength, near.white, near.black, day=still)
    for name, file in (("lot", lot), ("matched", near), ("dated", dated)):
        file.frame.to_csv(folder / f"{name}.csv", index=False)


def main_of_seconds(place, *names):
    """Write files, or time their rating."""
    folder = Path(place)
    if names == ("write",):
        write(folder)
        return
    for name in names:
        frame, seconds = pd.read_csv(folder / f"{name}.csv"), []
        for _ in range(2):
            begun = time.process_time()
            found = workflows.rate(frame)
            seconds.append(time.process_time() - begun)
        print(f"{name}: {found.about['model']}, {seconds[0]:.1f} s, then {seconds[1]:.1f} s", flush=True)


def run_seconds():
    """Measure the files of a folder, if one is named."""
    if len(sys.argv) > 1:
        main_of_seconds(*sys.argv[1:])


SPREADS, MET = np.geomspace(0.2, 4.0, 8), np.geomspace(0.006, 1.0, 9)
LEVEL_SD, SEAT_SD, DRAW_SD = 2.3, 0.5, 2.5  # priors of the mean strength, the first seat, the log draw parameter
DRAWS, HALF_SCORES = 600, np.array([-0.5, 0.0, 0.5])


def normal(mean, sd):
    """Log density of a log-normal spread on a grid that is even in logarithms."""
    return lambda spread: -0.5 * ((np.log(spread) - mean) / sd) ** 2


def half(scale):
    """Log density of a half-normal spread on the grid."""
    return lambda spread: -0.5 * (spread / scale) ** 2 + np.log(spread)


PRIORS = {  # mean and standard deviation of log s, and the law of w; the last pair is that of the catalogue
    "s 0.4 0.4; w half-normal 0.25": (normal(0.4, 0.4), half(0.25)),
    "s 0.1 0.25; w half-normal 0.25": (normal(0.1, 0.25), half(0.25)),
    "s 0.2 0.4; w half-normal 0.05": (normal(0.2, 0.4), half(0.05)),
    "s 0.2 0.4; w half-normal 0.1": (normal(0.2, 0.4), half(0.1)),
    "s 0.2 0.4; w log-normal -3 1": (normal(0.2, 0.4), normal(-3.0, 1.0)),
    "s 0.2 0.4; w half-normal 0.25": (normal(0.2, 0.4), half(0.25)),
}


class Likelihood:
    """Games of Davidson's model, or of Bradley-Terry: strengths (player,), first-seat advantage, log draw parameter."""

    def __init__(self, selection):
        games, count = len(selection.games), len(selection.players)
        self.outcome = np.rint(2.0 * np.asarray(selection.games.score)).astype(int)
        self.drawn, self.games = bool((self.outcome == 1).any()), np.arange(games)
        who = np.concatenate([selection.white, selection.black, np.full(games, count)])
        sign = np.repeat([1.0, -1.0, 1.0], games)
        self.sides = sparse.csr_array((sign, (np.tile(self.games, 3), who)), shape=(games, count + 1))
        self.size = count + 1 + self.drawn

    def log_chances(self, z):
        """Log probabilities of loss, draw and win, (game, outcome)."""
        x = self.sides @ z[: self.sides.shape[1]]
        terms = np.stack([-x / 2.0, np.full(x.size, z[-1] if self.drawn else -np.inf), x / 2.0], axis=-1)
        terms -= terms.max(axis=1, keepdims=True)
        return terms - np.log(np.exp(terms).sum(axis=1, keepdims=True))

    def value(self, z):
        """The log likelihood."""
        return self.log_chances(z)[self.games, self.outcome].sum()

    def slopes(self, z):
        """Gradient (number,) and negative second derivatives (number, number)."""
        share, known = np.exp(self.log_chances(z)), self.sides.shape[1]
        mean = share @ HALF_SCORES
        bend = share @ HALF_SCORES**2 - mean**2
        gradient, second = np.zeros(self.size), np.zeros((self.size, self.size))
        gradient[:known] = self.sides.T @ (HALF_SCORES[self.outcome] - mean)
        second[:known, :known] = (self.sides.T @ sparse.csr_array(self.sides.multiply(bend[:, None]))).toarray()
        if self.drawn:
            q = share[:, 1]
            gradient[-1] = ((self.outcome == 1) - q).sum()
            second[:known, -1] = second[-1, :known] = self.sides.T @ (-q * mean)
            second[-1, -1] = (q * (1.0 - q)).sum()
        return gradient, second


def grid_of(selection):
    """Points of the grid: log evidence, s, w, mode and Cholesky factor; w is 0 if opponents carry no information."""
    likelihood, count = Likelihood(selection), len(selection.players)
    opponents = Ground(selection, find("davidson-matched")).opponents(rated=False)
    size, axes, met = np.zeros(count), np.eye(count), np.zeros(1)
    if opponents is not None:
        dense = opponents.toarray()
        (size, axes), met = np.linalg.eigh(np.linalg.inv(dense.T @ dense)), MET
    z, points, further = np.zeros(likelihood.size), [], [1.0 / SEAT_SD**2, 1.0 / DRAW_SD**2][: 1 + likelihood.drawn]
    for k, w in enumerate(met):
        for s in SPREADS[:: -1 if k % 2 else 1]:
            covariance = (axes * (s**2 + w**2 * size)) @ axes.T + LEVEL_SD**2
            factor = linalg.cho_factor(covariance, lower=True)
            prior = linalg.block_diag(linalg.cho_solve(factor, np.eye(count)), np.diag(further))
            z, root = mode_of(likelihood, prior, z)
            joint = likelihood.value(z) - 0.5 * z @ prior @ z
            evidence = joint - np.log(np.diag(factor[0])).sum() - np.log(np.diag(root)).sum()
            points.append((evidence, s, w, z, root))
    return points, opponents is not None, likelihood.drawn


def mode_of(likelihood, prior, z):
    """Mode by Newton's method with step halving, and the Cholesky factor of the curvature."""
    joint = lambda at: likelihood.value(at) - 0.5 * at @ prior @ at  # noqa: E731
    now = joint(z)
    for _ in range(60):
        gradient, second = likelihood.slopes(z)
        step, length = linalg.cho_solve(linalg.cho_factor(second + prior), gradient - prior @ z), 1.0
        while (found := joint(z + length * step)) < now - 1e-9 and length > 1e-3:
            length /= 2.0
        z, gained, now = z + length * step, found - now, found
        if abs(gained) < 1e-4:
            break
    return z, np.linalg.cholesky(likelihood.slopes(z)[1] + prior)


def judged_of_priors(file, seed):
    """Comparison of the estimates under each prior with the truth of a file, by name of the prior."""
    table = read(file.frame)
    selection = select(table, table.people, "both")
    points, near, drawn = grid_of(selection)
    evidence, s, w = (np.array([one[k] for one in points]) for k in range(3))
    names = [int(str(name)[1:]) for name in selection.players]
    truth, rng = file.strength[names], np.random.default_rng([seed, 5])
    one, other = np.triu_indices(len(names), 1)
    if len(one) > PAIRS:
        kept = rng.choice(len(one), PAIRS, replace=False)
        one, other = one[kept], other[kept]
    true, found = truth[one] - truth[other], {}
    for name, (spread, met) in PRIORS.items():
        weight = evidence + spread(s) + (met(w) if near else 0.0)
        weight = np.exp(weight - weight.max())
        parts = zip(points, rng.multinomial(DRAWS, weight / weight.sum()), strict=True)
        draw = np.concatenate([
            z + linalg.solve_triangular(root, rng.normal(size=(z.size, many)), lower=True, trans=1).T
            for (*_, z, root), many in parts if many
        ])  # fmt: skip
        apart, place, right = draw[:, one] - draw[:, other], ranks(draw[:, : len(names)]), ranks(truth)
        below = (place < right).mean(axis=0) + rng.random(len(names)) * (place == right).mean(axis=0)
        forecast = expected(apart, draw[:, -1:] if drawn else None).mean(axis=0) - 0.5
        score = expected(true, file.log_draw) - 0.5
        found[name] = [
            100.0 * inside(apart, true), 100.0 * float(((below > TAILS[0]) & (below < TAILS[1])).mean()),
            float(forecast @ score / (forecast @ forecast)), 1e4 * float(np.mean((forecast - score) ** 2)),
            float(np.median(np.ptp(np.quantile(apart, TAILS, 0), 0)) * ELO),
        ]  # fmt: skip
    return found


def main_of_priors():
    """Score the files and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("designs", nargs="*", metavar="DESIGN")
    parser.add_argument("--files", type=int, default=20)
    parser.add_argument("--from", type=int, default=0, dest="first")
    asked = parser.parse_args()
    print("| design | prior | differences, % | ranks, % | slope | error | width, Elo | CPU s |")
    print("|---|---" + "|--:" * 6 + "|")
    for name in asked.designs or DESIGNS:
        begun = time.process_time()
        seeds = range(asked.first, asked.first + asked.files)
        results = [judged_of_priors(DESIGNS[name](np.random.default_rng([seed, 77])), seed) for seed in seeds]
        seconds = (time.process_time() - begun) / asked.files
        for prior in PRIORS:
            values = np.array([one[prior] for one in results])
            mean, error = values.mean(axis=0), values.std(axis=0) / len(values) ** 0.5
            cells = [f"{mean[k]:.{digits}f} ± {error[k]:.{digits}f}" for k, digits in enumerate((0, 0, 2, 0))]
            print(
                f"| {name} | {prior} | " + " | ".join([*cells, f"{mean[4]:.0f}", f"{seconds:.1f}"]) + " |", flush=True
            )


if __name__ == "__main__":
    records.run(designs=main_of_designs, seconds=run_seconds, priors=main_of_priors)
