"""How many processors this process may use, on any system."""

import os


def processors() -> int:
    """Return how many processors this process may use, at least 1.

    What the process is bound to where the system tells (Linux, and Python 3.13 by `-X cpu_count` and PYTHON_CPU_COUNT),
    else all of the machine.
    """
    for name in ("process_cpu_count", "sched_getaffinity"):
        ask = getattr(os, name, None)
        if ask is not None:
            found = ask(0) if name == "sched_getaffinity" else ask()
            if found:
                return found if isinstance(found, int) else len(found)
    return os.cpu_count() or 1
