"""The folder of results: files of a command are written all together or not at all, and never replace a user's files.

Files are written to `.halfpoint.parts` in the target folder, and moved to their final paths when all are complete
(`halfpoint.models.games.result_record`). A file that differs from the folder's record is a user's own, and is
replaced with `--force` only; files that a command reads are never replaced. One command at a time writes to a folder,
or to a file in it.
"""

import os
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from glob import escape
from pathlib import Path

from halfpoint.models.games.atomic_write import (
    A_FILE,
    ENDING,
    acquire_lock,
    folder_of,
    made_if_needed,
    remove_empty,
    sync,
    unfinished,
)
from halfpoint.models.games.errors import HalfpointError, PlacedError, printable
from halfpoint.models.games.result_record import (
    LOCK,
    NEXT,
    PARTS,
    RECORD,
    Entry,
    complete,
    is_blank,
    is_damaged,
    note_down,
    path_inside,
    read_note,
    read_record,
    recorded_hash,
    same,
    signals_waiting,
)

_NOT_OURS = "a file that halfpoint did not write"
SOON_SECONDS, _COMMIT_SECONDS = 2.0, 60.0  # how long another command's renaming is waited for


@dataclass
class Results:
    """Folder to which one command writes; made by `results` and `files`."""

    folder: Path  # the folder, links followed
    shown: str  # how the user wrote it
    of: str  # the command whose folder it is
    reads: tuple[Path, ...]  # inputs of the command, links followed
    force: bool  # whether files of other origin are replaced
    # the option that named each file, for messages; `--out` by default
    options: dict[str, str] = field(default_factory=dict)
    alone: bool = False  # whether its files are independent: they make no other file out of date
    keeps: tuple[str, ...] = ()  # beginnings of names that say their setting: such files of other settings stay
    made: dict[str, Path] = field(default_factory=dict)
    staying: set[str] = field(default_factory=set)
    precious: set[str] = field(default_factory=set)
    allowed: set[str] = field(default_factory=set)
    recognised: set[str] = field(default_factory=set)
    shared: set[str] = field(default_factory=set)
    going_on: tuple[str, ...] = ()  # folders that a later run resumes from

    def aside(self, name: str, precious: bool = False) -> Path:
        """Path for a new file, which gets its name in the folder when all files are complete."""
        self.require(name)
        path = path_inside(self.folder / PARTS, name)
        self.made[name] = path
        if precious:
            self.precious.add(name)
        else:
            unfinished.add(path)
        _begin(path)
        return path

    def text(self, name: str, text: str) -> None:
        """Make a file of text."""
        self.aside(name).write_text(text, encoding="utf-8", newline="")  # the same bytes on every system

    def common(self, name: str, text: str) -> None:
        """Write a text file shared by several commands; a user's own file of that name is kept."""
        with suppress(HalfpointError):
            self.text(name, text)
            self.shared.add(name)

    def earlier(self, name: str) -> Path | None:
        """File of an earlier run: the partial result of a stopped run, else the file in the folder."""
        places = self.folder / PARTS / name, self.folder / name
        return next((path for path in places if path.is_file() and path.stat().st_size), None)

    def going_on_from(self, *folders: str) -> Path:
        """Folders of partial results that a later run resumes."""
        self.going_on = folders
        for path in self.within(self.folder):
            name = path.relative_to(self.folder)
            self.require(name.as_posix())
            part = self.folder / PARTS / name
            if not part.exists():
                part.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(path, part)
        return self.folder / PARTS

    def within(self, home: Path) -> list[Path]:
        """The finished files in the folders of partial results."""
        paths = [path for folder in self.going_on for path in sorted((home / folder).rglob("[!.]*"))]
        return [path for path in paths if path.is_file()]

    def at_end(self, name: str) -> Path:
        """Final place of a file, or its current place if it is temporary."""
        entry = read_record(self.folder).get(name)
        stays = name in self.staying or entry is None or entry.of != self.of
        return self.folder / name if stays and name not in self.made else self.folder / PARTS / name

    def stays(self, name: str) -> None:
        """Keep a file of an earlier run that equals the file of this run."""
        part = self.folder / PARTS / name
        if part.is_file() and part.stat().st_size:
            self.require(name)
            self.made[name] = part
            self.precious.add(name)
        else:
            self.staying.add(name)

    @property
    def has_record(self) -> bool:
        """True if the folder has a record: copying the visible files alone loses it."""
        return read_note(self.folder / RECORD) is not None

    def recognise(self, *names: str) -> None:
        """Defer the decision on files of a folder without a record: identical ones need no force."""
        self.recognised.update(() if self.has_record else names)

    def require(self, *names: str) -> None:
        """Raise `HalfpointError` unless files may be written: neither inputs nor another program's files."""
        for name in names:
            if name not in self.allowed:
                self.require_one(name)
                self.allowed.add(name)

    def require_one(self, name: str) -> None:
        """Raise `HalfpointError` unless a file may be written."""
        target = path_inside(self.folder, name)
        if any(same(target, source) for source in self.reads):
            raise self.refusal(name, "a place to write", "an input file")
        try:
            mode = target.lstat().st_mode
        except (FileNotFoundError, NotADirectoryError):
            return
        link, entry = stat.S_ISLNK(mode), read_record(self.folder).get(name)
        damaged = is_damaged(self.folder)
        if not (stat.S_ISREG(mode) or link):
            kind = "a folder" if stat.S_ISDIR(mode) else "a device or a pipe"
            raise self.refusal(name, "a file or a free name", kind)
        if not link and (entry or damaged) and is_blank(target):
            return  # ours, or beside our record, and a power cut took both: nothing is lost
        if damaged and not link:
            self.recognised.add(name)
        if link or entry is None:
            if link or name not in self.recognised:
                self.refuse(name, "a link" if link else _NOT_OURS)
        elif entry.of not in ("", self.of):
            self.refuse(name, f"a file of halfpoint {entry.of}")
        elif entry.sha256 != recorded_hash(target):
            self.refuse(name, "a file that was changed since")

    def refuse(self, name: str, obstacle: str) -> None:
        """Raise `HalfpointError` unless another program's file may be replaced."""
        if not self.force:
            raise self.refusal(name, "a free name, or a file by halfpoint", obstacle, ", or replace it by --force")

    def refusal(self, name: str, expected: str, obstacle: str, further: str = "") -> PlacedError:
        """Message for a file that may not be written."""
        remedy = f"Choose another {self.options.get(name, '--out')}{further}."
        return PlacedError(str(Path(self.shown) / name), expected, obstacle, remedy)

    def plan_changes(self) -> tuple[dict[str, Entry], dict[str, Path], list[str]]:
        """The planned record, the files to rename, and files of earlier settings to remove."""
        record = read_record(self.folder)
        for path in self.within(self.folder / PARTS):
            name = path.relative_to(self.folder / PARTS).as_posix()
            self.require(name)
            self.made[name] = path
        written = {name: path for name, path in self.made.items() if path.is_file()}
        for name in self.recognised & written.keys():
            target = self.folder / name
            if target.is_file() and not is_blank(target) and recorded_hash(target) != recorded_hash(written[name]):
                self.refuse(name, _NOT_OURS)
        new = {name: Entry(self.owner(name, record), recorded_hash(path)) for name, path in written.items()}
        new |= {name: Entry(self.of, recorded_hash(self.folder / name)) for name in self.staying - written.keys()}
        touched = set() if self.alone else {self.of, *(record[name].of for name in written if name in record)} - {""}
        earlier = [name for name in record.keys() - new if not name.startswith(self.keeps)]
        stale = {name for name in earlier if record[name].of in touched}
        gone = [name for name in stale if self.is_as_recorded(name, record[name])]
        staying = {name: entry for name, entry in record.items() if name not in stale}
        return staying | new, written, gone

    def owner(self, name: str, record: Mapping[str, Entry]) -> str:
        """Owner of a new file: this command, or, for a single file, its former owner."""
        if name in self.shared:
            return ""
        if not self.alone:
            return self.of
        return record[name].of if name in record else ""

    def is_as_recorded(self, name: str, entry: Entry) -> bool:
        """True if a file still matches the record and is not an input."""
        try:
            path = path_inside(self.folder, name)
            if stat.S_ISREG(path.lstat().st_mode) and not any(same(path, source) for source in self.reads):
                return recorded_hash(path) == entry.sha256
        except (FileNotFoundError, NotADirectoryError, HalfpointError):
            return False
        except OSError as error:  # it would stay, beside the files of another run
            reason = error.strerror or str(error)
            raise PlacedError(
                str(Path(self.shown) / name), "a readable file of an earlier run", reason, "Remove it."
            ) from error
        return False

    def discard(self, failed: bool) -> None:
        """Remove discarded files, except expensive results after a failure."""
        aside = self.kept_aside if failed else []
        for path in self.made.values():
            if path not in aside:
                with suppress(OSError):
                    path.unlink()
            unfinished.discard(path)
        parts = self.folder / PARTS
        if not (failed or self.alone):
            shutil.rmtree(parts, ignore_errors=True)  # with what killed runs left there
            return
        for name in self.options:
            for leftover in parts.glob(f".{escape(name)}.*{ENDING}"):
                with suppress(OSError):
                    leftover.unlink()
        inner = [path for path in parts.rglob("*") if path.is_dir()] if parts.is_dir() else []
        remove_empty([*sorted(inner, reverse=True), parts])

    @property
    def kept_aside(self) -> list[Path]:
        """Expensive results that are not yet in place."""
        precious = [path for name, path in self.made.items() if name in self.precious]
        return [path for path in precious if path.is_file() and path.stat().st_size]


@contextmanager
def results(
    place: str | Path, of: str, names: Iterable[str] = (), *, reads: Iterable[object] = (), force: bool = False,
    keeps: tuple[str, ...] = (),
) -> Iterator[Results]:  # fmt: skip
    """Open a folder for the files of one command; at the end all new files are in place, or all earlier files."""
    if str(place) == "-":
        raise PlacedError("-", "a folder", "standard output, which takes one file", "Choose another --out.")
    target = folder_of(place)
    with made_if_needed(place, target, "--out"), acquire_lock(target / LOCK, place, "--out"):
        for path in target.glob(f"{LOCK}.*"):  # of a command that writes one file there
            with acquire_lock(path, place, "--out"):
                pass
        opened = Results(target, str(place), of, paths_of(reads), force, keeps=keeps)
        with in_one_line(place, "--out"):
            complete(target)
            opened.require(*names)
        with all_or_none([opened]):
            yield opened


@contextmanager
def in_one_line(place: str | Path, option: str) -> Iterator[None]:
    """Report a system call that fails in a folder of results as a `PlacedError` of the place that the user named."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise PlacedError(str(place), "a place to write", reason, f"Choose another {option}.") from error


@contextmanager
def all_or_none(places: list[Results]) -> Iterator[None]:
    """Commit at the end of the block, or discard; report where expensive results are kept."""
    try:
        yield
        with ExitStack() as stack:
            for place in sorted(places, key=lambda place: place.folder):
                if place.alone:
                    stack.enter_context(
                        acquire_lock(place.folder / LOCK, place.shown, "--out", _COMMIT_SECONDS, A_FILE)
                    )
                    complete(place.folder)
            _commit([place for place in places if place.made or place.staying])
    except BaseException as error:
        message, paths = _in_words(error, places), [path for place in places for path in place.kept_aside]
        paths += [place.folder / PARTS for place in places if place.within(place.folder / PARTS)]
        for place in places:
            place.discard(failed=True)
        if message and paths:
            message += f" The finished fits are kept in {', '.join(printable(str(path)) for path in paths)}."
        if message and message != str(error):
            raise HalfpointError(message) from error
        raise
    for place in places:
        place.discard(failed=False)


def _commit(places: list[Results]) -> None:
    """Rename files, remove files of an earlier setting, and write the records: in all folders, or in none."""
    planned = {place.folder: place.plan_changes() for place in places}
    if not planned:
        return
    first, *further = map(str, planned)
    with signals_waiting():
        try:
            for path in further:
                note_down(Path(path), *planned[Path(path)], {"first": first})
            note_down(Path(first), *planned[Path(first)], {"others": further} if further else {})
        except BaseException:
            for folder in planned:
                with suppress(OSError):
                    (folder / NEXT).unlink()
                    sync(folder)  # before its parts go: a note alone would not do
            raise
        try:
            complete(Path(first))
        finally:
            for place in places:
                if not (place.folder / NEXT).exists():
                    continue
                place.made.clear()  # noted, and not to be put back: the next command does it


def _in_words(error: BaseException, places: list[Results]) -> str:
    """Message of an expected error or of a file that cannot be written; empty for other errors."""
    if isinstance(error, HalfpointError):
        message = str(error)
        for place in places:  # places of temporary files are not printed
            message = message.replace(str(place.folder / PARTS), printable(place.shown))
        return message
    if not isinstance(error, OSError) or not places:
        return ""
    culprit = error.filename
    ours = [place for place in places if culprit is None or str(culprit).startswith(str(place.folder))]
    if not ours:
        return ""
    written = ours[-1].made  # a write that fails does not say of which file: it is the last one begun
    name = next((name for name, path in written.items() if str(path) == str(culprit)), next(reversed(written), ""))
    shown = printable(str(Path(ours[-1].shown) / name))
    return f"{shown}: expected a place to write, found {error.strerror or error}. Choose another folder."


def _begin(path: Path) -> None:
    """Make an empty file; its folder is made again if another command removes it."""
    for attempt in range(10):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            path.unlink(missing_ok=True)
            path.open("xb").close()
        except FileNotFoundError:
            if attempt == 9:
                raise
        else:
            return


def paths_of(reads: Iterable[object]) -> tuple[Path, ...]:
    """The paths of inputs, links resolved; data in memory have no path."""
    named = [source for source in reads if isinstance(source, str | Path) and "\0" not in str(source)]
    return tuple(Path(os.path.realpath(path)) for path in named)
