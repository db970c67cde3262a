"""A Dask cluster: its client, the versions of its workers, and its loss.

If a scheduler or all of its workers die, the client waits indefinitely. `Watch` looks for both while
results are awaited. Everyone who reaches a scheduler's port can run code on its workers and, since results are pickles,
on the client's machine: SECURITY.md.
"""

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from ipaddress import ip_address
from platform import python_version
from typing import TYPE_CHECKING

from halfpoint.models.games.errors import HalfpointError, printable
from halfpoint.models.games.lazy_import import require

if TYPE_CHECKING:
    from distributed import Client

    from halfpoint.apps.workflows.options import Say

LOOK_SECONDS = 1.0  # between two looks at the connection
_CONNECT_SECONDS = 10
_ASKED_EVERY, _ANSWER_SECONDS = 3.0, 10.0  # the scheduler is asked for its workers, and answers so soon
_WITHOUT_WORKERS = 15.0  # seconds, after which workers that died are not expected again
_CLOSE_SECONDS = 2.0
_ENCRYPTED = ("tls", "wss", "inproc")  # the last is within this process


@cache
def versions() -> str:
    """Versions on which results of a task depend, of this process: of halfpoint and, since functions travel, Python."""
    return f"halfpoint {version('halfpoint')} on Python {_minor(python_version())}"


def _minor(python: str) -> str:
    """Version of Python without its last number, whose code is the same."""
    return ".".join(python.split(".")[:2])


def other_version(worker_versions: str) -> HalfpointError:
    """Error of workers with another version."""
    return HalfpointError(
        f"--cluster: expected workers with {versions()}, found {printable(worker_versions)}. Install the same version "
        "on the workers."
    )


class Watch:
    """Check that the cluster of a Dask client is there, at most once a second.

    Parameters
    ----------
    client : distributed.Client
        Client of the cluster.
    shared : distributed.Future, optional
        Data that all tasks share, which are cancelled if the scheduler is lost.
    """

    def __init__(self, client: "Client", shared: object = None) -> None:
        self.client, self.shared = client, shared
        self.last_answer, self.last_worker = float("-inf"), float("inf")

    def look(self) -> None:
        """Raise `HalfpointError` if the scheduler or all workers are lost."""
        # data whose worker died are "lost" until another worker has made them again
        if self.client.status != "running" or getattr(self.shared, "status", "") == "cancelled":
            raise self.lost()
        moment = time.monotonic()
        if moment - self.last_answer < _ASKED_EVERY:
            return
        try:
            workers = self.client.sync(self.client.scheduler.ncores, callback_timeout=_ANSWER_SECONDS)
        except (OSError, TimeoutError) as error:
            raise self.lost() from error
        self.last_answer = time.monotonic()
        if workers:
            self.last_worker = self.last_answer
        elif self.last_answer - self.last_worker > _WITHOUT_WORKERS:
            raise HalfpointError(
                "--cluster: no worker is left. Start workers (dask worker ADDRESS) and repeat the command, which goes "
                "on from finished tasks."
            )

    def lost(self) -> HalfpointError:
        """Error of a lost scheduler."""
        address = printable(str(getattr(self.client.scheduler, "address", "") or self.client._start_arg))
        return HalfpointError(
            f"--cluster: the scheduler at {address} is lost. Start it and its workers again and repeat the command, "
            "which resumes from finished tasks."
        )


@contextmanager
def dask_client(address: str, say: "Say") -> "Iterator[Client]":
    """A client of the Dask scheduler at an address.

    Parameters
    ----------
    address : str
        Address such as "tls://host:8786"; certificates are those of Dask's configuration.
    say : callable
        Called with a line while the cluster has no workers, and if the connection is open to others.

    Yields
    ------
    distributed.Client

    Raises
    ------
    HalfpointError
        If there is no scheduler at the address, or its workers lack this version of halfpoint.
    """
    require("distributed", "--cluster")
    from distributed import Client, Security
    from distributed.comm import resolve_address

    with _silent_log():
        try:
            place = resolve_address(address)  # a client of an invalid address would wait indefinitely
            if place.startswith("tls://") and Security().get_connection_args("client")["ssl_context"] is None:
                raise HalfpointError(
                    f"--cluster {printable(address)}: expected certificates in Dask's configuration, found none. Name "
                    "them: docs/scaling.md."
                )
            if open_to_others(place):
                say(
                    f"--cluster {printable(address)} is not encrypted: anyone who reaches this port can run code "
                    "on the workers "
                    "and here. Use tls:// (docs/scaling.md), or a network of your own."
                )
            client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except HalfpointError:
            raise
        except (OSError, ValueError, TypeError, RuntimeError) as error:
            raise HalfpointError(
                f"--cluster: expected a Dask scheduler at {printable(repr(address))}, found none. Start one by `dask "
                "scheduler` and give the address that it prints."
            ) from error
        try:
            if not _require_versions(client):
                say(f"{address}: no workers yet; start some (dask worker {address})")
            yield client
        finally:
            with suppress(OSError, TimeoutError, AssertionError):  # of a scheduler that is lost
                client.close(_CLOSE_SECONDS)


def _require_versions(client: "Client") -> int:
    """Number of workers; `HalfpointError` if one has other versions."""
    pythons = client.run(python_version, on_error="return")
    halfpoints = client.run(version, "halfpoint", on_error="return")
    for worker, number in halfpoints.items():
        name = "no halfpoint" if isinstance(number, Exception) else f"halfpoint {number}"
        python = pythons.get(worker, python_version())
        worker_versions = f"{name} on Python {_minor(python) if isinstance(python, str) else 'unknown'}"
        if worker_versions != versions():
            raise other_version(worker_versions)
    return len(halfpoints)


def open_to_others(place: str) -> bool:
    """True if an address with a number of a host is neither encrypted nor within this machine.

    Examples
    --------
    >>> open_to_others("tcp://127.0.0.1:8786"), open_to_others("tcp://192.168.0.7:8786")
    (False, True)
    """
    from distributed.comm import get_address_host

    if place.partition("://")[0] in _ENCRYPTED:
        return False
    with suppress(ValueError):
        return not ip_address(get_address_host(place)).is_loopback
    return True


@contextmanager
def _silent_log() -> Iterator[None]:
    """Keep Dask's log of lost connections off the terminal: they are reported in one line."""
    import distributed  # noqa: F401 its import sets the levels of its loggers

    names = ["distributed", *(name for name in logging.root.manager.loggerDict if name.startswith("distributed."))]
    before = {name: logging.getLogger(name).level for name in names}
    for name in names:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)
