"""Normal draws beside long NUTS: means, standard deviations, intervals and chances to be the best on small files.

python benchmarks/bench_auto.py [FILE ...] > benchmarks/auto.md

SIMULATED files of many kinds (tests/outside/kinds.py, and games of bench_normal.py for rows that no file asks for) are
rated by weighted normal draws, those of `rate` at each of ten seeds, or 4,000 of rows that no file asks for, and by
NUTS, 4 x (1000 + 20,000), or 5,000 where there are more than 1,000 numbers: long, since errors are to be below what is
looked for; 2,000 players at three seeds, and 2 x (500 + 1,000). "Believed": at how many seeds `auto` keeps the normal
draws; the differences are of these together, of all ten where none is. They are the largest over ratings, White's worth
and draw rate: of means in standard deviations of the posterior, of standard deviations in %, of what the normal draws'
90% interval holds of NUTS's draws in points, of each player's chance to be the best in points; in brackets the Monte
Carlo error of that one difference. "Noise" is the largest difference of all in its error, and what chance alone exceeds
in 1 of 20 files. "Others" has the same of means and sds of what else the model learns, spreads and slopes for instance.
"""

import sys
import time
from itertools import combinations
from pathlib import Path
from tempfile import TemporaryDirectory

import arviz_stats as azs
import numpy as np
import xarray as xr
from bench_normal import selection
from scipy.stats import norm

from halfpoint import workflows
from halfpoint.evaluation.statements import best
from halfpoint.inference.fit import fit
from halfpoint.models.catalogue import declare

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "outside"))
import records
from kinds import KINDS, outcomes, people, simple_rows, spread, write_table

BOTH, SEEDS, MANY = ("chain", "draw"), 10, 1000
LARGE = "list of 2,000"  # three seeds of normal draws, 2 x (500 + 1,000) of NUTS
TOLD = ("rating_elo", "rating_elo_by_month", "advantage_elo", "draw_rate")
ROWS = ("davidson-population-walk", "davidson-walk", "margin-t", "davidson-all-draws", "bridge-ability", "listed")
ROWS += ("listed-draws", "listed-full", "rao-kupper-all-draws", "bt-population-walk")
FILES = ("club with ratings", "swiss", "engine final", "engine league", "football season", "tennis", "arena")
FILES += ("winners and losers", "scores in a cell", "separated", "without draws", "club evening")


def small_club(folder):
    """A file of eight players without ratings who meet once, 28 games."""
    chance = np.random.default_rng(5)
    names, rating = people(8), spread(chance, 8, 1500.0, 150.0)
    white, black = np.array([(i, j) if (i + j) % 2 else (j, i) for i, j in combinations(range(8), 2)]).T
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.25)
    return write_table(folder / "eight.csv", simple_rows(names, white, black, outcome))


def large_list(folder):
    """A file of 2,000 players without ratings who meet others of about their strength, 30,000 games."""
    chance, players, games = np.random.default_rng(6), 2000, 30_000
    names, rating = [f"P{number:04d}" for number in range(players)], np.sort(spread(chance, players, 1500.0, 250.0))
    white = chance.integers(0, players, games)
    black = (white + chance.choice([-1, 1], games) * chance.integers(1, 300, games)) % players
    outcome = outcomes(chance, rating[white] - rating[black] + 30.0, 0.25)
    return write_table(folder / "large.csv", simple_rows(names, white, black, outcome))


MADE = {"club of eight": small_club, LARGE: large_list}


def traces(name):
    """The row, games and players of a file, traces by normal draws of all seeds and by NUTS, and seconds."""
    runs = [("normal", 1000, 200, seed) for seed in range(1, SEEDS + 1)] + [("nuts", 20_000, 1000, 1)]
    runs = [*runs[:3], ("nuts", 4000, 500, 1)] if name == LARGE else runs
    found, seconds = [], []
    with TemporaryDirectory() as folder:
        if name in ROWS:
            declared = declare(name, selection())
        else:
            path = MADE[name](Path(folder)) if name in MADE else KINDS[name].make(Path(folder))[0]
        for method, draws, tune, seed in runs:
            if method == "nuts" and sum(one[0, 0].size for one in found[-1]["posterior"].data_vars.values()) > MANY:
                draws //= 4
            start = time.process_time()
            effort = {
                "draws": draws,
                "tune": tune,
                "chains": 2 if method == "nuts" and name == LARGE else 4,
                "seed": seed,
            }
            if name in ROWS or (name == LARGE and method == "nuts"):  # once, however it went
                tree = fit(declared, method, pointwise_draws=0, **effort)
            else:
                rated = workflows.rate(path, method=method, **effort)
                tree, declared = rated.trace, declare(rated.about["model"], rated.selection)
            about = declared.spec.name, len(declared.selection), declared.selection.players.size
            seconds.append(time.process_time() - start)
            found.append(tree)
    return about, found, (float(np.median(seconds[:-1])), seconds[-1])


def apart(drawn, exact, effective):
    """Differences and their errors of means, sds and coverage, each (value,), numbers that stand still left."""
    x, y = (one.stack(value=[d for d in one.dims if d not in BOTH]) if one.ndim > 2 else one for one in (drawn, exact))
    x, y = (one.transpose(*BOTH, ...).values.reshape(*one.shape[:2], -1) for one in (x, y))
    moving = y.std(axis=(0, 1)) > 1e-9
    x, y = x[..., moving], y[..., moving]
    if not x.size:
        return [(np.zeros(0), np.zeros(0))] * 3
    flat, sd = x.reshape(-1, x.shape[-1]), y.std(axis=(0, 1))
    low, high = np.quantile(flat, [0.05, 0.95], axis=0)
    inside = ((y >= low) & (y <= high)).astype(float)

    def error(values, of):
        return np.array([float(azs.mcse(values[..., k], method=of)) for k in range(values.shape[-1])])

    away = flat - flat.mean(axis=0)
    own_sd = np.sqrt(np.maximum((away**4).mean(axis=0) / flat.var(axis=0) ** 2 - 1.0, 0.0) / (4.0 * effective))
    mean = (flat.mean(axis=0) - y.mean(axis=(0, 1))) / sd, np.hypot(1 / np.sqrt(effective), error(y, "mean") / sd)
    widths = 100 * (flat.std(axis=0) / sd - 1), 100 * np.hypot(own_sd, error(y, "sd") / sd)
    held = 100 * (inside.mean(axis=(0, 1)) - 0.9), 100 * np.hypot(np.sqrt(0.09 / effective), error(inside, "mean"))
    return [mean, widths, held]


def strongest(drawn, exact, effective):
    """Differences of chances to be the best and their errors, points."""
    ratings = drawn["rating_elo"], exact["rating_elo"]
    x, y = (best(one).sort_index() for one in ratings)
    values = ratings[1].transpose(*BOTH, "player").values
    names = [str(one) for one in ratings[1]["player"].values]
    first = values.argmax(axis=-1)
    errors = []
    for name in y.index:
        share = max(y[name], 1 / first.size)
        is_best = (first == names.index(name)).astype(float)
        own = float(azs.mcse(is_best, method="mean")) if 0 < is_best.mean() < 1 else 1 / first.size
        errors.append(100 * np.hypot(own, np.sqrt(share * (1 - share) / effective)))
    return 100 * (x - y).to_numpy(), np.array(errors)


def largest(found, digits):
    """The largest difference, its error in brackets, and whether it is none."""
    difference, error = found
    if not difference.size:
        return ""
    k = int(np.abs(difference).argmax())
    return f"{difference[k]:+.{digits}f} ({error[k]:.{digits}f})"


def line(name):
    """A line of the table."""
    (row, games, players), (*normals, nuts), seconds = traces(name)
    believed = [tree for tree in normals if not tree.attrs["approximate"]]
    kept = believed or normals
    effective = sum(float(tree.attrs.get("effective_draws", 1.0)) for tree in kept)
    how = {"join": "override", "coords": "minimal", "compat": "override"}
    one, other = xr.concat([tree["posterior"].ds for tree in kept], "draw", **how), nuts["posterior"].ds
    numbers = [apart(one[key], other[key], effective) for key in TOLD if key in other]
    told = [tuple(np.concatenate(part) for part in zip(*(n[k] for n in numbers), strict=True)) for k in range(3)]
    rest = [key for key in other.data_vars if key not in TOLD and key not in ("strength", "log_draw", "advantage")]
    rest = [apart(one[key], other[key], effective) for key in rest] or [[(np.zeros(0), np.zeros(0))] * 3]
    rest = [tuple(np.concatenate(part) for part in zip(*(n[k] for n in rest), strict=True)) for k in range(2)]
    first = strongest(one, other, effective) if "rating_elo" in other and players > 1 else (np.zeros(0), np.zeros(0))
    all_of = np.concatenate([np.abs(d) / e for d, e in (*told, first) if d.size])
    chance = norm.isf(0.5 * (1 - 0.95 ** (1 / all_of.size)))
    ks = sorted(tree.attrs["pareto_k"] for tree in normals)
    print(name, *(tree.attrs["verdict"] for tree in (normals[0], nuts)), sep="\n  ", file=sys.stderr, flush=True)
    cells = (
        name, row, f"{games:,}", players, f"{len(believed)} of {len(normals)}", f"{ks[0]:.2f} to {ks[-1]:.2f}",
        f"{effective:,.0f}", largest(told[0], 3), largest(told[1], 1), largest(told[2], 1), largest(first, 1),
        f"{all_of.max():.1f} ({chance:.1f})", largest(rest[0], 3), largest(rest[1], 1),
        *(f"{one:.1f}" for one in seconds),
    )  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def main(names):
    """Print the table."""
    columns = (
        "file", "row", "games", "players", "believed", "k", "effective", "means, sd", "sds, %", "90% interval, points",
        "best, points", "noise", "others: means", "sds", "CPU s: normal", "NUTS",
    )  # fmt: skip
    print(records.mark("python benchmarks/bench_auto.py"))
    print(f"{__doc__}\n| {' | '.join(columns)} |\n|---|---|--:|--:|---|---{'|--:' * 10}|")
    for name in names:
        print(line(name), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:] or (*FILES, *MADE, *ROWS))
