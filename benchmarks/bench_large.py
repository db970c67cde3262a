"""Large problems: a site of online chess, the mode of 22 million games, a gradient from 10^4 to 10^7 games.

    python benchmarks/bench_large.py                 all, then large.md
    python benchmarks/bench_large.py huge            one of them, and its section of large.md

Each measurement runs in a separate process, for its peak memory, with at most two threads.
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
MEASUREMENTS = ("lichess", "matched", "huge", "gradient")
ALONE = ("matched", "gradient")  # which make their games themselves
LIMITED = {"NUMBA_NUM_THREADS": "2", "OMP_NUM_THREADS": "2", "OPENBLAS_NUM_THREADS": "2"}


class Clock:
    """Wall and CPU seconds and peak memory by stage, and totals of the process."""

    def __init__(self):
        self.stages, self.began, self.last = {}, time.perf_counter(), time.perf_counter()
        self.cpu = self.used = time.process_time()
        self.costs = {}

    def mark(self, stage):
        """End a stage."""
        now, used = time.perf_counter(), time.process_time()
        self.stages[stage] = now - self.last
        self.costs[stage] = used - self.used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        self.last, self.used = now, used
        print(f"  {stage}: {self.stages[stage]:.1f} s, CPU s and GB {self.costs[stage]}", flush=True)

    def totals(self):
        """Wall and CPU seconds since the start, and the peak memory of the process."""
        return {
            "stages": self.stages,
            "costs": self.costs,
            "wall_seconds": self.last - self.began,
            "cpu_seconds": time.process_time() - self.cpu,
            "peak_gb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6,
            "load": os.getloadavg()[0],
        }


def simulated(path, players, games, seed):
    """Simulate a federation and save its games and its truth."""
    import numpy as np
    from bench_cells import Federation, schedule_of, truth_of

    from halfpoint.models.games.simulate import simulate

    federation = Federation(players, games)
    truth = truth_of(federation, seed)
    table = simulate(truth, schedule_of(federation, truth, seed), seed)
    strength = truth.strength[np.searchsorted(truth.players, table.players)]
    np.savez(path, players=table.players, white=table.white, black=table.black, score=table.score, strength=strength)


def table_of(path):
    """Table of saved games and the true strengths of its players."""
    import numpy as np

    from halfpoint.models.games.table import GameTable

    saved = np.load(path)
    games = GameTable(
        saved["players"], saved["white"], saved["black"], saved["score"], name="federation", simulated=True
    )
    return games, saved["strength"]


def coverage_by_games(inside, sd, played):
    """Coverage of 90% intervals by number of games, and the median standard deviation in Elo."""
    import numpy as np

    from halfpoint.models.games.units import to_elo

    bands = []
    for low, high in ((1, 10), (10, 30), (30, 100), (100, 300), (300, 1000), (1000, 10**9)):
        rows = (played >= low) & (played < high)
        if rows.any():
            bands.append({"low": low, "high": high, "players": int(rows.sum()), "coverage": float(inside[rows].mean())})
            bands[-1]["sd_elo"] = float(np.median(to_elo(sd[rows])))
    return bands


def lichess(path, players, games):
    """Measure the list of a year of a site by `davidson-rated`, with its errors, and forecast the next four weeks."""
    import numpy as np
    from bench_cells import ADVANTAGE, LOG_DRAW, WEEKS, Site, table_of

    from halfpoint.inference.gaussian.reweighted_fit import ReweightedFits
    from halfpoint.models import declare
    from halfpoint.models.games.select import select
    from halfpoint.models.games.units import to_elo

    saved = np.load(path)
    site = Site(**{name: saved[name] for name in saved})
    table = table_of(site, site.week <= WEEKS)
    true, everyone = site.strength, site.strength.size
    del saved, site
    clock = Clock()
    selection = select(table, table.players)
    order = np.argsort(selection.ratings_elo(), kind="stable")  # who meet stand near each other in memory
    selection = select(table, table.players[order])
    clock.mark("selection, by rating")
    declared = declare("davidson-rated", selection)
    clock.mark("cells")
    played, who = table.games_of_people[order], selection.players.astype(np.int64)
    strength = true[who]
    refits = ReweightedFits(declared, factored=False)
    clock.mark("rows")
    fit = refits.fit()
    clock.mark("fit")
    values, errors = refits.values(fit), refits.errors(fit)
    clock.mark("list with errors")
    z = (strength - values["strength"]) / errors["strength"]
    inside = np.abs(z) < 1.6449
    shared = ("advantage", "log_draw", "anchor_scale", "rated_spread")
    listed = np.full((2, everyone), np.nan)
    listed[:, who] = values["strength"], errors["strength"]
    np.savez(f"{path}.list.npz", strength=listed[0], error=listed[1], shared=[float(values[name]) for name in shared])
    return clock.totals() | {
        "games": len(table),
        "players": strength.size,
        "cells": len(declared.cells),
        "coverage": float(inside.mean()),
        "error_elo": float(to_elo(np.sqrt(np.mean((strength - values["strength"]) ** 2)))),
        "bands": coverage_by_games(inside, errors["strength"], played),
        "shared": {name: [float(values[name]), float(errors[name])] for name in shared},
        "truth": {"advantage": ADVANTAGE, "log_draw": LOG_DRAW},
    }


def after(path, players, games):
    """Score the four weeks after the year: forecasts of the list beside those of Glicko-2."""
    import numpy as np
    from bench_cells import ADVANTAGE, AFTER, ERROR, LOG_DRAW, WEEKS, Site, table_of

    from halfpoint.evaluation.differences import paired_errors
    from halfpoint.models.games.rating_system import Newcomer
    from halfpoint.models.games.simulate import outcome_probabilities
    from halfpoint.models.games.table import POINTS
    from halfpoint.models.games.units import to_elo
    from halfpoint.systems.glicko_two import GlickoTwo

    saved, found = np.load(path), np.load(f"{path}.list.npz")
    site = Site(**{name: saved[name] for name in saved})
    here = (site.week > WEEKS) & ~np.isnan(found["strength"][site.white] + found["strength"][site.black])
    white, black, score = site.white[here], site.black[here], site.outcome[here] / 2.0
    advantage, log_draw = found["shared"][:2]
    gap, width = (found["strength"][white] - found["strength"][black] + advantage), found["error"]
    node, share = np.polynomial.hermite_e.hermegauss(7)
    sd, expected = np.hypot(width[white], width[black]), {"halfpoint": np.zeros(score.size)}
    for x, one in zip(node, share / share.sum(), strict=True):
        expected["halfpoint"] += one * (outcome_probabilities(gap + sd * x, log_draw) @ POINTS)
    telling = {"volatility": 1e-3, "deviation_elo": ERROR, "advantage_elo": float(to_elo(ADVANTAGE))}
    systems = {
        "Glicko-2, from 1500 +- 350": GlickoTwo(newcomer=Newcomer(1500.0, from_day=False)),
        "Glicko-2, from the site's ratings": GlickoTwo(**telling),
    }
    seconds = dict.fromkeys(systems, 0.0)
    for month in range(1, WEEKS // AFTER + 1):
        played = table_of(site, (site.week - 1) // AFTER + 1 == month)
        for name, system in systems.items():
            used = time.process_time()
            system.learn_period(played, month)
            seconds[name] += time.process_time() - used
        print(month, seconds, flush=True)
    coming = replace(table_of(site, here), period=np.full(score.size, month + 1))
    expected |= {name: system.forecast(coming).expected_score for name, system in systems.items()}
    truth = outcome_probabilities(site.strength[white] - site.strength[black] + ADVANTAGE, LOG_DRAW) @ POINTS
    expected["the truth"] = truth
    lost = {name: -(score * np.log(p) + (1.0 - score) * np.log1p(-p)) for name, p in expected.items()}
    rows, alone = {}, np.arange(score.size)
    for name, one in lost.items():
        rows[name] = {"log_score": float(one.mean()), "cpu_seconds": seconds.get(name), "less": []}
        if name != "halfpoint":
            brier = np.square(score - expected[name]) - np.square(score - expected["halfpoint"])
            apart = [paired_errors(gap, alone, white, black) for gap in (one - lost["halfpoint"], brier)]
            rows[name]["less"] = [[float(each.mean), float(each.two_way)] for each in apart]
    return {"games": score.size, "rows": rows}


def matched(path, players, games):
    """Rate a small site with opponents of similar rating, with and without ratings, and measure coverage."""
    import numpy as np
    from bench_cells import WEEKS, table_of
    from bench_cells import simulated as site_of

    from halfpoint.apps import workflows
    from halfpoint.models.games.units import to_elo

    site, rows = site_of(players, games, 1), {}
    for name, rated in (("ratings printed", True), ("no ratings", False)):
        tree = workflows.rate(table_of(site, site.week <= WEEKS, rated)).trace
        drawn = to_elo(tree["posterior"]["strength"].stack(s=("chain", "draw")).transpose("player", "s").to_numpy())
        truth = to_elo(site.strength[tree["posterior"]["player"].to_numpy().astype(np.int64)])
        if not rated:  # the level is a convention
            drawn, truth = drawn - drawn.mean(axis=0), truth - truth.mean()
        low, high = np.quantile(drawn, [0.05, 0.95], axis=1)
        rows[name] = {
            "model": tree.attrs["model"],
            "players": truth.size,
            "verdict": tree.attrs["verdict"].split(":")[0],
        }
        rows[name] |= {"coverage": float(((low <= truth) & (truth <= high)).mean())}
        rows[name] |= {"slope": float(np.polyfit(truth, drawn.mean(axis=1), 1)[0])}
    return {"rows": rows}


def huge(path, players, games):
    """Measure ratings at the mode with standard deviations, and the coverage of 90% intervals."""
    import numpy as np
    from bench_cells import CLUB_ADVANTAGE, CLUB_LOG_DRAW, CLUB_STRENGTH

    from halfpoint.inference import mode
    from halfpoint.models import find
    from halfpoint.models.declaration.declare_model import declare_model
    from halfpoint.models.games.select import select

    clock = Clock()
    table, strength = table_of(path)
    clock.mark("table of games, checked")
    selection = select(table, table.players)
    clock.mark("selection")
    model = find("davidson-common", "described").but("wide", strength=(CLUB_STRENGTH[0], 5.0))
    declared = declare_model(model, selection)
    clock.mark("cells")
    found = mode(declared)
    values, errors = found.values, found.errors
    clock.mark("mode and standard deviations")
    count = strength.size
    z = (strength - values["strength"]) / errors["strength"]
    inside = np.abs(z) < 1.6449
    played = np.bincount(np.concatenate([table.white, table.black]), minlength=count)
    return clock.totals() | {
        "games": len(table),
        "players": count,
        "cells": len(declared.cells),
        "coverage": float(inside.mean()),
        "z_sd": float(z.std()),
        "correlation": float(np.corrcoef(strength, values["strength"])[0, 1]),
        "bands": coverage_by_games(inside, errors["strength"], played),
        "advantage": [CLUB_ADVANTAGE, float(values["advantage"]), float(errors["advantage"])],
        "log_draw": [CLUB_LOG_DRAW, float(values["log_draw"]), float(errors["log_draw"])],
    }


def gradient(path, players, games):
    """Measure one gradient of the log-potential by number of games, and the memory bandwidth of one core."""
    import numpy as np

    from halfpoint.inference.loops.engine import density, numbers_of
    from halfpoint.models.declaration.catalogue import declare
    from halfpoint.models.games.select import select

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
    """Fastest of ten copies of 320 MB, GB read and written a second, one core."""
    import numpy as np

    block = np.ones(40_000_000)
    copied = np.empty_like(block)
    seconds = min(timed(lambda: np.copyto(copied, block)) for _ in range(10))
    return 2 * block.nbytes / seconds / 1e9


def timed(work):
    """Wall seconds of a call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


SIZES = {
    "lichess": (1_000_000, 30_000_000),
    "matched": (400, 12_000),
    "huge": (200_000, 22_000_000),
    "gradient": (0, 0),
}


def main(words):
    """Run measurements in separate processes and write the report."""
    if words and words[0] in ("simulate", "measure"):
        what, path, players, games = words[1], words[2], int(words[3]), int(words[4])
        if words[0] == "simulate" and what == "lichess":
            import numpy as np
            from bench_cells import simulated as site_of

            np.savez(path, **vars(site_of(players, games, 1)))
            return
        if words[0] == "simulate":
            simulated(path, players, games, 1)
            return
        result = globals()[what](path, players, games)
        result["mark"] = records.mark(f"python benchmarks/bench_large.py {'lichess' if what == 'after' else what}")
        Path(path).with_name(f"{what}.json").write_text(json.dumps(result))
        return
    from large_report import write_section

    for what in words or MEASUREMENTS:
        with TemporaryDirectory() as folder:
            rest = [what, f"{folder}/games.npz", *map(str, SIZES[what])]
            print(what, flush=True)
            for step in ("simulate", "measure") if what not in ALONE else ("measure",):
                command = [sys.executable, __file__, step, *rest]
                subprocess.run(command, check=True, env=os.environ | LIMITED)
            if what == "lichess":
                command = [sys.executable, __file__, "measure", "after", *rest[1:]]
                subprocess.run(command, check=True, env=os.environ | LIMITED)
            names = (what, "after") if what == "lichess" else (what,)
            write_section(what, {name: json.loads(Path(folder, f"{name}.json").read_text()) for name in names}, HERE)


if __name__ == "__main__":
    main(sys.argv[1:])
