"""CPU seconds of `rate` on 5,000 games of 200 players, twice in a process.

    .venv/bin/python benchmarks/default_seconds.py FOLDER write
    .venv/bin/python benchmarks/default_seconds.py FOLDER lot|matched|dated ...

The first command writes three simulated files to FOLDER: random opponents, opponents by a hidden rating, random
opponents over 200 days. The second rates them with the code of the Python that runs it, so that another checkout can be
timed on the same files.
"""

import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd

from halfpoint.apps import workflows


def write(folder):
    """Write the three files."""
    from default_designs import by_lot, matched, played

    rng = np.random.default_rng(5)
    strength, still = rng.normal(0.0, 0.9, 200), np.zeros(5000, dtype=int)
    lot = played(rng, strength, *by_lot(rng, 200, 5000), day=still)
    dated = played(rng, strength, *by_lot(rng, 200, 5000), day=rng.integers(0, 200, 5000))
    near = matched(rng, players=200, rounds=50)
    near = played(rng, near.strength, near.white, near.black, day=still)
    for name, file in (("lot", lot), ("matched", near), ("dated", dated)):
        file.frame.to_csv(folder / f"{name}.csv", index=False)


def main(place, *names):
    """Write files, or time their rating."""
    folder = Path(place)
    if names == ("write",):
        write(folder)
        return
    for name in names:
        frame, seconds = pd.read_csv(folder / f"{name}.csv"), []
        for _ in range(2):
            begun = time.process_time()
            found = workflows.rate(frame)
            seconds.append(time.process_time() - begun)
        print(f"{name}: {found.about['model']}, {seconds[0]:.1f} s, then {seconds[1]:.1f} s", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
