"""Sample a Stan program to posteriordb's requirements: python posteriordb_worker.py FOLDER, with PyStan's Python.

Reads program.stan, data.json and settings.json there; leaves draws.npz (each parameter, chain, draw, ...), points.json
(random points about twice as wide as the posterior, and Stan's log density there, without the terms of transforms) and
measured.json.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import aiohttp.client
import httpstan.compile
import numpy as np
import stan
from records import cpu_seconds


def patiently(words, capture_output, timeout):
    """Run Stan's parser without its time limit: a second of wall time is too short on a loaded machine."""
    return subprocess.run(words, capture_output=capture_output)


httpstan.compile.subprocess = SimpleNamespace(run=patiently)
aiohttp.client.DEFAULT_TIMEOUT = aiohttp.ClientTimeout(total=None)  # five minutes, of a program that compiles
folder = Path(sys.argv[1])
settings = json.loads((folder / "settings.json").read_text())
start = cpu_seconds()
data = json.loads((folder / "data.json").read_text())
posterior = stan.build((folder / "program.stan").read_text(), data=data, random_seed=settings["seed"])
compiled = cpu_seconds() - start
chains, kept = settings["chains"], settings["iterations"] // settings["thin"]
start, wall = cpu_seconds(), time.perf_counter()
fit = posterior.sample(
    num_chains=chains,
    num_samples=settings["iterations"],
    num_warmup=settings["warmup"],
    num_thin=settings["thin"],
    delta=settings["adapt_delta"],
)
measured = {"compile": compiled, "sample": cpu_seconds() - start, "wall": time.perf_counter() - wall}
names = [*settings["sampled"], *settings["shown"], "divergent__", "energy__", "treedepth__"]
draws = {}
for name in dict.fromkeys(names):
    value = np.asarray(fit[name])
    value = value.reshape(*(value.shape[:-1] if name in posterior.param_names else ()), kept, chains)
    draws[name] = np.moveaxis(value, (-1, -2), (0, 1))
np.savez(folder / "draws.npz", **draws)

rng, points = np.random.default_rng(settings["seed"]), []
for _ in range(settings["points"]):
    values, free = {}, []
    for name in settings["sampled"]:
        own = np.log(draws[name]) if name in settings["positive"] else draws[name]
        about = own.mean(axis=(0, 1)) + 2.0 * own.std(axis=(0, 1)) * rng.standard_normal(own.shape[2:])
        free += np.ravel(about, order="F").tolist()  # Stan lays matrices column by column
        values[name] = np.squeeze(np.exp(about) if name in settings["positive"] else about).tolist()
    points.append({"values": values, "log_density": posterior.log_prob(free, adjust_transform=False)})
(folder / "points.json").write_text(json.dumps(points))
(folder / "measured.json").write_text(json.dumps(measured))
