"""Independent fits on two Dask workers of 2 GB beside this process alone: equal results, and the efficiency.

    python benchmarks/bench_executor.py [PART ...]   prints the page executor.md; minutes

Parts are backtest, calibrate and leagues; all by default. Both runs are made at the same time, each by a process.
Efficiency is the CPU seconds of the serial run over twice the seconds that two free processors would take: those of the
driver, and then those of the busier worker, or half of both workers and the scheduler if that is more. The scheduler
runs in threads of the driver's process; its CPU seconds grow with wall time (heartbeats, monitors of memory).
"""

import json
import os
import pickle
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import records

from halfpoint import workflows
from halfpoint.workflows.executor import executor_of

SYSTEMS = "elo,elo-normal,elo-uscf,icc,uscf,chessmetrics,kappa-elo,glicko,glicko-2,stephenson,trueskill,weng-lin-full"
ROWS = ("bt", "bt-common", "bt-population", "davidson", "davidson-common", "davidson-population")
PERIODS, PLAYERS, GAMES, SIMULATIONS, LEAGUES, A_LEAGUE = 60, 30, 60_000, 50, 5, 500
PARTS = {
    "backtest": f"backtest of 12 systems, {PERIODS} periods, {GAMES:,} games",
    "calibrate": f"calibration of {len(ROWS)} rows, {SIMULATIONS} simulations each",
    "leagues": f"{LEAGUES} leagues apart, {A_LEAGUE} games each",
}


def frame_of(seed, games, league=""):
    """Simulated games of 60 periods, by Davidson's formula."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 0.6, PLAYERS)
    white = rng.integers(0, PLAYERS, games)
    black = (white + rng.integers(1, PLAYERS, games)) % PLAYERS
    gap = strength[white] - strength[black] + 0.2
    scores = np.exp(np.stack([-gap / 2, np.full(games, 0.3), gap / 2]))
    score = (rng.random(games) > (scores / scores.sum(axis=0)).cumsum(axis=0)[:2]).sum(axis=0) / 2
    names = np.array([f"{league}player {k}" for k in range(PLAYERS)])
    period = np.sort(rng.integers(1, PERIODS + 1, games))
    return pd.DataFrame({"white": names[white], "black": names[black], "score": score, "period": period})


def backtest(folder, executor):
    """The scores of twelve systems."""
    found = workflows.backtest(frame_of(1, GAMES), SYSTEMS, out=folder / "backtest", executor=executor).frame
    return found.drop(columns=[name for name in found if name.startswith("seconds")])


def calibrate(folder, executor):
    """The ranks of six rows."""
    trial = {"simulations": SIMULATIONS, "method": "normal", "executor": executor}
    found = workflows.calibrate_models(ROWS, folder / "calibration", workflows.calibration.Trial(**trial))
    return pd.concat([pd.DataFrame(one.ranks.rank) for one in found], axis=1)


def leagues(folder, executor):
    """The lists of leagues that never meet."""
    games = pd.concat([frame_of(seed, A_LEAGUE, f"league {seed}, ") for seed in range(LEAGUES)])
    options = {"model": "davidson-population", "method": "normal", "executor": executor}
    return pd.concat([one.frame for one in workflows.rate_groups(games, folder / "leagues", **options)])


def imported():
    """Import all that fits need."""
    import pymc

    import halfpoint.inference.fit
    import halfpoint.workflows.calibration

    return pymc.__version__, halfpoint.__name__


def used(pid):
    """CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(value) for value in fields[11:13]) / os.sysconf("SC_CLK_TCK")


def run(how, file, *parts):
    """Run the parts, here or on a cluster, and write results and costs."""
    results, costs, start = {}, {}, time.perf_counter()
    with ExitStack() as stack:
        folder, workers, executor = Path(stack.enter_context(TemporaryDirectory())), [], None
        if how == "cluster":
            from distributed import LocalCluster

            options = {"threads_per_worker": 1, "memory_limit": "2GB", "dashboard_address": ":0"}
            cluster = stack.enter_context(LocalCluster(n_workers=2, **options))
            executor = stack.enter_context(executor_of(cluster=cluster.scheduler_address))
            workers = [one.pid for one in cluster.workers.values()]
            executor._client.run(imported)
        imported()
        costs["start"] = {
            "wall": time.perf_counter() - start,
            "driver": used(os.getpid()),
            "workers": [*map(used, workers)],
        }
        for name in parts:
            begun, before = time.perf_counter(), [used(pid) for pid in (os.getpid(), *workers)]
            own = time.thread_time()
            results[name] = globals()[name](folder, executor)
            own = time.thread_time() - own
            after = [used(pid) for pid in (os.getpid(), *workers)]
            whole, *rest = (b - a for a, b in zip(before, after, strict=True))
            driver, others = (own, max(whole - own, 0.0)) if workers else (whole, 0.0)
            costs[name] = {"wall": time.perf_counter() - begun, "driver": driver, "scheduler": others, "workers": rest}
            print(how, name, costs[name], file=sys.stderr, flush=True)
    Path(file).write_bytes(pickle.dumps(results))
    print(json.dumps(costs))


def main(*parts):
    """Run both and print the page."""
    costs, found = {}, {}
    with TemporaryDirectory() as folder:
        words = {how: [sys.executable, __file__, how, Path(folder, how), *parts] for how in ("serial", "cluster")}
        runs = {how: subprocess.Popen(one, stdout=subprocess.PIPE, text=True) for how, one in words.items()}
        for how, one in runs.items():
            costs[how] = json.loads(one.communicate()[0])
            found[how] = pickle.loads(Path(folder, how).read_bytes())
    print("# Independent fits on two workers\n")
    print(__doc__.strip() + "\n")
    print(records.mark(" ".join(["python benchmarks/bench_executor.py", *sys.argv[1:]])) + "\n")
    start = costs["cluster"]["start"]
    print(f"Imports, {max(start['workers']):.1f} CPU s of a worker, are counted on neither side.\n")
    print("| part | equal | serial, CPU s | busier worker | other worker | driver | scheduler | efficiency |")
    print("|---|---|--:|--:|--:|--:|--:|--:|")
    sums = np.zeros(5)
    for name in parts:
        title, one, other = PARTS[name], costs["serial"][name], costs["cluster"][name]
        row = np.array([
            one["driver"], max(other["workers"]), min(other["workers"]), other["driver"], other["scheduler"]
        ])  # fmt: skip
        sums += row
        equal = "yes" if found["serial"][name].equals(found["cluster"][name]) else "NO"
        print(f"| {title} | {equal} | {' | '.join(f'{value:.1f}' for value in row)} | {efficiency(row):.2f} |")
    print(f"| all | | {' | '.join(f'{value:.1f}' for value in sums)} | {efficiency(sums):.2f} |")


def efficiency(row):
    """Serial CPU seconds over twice the seconds on two free processors."""
    serial, busier, other, driver, scheduler = row
    return serial / (2.0 * (driver + max(busier, (busier + other + scheduler) / 2.0)))


if __name__ == "__main__":
    run(*sys.argv[1:]) if {"serial", "cluster"} & {*sys.argv[1:2]} else main(*(sys.argv[1:] or PARTS))
