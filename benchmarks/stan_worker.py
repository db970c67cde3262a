"""Build and sample a Stan program in a Python that PyStan supports: python stan_worker.py FOLDER.

Reads program.stan and data.json there, leaves draws.npz and measured.json.
"""

import hashlib
import json
import os
import sys
import time
from pathlib import Path

import numpy as np
import stan
from records import cpu_seconds

folder = Path(sys.argv[1])
settings = json.loads((folder / "settings.json").read_text())
start = time.perf_counter()
posterior = stan.build((folder / "program.stan").read_text(), data=json.loads((folder / "data.json").read_text()))
record = Path(os.environ["XDG_CACHE_HOME"]) / hashlib.sha256((folder / "program.stan").read_bytes()).hexdigest()
if not record.exists():  # a program built before in this run is found in the cache
    record.write_text(str(time.perf_counter() - start))
measured = {"compile": float(record.read_text())}
if settings["draws"] > 0:
    start, cpu = time.perf_counter(), cpu_seconds()
    fit = posterior.sample(num_chains=settings["chains"], num_samples=settings["draws"], num_warmup=settings["tune"])
    measured |= {"wall": time.perf_counter() - start, "cpu": cpu_seconds() - cpu}
    draws = {
        name: np.moveaxis(fit[name].reshape(-1, settings["draws"], settings["chains"]), (2, 1), (0, 1))
        for name in settings["kept"]
    }
    np.savez(folder / "draws.npz", **draws)
(folder / "measured.json").write_text(json.dumps(measured))
