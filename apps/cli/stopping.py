"""Ctrl-C and similar signals: the command ends at once, with one line.

No cleanup is needed, because every file is written completely or not at all: earlier results are unchanged. The command
therefore ends in the handler itself. An exception would pass through libraries that catch it (nutpie returns the draws
so far), print it, or lose it.
"""

import atexit
import json
import os
import signal
import sys
import threading
from contextlib import suppress
from types import FrameType

SIGNALS = ("SIGINT", "SIGTERM", "SIGHUP")  # SIGHUP: the terminal was closed; not on every system
_SHOW_CURSOR = "\r\x1b[K\x1b[?25h"  # a progress bar hides it


def _stop(number: int, frame: FrameType | None = None) -> None:
    """End the process with exit code 128 + the signal's number and one line on standard error."""
    for signal_number in _numbers():
        signal.signal(signal_number, signal.SIG_IGN)
    with suppress(KeyError, AttributeError):  # not imported, which would cost the first half second, or not yet whole
        sys.modules["halfpoint.models.games.atomic_write"].discard_unfinished()
    name = signal.Signals(number).name
    line = f"halfpoint: stopped ({name}); results are unchanged or complete; run the same command again\n"
    fault = {"schema": "halfpoint.error.v1", "status": {"code": "stopped", "exit_code": 128 + number}}
    with suppress(OSError):
        if "--json" in sys.argv[1:]:
            os.write(1, (json.dumps(fault | {"message": line[11:-1]}) + "\n").encode())
        os.write(2, (_SHOW_CURSOR * os.isatty(2) + line).encode())
    os._exit(128 + number)


def _numbers() -> list[signal.Signals]:
    """The signals that stop a command on this system."""
    return [member for member in signal.Signals if member.name in SIGNALS]


def stop_at_signals() -> None:
    """Let Ctrl-C (exit code 130), SIGTERM (143) and SIGHUP (129) end this process; ignored signals stay ignored."""
    for number in _numbers():
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _stop)
    atexit.register(_finish)


def leave(end: SystemExit) -> None:
    """End the process at once after a command: Python would take the objects of all libraries apart in 0.7 CPU s.

    What is registered for the end of the process runs. If threads or processes are still to be joined, output is not
    taken, or a profiler, a debugger or a prompt waits for the end, the process ends in Python's way.

    Raises
    ------
    SystemExit
        `end`, if the process ends in Python's way.
    """
    children = sys.modules.get("multiprocessing.process")
    is_alone = threading.active_count() == 1 and (children is None or not children.active_children())
    if not (is_alone and isinstance(end.code, int)) or _is_watched():
        raise end
    atexit._run_exitfuncs()
    try:
        for stream in filter(None, (sys.stdout, sys.stderr)):  # None under pythonw
            stream.flush()
    except (OSError, ValueError):
        raise end from None
    os._exit(end.code)


def _is_watched() -> bool:
    """True if a profiler, a debugger or measured coverage looks at the process, or a prompt follows."""
    monitoring = any(map(sys.monitoring.get_tool, range(6)))
    return monitoring or sys.gettrace() is not None or sys.getprofile() is not None or bool(sys.flags.inspect)


def _finish() -> None:
    """Ignore the signals, because all output is written and Python is shutting down."""
    for number in _numbers():
        if signal.getsignal(number) is _stop:
            signal.signal(number, signal.SIG_IGN)
