"""Measure sampling in one run: python benchmarks/bench_sampling.py [--games study|replica] [--without Stan].

Each way of sampling runs in a separate process, on two processors, in rounds; halfpoint's runs alternate with the
others, so that its median covers the whole time. The report is printed and written to benchmarks/sampling.md after each
run, so that a stopped command leaves its results. `bench_sampling.py mode GAMES` compares the modes alone.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import time
import warnings
from importlib.metadata import version
from pathlib import Path
from statistics import median

import numpy as np
import records

HERE = Path(__file__).resolve().parent
MODELS = ("davidson-player", "bt-common")
OTHERS = (
    "per game, PyMC",
    "graph",
    "Stan, best",
    "Stan, plain",
    "per game, nutpie",
)
WORDS = {
    "fused": "halfpoint: fused, shared compiled code",
    "graph": "cells, formula as a graph, nutpie",
    "per game, nutpie": "a term a game, as first written, nutpie",
    "per game, PyMC": "a term a game, as first written, PyMC's NUTS",
    "Stan, best": "Stan, best program found (PyStan)",
    "Stan, plain": "Stan, plain vectorised (PyStan)",
}
TARGETS = {"davidson-player": 350, "bt-common": 500}


def measure(script, *arguments, **environment):
    """Run a script on two processors and return its measurements; None if it failed."""
    command = ["taskset", "-c", "0,1", sys.executable, str(HERE / script), *arguments]
    print("running", script, *arguments, flush=True)
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | environment, cwd=HERE)
    lines = [line for line in done.stdout.splitlines() if line.startswith("RESULT ")]
    if done.returncode or not lines:
        print(done.stderr[-2000:], flush=True)
        return None
    print(lines[-1], flush=True)
    return json.loads(lines[-1].removeprefix("RESULT "))


def build_stan(ways, games, cache):
    """Start a background process that builds the Stan programs of a run, and return it."""
    styles = [way.removeprefix("Stan, ") for way in ways if way.startswith("Stan")]
    one = "%s %s way 'Stan build, %s' %s %s"
    commands = [one % (sys.executable, HERE / "variants.py", style, name, games) for style in styles for name in MODELS]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(
        ["sh", "-c", "; ".join(commands)], env=os.environ | {"STAN_CACHE": cache}, cwd=HERE, **quiet
    )


def table_of(name, results):
    """Rows of one model: medians over repeats, ratios to halfpoint."""
    lines = [
        "| way | runs | compile s | CPU s | wall s | us / leapfrog | worst ESS | ESS / CPU s | halfpoint is | MB |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    speed = {way: median(run["ess"] / run["cpu"] for run in runs) for way, runs in results.items() if runs}
    for way, runs in results.items():
        if not runs:
            lines.append(f"| {WORDS[way]} | 0 | not run | | | | | | | |")
            continue
        middle = {key: median(run[key] for run in runs) for key in ("compile", "cpu", "wall", "ess", "peak_mb")}
        steps = median(1e6 * run["cpu"] / run["leapfrogs"] for run in runs) if "leapfrogs" in runs[0] else None
        ratio = "" if way == "fused" else f"{speed['fused'] / speed[way]:.1f} times faster"
        lines.append(
            f"| {WORDS[way]} | {len(runs)} | {middle['compile']:.1f} | {middle['cpu']:.1f} | {middle['wall']:.1f} | "
            f"{'' if steps is None else f'{steps:.0f}'} | {middle['ess']:.0f} | {speed[way]:.0f} | {ratio} | "
            f"{middle['peak_mb']:.0f} |"
        )
    means = [run["mean"] for runs in results.values() for run in runs]
    unit = "Elo" if name == "bt-common" else "natural units"
    lines += ["", f"Mean strength over players and draws: {min(means):.4f} to {max(means):.4f} {unit} in all runs."]
    return lines


def requirements_of(name, results, floor):
    """Lines with measured and required values."""

    def speed(way):
        return median(run["ess"] / run["cpu"] for run in results[way]) if results.get(way) else None

    own = speed("fused")
    checks = [(f"{name}: worst ESS a CPU second", own, TARGETS[name], "at least")]
    for way, factor in (("Stan, best", 3), ("Stan, plain", 6), ("per game, PyMC", 25)):
        if speed(way):
            checks.append((f"{name}: times {WORDS[way]}", own / speed(way), factor, "at least"))
    leapfrog = median(1e6 * run["cpu"] / run["leapfrogs"] for run in results["fused"])
    checks.append((f"{name}: a leapfrog over the C floor", leapfrog / floor, 1.6, "at most"))
    return checks


def check_lines(checks):
    """Table of requirements."""
    lines = ["| what | measured | required | met |", "|---|--:|--:|---|"]
    for what, found, required, sense in checks:
        met = found >= required if sense == "at least" else found <= required
        lines.append(f"| {what} | {found:.2f} | {sense} {required} | {'yes' if met else 'NO'} |")
    return lines


def processor():
    """Name of the processor."""
    text = Path("/proc/cpuinfo").read_text()
    names = [line.split(":")[1].strip() for line in text.splitlines() if line.startswith("model name")]
    return names[0] if names else platform.processor()


def twelve_lines(cold, warm):
    """Section on the twelve models."""
    return [
        "",
        "## Twelve models in one process",
        "",
        f"Imports, declaring, sampling, likelihoods and diagnosis: {cold['wall']:.0f} s wall and {cold['cpu']:.0f} s "
        f"CPU with empty caches; {median(run['wall'] for run in warm):.0f} s wall and "
        f"{median(run['cpu'] for run in warm):.0f} s CPU warm (median of {len(warm)}). "
        f"Verdicts: {', '.join(cold['verdicts'])}.",
    ]


def mode_lines(mode):
    """Section on the mode."""
    return [
        "",
        "## The mode, every player a parameter",
        "",
        f"Bradley-Terry with half points, {mode['players']} players, {mode['games']} games, the same normal prior.",
        "",
        "| program | seconds |",
        "|---|--:|",
        f"| halfpoint's density, L-BFGS ({mode['halfpoint']['gradients']} gradients) | "
        f"{mode['halfpoint']['climb']:.3f} (and {mode['halfpoint']['declare']:.2f} to declare) |",
        f"| choix, Newton-CG | {mode['choix']['climb']:.1f} |",
        f"| whole-history-rating, one day | {mode['whole-history-rating']['climb']:.1f} |",
        "",
        f"halfpoint and choix differ by at most {mode['largest_difference_elo']:.4f} Elo in any strength.",
    ]


def report_of(games, load, results, floors, twelve, mode):
    """Report of the measurements so far."""
    floor, kernel = ({name: median(each[name][side] for each in floors) for name in MODELS} for side in (0, 1))
    checks = [check for name in MODELS for check in requirements_of(name, results[name], floor[name])]
    if len(twelve) > 1:
        checks.append(("twelve models, empty caches, wall s", twelve[0]["wall"], 120, "at most"))
        checks.append(("twelve models, warm, wall s", median(run["wall"] for run in twelve[1:]), 45, "at most"))
    packages = ("pymc", "pytensor", "nutpie", "numba", "numpy", "choix", "whole-history-rating", "pystan")
    lines = [
        "# Sampling, measured",
        "",
        f"Written by `make bench` (games: {games}). {processor()}, two processors (`taskset -c 0,1`), load average "
        f"{load:.1f} before and {os.getloadavg()[0]:.1f} after; Python {platform.python_version()}, "
        + ", ".join(f"{package} {version(package)}" for package in packages)
        + ". 4 chains of 1000 tuning steps and 1000 draws; CPU seconds are sampling only, of all processes; ESS is the "
        "worst bulk ESS over all parameters; MB is the largest process, compilers included; Stan programs are compiled "
        "during the other runs; medians over runs. Times on a loaded machine are upper bounds; ratios come from one "
        "run.",
        "",
        "## Required and measured",
        "",
        *check_lines(checks),
    ]
    for name in MODELS:
        lines += ["", f"## {name}", "", *table_of(name, results[name])]
    lines += ["", "## One gradient, microseconds", ""]
    lines += ["| model | C floor | compiled density, called from Python |", "|---|--:|--:|"]
    lines += [f"| {name} | {floor[name]:.1f} | {kernel[name]:.1f} |" for name in MODELS]
    lines += [
        "",
        "The lower bound is handwritten C with -O3 -march=native -ffast-math; both programs evaluate the "
        "same cells alternately.",
    ]
    lines += twelve_lines(twelve[0], twelve[1:]) if len(twelve) > 1 else []
    return lines + (mode_lines(mode) if mode else [])


def halfpoint_mode(games):
    """Centred strengths in natural units, and seconds of reading the model and of the optimisation."""
    from scipy.optimize import minimize

    from halfpoint.inference.loops.engine import density, expand, numbers_of
    from halfpoint.models.declaration.catalogue import declare
    from halfpoint.models.games.select import select

    start = time.perf_counter()
    declared = declare("bt", select(games, games.players), "described")
    numbers = numbers_of(declared)
    climb = density(numbers)
    middle = time.perf_counter()

    def downhill(point):
        value, gradient = climb(point)
        return -value, -gradient

    options = {"maxiter": 5000, "maxfun": 20000, "ftol": 1e-15, "gtol": 1e-6}
    found = minimize(downhill, np.zeros(declared.layout.count), jac=True, method="L-BFGS-B", options=options)
    end = time.perf_counter()
    strength = expand(declared, numbers, found.x[None])["strength"][0]
    return strength - strength.mean(), {"declare": middle - start, "climb": end - middle, "gradients": int(found.nfev)}


def choix_mode(games):
    """The same by choix."""
    import choix

    from halfpoint.models.declaration.catalogue import find

    pairs, prior_sd = [], find("bt", "described").parameters["strength"][1]  # natural units
    for white, black, score in zip(games.white.tolist(), games.black.tolist(), games.score.tolist(), strict=True):
        pairs += [(white, black)] * int(2 * score) + [(black, white)] * int(2 - 2 * score)
    start = time.perf_counter()
    strength = choix.opt_pairwise(len(games.players), pairs, alpha=prior_sd**-2, tol=1e-8)
    return strength - strength.mean(), {"climb": time.perf_counter() - start}


def whole_history(games):
    """Seconds of whole-history-rating on the same games, one day."""
    from whr.whole_history_rating import Base

    base = Base()
    letters = {0.0: "B", 0.5: "D", 1.0: "W"}
    for white, black, score in zip(games.white_names, games.black_names, games.score.tolist(), strict=True):
        base.create_game(str(black), str(white), letters[score], 1, 0)
    start = time.perf_counter()
    base.auto_iterate(time_limit=300, precision=1e-3)
    return {"climb": time.perf_counter() - start}


def print_modes(name):
    """Mode of one posterior with a parameter for every player, by three programs, as JSON.

    Every game counts twice for choix, a draw once in each direction, so that its penalty alpha sum(x^2) with
    alpha = 1 / sd^2 is the same prior; whole-history-rating puts all games on one day.
    """
    from variants import load

    from halfpoint.models.games.units import ELO_PER_NATURAL

    warnings.simplefilter("ignore")
    games = load(name).games
    ours, seconds = halfpoint_mode(games)
    theirs, choix_seconds = choix_mode(games)
    result = {"players": len(games.players), "games": len(games), "halfpoint": seconds, "choix": choix_seconds}
    result["largest_difference_elo"] = float(np.abs(ours - theirs).max() * ELO_PER_NATURAL)
    result["whole-history-rating"] = whole_history(games)
    print("RESULT " + json.dumps(result))


def main():
    """Measure, and write the report anew after each step."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", choices=("study", "replica"), default="study")
    parser.add_argument("--without", action="append", default=[], help="leave out ways that begin with this")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each way")
    parser.add_argument("--out", type=Path, default=HERE / "sampling.md")
    options = parser.parse_args()
    others = [way for way in OTHERS if not any(way.startswith(start) for start in options.without)]
    load = os.getloadavg()[0]
    results = {name: {way: [] for way in ("fused", *others)} for name in MODELS}
    floors, twelve = [], []
    cache = tempfile.TemporaryDirectory()
    builder = build_stan(others, options.games, cache.name)
    mode = measure("bench_sampling.py", "mode", options.games)

    def write():
        lines = report_of(options.games, load, results, floors, twelve, mode)
        records.section(options.out, "\n".join(lines) + "\n", "python benchmarks/bench_sampling.py")
        return lines

    with tempfile.TemporaryDirectory() as folder:
        empty = {"NUMBA_CACHE_DIR": f"{folder}/numba", "PYTENSOR_FLAGS": f"base_compiledir={folder}/pytensor"}
        for _ in range(3):
            twelve.append(measure("variants.py", "twelve", options.games, **empty))
    for way in others * options.rounds:
        if way.startswith("Stan"):
            builder.wait()
        floors.append(measure("variants.py", "floor", options.games))
        for name in MODELS:
            for one in ("fused", way):
                found = measure("variants.py", "way", one, name, options.games, STAN_CACHE=cache.name)
                results[name][one] += [found] if found else []
        write()
    cache.cleanup()
    print("\n".join(write()))


if __name__ == "__main__":
    print_modes(sys.argv[2]) if sys.argv[1:2] == ["mode"] else main()
