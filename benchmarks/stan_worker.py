"""Build and sample a Stan program in a Python that PyStan supports: python stan_worker.py sample|reference FOLDER.

`sample` reads program.stan, data.json and settings.json there, and leaves draws.npz and measured.json. `reference`
samples to posteriordb's requirements: draws.npz has each parameter (chain, draw, ...), and points.json random points
about twice as wide as the posterior, with Stan's log density there, without the terms of transforms.
"""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import stan
from records import cpu_seconds


def sample(folder, settings, data, program):
    """Build a program, and sample it if draws are requested."""
    start = time.perf_counter()
    posterior = stan.build(program, data=data)
    record = Path(os.environ["XDG_CACHE_HOME"]) / hashlib.sha256((folder / "program.stan").read_bytes()).hexdigest()
    if not record.exists():  # a program built before in this run is found in the cache
        record.write_text(str(time.perf_counter() - start))
    measured = {"compile": float(record.read_text())}
    if settings["draws"] > 0:
        start, cpu = time.perf_counter(), cpu_seconds()
        fit = posterior.sample(
            num_chains=settings["chains"], num_samples=settings["draws"], num_warmup=settings["tune"]
        )
        measured |= {"wall": time.perf_counter() - start, "cpu": cpu_seconds() - cpu}
        draws = {
            name: np.moveaxis(fit[name].reshape(-1, settings["draws"], settings["chains"]), (2, 1), (0, 1))
            for name in settings["kept"]
        }
        np.savez(folder / "draws.npz", **draws)
    return measured


def patiently(words, capture_output, timeout):
    """Run Stan's parser without its time limit: a second of wall time is too short on a loaded machine."""
    return subprocess.run(words, capture_output=capture_output)


def reference(folder, settings, data, program):
    """Build and sample a program to posteriordb's requirements, and write points with their log density."""
    import aiohttp.client
    import httpstan.compile

    httpstan.compile.subprocess = SimpleNamespace(run=patiently)
    aiohttp.client.DEFAULT_TIMEOUT = aiohttp.ClientTimeout(total=None)  # five minutes, of a program that compiles
    start = cpu_seconds()
    posterior = stan.build(program, data=data, random_seed=settings["seed"])
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
    (folder / "points.json").write_text(json.dumps(points_of(posterior, draws, settings)))
    return measured


def points_of(posterior, draws, settings):
    """Random points of the sampled parameters, with Stan's log density."""
    rng, points = np.random.default_rng(settings["seed"]), []
    for _ in range(settings["points"]):
        values, free = {}, []
        for name in settings["sampled"]:
            own = np.log(draws[name]) if name in settings["positive"] else draws[name]
            about = own.mean(axis=(0, 1)) + 2.0 * own.std(axis=(0, 1)) * rng.standard_normal(own.shape[2:])
            free += np.ravel(about, order="F").tolist()  # Stan lays matrices column by column
            values[name] = np.squeeze(np.exp(about) if name in settings["positive"] else about).tolist()
        points.append({"values": values, "log_density": posterior.log_prob(free, adjust_transform=False)})
    return points


if __name__ == "__main__":
    place = Path(sys.argv[2])
    asked, known = (json.loads((place / f"{part}.json").read_text()) for part in ("settings", "data"))
    seconds = {"sample": sample, "reference": reference}[sys.argv[1]](
        place, asked, known, (place / "program.stan").read_text()
    )
    (place / "measured.json").write_text(json.dumps(seconds))
