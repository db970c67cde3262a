"""Data sets: sources, hashes, and download.

A file is searched in a folder (HALFPOINT_DATA_DIR), then in the cache, then downloaded; wherever it comes from, its
SHA-256 is checked first. The study's games are read from the authors' public repository at one commit. That repository
states no licence, so the files are fetched and never shipped; `datasets.csv` lists their addresses. For archives of
games the names, addresses and terms are in `archives.csv`; their games are neither fetched nor shipped.
"""

import hashlib
import logging
import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import platformdirs

from halfpoint.models.games.errors import DownloadError, GameTableError
from halfpoint.models.games.lazy_import import require
from halfpoint.models.games.packaged import packaged_rows
from halfpoint.models.games.ranges import require_word

FOLDER_VARIABLE = "HALFPOINT_DATA_DIR"
_TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class DataSet:
    """A file of games that halfpoint can fetch."""

    name: str  # name in halfpoint
    file: str  # name of the file
    url: str  # where it is downloaded from
    bytes: str  # how many it has
    sha256: str  # hash of its bytes
    description: str  # its content
    licence: str  # what its source says about copying


DATASETS = {row["name"]: DataSet(**row) for row in packaged_rows("readers.datasets", "datasets.csv")}


def dataset(name: str) -> DataSet:
    """A data set by its name."""
    require_word("data set", name, DATASETS, GameTableError)
    return DATASETS[name]


def cache_folder() -> Path:
    """The folder of downloads (XDG_CACHE_HOME or the system's default)."""
    return Path(platformdirs.user_cache_dir("halfpoint"))


def _check_hash(path: Path, data_set: DataSet) -> Path:
    """The path of a file whose SHA-256 is the registered one."""
    try:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise GameTableError(str(path), "a readable file", error.strerror or str(error)) from None
    if digest != data_set.sha256:
        remedy = f"This is not {data_set.name}: delete the file and fetch it again."
        raise GameTableError(str(path), f"SHA-256 {data_set.sha256}", f"SHA-256 {digest}", remedy)
    return path


def _local(data_set: DataSet, folder: str | Path | None = None) -> Path | None:
    """File in the folder, else in the cache, unchecked; None if it is in neither."""
    root = folder if folder is not None else os.environ.get(FOLDER_VARIABLE) or None
    places = [] if root is None else [Path(root)]
    return next(filter(Path.is_file, (place / data_set.file for place in (*places, cache_folder()))), None)


def fetch(name: str, folder: str | Path | None = None) -> Path:
    """The path of a data set's file, downloading it if it is not here yet."""
    data_set = dataset(name)
    local = _local(data_set, folder)
    return _check_hash(local if local is not None else _download(data_set), data_set)


def _download(data_set: DataSet) -> Path:
    """Download a data set into the cache."""
    require("pooch", data_set.file)
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)

    def download(url: str, file: str, _: object) -> None:
        """Download at most the registered size, however much a server sends."""
        from requests import get

        with get(url, stream=True, timeout=_TIMEOUT_SECONDS) as answer, Path(file).open("wb") as place:
            answer.raise_for_status()
            for piece in answer.iter_content(2**16):
                place.write(piece)
                if place.tell() > int(data_set.bytes):
                    raise ValueError(f"but got more than its {int(data_set.bytes):,} bytes")

    try:
        return Path(pooch.retrieve(data_set.url, data_set.sha256, data_set.file, cache_folder(), downloader=download))
    except ValueError as error:  # what came has another hash; nothing of it is kept
        received = str(error).rpartition("but got ")[2].partition(".")[0]
        remedy, received = "The file has changed there.", received if "bytes" in received else f"SHA-256 {received}"
        raise GameTableError(data_set.url, f"SHA-256 {data_set.sha256}", received, remedy) from None
    except OSError as error:
        remedy = f"Put {data_set.file} into a folder and set {FOLDER_VARIABLE} to it."
        place = f"{data_set.file} from {urlsplit(data_set.url).netloc}"
        raise DownloadError(place, "a download", _why_not(error), remedy) from None


def _why_not(error: OSError) -> str:
    """Explain a failed download in plain words."""
    from requests import exceptions

    if isinstance(error, exceptions.HTTPError) and error.response is not None:
        return f"the answer {error.response.status_code} of its server"
    if isinstance(error, exceptions.Timeout):
        return f"no answer within {_TIMEOUT_SECONDS} seconds"
    if isinstance(error, exceptions.RequestException):
        return "no connection"
    return f"{error.filename or 'the cache'}: {error.strerror or type(error).__name__}"
