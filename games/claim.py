"""One command at a time writes to a place: the second is told, at once and in one line.

The claim is a lock on a file in the folder (of filelock, which PyTensor uses too). The system drops it with the process
that holds it, so a process that was killed never stands in the way.
"""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from halfpoint.games.atomic_write import claimed, target_of, unfinished
from halfpoint.games.errors import HalfpointError, printable


@contextmanager
def claim(place: str | Path, folder: bool = True, option: str = "--out") -> Iterator[Path]:
    """Hold a folder, or a file, for this process alone.

    Parameters
    ----------
    place : str or Path
        What will be written; a folder is made.
    folder : bool
        Whether `place` is a folder; otherwise a file.
    option : str
        The option that named it, for the message.

    Yields
    ------
    Path
        The place, links followed.

    Raises
    ------
    HalfpointError
        If it is no folder (or no file), cannot be written, or another process holds it.
    """
    name, wanted = printable(str(place)), "a folder" if folder else "a file in a folder"
    made: list[Path] = []
    try:
        target = folder_of(place) if folder else target_of(place)
        home = target if folder else target.parent
        made = [one for one in (home, *home.parents) if not one.exists()]
        home.mkdir(parents=True, exist_ok=True)
        path = home / ".halfpoint.lock" if folder else home / f".{target.name[:60]}.lock"
        lock = FileLock(path)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file system without locks: filelock takes files that name the process
            lock.acquire(timeout=0)
    except Timeout:
        found = "another command that writes there. Wait for it, or choose another"
        raise HalfpointError(f"{name}: expected no other writer, found {found} {option}.") from None
    except OSError as error:
        reason = error.strerror or str(error)
        if folder and os.path.lexists(place) and not os.path.isdir(place):  # noqa: PTH112
            reason = "a link that leads nowhere" if os.path.islink(place) else "a file"  # noqa: PTH114
        remove_empty(made)
        raise HalfpointError(
            f"{name}: expected {wanted} to write to, found {reason}. Choose another {option}."
        ) from error
    claimed.add(target)
    unfinished.add(path)
    try:
        yield target
    finally:
        with suppress(OSError):
            path.unlink()  # while it is held: who waits for this very file sees that it is gone, and makes a new one
        lock.release()
        claimed.discard(target)
        unfinished.discard(path)
        remove_empty(made)


def folder_of(place: str | Path) -> Path:
    """Return the folder that a path stands for, links followed."""
    if "\0" in str(place):
        raise HalfpointError(f"{printable(str(place))}: expected a folder to write to, found a name with a NUL byte.")
    return Path(os.path.realpath(place))


def remove_empty(folders: list[Path]) -> None:
    """Remove folders, the innermost first, as long as they are empty."""
    with suppress(OSError):
        for one in folders:
            one.rmdir()
