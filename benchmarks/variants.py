"""One way to sample one model, measured in its own process: python variants.py WAY MODEL GAMES; prints JSON."""

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
from stan_programs import PROGRAMS

from halfpoint.inference.nutpie_model import compile_declared
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.formulas import davidson
from halfpoint.models.games.select import select
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
        worker = Path(__file__).with_name("stan_worker.py")
        cache = Path(os.environ.get("STAN_CACHE", folder))
        environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
        subprocess.run([python, str(worker), folder], check=True, stdout=sys.stderr, env=environment)
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


if __name__ == "__main__":
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
