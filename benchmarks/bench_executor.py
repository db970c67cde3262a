"""Independent fits on two Dask workers of 2 GB and in one process: equal results, and the efficiency.

    python benchmarks/bench_executor.py [PART ...]   prints the page large.md; 15 minutes
    python benchmarks/bench_executor.py commands     prints its table of whole commands; 3 minutes

Parts are the keys of PARTS; all by default. The serial run comes first, then the cluster, each in a process of its own
with one thread for BLAS. Efficiency is the CPU seconds of the serial run over twice the seconds that two free
processors would take: the driver's seconds before the first task and after the last result, when workers are idle,
plus, in between, the seconds of the busier worker, or half of the seconds of driver, scheduler and both workers if that
is more. "Without overlap" counts all seconds of the driver as alone, though it works on tables, lists and figures while
the workers run. "All processes" is the serial run's CPU seconds over those of driver, scheduler and both workers. The
scheduler runs in threads of the driver's process. Wall efficiency is the same ratio of wall times, which other programs
on the machine make lower.

Imports and the simulation of games are not counted. The parts run one after the other in the same processes; compiled
loops are read from numba's and halfpoint's caches on disk, once in each process. In this cluster Dask's monitors of
profiles, ticks and the interpreter lock are off, and its workers keep freed memory.
"""

import json
import os
import pickle
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pandas as pd
import records

from halfpoint.apps import workflows
from halfpoint.apps.workflows.executor import executor_of

SYSTEMS = "elo,elo-normal,elo-uscf,icc,uscf,chessmetrics,kappa-elo,glicko,glicko-2,stephenson,trueskill,weng-lin-full"
ROWS = ("bt", "bt-common", "bt-population", "davidson", "davidson-common", "davidson-population")
PERIODS, PLAYERS, GAMES, SIMULATIONS, LEAGUES, A_LEAGUE = 60, 30, 60_000, 400, 5, 500
MANY_GAMES, MANY_LEAGUES, LARGE_LEAGUE, MANY_PLAYERS = 600_000, 10, 5_000, 150
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
QUIET = {  # Dask's settings of this cluster alone
    "distributed.worker.profile.enabled": False,
    "distributed.admin.system-monitor.interval": "5s",
    "distributed.admin.system-monitor.gil.enabled": False,
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.tick.interval": "1s",
    "distributed.nanny.pre-spawn-environ": dict.fromkeys(THREADS, 1),  # without a threshold of malloc
}


UNMONITORED = {  # the same for a scheduler and workers in processes of their own, as docs/scaling.md names them
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__GIL__ENABLED": "False",
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",
}


def frame_of(seed, games, league="", players=PLAYERS):
    """Simulated games of 60 periods, by Davidson's formula."""
    rng = np.random.default_rng(seed)
    strength = rng.normal(0.0, 0.6, players)
    white = rng.integers(0, players, games)
    black = (white + rng.integers(1, players, games)) % players
    gap = strength[white] - strength[black] + 0.2
    scores = np.exp(np.stack([-gap / 2, np.full(games, 0.3), gap / 2]))
    score = (rng.random(games) > (scores / scores.sum(axis=0)).cumsum(axis=0)[:2]).sum(axis=0) / 2
    names = np.array([f"{league}player {k}" for k in range(players)])
    period = np.sort(rng.integers(1, PERIODS + 1, games))
    return pd.DataFrame({"white": names[white], "black": names[black], "score": score, "period": period})


def backtest(frame, folder, executor):
    """Scores of twelve systems."""
    return workflows.backtest(frame, SYSTEMS, out=folder / f"backtest-{len(frame)}", executor=executor).frame


def calibrate(folder, executor):
    """Ranks of six models."""
    trial = {"simulations": SIMULATIONS, "method": "normal", "executor": executor}
    found = workflows.calibrate_models(ROWS, folder / "calibration", workflows.calibration.Trial(**trial))
    return pd.concat([pd.DataFrame(one.ranks.rank) for one in found], axis=1)


def leagues_of(count, games, players):
    """Games of leagues that never meet."""
    return pd.concat([frame_of(seed, games, f"league {seed}, ", players) for seed in range(count)])


def leagues(frame, folder, executor):
    """Lists of leagues that never meet."""
    options = {"model": "davidson-population", "method": "normal", "force": True, "executor": executor}
    return pd.concat([one.frame for one in workflows.rate_groups(frame, folder / f"leagues-{len(frame)}", **options)])


FIVE = leagues_of, LEAGUES, A_LEAGUE, PLAYERS
SMALL = f"{LEAGUES} leagues apart, {PLAYERS} players and {A_LEAGUE} games each"
PARTS = {  # what the page calls a part, its function, and what makes its games
    "leagues": (f"{SMALL}, in new processes", leagues, *FIVE),
    "again": (f"{SMALL}, again", leagues, *FIVE),
    "leagues-large": (
        f"{MANY_LEAGUES} leagues apart, {MANY_PLAYERS} players and {LARGE_LEAGUE:,} games each",
        leagues, leagues_of, MANY_LEAGUES, LARGE_LEAGUE, MANY_PLAYERS,
    ),
    "backtest": (f"backtest of 12 systems, {PERIODS} periods, {GAMES:,} games", backtest, frame_of, 1, GAMES),
    "backtest-large": (f"the same, {MANY_GAMES:,} games", backtest, frame_of, 1, MANY_GAMES),
    "calibrate": (f"calibration of {len(ROWS)} rows, {SIMULATIONS} simulations each", calibrate),
}  # fmt: skip


def imported():
    """Import the modules of fits, lists and figures."""
    import distributed
    import h5netcdf
    import jinja2
    import matplotlib.pyplot
    import polars
    import pymc
    import xarray

    import halfpoint.apps.workflows.calibration
    import halfpoint.evaluation.figures.sampling
    import halfpoint.inference.fit

    xarray.Dataset({"first": ("one", [0.0])})  # looks for dask's arrays and imports them
    return [one.__name__ for one in (distributed, h5netcdf, jinja2, matplotlib, polars, pymc, halfpoint)]


def used(pid):
    """CPU seconds of a process."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return sum(int(value) for value in fields[11:13]) / os.sysconf("SC_CLK_TCK")


class Timed(Executor):
    """Dask executor that records the driver's CPU seconds at the first task and at the last result."""

    def __init__(self, executor):
        self.executor, self._client = executor, executor._client
        self.clock = time.pthread_getcpuclockid(threading.main_thread().ident)
        self.first = self.last = None

    def mark(self, future):
        """Record the time of a result."""
        self.last = time.clock_gettime(self.clock)

    def submit(self, fn, /, *args, **kwargs):
        """Submit a task."""
        self.first = time.clock_gettime(self.clock) if self.first is None else self.first
        future = self.executor.submit(fn, *args, **kwargs)
        future.add_done_callback(self.mark)
        return future


def run(how, file, *parts):
    """Run the parts, here or on a cluster, and write results and costs."""
    results, costs, start = {}, {}, time.perf_counter()
    with ExitStack() as stack:
        folder, workers, client = Path(stack.enter_context(TemporaryDirectory())), [], None
        if how == "cluster":
            import dask
            from distributed import LocalCluster

            stack.enter_context(dask.config.set(QUIET))
            options = {"threads_per_worker": 1, "memory_limit": "2GB", "dashboard_address": None}
            cluster = stack.enter_context(LocalCluster(n_workers=2, **options))
            client = stack.enter_context(executor_of(cluster=cluster.scheduler_address))
            workers = [one.pid for one in cluster.workers.values()]
            client._client.run(imported)
        imported()
        costs["start"] = {"wall": time.perf_counter() - start, "workers": [*map(used, workers)]}
        for name in parts:
            executor = None if client is None else Timed(client)
            _, function, *making = PARTS[name]
            made = [making[0](*making[1:])] if making else []
            begun, before = time.perf_counter(), [used(pid) for pid in (os.getpid(), *workers)]
            own = time.thread_time()
            results[name] = function(*made, folder, executor)
            end, wall = time.thread_time(), time.perf_counter() - begun
            whole, *rest = (used(pid) - one for pid, one in zip((os.getpid(), *workers), before, strict=True))
            costs[name] = {"wall": wall, "driver": whole, "scheduler": 0.0, "workers": rest, "alone": whole}
            if workers:
                alone = executor.first - own + end - executor.last
                costs[name] |= {"driver": end - own, "scheduler": max(whole - end + own, 0.0), "alone": alone}
            print(how, name, costs[name], file=sys.stderr, flush=True)
    Path(file).write_bytes(pickle.dumps(results))
    print(json.dumps(costs))


def command_of(folder, *words):
    """CPU seconds of `halfpoint backtest` on games.csv of a folder, including child processes, and its scores."""
    words = ["backtest", "games.csv", "--systems", SYSTEMS, *words]
    before = os.times()
    run_main = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"
    subprocess.run([sys.executable, "-c", run_main, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    now = os.times()
    used_by_it = now.children_user + now.children_system - before.children_user - before.children_system
    return used_by_it, Path(folder, words[-1], "scores.csv").read_bytes()


def print_commands():
    """Print the table of whole commands."""
    print(records.mark("python benchmarks/bench_executor.py commands") + "\n")
    print("| games | Dask's monitors | turn | equal | serial, CPU s | driver | scheduler | workers | all processes |")
    print("|--:|---|---|---|--:|--:|--:|--:|--:|")
    for monitors in (True, False):
        commands(GAMES, monitors)


def commands(games, monitors):
    """Print rows of whole commands: all processes of a cluster, with new workers and with used workers."""
    os.environ |= dict.fromkeys(THREADS, "1") | ({} if monitors else UNMONITORED)
    with TemporaryDirectory() as name, ExitStack() as stack:
        folder, file = Path(name), Path(name, "scheduler.json")
        frame_of(1, games).to_csv(folder / "games.csv", index=False)
        command_of(folder, "--out", "warm")  # loops are compiled
        serial, scores = command_of(folder, "--out", "serial")
        local = ["--host", "127.0.0.1", "--no-dashboard"]
        words = {"scheduler": [*local, "--port", "0", "--scheduler-file", str(file)]}
        own = (*local, "--nthreads", "1", "--no-nanny", "--scheduler-file", str(file))
        words |= dict.fromkeys(("worker", "other"), own)
        started = {}
        for who, own in words.items():
            module = f"distributed.cli.dask_{'scheduler' if who == 'scheduler' else 'worker'}"
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": folder}
            process = subprocess.Popen([sys.executable, "-m", module, *own], **quiet)
            stack.callback(process.wait)
            stack.callback(process.kill)
            started[who] = process.pid
            while not file.exists():
                time.sleep(0.1)
        time.sleep(20.0)  # until both workers are there
        address = json.loads(file.read_text())["address"]
        for turn in ("new workers", "the same workers again"):
            before = {who: used(pid) for who, pid in started.items()}
            driver, found = command_of(folder, "--cluster", address, "--out", turn)
            rest = {who: used(pid) - before[who] for who, pid in started.items()}
            equal = "yes" if found == scores else "NO"
            row = f"{serial:.1f} | {driver:.1f} | {rest['scheduler']:.1f} | {rest['worker'] + rest['other']:.1f}"
            whole = serial / (driver + sum(rest.values()))
            print(f"| {games:,} | {'on' if monitors else 'off'} | {turn} | {equal} | {row} | {whole:.2f} |", flush=True)


def main(*parts):
    """Run both and print the page."""
    costs, found = {}, {}
    threads = dict.fromkeys(THREADS, "1")
    with TemporaryDirectory() as folder:
        for how in ("serial", "cluster"):
            words = [sys.executable, __file__, how, Path(folder, how), *parts]
            done = subprocess.run(words, stdout=subprocess.PIPE, text=True, check=True, env=os.environ | threads)
            costs[how] = json.loads(done.stdout)
            found[how] = pickle.loads(Path(folder, how).read_bytes())
    print("# Independent fits on two workers\n")
    print(__doc__.strip() + "\n")
    print(records.mark(" ".join(["python benchmarks/bench_executor.py", *sys.argv[1:]])) + "\n")
    start = costs["cluster"]["start"]
    print(f"Imports, {max(start['workers']):.1f} CPU s of a worker, are counted on neither side.\n")
    print(
        "| part | equal | serial, CPU s | busier worker | other worker | driver | of it alone | scheduler | efficiency "
        "| without overlap | all processes | serial, wall s | cluster, wall s | wall efficiency |"
    )
    print("|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for name in parts:
        one, other = costs["serial"][name], costs["cluster"][name]
        workers = sorted(other["workers"], reverse=True)
        row = [one["driver"], *workers, other["driver"], other["alone"], other["scheduler"]]
        equal = "yes" if found["serial"][name].equals(found["cluster"][name]) else "NO"
        walls = f"{one['wall']:.1f} | {other['wall']:.1f} | {one['wall'] / other['wall'] / 2.0:.2f}"
        shown = " | ".join(f"{value:.1f}" for value in row)
        apart = efficiency(*row[:4], row[3], row[5])
        whole = row[0] / (sum(row[1:4]) + row[5])
        print(
            f"| {PARTS[name][0]} | {equal} | {shown} | {efficiency(*row):.2f} | {apart:.2f} | {whole:.2f} | {walls} |"
        )


def efficiency(serial, busier, other, driver, alone, scheduler):
    """Serial CPU seconds over twice the seconds on two free processors."""
    together = (driver - alone + busier + other + scheduler) / 2.0
    return serial / (2.0 * (alone + max(busier, together)))


if __name__ == "__main__":
    if sys.argv[1:] == ["commands"]:
        print_commands()
    else:
        run(*sys.argv[1:]) if {"serial", "cluster"} & {*sys.argv[1:2]} else main(*(sys.argv[1:] or PARTS))
