"""Write one file whole or not at all: under a temporary name beside it, renamed when it is complete.

What belongs together is written by `halfpoint.games.results`. A process that is killed leaves a file as it was or as
it was to be; what it had begun has a name of its own (a dot, its name, letters, `.part`), and the next writer of that
file removes it.
"""

import errno
import json
import os
import re
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from halfpoint.games.errors import HalfpointError, printable

ENDING = ".part"
FORGOTTEN_SECONDS = 3600.0  # nobody writes to a temporary file any more that has not changed for so long
unfinished: set[Path] = set()  # temporary files of this process, for it to remove when it is stopped


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to, which becomes `path` when the block ends without an error."""
    target, temporary = Path(path), None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        sweep(target)
        handle, name = tempfile.mkstemp(prefix=prefix(target), suffix=ENDING, dir=target.parent)
        temporary = Path(name)
        unfinished.add(temporary)
        os.close(handle)
        yield temporary
        give_usual_mode(temporary)
        temporary.replace(target)
    except OSError as error:
        # a file where a folder is needed is one mistake, whichever of the two the system complains of
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror or str(error)
        raise HalfpointError(
            f"{printable(str(path))}: expected a place to write, found {reason}. Choose another folder."
        ) from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()
            unfinished.discard(temporary)


def write_text(path: str | Path, text: str) -> Path:
    """Write UTF-8 text, whole or not at all; return the path."""
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8", newline="")  # the same bytes on every system
    return Path(path)


def write_json(record: dict[str, Any], path: Path) -> None:
    """Write a record as JSON, whole or not at all."""
    write_text(path, json.dumps(record, indent=1, allow_nan=False) + "\n")


def read_json(path: Path) -> Any:
    """Return what a JSON file holds; `ValueError` for whatever is none, brackets within brackets without end too."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except RecursionError as error:
        raise ValueError("brackets within brackets without end") from error


def write_precious(path: str | Path, content: bytes | memoryview, what: str) -> None:
    """Write what took long to make, whole; where it cannot be written, elsewhere, and say where.

    Elsewhere is the folder for temporary files, then the home folder, and the current one if nothing else is possible.
    """
    try:
        with whole_file(path) as temporary:
            temporary.write_bytes(content)
    except HalfpointError as error:
        if isinstance(error.__cause__, FileExistsError | NotADirectoryError):
            raise
        for folder in (tempfile.gettempdir(), os.path.expanduser("~"), os.curdir):  # noqa: PTH111
            with suppress(OSError):
                handle, name = tempfile.mkstemp(prefix="halfpoint-", suffix=f"-{Path(path).name}", dir=folder)
                with os.fdopen(handle, "wb") as file, removed_if_cut(Path(name)):
                    file.write(content)
                    file.flush()
                raise HalfpointError(f"{error} The {what} are kept in {printable(name)}.") from error
        raise


@contextmanager
def removed_if_cut(path: Path) -> Iterator[None]:
    """Remove a file whose writing fails."""
    try:
        yield
    except OSError:
        path.unlink()
        raise


def give_usual_mode(temporary: Path) -> None:
    """Give a temporary file the mode that a plain open() would have given."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)


def short(name: str) -> str:
    """Return the beginning of a file's name, at most 60 letters and 160 bytes."""
    cut = name[:60]
    while len(os.fsencode(cut)) > 160:
        cut = cut[:-1]
    return cut


def prefix(target: Path) -> str:
    """Return how the names of temporary files of a file begin."""
    return f".{short(target.name)}."


def sweep(target: Path) -> None:
    """Remove what killed processes left of a file an hour ago."""
    with suppress(OSError):
        for left in target.parent.iterdir():
            if left.name.startswith(prefix(target)) and left.name.endswith(ENDING) and left not in unfinished:
                with suppress(OSError):
                    if time.time() - left.stat().st_mtime > FORGOTTEN_SECONDS:
                        left.unlink()


def discard_unfinished() -> None:
    """Remove the temporary files of this process, which is about to end."""
    for temporary in list(unfinished):
        with suppress(OSError):
            temporary.unlink()


def file_word(name: str) -> str:
    """Return a name as part of a file's name: letters, digits and ``. + -`` stay, anything else becomes ``_``.

    Examples
    --------
    >>> file_word("davidson-common with advantage ~ 1 | site")
    'davidson-common_with_advantage_1_site'
    """
    return re.sub(r"[^\w.+-]+", "_", name)
