"""Effective draws a CPU second of every model at two commits, run alternately; write benchmarks/beside.md.

    HALFPOINT_DATA_DIR=... python benchmarks/bench_beside.py [--commit bc0b6fff] [--seeds 3] [--rows NAME,NAME]

The files of the other commit are checked out to a separate folder and run in a separate process. A model is sampled on
the study's games by one commit and then the other, seed by seed, 4 chains x (500 + 1000) on one processor; CPU seconds
are of the whole call with its declaration. User-defined formulas are sampled in the same way.
"""

import argparse
import json
import runpy
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

import numpy as np
import records

REPORT = Path(__file__).parent / "beside.md"
ROOT = Path(__file__).parent.parent
WORKER = """
import json, sys, time
sys.path.insert(0, sys.argv[1])
from dataclasses import replace
import numpy as np
import pytensor.tensor as pt
import halfpoint.models as models
from halfpoint.readers.datasets.study import monitored_names, training
from halfpoint.models.games.select import select
from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.sample import sample
import pymc as pm
from halfpoint.models import outcome
from halfpoint.models.declaration.catalogue import declare

assert models.__file__.startswith(sys.argv[1]), models.__file__
games = training()
rng = np.random.default_rng(1)
games = replace(games, covariates={**games.covariates, "rapid": (rng.random(len(games)) < 0.2).astype(float),
                                   "margin": 4.0 * games.score - 2.0 + rng.normal(size=len(games)),
                                   "deal": rng.integers(0, 40, len(games))})
games = select(games, monitored_names())


def erfc(white, black, lam):
    loss, win = (pt.log(pt.erfc(sign * (white - black) / 1.6 / 2**0.5) / 2) for sign in (1, -1))
    return loss, (loss + win) / 2, win


def plain(white, black, lam):
    gap = white - black
    return -pt.log1p(pt.exp(gap)), lam - pt.log(pt.cosh(gap / 2)), -pt.log1p(pt.exp(-gap))


def own(scores, draws, **how):
    def function(games):
        with pm.Model(coords=games.coords) as model:
            strength, gain = pm.Normal("strength", 15.0, 400.0, dims="player"), pm.Normal("advantage", 0.0, 1.0)
            lam = pm.Normal("log_draw", 1.0, 5.0) if draws else None
            outcome(games, scores, games.white(strength) + gain, games.black(strength), lam, **how)
        return model

    return function


OWN = {"own formula": own(plain, True), "own formula with erfc": own(erfc, False, over=(0, 2))}
for line in sys.stdin:
    name, seed, draws = json.loads(line)
    start = time.process_time()
    declared = declare(OWN.get(name, name), games, "described")
    trace = sample(declared, draws=draws, tune=draws // 2, cores=1, seed=seed)
    seconds = time.process_time() - start
    compute, point, times = density(numbers_of(declared)), 0.1 * np.ones(declared.layout.count), []
    for _ in range(400):
        start = time.perf_counter()
        compute(point)
        times.append(time.perf_counter() - start)
    said = {"seconds": seconds, "draws": trace.attrs["min_ess_bulk"], "gradient": 1e6 * float(np.quantile(times, 0.2)),
            "steps": float(trace["sample_stats"]["n_steps"].sum())}
    print(json.dumps(said), flush=True)
"""
OWN = ("own formula", "own formula with erfc")


class Side:
    """Process that samples models with the files of one commit."""

    def __init__(self, folder: Path) -> None:
        arguments = [sys.executable, "-W", "ignore", "-c", WORKER, str(folder)]
        self.process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def sampled(self, name: str, seed: int, draws: int = 1000) -> dict[str, float]:
        """CPU seconds, effective draws, microseconds a gradient and gradients of one call."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([name, seed, draws]) + "\n")
        self.process.stdin.flush()
        found: dict[str, float] = json.loads(self.process.stdout.readline())
        return found


def package(commit: str, home: Path) -> Path:
    """Folder with the package of a commit, or of the current files, linked as installed."""
    source = home / "source" if commit else ROOT
    if commit:
        source.mkdir(parents=True)
        packed = subprocess.run(["git", "archive", commit], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", str(source)], input=packed.stdout, check=True)
    runpy.run_path(str(source / ".ci" / "link.py"))["linked"](home, source)
    return home


def compared(name: str, sides: list[Side], seeds: int) -> str:
    """Row of the table: rates, their ratio and that of draws per gradient with standard errors, gradients."""
    for side in sides:  # what is compiled once is warm
        side.sampled(name, 0, 20)
    found = []
    for seed in range(1, seeds + 1):
        order = sides if seed % 2 else sides[::-1]
        one = {id(side): side.sampled(name, seed) for side in order}
        found.append([[one[id(side)][key] for key in ("draws", "seconds", "steps", "gradient")] for side in sides])
    every = np.array(found)  # (seed, side, what)
    draws, seconds, steps = every[..., 0], every[..., 1], every[..., 2]
    here, there = draws.sum(axis=0) / seconds.sum(axis=0)
    ratios = [f"{here / there:.2f} ± {here / there * error_of(draws / seconds):.2f}"]
    mine, theirs = draws.sum(axis=0) / steps.sum(axis=0)
    ratios += [f"{mine / theirs:.2f} ± {mine / theirs * error_of(draws / steps):.2f}"]
    one, other = every[..., 3].min(axis=0)
    return " | ".join([f"| {name}", f"{here:.0f}", f"{there:.0f}", *ratios, f"{one:.0f}", f"{other:.0f} |"])


def error_of(rates: np.ndarray) -> float:
    """Standard error of the logarithm of a ratio of two commits, from seeds; shape (seed, side)."""
    apart = np.log(rates[:, 0] / rates[:, 1])
    return float(apart.std(ddof=1) / np.sqrt(len(apart))) if len(apart) > 1 else float("nan")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commit", default="bc0b6fff")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--rows", default="")
    settings = parser.parse_args()
    from halfpoint.models.declaration.catalogue import CATALOGUE

    names = settings.rows.split(",") if settings.rows else [*CATALOGUE, *OWN]
    with tempfile.TemporaryDirectory() as folder:
        homes = [package("", Path(folder) / "here"), package(settings.commit, Path(folder) / "there")]
        sides = [Side(home) for home in homes]
        rows = []
        for name in names:
            try:
                rows.append(compared(name, sides, settings.seeds))
            except (ValueError, KeyError) as error:
                print(f"{name}: {error}", flush=True)
                sides = [Side(home) for home in homes]
                continue
            print(rows[-1], flush=True)
        for side in sides:
            side.process.kill()
    asked = f" --rows {settings.rows!r}" if settings.rows else ""
    asked = f"--seeds {settings.seeds}{asked}"
    command = f"python benchmarks/bench_beside.py --commit {settings.commit} {asked}"
    records.page(REPORT, text(settings.commit, asked, rows), command)


def text(commit: str, asked: str, rows: list[str]) -> str:
    """The page."""
    here = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True)
    said = f"""`HALFPOINT_DATA_DIR=... python benchmarks/bench_beside.py --commit {commit} {asked}` wrote this file at
        commit {here.stdout.strip()}: effective draws a CPU second of rows on the study's games, here and at {commit},
        the last commit whose formulas had loops written by hand; by turns in one run, 4 chains x (500 + 1000) on one
        processor, summed over the seeds. CPU seconds are of the whole call with its declaration. The errors of ratios
        are those of the seeds. Draws a gradient would be 1 up to chance, the two densities being equal: where
        rounding differs, so do the chains. A gradient is one log density with its slopes, the fastest of the seeds.
        Rapid, margins and deals are drawn at random, since the games have none."""
    head = [
        "# Loops written from graphs and loops written by hand",
        "",
        *textwrap.wrap(" ".join(said.split()), 120),
        "",
        "| row | draws a CPU s here | there | ratio | draws a gradient, ratio | gradient here, us | there |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    return "\n".join([*head, *rows]) + "\n"


if __name__ == "__main__":
    main()
