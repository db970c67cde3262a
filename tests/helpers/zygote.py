"""Commands and programs in processes that have already imported everything: a server that forks.

It reads a line of JSON (arguments or a program, folder, environment), forks, prints the child's process id when the
child listens to signals, and, when the child has ended, its exit code and CPU seconds. Output of the child goes to
files in the folder of the server. Modules that one child had to import are imported for the next ones.
"""

import gc
import json
import os
import random
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

FIGURES = (
    "matplotlib.backends.backend_agg",
    "halfpoint.evaluation.figures.backtest",
    "halfpoint.apps.fields.arena.page",
)
BROUGHT = ("nutpie", "click", "pydantic", "pyarrow.pandas_compat")  # along by others

SHIM = Path(__file__).with_name("failing_writes.c")
THREADS = 3.0  # how many processors a command keeps busy at most
SHORTEST, LONGEST = 0.001, 0.05  # seconds between looks at how far it is
TICK = random.Random(1)


def import_all():
    """Import the modules of all commands once, before any fork."""
    from halfpoint.apps import workflows
    from halfpoint.apps.cli.app import COMMANDS

    commands = [COMMANDS.entry(name).module for name in COMMANDS]
    work = [f"halfpoint.apps.workflows.{part.name}" for part in iter_modules(workflows.__path__)]
    for folder in {name.rpartition(".")[0] for name in commands} - {"halfpoint.apps.cli"}:  # of fields
        work += [f"{folder}.{part.name}" for part in iter_modules(import_module(folder).__path__) if not part.ispkg]
    for name in (*commands, *work, *FIGURES, "halfpoint.evaluation.figures.sampling", *BROUGHT):
        import_module(name)


def serve():
    """Serve requests until standard input ends."""
    gc.disable()  # imports leave no garbage, and what they leave stays in every child
    import_all()
    gc.freeze()
    os.write(1, b"ready\n")
    for line in sys.stdin:
        asked = json.loads(line)
        child = os.fork()
        if child == 0:
            run(asked)
        _, status, used = os.wait4(child, 0)
        learn(asked["learned"])
        os.write(1, f"{os.waitstatus_to_exitcode(status)} {used.ru_utime + used.ru_stime}\n".encode())


def learn(path):
    """Import modules that a child reported as imported."""
    with suppress(OSError):
        for name in Path(path).read_text().split():
            with suppress(Exception):
                import_module(name)
        Path(path).unlink()


def run(asked):
    """Run the command in the child."""
    gc.enable()
    known = set(sys.modules)
    os.chdir(asked["folder"])
    os.environ.update(asked["environment"])
    tempfile.tempdir = None  # as the environment says
    report = os.dup(1)
    if asked["given"]:
        os.dup2(os.open(asked["given"], os.O_RDONLY), 0)
    for number, name in ((1, "out"), (2, "err")):
        file = os.open(asked[name], os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(file, number)
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        signal.signal(getattr(signal, name), signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL)
    sys.argv = ["halfpoint", *asked["words"]]
    from halfpoint.apps.cli.app import main
    from halfpoint.apps.cli.stopping import stop_at_signals

    stop_at_signals()
    os.write(report, f"{os.getpid()}\n".encode())
    for closed in asked["closed"]:
        os.close(closed)
        setattr(sys, ("stdin", "stdout", "stderr")[closed], None)
    code = 1
    try:
        if asked["program"]:
            sys.modules["__main__"] = module = ModuleType("__main__")
            exec(asked["program"], module.__dict__)
            code = 0
        else:
            main()
    except SystemExit as end:
        code = end.code or 0
    except BaseException:
        import traceback

        traceback.print_exc()
    with suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    Path(asked["learned"]).write_text("\n".join(name for name in [*sys.modules] if name not in known))
    os._exit(code)


def spent(child, begun):
    """CPU seconds of a process; wall seconds since its start if the system does not report them."""
    try:
        ticks = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return time.monotonic() - begun
    return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK") + TICK.random() / 100.0  # it counts in hundredths


def shim(folder):
    """Environment in which writes can be made to fail; empty without a C compiler."""
    compiler, built = shutil.which("cc"), folder / "failing_writes.so"
    if not compiler:
        return {}
    subprocess.run([compiler, "-shared", "-fPIC", "-o", built, SHIM, "-ldl"], check=True)
    return {"LD_PRELOAD": str(built)}


class Zygote:
    """Client of the server in a test."""

    seconds = 0.0  # of the processor, of the children of servers that have not ended

    def __init__(self, **environment):
        self.seconds_here = 0.0
        self.scratch = Path(tempfile.mkdtemp(prefix="zygote-"))
        self.server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0,
            env={**os.environ, "POLARS_MAX_THREADS": "1", **environment},
        )  # fmt: skip
        assert self.server.stdout.readline() == b"ready\n"

    def run(self, words, folder, after=None, number=None, closed=(), program="", given=b"", **environment):
        """Run a command, optionally send it a signal after some seconds; return exit code, output, errors and seconds.

        With `program`, a Python program as text, this runs in place of a command; `given` is standard input.

        Seconds are CPU seconds, so that a moment is the same part of a run on a busy machine.
        """
        out, err, learned, stdin = (self.scratch / name for name in ("out", "err", "learned", "given"))
        asked = {"words": list(map(str, words)), "folder": str(folder), "environment": environment, "closed": closed}
        asked |= {"out": str(out), "err": str(err), "learned": str(learned), "program": program}
        if given:
            stdin.write_bytes(given)
        asked["given"] = str(stdin) if given else ""
        self.server.stdin.write(json.dumps(asked).encode() + b"\n")
        child, begun = int(self.server.stdout.readline()), time.monotonic()
        while number is not None:
            left = after - spent(child, begun)
            if self.has_answered(min(max(left / THREADS, SHORTEST), LONGEST) if left > 0.0 else 0.0):
                break
            if left <= 0.0:
                with suppress(ProcessLookupError):
                    os.kill(child, number)
                break
        code, seconds = self.server.stdout.readline().split()
        self.seconds_here += float(seconds)
        Zygote.seconds += float(seconds)
        return int(code), out.read_text(errors="replace"), err.read_text(errors="replace"), float(seconds)

    def has_answered(self, seconds):
        """Wait for the end of the child; return True if it ended."""
        return bool(select.select([self.server.stdout], [], [], seconds)[0])

    def close(self):
        """End the server."""
        self.server.stdin.close()
        self.server.wait(timeout=60)
        self.server.stdout.close()
        Zygote.seconds -= self.seconds_here  # the system counts them from now on


if __name__ == "__main__":
    serve()
