"""Resources of the machine: free memory, checked before work starts, and processors."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from halfpoint.models.games.errors import HalfpointError

UNKNOWN_BYTES = 8 * 2**30  # if the system reports no size
GIB = 2**30


def available_bytes() -> int:
    """Memory in bytes available to this process.

    The least of three: the memory available without swapping (`MemAvailable` on Linux; elsewhere all physical
    memory by POSIX's sysconf; 8 GiB if neither is known), a container's limit (control groups, version 2),
    and the process's own limit on its addresses (`ulimit -v`).
    """
    physical = next(known_values(lambda: os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")), UNKNOWN_BYTES)
    system = next(known_values(_available_by_linux), physical)
    return min([system, *known_values(_limit_of_container), *known_values(limit_of_addresses)])


def known_values(source: Callable[[], int | None]) -> Iterator[int]:
    """Yield the values of a source; empty if this system lacks it or has no limit."""
    with suppress(OSError, ValueError, ImportError, AttributeError, LookupError):
        if (value := source()) is not None:
            yield value


def _available_by_linux() -> int:
    """Linux's own estimate, in bytes."""
    text = Path("/proc/meminfo").read_text(encoding="ascii")
    return 1024 * int(text.split("MemAvailable:")[1].split()[0])


def _limit_of_container() -> int | None:
    """Memory left by the container in bytes, None without a limit."""
    limit = Path("/sys/fs/cgroup/memory.max").read_text(encoding="ascii").strip()
    used = Path("/sys/fs/cgroup/memory.current").read_text(encoding="ascii").strip()
    return None if limit == "max" else max(0, int(limit) - int(used))


def limit_of_addresses() -> int | None:
    """Memory left by the limit on addresses in bytes, None without a limit."""
    import resource

    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = used_addresses()
    return None if limit == resource.RLIM_INFINITY else max(0, limit - used)


def used_addresses() -> int:
    """Bytes of addresses that this process has; `OSError` where the system does not report them."""
    import resource

    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()


def limit_addresses(size: Callable[[], int]) -> None:
    """Limit the address space of this process, in bytes, on systems that have such limits."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (size(), resource.RLIM_INFINITY))


def write_no_core() -> None:
    """Prevent a core dump of this process."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def names_of_threads() -> list[str]:
    """Names of the threads of this process; empty where the system does not report them."""
    with suppress(OSError):
        return [path.read_text() for path in Path("/proc/self/task").glob("*/comm")]
    return []


def require_room(what: str, needed: float, remedy: str, kind: type[HalfpointError] = HalfpointError) -> None:
    """Raise unless this number of bytes is free."""
    free = available_bytes()
    if needed > free:
        raise kind(
            f"{what}: expected at most the {free / GIB:,.1f} GiB of free memory, "
            f"found {needed / GIB:,.1f} GiB. {remedy}"
        )


def processors() -> int:
    """Number of processors available to this process, at least 1.

    The affinity of the process if reported (Linux, and Python 3.13 by `-X cpu_count` and PYTHON_CPU_COUNT),
    else all of the machine.
    """
    for name in ("process_cpu_count", "sched_getaffinity"):
        ask = getattr(os, name, None)
        if ask is not None:
            reported = ask(0) if name == "sched_getaffinity" else ask()
            if reported:
                return reported if isinstance(reported, int) else len(reported)
    return os.cpu_count() or 1
