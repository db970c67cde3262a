"""The record of files that halfpoint wrote in a folder, and their joint replacement.

The steps are those of a journal. New files are synced in place; then the pending renamings are noted in
`.halfpoint.next`, which is synced: from then on the new files count. They are renamed, the folders are synced, and the
note becomes the record, `.halfpoint.json`: which files belong to which command, with their hashes. A process killed or
a power cut in between is finished by the next command there; readers find a file that is noted and not yet renamed by
`current`. A call that fails in between restores the old files, which are kept in `.halfpoint.old` until the call ends.
With several folders the note of the first folder is written last and names the other folders, whose notes are valid
only while it names them.
"""

import errno
import os
import shutil
import signal
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path, PurePosixPath
from typing import Any

from halfpoint.models.games.atomic_write import ENDING, give_usual_mode, read_json, sync, unfinished, write_json
from halfpoint.models.games.errors import HalfpointError, PlacedError

RECORD, NEXT, PARTS, LOCK = ".halfpoint.json", ".halfpoint.next", ".halfpoint.parts", ".halfpoint.lock"
TIMING = "timing.json"  # seconds of a run, the only file that differs between runs with one seed
OLD = ".halfpoint.old"  # links to replaced files, until all files are in place
_LONGEST = 1000  # bytes of a name within a folder; a part of it has 255 at most
_STOPPING = ("SIGINT", "SIGTERM", "SIGHUP")


@dataclass(frozen=True)
class Entry:
    """Entry of a record: owner of a file (a command, or "" for a single file), and its hash."""

    of: str
    sha256: str


def read_record(folder: Path) -> dict[str, Entry]:
    """Entries of the record of a folder; empty if absent."""
    note = read_note(folder / RECORD)
    files = {} if note is None else note["files"]
    return {name: Entry(str(entry["of"]), str(entry["sha256"])) for name, entry in files.items()}


def read_note(path: Path) -> dict[str, Any] | None:
    """A record, or a note of planned changes; None if unreadable or missing."""
    with suppress(
        FileNotFoundError, NotADirectoryError, IsADirectoryError, ValueError, KeyError, TypeError, AttributeError
    ):
        note = read_json(path)
        names = [*note["files"], *note["moves"], *note["gone"]]
        is_complete = all(set(entry) == {"of", "sha256"} for entry in note["files"].values())
        paths = [*note.get("others", []), note.get("first", "/")]  # folders, from the root
        folders = all(isinstance(path, str) and "\0" not in path and os.path.isabs(path) for path in paths)  # noqa: PTH117
        return dict(note) if is_complete and folders and all(map(_is_within, names)) else None
    return None


def _is_within(name: object) -> bool:
    """True if a name leads to a file below its folder, outside halfpoint's own files."""
    if not isinstance(name, str) or not name or "\0" in name:
        return False
    path = PurePosixPath(name)
    if len(os.fsencode(name)) > _LONGEST or any(len(os.fsencode(part)) > 255 for part in path.parts):
        return False
    return not path.is_absolute() and ".." not in path.parts and not path.parts[0].startswith(".halfpoint.")


def is_damaged(folder: Path) -> bool:
    """True if a folder has an unreadable record, such as after a power cut."""
    return (folder / RECORD).is_file() and read_note(folder / RECORD) is None


def is_blank(path: Path) -> bool:
    """True if a file has zero bytes only: a power cut left its name without its content."""
    with path.open("rb") as file:
        return not any(any(piece) for piece in iter(lambda: file.read(2**16), b""))


def path_inside(folder: Path, name: str) -> Path:
    """A path within a folder, without links among its folders."""
    path = folder
    for part in PurePosixPath(name).parts[:-1]:
        path = path / part
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            kind = "a link" if path.is_symlink() else "a file"
            raise PlacedError(str(path), "a folder", kind, "Remove it.")
    return path / PurePosixPath(name).name


def hash_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def recorded_hash(path: Path) -> str:
    """Hash of a file in a record; empty for a file of seconds, since two runs with one seed have equal records."""
    return "" if path.name == TIMING or path.name.endswith(f".{TIMING}") else hash_of(path)


def note_down(
    folder: Path, entries: Mapping[str, Entry], moves: Iterable[str], gone: Iterable[str], among: Mapping[str, object]
) -> None:
    """Note the planned renames and removals and the new record; `complete` carries them out.

    With several folders `among` has `others`, the other folders, in the first folder, and `first`, the first folder, in
    the other folders.
    """
    moves, parts = sorted(moves), folder / PARTS
    for name in moves:
        give_usual_mode(parts / name)
        unfinished.discard(parts / name)  # a signal removes them no more
        sync(parts / name)
    for inner in {parts, *(parent for name in moves for parent in (parts / name).parents if parts in parent.parents)}:
        if moves:
            sync(inner)
    sync(folder)
    files = {name: vars(entry) for name, entry in sorted(entries.items())}
    write_json({"files": files, "moves": moves, "gone": sorted(gone), **among}, folder / NEXT)


def pending(folder: Path) -> dict[Path, dict[str, Any]]:
    """Valid notes not yet carried out, of a folder and of folders written with it, the folder's own last.

    Empty without a note, or with an incomplete note of several folders left by a killed process.
    """
    note = read_note(folder / NEXT)
    if note is None:
        return {}
    first = Path(note.get("first", folder))
    heading = note if first == folder else read_note(first / NEXT)
    if heading is None or (first != folder and str(folder) not in heading.get("others", [])):
        return {}
    notes = {path: read_note(path / NEXT) for path in map(Path, heading.get("others", []))}
    return {path: plan for path, plan in notes.items() if plan and plan.get("first") == str(first)} | {first: heading}


def current(path: Path) -> Path:
    """Path to read a result from: its final path, or its temporary file while a note requests its renaming.

    A note counts if the reader or the folder's owner owns it.
    """
    try:
        place = Path(os.path.realpath(path))
    except ValueError:  # a zero byte in its name: its reader refuses it
        return path
    for folder in place.parents:
        with suppress(OSError):
            owners = {folder.stat().st_uid, os.geteuid() if hasattr(os, "geteuid") else 0}
            if (folder / NEXT).lstat().st_uid in owners and (note := pending(folder).get(folder)):
                name = place.relative_to(folder).as_posix()
                part = folder / PARTS / name
                if name in note["gone"] or (name in note["moves"] and part.is_file() and not part.is_symlink()):
                    return part
    return path


def complete(folder: Path) -> None:
    """Carry out the noted changes of a folder's results, also after an interrupted process."""
    for leftover in folder.glob(f".{NEXT}.*{ENDING}"):
        with suppress(OSError):
            leftover.unlink()
    if (folder / PARTS).is_symlink():  # a user's, and it points elsewhere
        (folder / PARTS).unlink()
    notes = pending(folder)
    if notes:
        finish(notes)
    else:
        (folder / NEXT).unlink(missing_ok=True)
    for place in notes or [folder]:
        _forget(place)


def _forget(folder: Path) -> None:
    """Remove the links to replaced files."""
    old = folder / OLD
    with suppress(OSError):
        old.unlink() if old.is_symlink() else shutil.rmtree(old, ignore_errors=True)


def finish(notes: Mapping[Path, Mapping[str, object]]) -> None:
    """Rename and remove the noted files, all or none: a call that fails restores them."""
    done: list[tuple[Path | None, Path, Path]] = []
    for folder in notes:
        _forget(folder)
    try:
        for folder, note in notes.items():
            _move(folder, note, done)
        for folder in notes:
            _swap(folder / NEXT, folder / RECORD, folder / OLD / ".halfpoint.record", done)
    except OSError:
        _put_back(done)
        for folder in reversed(list(notes)):  # the first one's note first: without it the others do not count
            (folder / NEXT).unlink()
            sync(folder)
            _forget(folder)
        raise
    for folder in notes:
        with suppress(OSError):  # the note is on the disk: should this not be, the next command does it again
            sync(folder)


def _move(folder: Path, note: Mapping[str, Any], done: list[tuple[Path | None, Path, Path]]) -> None:
    """Carry out the renames and removals of a note."""
    touched = {folder}
    for name in note["moves"]:
        part = folder / PARTS / name
        if part.is_file() and not part.is_symlink():
            target = path_inside(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            _swap(part, target, folder / OLD / name, done)
            touched |= {target.parent, *(parent for parent in target.parent.parents if folder in parent.parents)}
    for name in note["gone"]:
        with suppress(HalfpointError):
            if (target := path_inside(folder, name)).is_file():
                _swap(None, target, folder / OLD / name, done)
                touched.add(target.parent)
    for changed in touched:
        sync(changed)


def _swap(part: Path | None, target: Path, old: Path, done: list[tuple[Path | None, Path, Path]]) -> None:
    """Rename a part over a file, or remove the file; either keeps a link under another name."""
    if target.is_dir() and not target.is_symlink():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(target))
    if os.path.lexists(target):
        old.parent.mkdir(parents=True, exist_ok=True)
        done.append((part, target, old))
        try:
            if part is None:
                raise OSError
            os.link(target, old, follow_symlinks=False)
        except OSError:  # also a file system without links: there is a moment without the file
            target.replace(old)
    else:
        done.append((part, target, old))
    if part is not None:
        part.replace(target)


def _put_back(done: list[tuple[Path | None, Path, Path]]) -> None:
    """Undo renames, the last first."""
    for part, target, old in reversed(done):
        if part is not None and not part.exists() and os.path.lexists(target):
            target.replace(part)
        if os.path.lexists(old):
            old.replace(target)


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


def same(path: Path, second: Path) -> bool:
    """True if two paths are the same file, existing or not."""
    with suppress(OSError):
        return path.samefile(second)
    return os.path.realpath(path) == os.path.realpath(second)
