"""Places to write to: whether they can be, whether there is room, and that one command at a time does."""

import errno
import os
import shutil
import stat
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from halfpoint.games.atomic_write import unfinished
from halfpoint.games.errors import HalfpointError, printable

PROBED_BYTES = 2**28  # room that is asked of the system itself; beyond, it is what the disk says is free
A_FILE = "a file in a folder"
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def folder_of(place: str | Path) -> Path:
    """Return the folder that a path stands for, links followed."""
    if "\0" in str(place):
        raise HalfpointError(f"{printable(str(place))}: expected a folder to write to, found a name with a NUL byte.")
    return Path(os.path.realpath(place))


def file_of(path: str | Path, option: str = "--out") -> Path:
    """Return the file that a path stands for, links followed."""
    if "\0" in str(path):
        raise HalfpointError(f"{printable(str(path))}: expected a place to write, found a name with a NUL byte.")
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    except OSError as error:
        raise unusable(path, A_FILE, option, error) from error
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise HalfpointError(f"{printable(str(path))}: expected a file or nothing there, found {found}.")
    return target


@contextmanager
def made_if_needed(place: str | Path, folder: Path, option: str, wanted: str = "a folder") -> Iterator[None]:
    """Make a folder and those around it; remove them again where nothing came to stand in them."""
    made = [one for one in (folder, *folder.parents) if not one.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        remove_empty(made)
        raise unusable(place, wanted, option, error) from error
    try:
        yield
    finally:
        remove_empty(made)


@contextmanager
def locked(
    path: Path, place: str | Path, option: str, seconds: float = 0.0, wanted: str = "a folder"
) -> Iterator[None]:
    """Hold a lock, which the system drops with the process: a file of filelock, which PyTensor uses too."""
    lock = FileLock(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file system without locks: filelock takes files that name the process
            lock.acquire(timeout=seconds)
    except Timeout:
        found = "another command that writes there. Wait for it, or choose another"
        raise HalfpointError(f"{printable(str(place))}: expected no other writer, found {found} {option}.") from None
    except OSError as error:
        raise unusable(place, wanted, option, error) from error
    unfinished.add(path)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()  # while it is held: who waits for this very file sees that it is gone, and makes a new one
        lock.release()
        unfinished.discard(path)


def unusable(place: str | Path, wanted: str, option: str, error: OSError) -> HalfpointError:
    """Return what is said of a place that cannot be written."""
    reason = error.strerror or str(error)
    if wanted == "a folder" and os.path.lexists(place) and not os.path.isdir(place):  # noqa: PTH112
        reason = "a link that leads nowhere" if os.path.islink(place) else "a file"  # noqa: PTH114
    return HalfpointError(
        f"{printable(str(place))}: expected {wanted} to write to, found {reason}. Choose another {option}."
    )


def require_disk(folder: Path, place: str | Path, room: float, option: str) -> None:
    """Raise `HalfpointError` unless so many bytes can be written to a folder; nothing is left of the attempt."""
    needed, found = int(room), ""
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        found = f"{free / 1e6:,.1f} MB" if needed > free else ""
    if needed and not found and hasattr(os, "posix_fallocate"):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                os.posix_fallocate(file.fileno(), 0, min(needed, PROBED_BYTES))
        except OSError as error:
            found = str(error.strerror) if error.errno in FULL else ""
    if found:
        raise HalfpointError(
            f"{printable(str(place))}: expected {needed / 1e6:,.1f} MB of room for the results, found {found}. "
            f"Choose another {option}."
        )


def remove_empty(folders: list[Path]) -> None:
    """Remove folders, the innermost first, as long as they are empty."""
    for one in folders:
        with suppress(OSError):
            one.rmdir()
