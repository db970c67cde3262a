"""A task for cluster tests: leaves a mark with its process number, waits as long as it is told to, then fits."""

import os
import time
from pathlib import Path

import numpy as np
import xarray as xr

from halfpoint.games.select import select
from halfpoint.games.simulate import Truth, round_robin, simulate
from halfpoint.workflows.cluster import fit_named


def marked_fit(folder: Path, seed: int) -> xr.DataTree:
    """Fit a small simulated tournament."""
    (folder / f"started-{seed}-{time.time_ns()}").write_text(str(os.getpid()))
    for _ in range(3000):
        if not (folder / "wait").exists():
            break
        time.sleep(0.02)
    names = np.array(["Anna", "Boris", "Clara", "David"])
    truth = Truth(names, np.array([14.2, 14.6, 15.0, 15.3]), 0.3, 0.4)
    selection = select(simulate(truth, round_robin(4, 10), seed), names)
    return fit_named(selection, "davidson-common", "computed", {"method": "normal", "draws": 50, "seed": seed})
