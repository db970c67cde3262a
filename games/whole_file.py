"""Write a file whole or not at all: into a temporary name beside it, renamed when it is complete."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from halfpoint.games.errors import HalfpointError


@contextmanager
def whole_file(path: str | Path) -> Iterator[Path]:
    """Give a temporary path to write to, which becomes `path` when the block ends without an error.

    Parameters
    ----------
    path : str or Path
        The file to make or replace; its folder is made.

    Yields
    ------
    Path
        A file of its own beside `path`. Whatever happens, no part of it stays.

    Raises
    ------
    HalfpointError
        If the folder or the file cannot be written.
    """
    path = Path(path)
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{path.name[:60]}.", suffix=".part", dir=path.parent)
        os.close(handle)
        temporary = Path(name)
        yield temporary
        mask = os.umask(0)
        os.umask(mask)
        temporary.chmod(0o666 & ~mask)  # what a plain open() would have given
        temporary.replace(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise HalfpointError(f"{path}: expected a place to write, found {reason}. Choose another folder.") from error
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink()


def write_text(path: str | Path, text: str) -> Path:
    """Write UTF-8 text, whole or not at all; return the path.

    Raises
    ------
    HalfpointError
        If the file cannot be written.
    """
    with whole_file(path) as temporary:
        temporary.write_text(text, encoding="utf-8")
    return Path(path)
