"""Functions in other processes and threads end, and an interrupted one leaves no files."""

import multiprocessing
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("in_processes.py")
HERE = [one for one in ("fork", "spawn", "forkserver") if one in multiprocessing.get_all_start_methods()]
FILES = ["games.csv", "games.csv.truth.csv"]
NAMES = ("read", "simulate", "rate", "fit", "backtest", "maximum_likelihood")
NAMES += ("sample", "update", "tournament", "compare")
KEPT = ("rate", "fit", "backtest")  # what took long stays for the next run
INTERRUPTED = """
import _thread, os, sys, threading, time
import halfpoint as hp
name, seconds, folder = sys.argv[1], float(sys.argv[2]), sys.argv[3]
games = f"{folder}/games.csv"
calls = {
    "read": lambda: hp.read(games),
    "simulate": lambda: hp.simulate(f"{folder}/more.csv", games=20_000),
    "rate": lambda: hp.rate(games, f"{folder}/out", "davidson-common", draws=4000),
    "fit": lambda: hp.workflows.fit(games, "davidson-common", f"{folder}/out.nc", draws=4000, method="nuts"),
    "backtest": lambda: hp.backtest(games, "elo,glicko,trueskill", out=f"{folder}/out", every="week"),
    "maximum_likelihood": lambda: hp.workflows.maximum_likelihood(games, "davidson"),
}
played = hp.replica()
chosen = hp.select(played.training, played.monitored)
trace = hp.rate(games, model="davidson-common", method="normal").trace
calls |= {
    "sample": lambda: hp.sample(hp.declare("davidson-common", chosen), draws=4000),
    "update": lambda: hp.update(trace, hp.read(games)),
    "tournament": lambda: hp.tournament(trace, [f"Player 0{k}" for k in range(1, 9)], simulations=200_000),
    "compare": lambda: hp.compare([trace, trace]),
}
began = time.monotonic()
threading.Timer(seconds, _thread.interrupt_main).start()
try:
    calls[name]()
    print("ended", end=" ")
except KeyboardInterrupt:
    print("interrupted", end=" ")
time.sleep(max(0.0, seconds - (time.monotonic() - began)))
"""


@pytest.mark.slow
@pytest.mark.parametrize("how", [*HERE, "threads", "asyncio"])
def test_every_way_to_work_beside_ends(how, tmp_path):
    done = subprocess.run([sys.executable, SCRIPT, how, tmp_path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    answers, files = done.stdout.splitlines()
    assert files == str([".halfpoint.json", *FILES])
    read, rated = answers.rsplit("] [[", 1)
    assert rated == "8, 8]]"
    assert read == "[(200, 8), (200, 8)" or (how == "fork" and read.count("found a process that was forked") == 2)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_function_that_is_interrupted_leaves_nothing(name, tmp_path):
    import halfpoint as hp

    hp.simulate(tmp_path / "games.csv", games=3000, players=40)
    for seconds in ("0.02", "0.4", "1.5"):
        words = [sys.executable, "-W", "ignore", "-c", INTERRUPTED, name, seconds, str(tmp_path)]
        done = subprocess.run(words, capture_output=True, text=True, timeout=300)
        left = {path.name for path in tmp_path.rglob("*") if path.is_file()} - {*FILES, ".halfpoint.json"}
        if done.returncode == 0 and done.stdout.endswith("interrupted "):
            assert not {one for one in left if not one.startswith(".")} or name in KEPT, left
        else:  # it came while Python waited, after the end
            assert done.stdout.startswith("ended"), done.stderr
        assert not [one for one in left if one.endswith(".part") or "lock" in one or one == ".halfpoint.next"], left
