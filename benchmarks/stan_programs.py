"""The same posteriors in Stan, and a worker that builds and samples a program in a Python that PyStan supports.

The programs are the fastest known, and plain vectorised ones with a term for each game. Seats as in models/parts.py:
the last slot is the anchored opponent's, and the anchor comes in `known`.

    python stan_programs.py sample|reference FOLDER

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
from records import cpu_seconds

HEADER = """
data {
  int<lower=1> players;
  int<lower=1> rows;
  array[rows] int white;
  array[rows] int black;
  vector[rows] known;
  vector[rows] surplus;
  vector[rows] total;
  array[rows] int outcome;
  real drawn;
  vector<lower=0>[players] unit;
  vector<lower=0>[players] advantage_unit;
}
"""

DAVIDSON_SEATS = """
  vector[players + 1] w = append_row(strength + advantage, 0.1);
  vector[players + 1] b = append_row(strength - advantage, -0.1);
"""

DAVIDSON_PRIORS = """
  strength ~ normal(15, 400);
  advantage ~ normal(1, 10);
  log_draw ~ normal(1, 5);
"""

# log of the sum of e^h, e^-h and e^lam from one exponential and one logarithm a cell
DAVIDSON_BEST = (
    HEADER
    + """
parameters {
  vector<offset=15, multiplier=unit>[players] strength;
  vector<offset=1, multiplier=advantage_unit>[players] advantage;
  real<offset=1, multiplier=0.03> log_draw;
}
model {
"""
    + DAVIDSON_SEATS
    + DAVIDSON_PRIORS
    + """
  vector[rows] h = 0.5 * (w[white] - b[black] + known);
  vector[rows] u = exp(h);
  target += dot_product(surplus, h) + drawn * log_draw - dot_product(total, log(u + inv(u) + exp(log_draw)));
}
"""
)

DAVIDSON_PLAIN = (
    HEADER
    + """
parameters {
  vector[players] strength;
  vector[players] advantage;
  real log_draw;
}
model {
"""
    + DAVIDSON_SEATS
    + DAVIDSON_PRIORS
    + """
  vector[rows] one = w[white] + known;
  vector[rows] other = b[black];
  for (k in 1:rows) {
    vector[3] score = [other[k], log_draw + 0.5 * (one[k] + other[k]), one[k]]';
    target += score[outcome[k]] - log_sum_exp(score);
  }
}
"""
)

BRADLEY_TERRY_SEATS = """
  vector[players + 1] r = append_row(rating, 0) / 173.7177927613007;
"""

BRADLEY_TERRY_PRIORS = """
  rating ~ normal(2705, 400);
  advantage ~ normal(50, 40);
"""

# half points counted twice are integers: Stan's binomial density has its gradient written by hand
BRADLEY_TERRY_BEST = (
    HEADER.replace("array[rows] int outcome;", "array[rows] int points;\n  array[rows] int twice;")
    + """
parameters {
  vector<offset=2705, multiplier=unit>[players] rating;
  real<offset=50, multiplier=4> advantage;
}
model {
"""
    + BRADLEY_TERRY_SEATS
    + BRADLEY_TERRY_PRIORS
    + """
  target += 0.5 * binomial_logit_lupmf(points | twice, r[white] - r[black] + known + advantage / 173.7177927613007);
}
"""
)

BRADLEY_TERRY_PLAIN = (
    HEADER
    + """
parameters {
  vector[players] rating;
  real advantage;
}
model {
"""
    + BRADLEY_TERRY_SEATS
    + BRADLEY_TERRY_PRIORS
    + """
  vector[rows] eta = r[white] - r[black] + known + advantage / 173.7177927613007;
  vector[rows] y = 0.5 * (to_vector(outcome) - 1);
  target += sum(y .* log_inv_logit(eta) + (1 - y) .* log1m_inv_logit(eta));
}
"""
)

PROGRAMS = {
    ("davidson-player", "best"): DAVIDSON_BEST,
    ("davidson-player", "plain"): DAVIDSON_PLAIN,
    ("bt-common", "best"): BRADLEY_TERRY_BEST,
    ("bt-common", "plain"): BRADLEY_TERRY_PLAIN,
}


def sample(folder, settings, data, program):
    """Build a program, and sample it if draws are requested."""
    import stan

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
    import stan

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
