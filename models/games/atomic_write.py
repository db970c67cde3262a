"""Write one file completely or not at all: under a temporary name, renamed when complete.

Files that belong together are written by `halfpoint.models.games.results`. After a killed process or a power cut a file
has its old or its new content: the content is on disk before the file is renamed, the name before the writer continues.
An incomplete file has a temporary name (a dot, the file's name, letters, `.part`), and the next writer of the file
removes it. Write permission, free space and the absence of other writers are checked before writing starts.
"""

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape
from pathlib import Path
from typing import Any

from halfpoint.models.games.errors import HalfpointError, PlacedError, printable

ENDING = ".part"
_UNSYNCED = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EROFS)  # a file system that has no fsync
_FORGOTTEN_SECONDS = 3600.0  # age from which on an unchanged temporary file is abandoned
unfinished: set[Path] = set()  # temporary files of this process, for it to remove when it is stopped


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to, which becomes `path` when the block ends without an error."""
    target, temporary = Path(path), None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        _sweep(target)
        handle, name = tempfile.mkstemp(prefix=f".{short(target.name)}.", suffix=ENDING, dir=target.parent)
        temporary = Path(name)
        unfinished.add(temporary)
        os.close(handle)
        yield temporary
        give_usual_mode(temporary)
        sync(temporary)
        temporary.replace(target)
        sync(target.parent)
    except OSError as error:
        # a file where a folder is needed is one mistake, whichever of the two the system complains of
        reason = os.strerror(errno.ENOTDIR) if isinstance(error, FileExistsError) else error.strerror or str(error)
        raise PlacedError(str(path), "a place to write", reason, "Choose another folder.") from error
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


def write_json(record: dict[str, object], path: Path) -> None:
    """Write a record as JSON, whole or not at all."""
    write_text(path, json.dumps(record, indent=1, allow_nan=False) + "\n")


def each_key_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Object of JSON from pairs of key and value; `ValueError` if a key is repeated."""
    values = dict(pairs)
    if len(values) < len(pairs):
        twice = next(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
        raise ValueError(f"the key {twice!r} twice")
    return values


def read_json(path: Path) -> Any:
    """The content of a JSON file; `ValueError` if it is invalid or nested without end."""
    try:
        return json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=each_key_once)
    except RecursionError as error:
        raise ValueError("the nesting is too deep") from error


def write_precious(path: str | Path, content: bytes | memoryview, what: str) -> None:
    """Write an expensive result completely; if its path is not writable, write it elsewhere and report the path.

    Elsewhere is the folder for temporary files, then the home folder, and the current folder as a last resort.
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
                try:
                    with os.fdopen(handle, "wb") as file:
                        file.write(content)
                except OSError:
                    Path(name).unlink()
                    raise
                raise HalfpointError(f"{error} The {what} are kept in {printable(name)}.") from error
        raise


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk, where the system offers that."""
    try:
        handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)
    except PermissionError:  # Windows opens no folder; elsewhere a mode of the user's own may forbid to read
        return
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _UNSYNCED:
            raise
    finally:
        os.close(handle)


def give_usual_mode(temporary: Path) -> None:
    """Give a temporary file the mode that a plain open() would have given."""
    mask = os.umask(0)
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)


def short(name: str) -> str:
    """Name of a file, shortened to its beginning, at most 60 letters and 160 bytes, and a hash if it is long."""
    cut = name[:60]
    while len(os.fsencode(cut)) > 160:
        cut = cut[:-1]
    return cut if cut == name else f"{cut}-{hashlib.sha256(os.fsencode(name)).hexdigest()[:8]}"


def _sweep(target: Path) -> None:
    """Remove temporary files left by killed processes more than an hour ago."""
    with suppress(OSError):
        for left in target.parent.glob(f".{escape(short(target.name))}.*{ENDING}"):
            with suppress(OSError):
                if left not in unfinished and time.time() - left.stat().st_mtime > _FORGOTTEN_SECONDS:
                    left.unlink()


def discard_unfinished() -> None:
    """Remove the temporary files of this process, which is about to end."""
    for temporary in list(unfinished):
        with suppress(OSError):
            temporary.unlink()


def file_word(name: str) -> str:
    """A name as part of a file's name: letters, digits and ``. + -`` stay, anything else becomes ``_``.

    Examples
    --------
    >>> file_word("davidson-common with advantage ~ 1 | site")
    'davidson-common_with_advantage_1_site'
    """
    return re.sub(r"[^\w.+-]+", "_", name)


_PROBED_BYTES = 2**28  # room that is reserved; beyond, the disk's free space is read
A_FILE = "a file in a folder"
_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def folder_of(place: str | Path) -> Path:
    """The folder of a path, links resolved."""
    if "\0" in str(place):
        raise PlacedError(str(place), "a folder to write to", "a name with a NUL byte.")
    return Path(os.path.realpath(place))


def file_of(path: str | Path, option: str = "--out") -> Path:
    """The file of a path, links resolved."""
    if "\0" in str(path):
        raise PlacedError(str(path), "a place to write", "a name with a NUL byte.")
    target = Path(os.path.realpath(path))
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return target
    except OSError as error:
        raise _unusable(path, A_FILE, option, error) from error
    if not stat.S_ISREG(mode):
        kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
        raise PlacedError(str(path), "a file or a free name", f"{kind}.")
    return target


@contextmanager
def made_if_needed(place: str | Path, folder: Path, option: str, expected: str = "a folder") -> Iterator[None]:
    """Make a folder and its parents; remove them again if they stay empty."""
    missing = [parent for parent in (folder, *folder.parents) if not parent.exists()]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for parent in missing:
            sync(parent.parent)
    except OSError as error:
        remove_empty(missing)
        raise _unusable(place, expected, option, error) from error
    try:
        yield
    finally:
        remove_empty(missing)


@contextmanager
def acquire_lock(
    path: Path, place: str | Path, option: str, seconds: float = 0.0, expected: str = "a folder"
) -> Iterator[None]:
    """Hold a lock, which the system drops with the process: a file of filelock, which PyTensor uses too."""
    from filelock import FileLock, Timeout  # its audit hook slows imports by a tenth of a second in all

    lock = FileLock(path)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a file system without locks: filelock takes files that name the process
            lock.acquire(timeout=seconds)
    except Timeout:
        remedy = f"Wait for it, or choose another {option}."
        raise PlacedError(str(place), "no other writer", "another command writing there", remedy) from None
    except OSError as error:
        raise _unusable(place, expected, option, error) from error
    unfinished.add(path)
    try:
        yield
    finally:
        with suppress(OSError):
            path.unlink()  # while it is held: who waits for this very file sees that it is gone, and makes a new one
        lock.release()
        unfinished.discard(path)


def _unusable(place: str | Path, expected: str, option: str, error: OSError) -> HalfpointError:
    """Message about a place that is not writable."""
    reason = error.strerror or str(error)
    if expected == "a folder" and os.path.lexists(place) and not os.path.isdir(place):  # noqa: PTH112
        reason = "a link that leads nowhere" if os.path.islink(place) else "a file"  # noqa: PTH114
    return PlacedError(str(place), f"{expected} to write to", reason, f"Choose another {option}.")


def require_disk(folder: Path, place: str | Path, room: float, option: str) -> None:
    """Raise `HalfpointError` unless this number of bytes can be written to a folder; the attempt leaves no trace."""
    needed, shortage = int(room), ""
    with suppress(OSError):
        free = shutil.disk_usage(folder).free
        shortage = f"{free / 1e6:,.1f} MB" if needed > free else ""
    if needed and not shortage and hasattr(os, "posix_fallocate"):
        try:
            with tempfile.TemporaryFile(dir=folder) as file:
                os.posix_fallocate(file.fileno(), 0, min(needed, _PROBED_BYTES))
        except OSError as error:
            shortage = str(error.strerror) if error.errno in _FULL else ""
    if shortage:
        expected = f"{needed / 1e6:,.1f} MB of room for the results"
        raise PlacedError(str(place), expected, shortage, f"Choose another {option}.")


def remove_empty(folders: list[Path]) -> None:
    """Remove empty folders, the innermost first."""
    for folder in folders:
        with suppress(OSError):
            folder.rmdir()
