"""A Dask scheduler and its workers as processes of their own, for tests of many machines on one."""

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager


def wait_for(condition, seconds=120):
    """Wait until a condition holds; fail if it never does."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.05)


@contextmanager
def dask_cluster(folder, workers=1, modules=None):
    """Start a scheduler and workers; yield its address and the workers' processes, and end them all.

    `modules` is a folder that the workers can import tasks from; logs and the scheduler's file go to `folder`.
    """
    environment = {**os.environ, "NUMBA_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    if modules is not None:
        environment["PYTHONPATH"] = str(modules)
    where = folder / "scheduler.json"
    started = []

    def start(*words):
        command = [sys.executable, "-m", "dask", *words, "--no-dashboard"]
        with (folder / f"log-{len(started)}").open("wb") as log:
            started.append(subprocess.Popen(command, env=environment, cwd=folder, stdout=log, stderr=log))
        return started[-1]

    try:
        start("scheduler", "--host", "127.0.0.1", "--port", "0", "--scheduler-file", str(where))
        wait_for(where.exists)
        words = ("--scheduler-file", str(where), "--nthreads", "1", "--no-nanny", "--host", "127.0.0.1")
        made = [start("worker", *words) for _ in range(workers)]
        yield json.loads(where.read_text())["address"], made
    finally:
        for process in reversed(started):  # workers first: one without a scheduler waits for it to come back
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(10)
