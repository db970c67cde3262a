"""States on disk: named arrays in an .npz file, written completely or not at all."""

from collections.abc import Mapping
from pathlib import Path
from typing import BinaryIO
from zipfile import ZipFile

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.atomic_write import whole_file
from halfpoint.models.games.errors import RatingSystemError
from halfpoint.models.games.rating_system import State

_LARGEST_BYTES, _TIMES = 64 * 2**20, 10  # of arrays when unpacked, and by the bytes of the file


def write_arrays(path: str | Path, arrays: Mapping[str, npt.NDArray[np.generic]]) -> None:
    """Write named arrays to an .npz file under a temporary name, then rename it."""
    with whole_file(path) as temporary, temporary.open("wb") as file:
        np.savez(file, allow_pickle=False, **dict(arrays))


def _require_size(opened: BinaryIO) -> None:
    """Raise `ValueError` for an archive that unpacks to much more than its size: states are not compressed."""
    opened.seek(0)
    with ZipFile(opened) as archive:
        size = sum(member.file_size for member in archive.infolist())
    if size > max(_LARGEST_BYTES, _TIMES * opened.seek(0, 2)):
        raise ValueError(f"{size} bytes in the archive")


def read_arrays(path: str | Path) -> State:
    """The named arrays of an .npz file."""
    try:
        with Path(path).open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            _require_size(opened)
            return {key: file[key] for key in file.files}
    except FileNotFoundError as error:
        raise RatingSystemError(str(path), "a saved state (.npz)", "no such file") from error
    except Exception as error:  # an archive that is cut, encrypted or claims what no memory holds; an array alone
        fault = f"a file that cannot be read ({type(error).__name__})"
        remedy = "Delete the file; it is made again."
        raise RatingSystemError(str(path), "a saved state (.npz)", fault, remedy) from error
