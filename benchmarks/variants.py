"""One way to sample one model, measured in its own process: python variants.py way WAY MODEL GAMES; prints JSON.

All twelve models, 4 x (1000 + 1000), diagnosed, in one process: python variants.py twelve GAMES; prints JSON.

Microseconds of one gradient by handwritten C and by the compiled density, alternately: python variants.py floor GAMES.
"""

import ctypes
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import arviz as az
import numpy as np
import nutpie
import pymc as pm
import pytensor.tensor as pt
from records import cpu_seconds
from records import run as run_command
from stan_programs import PROGRAMS

from halfpoint.inference.loops.engine import density, numbers_of
from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.inference.sample import sample
from halfpoint.models.declaration.catalogue import TWELVE, declare
from halfpoint.models.formulas import davidson
from halfpoint.models.games.select import merge, select
from halfpoint.models.games.units import ELO_PER_NATURAL, to_natural
from halfpoint.readers.datasets.replica import replica
from halfpoint.readers.datasets.study import monitored_names, training

DRAWS, TUNE, CHAINS, CORES = 1000, 1000, 4, 2
KEPT = {"bt-common": ("rating", "advantage"), "davidson-player": ("strength", "advantage", "log_draw")}


def load(games):
    if games == "study":
        return select(training(), monitored_names())
    made = replica()
    return select(made.training, made.monitored)


def per_game(name, selection):
    """Plain form of the model: a term for each game, untransformed parameters."""
    natural = ELO_PER_NATURAL if name.startswith("bt") else 1.0
    anchor = np.nan_to_num(selection.anchor_elo) / ELO_PER_NATURAL
    known_white, known_black = (np.where(side < 0, anchor, 0.0) for side in (selection.white, selection.black))
    outcome = selection.games.outcome
    players = selection.players.size
    with pm.Model() as model:
        if name == "bt-common":
            strength = pm.Normal("rating", 2705.0, 400.0, shape=players)
            a = pm.Normal("advantage", 50.0, 40.0) + pt.zeros(players + 1)
            b = pt.zeros(players + 1)
        else:
            strength = pm.Normal("strength", 15.0, 400.0, shape=players)
            half = pm.Normal("advantage", 1.0, 10.0, shape=players)
            a = b = pt.concatenate([half, [0.1]])
            lam = pm.Normal("log_draw", 1.0, 5.0)
        known = pt.concatenate([strength, [0.0]])
        white = ((known + a) / natural)[selection.white] + known_white
        black = ((known - b) / natural)[selection.black] + known_black
        if name == "bt-common":
            y = outcome / 2
            value = y * pm.math.log(pm.math.sigmoid(white - black)) + (1 - y) * pm.math.log(
                pm.math.sigmoid(black - white)
            )
        else:
            scores = pt.stack(davidson.scores(white, black, lam), axis=-1)
            value = scores[np.arange(outcome.size), outcome] - pt.logsumexp(scores, axis=-1)
        pm.Potential("log_likelihood", value.sum())
    return model


def with_nutpie(compile_now):
    start = time.perf_counter()
    compiled = compile_now()
    compile_seconds = time.perf_counter() - start
    start, cpu = time.perf_counter(), cpu_seconds()
    trace = nutpie.sample(
        compiled, draws=DRAWS, tune=TUNE, chains=CHAINS, cores=CORES, seed=1, progress_bar=False, save_warmup=True
    )
    measured = {"wall": time.perf_counter() - start, "cpu": cpu_seconds() - cpu, "compile": compile_seconds}
    steps = trace["sample_stats"]["n_steps"].sum() + trace["warmup_sample_stats"]["n_steps"].sum()
    return trace["posterior"].to_dataset(), measured | {"leapfrogs": int(steps)}


def with_pymc(model):
    settings = {"cores": CORES, "chains": CHAINS, "nuts_sampler": "pymc", "progressbar": False, "quiet": True}
    settings |= {"compute_convergence_checks": False, "model": model, "random_seed": 1}
    start = time.perf_counter()
    pm.sample(1, tune=1, **settings)  # compiles into PyTensor's cache on disk
    compile_seconds = time.perf_counter() - start
    start, cpu = time.perf_counter(), cpu_seconds()
    trace = pm.sample(DRAWS, tune=TUNE, discard_tuned_samples=False, **settings)
    measured = {"wall": time.perf_counter() - start, "cpu": cpu_seconds() - cpu, "compile": compile_seconds}
    groups = [trace["sample_stats"], trace["warmup_sample_stats"]]
    return trace["posterior"].to_dataset(), measured | {"leapfrogs": int(sum(g["n_steps"].sum() for g in groups))}


def with_stan(name, style, selection, cells, draws=DRAWS):
    """Draws and measurements; without draws, only build the program, for a warm cache."""
    rows = cells if style == "best" else selection
    anchor = to_natural(np.nan_to_num(rows.anchor_elo))
    players = int(selection.players.size)
    weight = cells.weight if style == "best" else np.eye(3)[selection.games.outcome]
    declared = declare(name, selection, "described")
    unit = declared.model.rvs_to_transforms[declared.model["strength"]].unit * (
        ELO_PER_NATURAL if name == "bt-common" else 1.0
    )
    data = {
        "players": players,
        "rows": len(rows),
        "white": np.where(rows.white < 0, players, rows.white) + 1,
        "black": np.where(rows.black < 0, players, rows.black) + 1,
        "known": np.where(rows.white < 0, anchor, 0.0) - np.where(rows.black < 0, anchor, 0.0),
        "surplus": weight[:, 2] - weight[:, 0],
        "total": weight.sum(axis=1),
        "drawn": float(weight[:, 1].sum()),
        "unit": unit,
        "advantage_unit": unit,
        "outcome": weight.argmax(axis=1) + 1,
        "points": (2 * weight[:, 2] + weight[:, 1]).round().astype(int),
        "twice": (2 * weight.sum(axis=1)).round().astype(int),
    }
    settings = {"chains": CHAINS, "draws": draws, "tune": TUNE, "kept": KEPT[name]}
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        plain = {key: value.tolist() if isinstance(value, np.ndarray) else value for key, value in data.items()}
        (place / "program.stan").write_text(PROGRAMS[name, style])
        (place / "data.json").write_text(json.dumps(plain))
        (place / "settings.json").write_text(json.dumps(settings))
        python = os.environ.get("STAN_PYTHON", sys.executable)
        worker = Path(__file__).with_name("stan_programs.py")
        cache = Path(os.environ.get("STAN_CACHE", folder))
        environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
        subprocess.run([python, str(worker), "sample", folder], check=True, stdout=sys.stderr, env=environment)
        measured = json.loads((place / "measured.json").read_text())
        if draws == 0:
            return None, measured
        shaped = dict(np.load(place / "draws.npz"))
    return az.from_dict({"posterior": shaped})["posterior"].to_dataset(), measured


def in_points(posterior, name):
    """The posterior with Bradley-Terry's parameters in Elo points, as the other programs have them."""
    if not name.startswith("bt"):
        return posterior
    return posterior.assign(
        rating=posterior["strength"] * ELO_PER_NATURAL, advantage=posterior["advantage"] * ELO_PER_NATURAL
    )


def run(way, name, games):
    selection = load(games)
    declared = declare(name, selection, "corrected")
    if way == "fused":
        found, measured = with_nutpie(lambda: compile_declared(declared).model)
        return in_points(found, name), measured
    if way == "graph":
        found, measured = with_nutpie(lambda: nutpie.compile_pymc_model(declared.model))
        return in_points(found, name), measured
    if way == "per game, PyMC":
        return with_pymc(per_game(name, selection))
    if way == "per game, nutpie":
        model = per_game(name, selection)
        return with_nutpie(lambda: nutpie.compile_pymc_model(model))
    if way.startswith("Stan build, "):
        return with_stan(name, way.removeprefix("Stan build, "), selection, declared.cells, draws=0)
    return with_stan(name, way.removeprefix("Stan, "), selection, declared.cells)


def run_way():
    """Sample one model in one way."""
    warnings.simplefilter("ignore")
    way, name, games = sys.argv[1:]
    posterior, measured = run(way, name, games)
    if posterior is None:
        sys.exit()
    kept = posterior[list(KEPT[name])]
    measured["ess"] = min(float(value.min()) for value in az.ess(kept).data_vars.values())
    measured["rhat"] = max(float(value.max()) for value in az.rhat(kept).data_vars.values())
    measured["mean"] = float(kept[KEPT[name][0]].mean())
    measured["advantage"] = float(kept["advantage"].mean())
    who = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    measured["peak_mb"] = max(resource.getrusage(one).ru_maxrss for one in who) / 1024
    print("RESULT " + json.dumps(measured))


def started():
    """Time at which this process began, so that imports count."""
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    boot = next(line for line in Path("/proc/stat").read_text().splitlines() if line.startswith("btime"))
    return int(boot.split()[1]) + ticks / os.sysconf("SC_CLK_TCK")


def run_twelve():
    """Sample and diagnose all twelve models."""
    selection = load(sys.argv[1])
    verdicts, routes = set(), set()
    for name in TWELVE:
        trace = sample(declare(name, selection, "computed"), draws=1000, tune=1000, chains=4)
        verdicts.add(trace.attrs["verdict"])
        routes.add(trace.attrs["route"])
    result = {"wall": time.time() - started(), "cpu": time.process_time()}
    print("RESULT " + json.dumps(result | {"verdicts": sorted(verdicts), "routes": sorted(routes)}))


FLOOR = r"""/* The floor: log-potential of cells and its gradient, written by hand for one processor.
 *
 * Same numbers as models/kernel.py (see there for the formulas), the compiler's own exp and log, cells sorted by White,
 * no Python between two gradients. Built with FLAGS.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

static double gradient(int64_t cells, int64_t seats, int64_t runs, const int64_t *restrict start,
                       const int64_t *restrict run_white, const int32_t *restrict black,
                       const double *restrict offset, const double *restrict surplus, const double *restrict total,
                       const double *restrict white_seat, const double *restrict black_seat, double lam,
                       double *restrict white_slope, double *restrict black_slope, double *restrict scratch,
                       double *restrict lam_slope)
{
    const double draw = exp(lam);
    double value = 0.0, drawn = 0.0;
    for (int64_t r = 0; r < runs; r++) {
        const double own = white_seat[run_white[r]];
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            scratch[c] = own - black_seat[black[c]] + offset[c];
    }
    for (int64_t c = 0; c < cells; c++) {
        const double eta = scratch[c], half = 0.5 * fabs(eta), sign = eta < 0.0 ? -1.0 : 1.0;
        const double u = exp(-half), square = u * u, f = square + draw * u;
        const double behind = total[c] - sign * surplus[c], share = total[c] / (1.0 + f);
        value -= behind * half + total[c] * log(1.0 + f);
        drawn += share * draw * u;
        scratch[c] = 0.5 * sign * (share * (f + square) - behind);
    }
    memset(white_slope, 0, seats * sizeof(double));
    memset(black_slope, 0, seats * sizeof(double));
    for (int64_t r = 0; r < runs; r++) {
        double sum = 0.0;
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            sum += scratch[c];
        white_slope[run_white[r]] += sum;
        if (black[start[r]] == black[start[r + 1] - 1]) {
            black_slope[black[start[r]]] -= sum;
            continue;
        }
        for (int64_t c = start[r]; c < start[r + 1]; c++)
            black_slope[black[c]] -= scratch[c];
    }
    *lam_slope = -drawn;
    return value;
}

/* Nanoseconds of each of `repeats` gradients; the value of the last is returned. */
double time_gradients(int64_t repeats, int64_t *nanoseconds, int64_t cells, int64_t seats, int64_t runs,
                      const int64_t *start, const int64_t *run_white, const int32_t *black, const double *offset,
                      const double *surplus, const double *total, double *white_seat, const double *black_seat,
                      double lam, double *white_slope, double *black_slope, double *scratch, double *lam_slope)
{
    double value = 0.0;
    for (int64_t k = 0; k < repeats; k++) {
        struct timespec before, after;
        clock_gettime(CLOCK_MONOTONIC, &before);
        value = gradient(cells, seats, runs, start, run_white, black, offset, surplus, total, white_seat, black_seat,
                         lam, white_slope, black_slope, scratch, lam_slope);
        clock_gettime(CLOCK_MONOTONIC, &after);
        nanoseconds[k] = (after.tv_sec - before.tv_sec) * 1000000000LL + (after.tv_nsec - before.tv_nsec);
    }
    return value;
}"""
FLAGS = ("-O3", "-march=native", "-ffast-math")
ROUNDS, REPEATS = 40, 100
MODELS = (("davidson-player", 0.9), ("bt-common", -np.inf))


def build(folder):
    library = Path(folder) / "floor.so"
    words = ["cc", *FLAGS, "-shared", "-fPIC", "-x", "c", "-", "-o", str(library), "-lm"]
    subprocess.run(words, input=FLOOR, text=True, check=True)
    function = ctypes.CDLL(str(library)).time_gradients
    function.restype = ctypes.c_double
    return function


def starts_of_runs(cells):
    """First cells of the runs of equal White (and Black if a side is anchored), the end, and White of each run."""
    anchored = (cells.white < 0) | (cells.black < 0)
    opponent = np.where(anchored, cells.black, -2)
    new = np.append(True, (np.diff(cells.white) != 0) | (np.diff(opponent) != 0))
    first = np.append(np.flatnonzero(new), len(cells)).astype(np.int64)
    return first, np.append(cells.white[new], 0).astype(np.int64)


def gradients(name, selection, lam):
    """Median microseconds of a gradient of both programs; lam is -inf for Bradley-Terry."""
    cells = merge(selection)
    seats = cells.players.size + 1
    white_seat, black_seat = 15.5 + 0.3 * np.random.default_rng(1).normal(size=(2, seats))
    white_seat[-1] = black_seat[-1] = 0.0
    anchor = to_natural(np.nan_to_num(cells.anchor_elo))
    offset = np.where(cells.white < 0, anchor, 0.0) - np.where(cells.black < 0, anchor, 0.0)
    surplus, total = cells.weight[:, 2] - cells.weight[:, 0], cells.weight.sum(axis=1)
    start, run_white = starts_of_runs(cells)
    run_white = np.where(run_white < 0, seats - 1, run_white)
    black = np.where(cells.black < 0, seats - 1, cells.black).astype(np.int32)
    floor_slopes, scratch, lam_slope = np.zeros((2, seats)), np.empty(len(cells)), np.zeros(1)
    nanoseconds = np.zeros(REPEATS, dtype=np.int64)
    declared = declare(name, selection)
    compute, point = density(numbers_of(declared)), 0.1 * np.ones(declared.layout.count)
    with tempfile.TemporaryDirectory() as folder:
        function = build(folder)
        arrays = (start, run_white, black, offset, surplus, total, white_seat, black_seat)
        tail = (floor_slopes[0], floor_slopes[1], scratch, lam_slope)
        sizes = [ctypes.c_int64(number) for number in (len(cells), seats, len(start) - 1)]

        def floor():
            address = [ctypes.c_void_p(array.ctypes.data) for array in (*arrays, *tail)]
            value = function(
                ctypes.c_int64(REPEATS),
                ctypes.c_void_p(nanoseconds.ctypes.data),
                *sizes,
                *address[:8],
                ctypes.c_double(lam),
                *address[8:],
            )
            return value, np.median(nanoseconds) / 1000

        def ours():
            times = np.empty(REPEATS)
            for k in range(REPEATS):
                before = time.perf_counter_ns()
                compute(point)
                times[k] = time.perf_counter_ns() - before
            return np.median(times) / 1000

        rounds = [(floor(), ours()) for _ in range(ROUNDS)]
    eta = white_seat[np.where(cells.white < 0, seats - 1, cells.white)] - black_seat[black] + offset
    over = np.logaddexp(np.logaddexp(eta / 2, -eta / 2), lam)
    expected = float((surplus * eta / 2 - total * over).sum())
    assert abs(rounds[-1][0][0] / expected - 1) < 1e-9, (rounds[-1][0][0], expected)
    return float(np.median([one[1] for one, _ in rounds])), float(np.median([other for _, other in rounds]))


def run_floor():
    """Measure gradients by handwritten C and by the compiled density."""
    chosen = load(sys.argv[1])
    print("RESULT " + json.dumps({name: gradients(name, chosen, lam) for name, lam in MODELS}))


if __name__ == "__main__":
    run_command(way=run_way, twelve=run_twelve, floor=run_floor)
