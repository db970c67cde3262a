"""Dask scheduler and workers in other processes, on the loopback interface only, which end with the block."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

COMMAND = [sys.executable, "-c", "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.apps.cli import main; main()"]
BUSY = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))  # processes that share a processor
WAIT = 90.0 * BUSY  # seconds, after which a process counts as stuck
ENDS = 30.0 * BUSY  # seconds, within which a command ends after a loss


class Cluster:
    """Scheduler, and workers that are added one by one."""

    def __init__(self, folder, protocol="tcp", **environment):
        self.folder, self.environment, self.processes = Path(folder), os.environ | environment, []
        file = self.folder / "scheduler.json"
        words = ["--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file)]
        words += ["--protocol", protocol]
        self.scheduler = self._start("dask_scheduler", *words)
        wait_until(file.is_file)
        self.address = json.loads(file.read_text())["address"]

    def _start(self, module, *words, cwd=None, **environment):
        log = (self.folder / f"{module}-{len(self.processes)}.log").open("w")
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *words],
            cwd=cwd or self.folder, env=self.environment | environment, stdout=log, stderr=log,
        )  # fmt: skip
        log.close()
        self.processes.append(process)
        return process

    def worker(self, *words, sees=True, **how):
        """Start a worker without a nanny, which would restart it, and wait until the scheduler lists it."""
        before = self.count() if sees else 0
        words = ["--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--no-dashboard", *words]
        process = self._start("dask_worker", self.address, *words, **how)
        if sees:
            wait_until(lambda: self.count() > before)
        return process

    def ask(self, question):
        """Answer of a client."""
        from distributed import Client

        with Client(self.address, set_as_default=False) as client:
            return question(client)

    def count(self):
        """Number of workers."""
        return self.ask(lambda client: len(client.ncores()))

    def busy(self):
        """Number of workers with a task."""
        return self.ask(lambda client: sum(map(bool, client.processing().values())))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in reversed(self.processes):
            process.kill()
            process.wait(timeout=WAIT)


class Driver:
    """Command of halfpoint in a folder, until it ends."""

    def __init__(self, folder, *words, **environment):
        self.process = subprocess.Popen(
            [*COMMAND, *map(str, words)], cwd=folder, env=os.environ | environment, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ended(self, seconds=ENDS):
        """Exit code, output and errors; ends the process if it takes longer."""
        try:
            out, errors = self.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            out, errors = self.process.communicate(timeout=WAIT)
            raise AssertionError(f"still running after {seconds} s: {out} {errors}") from None
        return self.process.returncode, out, errors

    def interrupt(self):
        """Send Ctrl-C."""
        self.process.send_signal(signal.SIGINT)


def wait_until(is_so, seconds=WAIT):
    """Wait until a condition holds."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until
        time.sleep(0.2)
