"""Large problems: the mode of 22 million games, and what a gradient costs from 10^4 to 10^7 games.

    python benchmarks/bench_large.py                 both, then large.md and gradient.svg beside this file
    python benchmarks/bench_large.py huge            one of them; the rest of the report is kept

Each measurement runs in a process of its own, so that its peak memory is its own. Two threads at most.
"""

import json
import os
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import records

HERE = Path(__file__).resolve().parent
PARTS = HERE / "large_parts"
MEASUREMENTS = ("huge", "gradient")
LIMITED = {"NUMBA_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}


class Clock:
    """Wall seconds by stage, and the process's totals."""

    def __init__(self):
        self.stages, self.began, self.last = {}, time.perf_counter(), time.perf_counter()
        self.cpu = time.process_time()

    def mark(self, stage):
        """End a stage."""
        now = time.perf_counter()
        self.stages[stage] = now - self.last
        self.last = now
        print(f"  {stage}: {self.stages[stage]:.1f} s", flush=True)

    def totals(self):
        """Wall and CPU seconds since the start, and the process's peak memory."""
        return {
            "stages": self.stages,
            "wall_seconds": self.last - self.began,
            "cpu_seconds": time.process_time() - self.cpu,
            "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            "load": os.getloadavg()[0],
        }


def simulated(path, players, games, seed):
    """Simulate a federation and save its games and its truth."""
    import numpy as np
    from population import Federation, schedule_of, truth_of

    from halfpoint.games.simulate import simulate

    federation = Federation(players, games)
    truth = truth_of(federation, seed)
    table = simulate(truth, schedule_of(federation, truth, seed), seed)
    strength = truth.strength[np.searchsorted(truth.players, table.players)]
    np.savez(path, players=table.players, white=table.white, black=table.black, score=table.score, strength=strength)


def table_of(path):
    """The table of saved games and the true strengths of its players."""
    import numpy as np

    from halfpoint.games.table import GameTable

    saved = np.load(path)
    games = GameTable(
        saved["players"], saved["white"], saved["black"], saved["score"], name="federation", simulated=True
    )
    return games, saved["strength"]


def huge(path, players, games):
    """Measure ratings at the mode with standard deviations, and how often the truth lies in their 90% intervals."""
    import numpy as np
    from population import ADVANTAGE, LOG_DRAW, STRENGTH

    from halfpoint.games.select import select
    from halfpoint.games.units import to_elo
    from halfpoint.inference import mode
    from halfpoint.models import Free, find
    from halfpoint.models.declared import declare_model

    clock = Clock()
    table, strength = table_of(path)
    clock.mark("table of games, checked")
    selection = select(table, table.players)
    clock.mark("selection")
    model = replace(find("davidson-common", "described"), strength=Free((STRENGTH[0], 5.0)))
    declared = declare_model(model, selection)
    clock.mark("cells")
    found = mode(declared)
    values, errors = found.values, found.errors
    clock.mark("mode and standard deviations")
    count = strength.size
    z = (strength - values["strength"]) / errors["strength"]
    inside = np.abs(z) < 1.6449
    played = np.bincount(np.concatenate([table.white, table.black]), minlength=count)
    bands = []
    for low, high in ((1, 10), (10, 30), (30, 100), (100, 300), (300, 1000), (1000, 10**9)):
        rows = (played >= low) & (played < high)
        if rows.any():
            elo = float(np.median(to_elo(errors["strength"][rows])))
            bands.append({"low": low, "high": high, "players": int(rows.sum()), "coverage": float(inside[rows].mean())})
            bands[-1]["sd_elo"] = elo
    return clock.totals() | {
        "games": len(table),
        "players": count,
        "cells": len(declared.cells),
        "coverage": float(inside.mean()),
        "z_sd": float(z.std()),
        "correlation": float(np.corrcoef(strength, values["strength"])[0, 1]),
        "bands": bands,
        "advantage": [ADVANTAGE, float(values["advantage"]), float(errors["advantage"])],
        "log_draw": [LOG_DRAW, float(values["log_draw"]), float(errors["log_draw"])],
    }


def gradient(path, players, games):
    """Measure one gradient of the log-potential against games, and the memory bandwidth of one core."""
    import numpy as np

    from halfpoint.games.select import select
    from halfpoint.inference.loops.engine import density, numbers_of
    from halfpoint.models.catalogue import declare

    bandwidth = copy_bandwidth()
    rows = []
    for size in (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000):
        simulated(path, max(20, size // 500), size, 2)
        table, strength = table_of(path)
        declared = declare("davidson-common", select(table, table.players))
        cells, compute, point = declared.cells, density(numbers_of(declared)), np.zeros(declared.layout.count)

        def once(compute=compute, point=point):
            compute(point)

        once()
        repeats = max(10, min(400, 40_000_000 // size))
        each = min(timed(once) for _ in range(repeats))  # other work on the machine only ever adds
        read = len(cells) * (4 + 8 + 8 + 8)
        rows.append({"games": size, "players": int(strength.size), "cells": len(cells), "ms": each * 1e3})
        rows[-1]["bandwidth_ms"] = read / bandwidth / 1e6
        print(" ", rows[-1], flush=True)
    return {"bandwidth_gb_s": bandwidth, "rows": rows, "load": os.getloadavg()[0]}


def copy_bandwidth():
    """The best of ten copies of 320 MB, GB read and written a second, one core."""
    import numpy as np

    block = np.ones(40_000_000)
    copied = np.empty_like(block)
    seconds = min(timed(lambda: np.copyto(copied, block)) for _ in range(10))
    return 2 * block.nbytes / seconds / 1e9


def timed(work):
    """The wall seconds of a call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


SIZES = {"huge": (200_000, 22_000_000), "gradient": (0, 0)}


def main(words):
    """Run measurements in processes of their own and write the report."""
    if words and words[0] in ("simulate", "measure"):
        what, path, players, games = words[1], words[2], int(words[3]), int(words[4])
        if words[0] == "simulate":
            simulated(path, players, games, 1)
            return
        result = globals()[what](path, players, games)
        result["mark"] = records.mark(f"python benchmarks/bench_large.py {what}")
        (PARTS / f"{what}.json").write_text(json.dumps(result, indent=1) + "\n")
        return
    from large_report import write_report

    PARTS.mkdir(exist_ok=True)
    for what in words or MEASUREMENTS:
        with TemporaryDirectory() as folder:
            rest = [what, f"{folder}/games.npz", *map(str, SIZES[what])]
            print(what, flush=True)
            for step in ("simulate", "measure") if what != "gradient" else ("measure",):
                command = [sys.executable, __file__, step, *rest]
                subprocess.run(command, check=True, env=os.environ | LIMITED)
    write_report(PARTS, HERE)


if __name__ == "__main__":
    main(sys.argv[1:])
