"""Simulation-based calibration of every model by the method `auto`, as in `rate`.

python benchmarks/bench_calibration.py models [--seed SEED] [--seconds S] [ROW ...]

Small designs with narrow priors (`halfpoint.inference.calibration_designs`): five players, four anchored opponents, 60
games. Each data set is fitted with 4,000 normal draws. Ranks are computed for data sets whose draws pass the checks, as
in `auto`; for the others `auto` uses NUTS, which is calibrated separately (docs/default.md). The checks depend on the
games alone, so ranks of the accepted data sets are uniform, too. "Outside": number of parameters whose ranks leave
their 99% band, and number of parameters; "smallest p": the smallest p value of the parameters by the deviation of the
whole curve of ranks from uniform (Saeilynoja, Buerkner & Vehtari 2022), and this p times their number. A model is
called wrong if a parameter leaves the bands that contain all its parameters in 99 of 100 runs. A model gets 100 data
sets, or as many as 35 CPU seconds allow; it is left to NUTS if fewer than 5 of the first 20 are accepted. One process,
compiled kernels.

Posterior calibration: CPU seconds of 200 refits, detected errors, false alarms; writes sampling.md.

    python benchmarks/bench_calibration.py posterior [RUNS [SECONDS]]

Results are kept in build/posterior.json, from which a run continues that was stopped or has used its CPU seconds; the
page is written when all results exist. A run is

    halfpoint calibrate davidson-common --posterior FILE --simulations 20 --method auto

on a separate file; a fault is an error between simulation and fit, as a user could make it.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pymc as pm
import records
from scipy.stats import binom

from halfpoint.inference.calibration_designs import calibratable, experiment
from halfpoint.inference.effort_limits import Effort
from halfpoint.inference.errors import InferenceError
from halfpoint.inference.simulation_based_calibration import Experiment, Ranks, calibrate, join_ranks
from halfpoint.models.declaration.catalogue import find
from halfpoint.models.declaration.declare_model import declare_model
from halfpoint.models.formulas.own import outcome
from halfpoint.models.games.select import Selection, select
from halfpoint.models.games.simulate import Truth, round_robin, simulate
from halfpoint.models.games.table import Floats
from halfpoint.models.language.games import Games
from halfpoint.models.language.model import Model
from halfpoint.models.language.populations import population
from halfpoint.models.pymc_import import is_node, pt

SEED, MOST, LONGEST_S = 11, 100, 35.0
FIRST, FEW = 20, 5  # data sets, and those of them believed, below which a row is left to NUTS
LEAST = 10  # believed data sets whose ranks are judged
NULL = 20_000  # uniform samples behind a p


@cache
def null(size):
    """Tails of shares below each point, shape (point, count), and the smallest tails of uniform samples."""
    points = np.arange(1, size) / size
    count = np.arange(size + 1)
    tail = 2.0 * np.minimum(binom.cdf(count, size, points[:, None]), binom.sf(count - 1, size, points[:, None]))
    sample = np.random.default_rng(3).random((NULL, size))
    return points, tail, np.sort([smallest(one, points, tail) for one in sample])


def smallest(uniform, points, tail):
    """Smallest tail of the counts below the points."""
    counts = np.searchsorted(np.sort(uniform), points, side="right")
    return tail[np.arange(points.size), counts].min()


def p_values(ranks, seed=1):
    """Share of uniform samples with at least this deviation, by parameter."""
    rng, found = np.random.default_rng(seed), {}
    for name, rank in ranks.rank.items():
        points, tail, least = null(rank.size)
        here = smallest((rank + rng.random(rank.size)) / (ranks.draws + 1), points, tail)
        found[name] = (1 + np.searchsorted(least, here * (1 + 1e-9), side="right")) / (1 + NULL)
    return found


def believed(name, seed=SEED, longest=LONGEST_S):
    """Ranks of accepted data sets, number of data sets, CPU seconds, and the first error."""
    chosen, found, error, tried, began = experiment(name), [], "", 0, 0.0
    for k in range(MOST + 1):
        try:
            one = calibrate(chosen, MOST, seed, part=range(k, k + 1), method="normal")
        except InferenceError as why:
            one, error = None, error or str(why)
        if k == 0:  # kernels
            began = time.process_time()
            continue
        tried, spent = tried + 1, time.process_time() - began
        found += [one] if one is not None and one.normal[0] else []
        if spent > longest or (tried >= FIRST and len(found) < FEW):
            break
    return found, tried, spent, error


def line(name, seed=SEED, longest=LONGEST_S):
    """Cells of a row of the table."""
    found, tried, spent, error = believed(name, seed, longest)
    if len(found) < LEAST:
        return [name, tried, len(found), "", "", f"{spent:.0f}", f"too few: NUTS{error and ': ' + error}"]
    ranks = join_ranks(found)
    p, count = p_values(ranks), len(ranks.rank)
    least = min(p, key=p.get)
    wrong = [key for key, by in ranks.outside(1.0 - 0.01 / count).items() if by > 0]
    outside = sum(by > 0 for by in ranks.outside(0.99).values())
    said = f"WRONG: {', '.join(wrong)}" if wrong else "calibrated"
    chance = f"{p[least]:.4f} ({least}), {min(1.0, count * p[least]):.2f}"
    return [name, tried, len(found), f"{outside} of {count} ({0.01 * count:.2f})", chance, f"{spent:.0f}", said]


def main_of_models():
    """Print the table."""
    asked = argparse.ArgumentParser()
    asked.add_argument("rows", nargs="*")
    asked.add_argument("--seed", type=int, default=SEED)
    asked.add_argument("--seconds", type=float, default=LONGEST_S)
    given = asked.parse_args()
    heads = "row", "simulations", "normal draws believed", "outside 99% (by chance)", "smallest p, times parameters"
    print(
        f"# Calibration of the normal draws\n\n{records.mark('python benchmarks/bench_calibration.py models')}{__doc__}"
    )
    print(f"| {' | '.join(heads)} | CPU s | verdict |")
    print("|---|--:|--:|---|---|--:|---|")
    for name in given.rows or calibratable():
        print(f"| {' | '.join(map(str, line(name, given.seed, given.seconds)))} |", flush=True)


LARGE, PLAYERS, SMALL, REFITS = 5_000, 6, 3_000, 20
BRIEF = Effort(draws=250)
MODEL, STATE = "davidson-common", Path(__file__).parent.parent / "build" / "posterior.json"
SHRUNK, EDITED = 0.8, (0.0, 0.1)
HEAD = """# Does a model hold on a file?

`calibrate --posterior` by `--method auto` with {draws:,} draws a fit, one process.

| row | players | games | refits | believed | CPU s | outside |
|---|--:|--:|--:|--:|--:|--:|
"""
PLANTED = """
Faults: `{model}` on {runs} simulated files of {games:,} games of {players} players, with {refits} refits each, the
fewest that the command takes. A run calls the model wrong where a parameter leaves the bands that hold all in 99 of 100
runs.

| fault | runs | called wrong | most often by |
|---|--:|--:|---|
"""


def games_of(players: int, games: int, seed: int) -> Selection:
    """Simulated games with an advantage of White and draws, all players with parameters."""
    rng = np.random.default_rng(seed)
    names = np.array([f"player {number:02d}" for number in range(players)])
    truth = Truth(names, rng.normal(15.0, 0.8, players), 0.6, 0.3)
    cycles = -(-2 * games // (players * (players - 1))) + 1
    table = simulate(truth, round_robin(players, cycles), seed).take(np.arange(games))
    return select(table, table.players, "both")


def decisive(white: Any, black: Any, log_draw: Any) -> tuple[Any, Any, Any]:
    """Log likelihoods of loss, draw and win of a formula without draws."""
    lib: Any = pt if is_node(white) or is_node(log_draw) else np
    return -lib.log1p(lib.exp(white - black)), 0.0 * log_draw, -lib.log1p(lib.exp(black - white))


def none(games: Selection) -> Experiment:
    """No error."""
    return experiment(MODEL, design=games, seen=True)


def turned(games: Selection) -> Experiment:
    """Wrong sign of White's advantage."""
    return experiment(MODEL, True, games, seen=True)


def edited(games: Selection) -> Experiment:
    """Other prior of the advantage than in the fit of the file."""
    model = find(MODEL).but("edited", advantage=EDITED)
    return replace(none(games), declared=declare_model(model, games))


def without_draws(games: Selection) -> Experiment:
    """Likelihood without draws."""
    return replace(none(games), declared=declare_model(Model("decisive", only_decisive), games))


def only_decisive(games: Games) -> "pm.Model":
    """Model with a likelihood without draws."""
    own = find(MODEL).parameters
    with pm.Model(coords=games.coords) as model:
        strength = population(games, own["strength"], own["spread"])
        gain, log_draw = pm.Normal("advantage", *own["advantage"]), pm.Normal("log_draw", *own["log_draw"])
        outcome(games, decisive, games.white(strength) + gain, games.black(strength), log_draw, over=())
    return model


def shrunk(games: Selection) -> Experiment:
    """Experiment whose simulated strengths are shrunk."""
    found = none(games)

    def probability(values: Mapping[str, Any]) -> Floats:
        mean = values["strength"].mean()
        return found.probability({**values, "strength": mean + SHRUNK * (values["strength"] - mean)})

    return replace(found, probability=probability)


def unweighted(games: Selection) -> Experiment:
    """Refits of single games although the file is a table of counts."""
    found = none(games)
    once = (found.declared.cells.weight > 0).astype(np.float64)
    declared = replace(found.declared, cells=replace(found.declared.cells, weight=once))
    return replace(found, declared=declared, observed=once)


FAULTS: dict[str, Callable[[Selection], Experiment]] = {
    "none": none,
    "White's advantage has the wrong sign": turned,
    f"prior of the advantage edited after the fit, to N({EDITED[0]:.0f}, {EDITED[1]:.1f}^2)": edited,
    "the likelihood leaves draws out": without_draws,
    f"strengths shrunk by {1 - SHRUNK:.0%}": shrunk,
    "a file of counts read as a game a row": unweighted,
}


def leaves(ranks: Ranks) -> dict[str, float]:
    """Distance of each parameter outside the bands that contain all parameters in 99 of 100 runs."""
    return {name: by for name, by in ranks.outside(1.0 - 0.01 / len(ranks.rank)).items() if by > 0.0}


def speed() -> list[Any]:
    """200 refits of a large file: accepted refits, CPU seconds, parameters outside their bands and in all."""
    begun = time.process_time()
    games = games_of(50, LARGE, 1)
    ranks = calibrate(experiment("davidson-population", design=games, seen=True), 200, 7, None, "auto", BRIEF)
    return [int(ranks.normal.sum()), time.process_time() - begun, len(leaves(ranks)), len(ranks.rank)]


def one_run(what: str, run: int) -> str:
    """Parameter furthest outside its bands in a run; empty if none."""
    found = leaves(calibrate(FAULTS[what](games_of(PLAYERS, SMALL, 100 + run)), REFITS, run, None, "auto", BRIEF))
    return max(found, key=lambda name: found[name]).partition("[")[0] if found else ""


def made(runs: int, seconds: float) -> dict[str, Any] | None:
    """Results of all runs; None if the seconds are used up before."""
    found = json.loads(STATE.read_text(encoding="utf-8")) if STATE.is_file() else {}
    asked = [("speed", 0), *((what, run) for run in range(runs) for what in FAULTS)]
    for what, run in asked:
        if f"{what}: {run}" in found:
            continue
        if time.process_time() > seconds:
            return None
        found[f"{what}: {run}"] = speed() if what == "speed" else one_run(what, run)
        STATE.parent.mkdir(exist_ok=True)
        STATE.write_text(json.dumps(found), encoding="utf-8")
    return found


def main_of_posterior(runs: int = 100, seconds: float = np.inf) -> None:
    """Write its section of sampling.md."""
    found = made(runs, seconds)
    if found is None:
        return
    believed, spent, bad, every = found["speed: 0"]
    text = HEAD.format(draws=BRIEF.chains * BRIEF.draws)
    text += f"| davidson-population | 50 | {LARGE:,} | 200 | {believed} | {spent:.0f} | {bad} of {every} |\n"
    text += PLANTED.format(model=MODEL, runs=runs, games=SMALL, players=PLAYERS, refits=REFITS)
    for what in FAULTS:
        said = [found[f"{what}: {run}"] for run in range(runs)]
        names = [name for name in said if name]
        most = f"`{max(sorted(set(names)), key=names.count)}`" if names else "-"
        text += f"| {what} | {runs} | {len(names)} | {most} |\n"
    records.section(
        Path(__file__).with_name("sampling.md"), text, f"python benchmarks/bench_calibration.py posterior {runs}"
    )


def run_posterior():
    """Run the command `posterior`."""
    main_of_posterior(*(int(one) for one in sys.argv[1:]))


if __name__ == "__main__":
    records.run(models=main_of_models, posterior=run_posterior)
