"""Coverage of `rate` without options on files paired at random, by strength, results, leagues or ratings.

    .venv/bin/python benchmarks/bench_defaults.py [--files 100] [--from 0] [--model ROW] [--record FILE] [DESIGN ...]

rates the files of each design (`default_designs`) as `rate` does and prints a row for each design: shares of 90%
intervals that contain the truth (differences of pairs, ranks, the best player, draw rate, first seat), the slope of the
truth on forecasts of random pairs (1 is right, below 1 forecasts are too bold), the models chosen, files with a warning
of a deviation from the model by kind, files that needed NUTS, median CPU seconds. With `--record` each file is a line
of FILE, and files of an earlier run are not rated again.
"""

import argparse
import json
import time
from collections import Counter
from pathlib import Path

import numpy as np
from default_designs import DESIGNS, ELO

from halfpoint.apps import workflows

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


def main():
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


if __name__ == "__main__":
    main()
