"""Write files whole or not at all: into temporary names beside them, renamed when all are complete.

A process that is killed leaves every file as it was or as it was to be. What it had begun has a name of its own (a dot,
the file's name, letters, `.part`); the next writer of that file removes it.
"""

import json
import os
import re
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from halfpoint.games.errors import HalfpointError, printable

ENDING = ".part"
FORGOTTEN_SECONDS = 3600.0  # nobody writes to a temporary file any more that has not changed for so long
unfinished: set[Path] = set()  # temporary files of this process
claimed: set[Path] = set()  # folders and files that this process alone writes to, see `halfpoint.games.claim`


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to, which becomes `path` when the block ends without an error.

    Parameters
    ----------
    path : str or Path
        The file to make or replace; its folder is made. A link is followed.

    Yields
    ------
    Path
        A file of its own beside `path`. Whatever happens, no part of it stays.

    Raises
    ------
    HalfpointError
        If the folder or the file cannot be written.
    """
    with whole_files(path) as (temporary,):
        yield temporary


@contextmanager
def whole_files(*paths: str | Path) -> Iterator[tuple[Path, ...]]:
    """Give temporary paths for files that belong together; all are complete before the first of them is renamed.

    Only a process that is killed between two renames, which take microseconds, leaves some old and some new.

    Parameters
    ----------
    *paths : str or Path
        The files to make or replace, in the order in which they appear.

    Yields
    ------
    tuple of Path
        One temporary file beside each.

    Raises
    ------
    HalfpointError
        If a folder or a file cannot be written.
    """
    begun: list[Path] = []
    path: str | Path = ""
    try:
        targets = []
        for path in paths:
            targets.append(target_of(path))
        alone = any(not claimed.isdisjoint((target, *target.parents)) for target in targets)
        for path, target in zip(paths, targets, strict=True):  # noqa: B007 - an error names it
            target.parent.mkdir(parents=True, exist_ok=True)
            sweep(target, alone)
            handle, name = tempfile.mkstemp(prefix=prefix(target), suffix=ENDING, dir=target.parent)
            begun.append(Path(name))
            unfinished.add(begun[-1])
            os.close(handle)
        path = paths[0]
        yield tuple(begun)
        for temporary in begun:
            settle(temporary)
        for path, temporary, target in zip(paths, begun, targets, strict=True):  # noqa: B007
            temporary.replace(target)
            unfinished.discard(temporary)
    except OSError as error:
        reason = error.strerror or str(error)
        raise HalfpointError(
            f"{printable(str(path))}: expected a place to write, found {reason}. Choose another folder."
        ) from error
    finally:
        for temporary in begun:
            with suppress(OSError):
                temporary.unlink()
            unfinished.discard(temporary)


def write_text(path: str | Path, text: str) -> Path:
    """Write UTF-8 text, whole or not at all; return the path.

    Raises
    ------
    HalfpointError
        If the file cannot be written.
    """
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")  # the same bytes on every system
    return Path(path)


def target_of(path: str | Path) -> Path:
    """Return the file that a path stands for, links followed.

    Raises
    ------
    HalfpointError
        If something else than a file is there: a folder, a device, a pipe.
    OSError
        If it cannot be seen.
    """
    if "\0" in str(path):
        raise HalfpointError(f"{printable(str(path))}: expected a place to write, found a name with a NUL byte.")
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    if not stat.S_ISREG(mode):
        found = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise HalfpointError(f"{printable(str(path))}: expected a file or nothing there, found {found}.")
    return target


def settle(temporary: Path) -> None:
    """Give a temporary file the mode that a plain open() would have given."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)


def prefix(target: Path) -> str:
    """Return how the names of temporary files of a file begin: at most 60 of its letters, 160 bytes."""
    name = target.name[:60]
    while len(os.fsencode(name)) > 160:
        name = name[:-1]
    return f".{name}."


def sweep(target: Path, alone: bool) -> None:
    """Remove what killed processes left of a file: at once where this process alone writes, else after an hour."""
    with suppress(OSError):
        for left in target.parent.iterdir():
            if left.name.startswith(prefix(target)) and left.name.endswith(ENDING) and left not in unfinished:
                with suppress(OSError):
                    if alone or time.time() - left.stat().st_mtime > FORGOTTEN_SECONDS:
                        left.unlink()


def discard_unfinished() -> None:
    """Remove the temporary files of this process, which is about to end."""
    for temporary in list(unfinished):
        with suppress(OSError):
            temporary.unlink()


def write_json(record: dict[str, Any], path: Path) -> None:
    """Write a record as JSON, whole or not at all."""
    write_text(path, json.dumps(record, indent=1, allow_nan=False) + "\n")


def file_word(name: str) -> str:
    """Return a name as part of a file's name: letters, digits and ``. + -`` stay, anything else becomes ``_``.

    Examples
    --------
    >>> file_word("davidson-common with advantage ~ 1 | site")
    'davidson-common_with_advantage_1_site'
    """
    return re.sub(r"[^\w.+-]+", "_", name)
