"""The record of files that halfpoint wrote in a folder, and their replacement all together.

What is to be renamed is noted first, in `.halfpoint.next`, so that a process killed between two renames is finished by
the next one. The note then becomes the record, `.halfpoint.json`: which files are whose, with their hashes. Of several
folders the first one's note is written last and names the others, whose notes count only while it does.
"""

import os
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import Any

from halfpoint.games.atomic_write import ENDING, give_usual_mode, read_json, unfinished, write_json
from halfpoint.games.errors import HalfpointError, PlacedError

RECORD, NEXT, PARTS, LOCK = ".halfpoint.json", ".halfpoint.next", ".halfpoint.parts", ".halfpoint.lock"
_LONGEST = 1000  # bytes of a name within a folder; a part of it has 255 at most
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass(frozen=True)
class Entry:
    """Entry of a record: owner of a file (a command, or "" for a single file), and its hash."""

    of: str
    sha256: str


def read_record(folder: Path) -> dict[str, Entry]:
    """Entries of the record of a folder; empty if there is none."""
    note = read_note(folder / RECORD)
    files = {} if note is None else note["files"]
    return {name: Entry(str(one["of"]), str(one["sha256"])) for name, one in files.items()}


def read_note(path: Path) -> dict[str, Any] | None:
    """A record, or a note of planned changes; None if unreadable or missing."""
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError):
        note = read_json(path)
        names = [*note["files"], *note["moves"], *note["gone"]]
        whole = all(set(one) == {"of", "sha256"} for one in note["files"].values())
        others = [*note.get("others", []), note.get("first", "/")]  # folders, from the root
        folders = all(isinstance(one, str) and "\0" not in one and os.path.isabs(one) for one in others)  # noqa: PTH117
        return dict(note) if whole and folders and all(map(_is_within, names)) else None
    return None


def _is_within(name: Any) -> bool:
    """True if a name leads to a file below its folder, outside our own files."""
    if not isinstance(name, str) or not name or "\0" in name:
        return False
    path = PurePosixPath(name)
    if len(os.fsencode(name)) > _LONGEST or any(len(os.fsencode(part)) > 255 for part in path.parts):
        return False
    return not path.is_absolute() and ".." not in path.parts and not path.parts[0].startswith(".halfpoint.")


def path_inside(folder: Path, name: str) -> Path:
    """A path within a folder, without links among its folders."""
    path = folder
    for part in PurePosixPath(name).parts[:-1]:
        path = path / part
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            found = "a link" if path.is_symlink() else "a file"
            raise PlacedError(str(path), "a folder", found, "Remove it.")
    return path / PurePosixPath(name).name


def hash_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def note_down(
    folder: Path, entries: Mapping[str, Entry], moves: Iterable[str], gone: Iterable[str], among: Mapping[str, Any]
) -> None:
    """Note the planned renames and removals and the new record; `complete` carries them out.

    Of several folders `among` has in the first one `others`, the other ones; in the others `first`, that one.
    """
    moves = sorted(moves)
    for name in moves:
        give_usual_mode(folder / PARTS / name)
        unfinished.discard(folder / PARTS / name)  # a signal removes them no more
    files = {name: vars(one) for name, one in sorted(entries.items())}
    write_json({"files": files, "moves": moves, "gone": sorted(gone), **among}, folder / NEXT)


def complete(folder: Path) -> None:
    """Carry out the noted changes of a folder's results, also after an interrupted process."""
    for left in folder.glob(f".{NEXT}.*{ENDING}"):
        with suppress(OSError):
            left.unlink()
    if (folder / PARTS).is_symlink():  # somebody's, and it leads elsewhere
        (folder / PARTS).unlink()
    note = read_note(folder / NEXT)
    if note is None:
        with suppress(FileNotFoundError):
            (folder / NEXT).unlink()
        return
    first = Path(note.get("first", folder))
    heading = read_note(first / NEXT) or {}
    if first != folder and str(folder) not in heading.get("others", []):  # killed before all were noted: none is done
        (folder / NEXT).unlink()
        return
    notes = {other: read_note(other / NEXT) or {} for other in map(Path, heading.get("others", []))}
    notes = {other: own for other, own in notes.items() if own.get("first") == str(first)} | {first: heading}
    for one, own in notes.items():
        rename(one, own)
    for one in notes:
        (one / NEXT).replace(one / RECORD)


def rename(folder: Path, note: Mapping[str, Any]) -> None:
    """Carry out the renames and removals of a note."""
    for name in note["moves"]:
        part = folder / PARTS / name
        if part.is_file() and not part.is_symlink():
            target = path_inside(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)
    for name in note["gone"]:
        with suppress(OSError, HalfpointError):
            path_inside(folder, name).unlink()


@contextmanager
def signals_waiting() -> Iterator[None]:
    """Delay signals until the end of the block, which takes microseconds."""
    came: list[int] = []
    before: dict[int, Any] = {}
    with suppress(ValueError):  # not the main thread: no handler runs here
        for number in [getattr(signal, name) for name in _STOPPING if hasattr(signal, name)]:
            if callable(signal.getsignal(number)):
                before[number] = signal.signal(number, lambda caught, _: came.append(caught))
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


def same(one: Path, other: Path) -> bool:
    """True if two paths are of one file, existing or not."""
    with suppress(OSError):
        return one.samefile(other)
    return os.path.realpath(one) == os.path.realpath(other)
