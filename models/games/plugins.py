"""Registry of installed commands, readers, rating systems, scores, models and designs, from entry points.

A distribution names its objects as entry points of a group (`halfpoint.commands`, ...), which Python's metadata list
without importing them. An object is imported when its name is requested; rows are imported when their catalogue is
first used. An object that cannot be imported, or whose name is taken, is reported with its distribution when it is
requested.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache, cached_property
from importlib.metadata import Distribution, EntryPoint, EntryPoints, entry_points
from typing import Any

from halfpoint.models.games.errors import PlacedError

OWN = "halfpoint"


class PluginError(PlacedError):
    """An installed object that cannot be used."""


@cache
def _installed() -> EntryPoints:
    """Entry points of all installed distributions, read once a process: milliseconds."""
    entries = entry_points()
    if not any(map(_is_own, entries.select(group="halfpoint.systems"))):
        raise PluginError(OWN, "its entry points in its metadata", "none", "Install it again: make setup, or pip.")
    return entries


def is_extended() -> bool:
    """True if other distributions have objects for halfpoint."""
    groups = (group for group in _installed().groups if group.startswith(f"{OWN}."))
    return not all(_is_own(entry) for group in groups for entry in _installed().select(group=group))


def _of_group(group: str) -> list[EntryPoint]:
    """Entry points of a group, halfpoint's own first."""
    return sorted(_installed().select(group=group), key=lambda entry: not _is_own(entry))


def _load(entry: EntryPoint) -> Any:
    """The object of an entry point, imported."""
    with _told(entry):
        return entry.load()


@cache
def _called(distribution: Distribution | None) -> str:
    """Name and version of a distribution."""
    return f"{distribution.name} {distribution.version}" if distribution else OWN


def _faulty(entry: EntryPoint, expected: str, fault: str) -> PluginError:
    """Error that names the distribution of an entry point."""
    source = f"{entry.group}, {entry.name} of {_called(entry.dist)}"
    return PluginError(source, expected, fault, f"Repair or uninstall {_called(entry.dist).split()[0]}.")


@contextmanager
def _told(entry: EntryPoint) -> Iterator[None]:
    """Report a faulty entry point with its distribution."""
    try:
        yield
    except (Exception, SystemExit) as error:  # one that ends the program ends no command
        if _is_own(entry):
            raise
        raise _faulty(entry, entry.value, f"{type(error).__name__}: {error}") from error


def _is_own(entry: EntryPoint) -> bool:
    """True if an entry point is halfpoint's."""
    return _called(entry.dist).split()[0] == OWN


class Installed(Mapping[str, object]):
    """Objects of a group by the names of their entry points, halfpoint's first; each is imported on first use."""

    def __init__(self, group: str, taken: Sequence[str] = ()) -> None:
        self.group, self.taken = group, taken  # names that are halfpoint's without an entry point

    @cached_property
    def _entries(self) -> dict[str, list[EntryPoint]]:
        """Entry points by name; a name used twice is a fault of both."""
        entries: dict[str, list[EntryPoint]] = {}
        for entry in _of_group(self.group):
            entries.setdefault(entry.name, []).append(entry)
        return entries

    def entry(self, name: str) -> EntryPoint:
        """Entry point of a name; `PluginError` if two distributions have it."""
        entry, *duplicates = self._entries[name]
        if duplicates or name in self.taken:
            whose = _called(entry.dist) if duplicates else OWN
            raise _faulty([entry, *duplicates][-1], "a unique name", f"that of {whose}")
        return entry

    def __getitem__(self, name: str) -> Any:
        return _load(self.entry(name))

    def __contains__(self, name: object) -> bool:
        return name in self._entries

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


class Rows[Row](Mapping[str, Row]):
    """Rows of a catalogue by their own names, halfpoint's first.

    An entry point of the group is one row, several, or several by name. Faulty objects are reported when a requested
    name is not among the valid rows, and when all rows are listed.
    """

    def __init__(self, group: str, kind: type[Row]) -> None:
        self.group, self.kind = group, kind

    @cached_property
    def _found(self) -> tuple[dict[str, Row], list[PluginError]]:
        """Rows by name, and errors of faulty entry points."""
        rows: dict[str, Row] = {}
        faults: list[PluginError] = []
        for entry in _of_group(self.group):
            try:
                self._add(rows, entry, _load(entry))
            except PluginError as fault:
                faults.append(fault)
        return rows, faults

    def _add(self, rows: dict[str, Row], entry: EntryPoint, value: object) -> None:
        """Add the object of an entry point."""
        several = list(value.values()) if isinstance(value, Mapping) else value
        for row in several if isinstance(several, list | tuple) else [several]:
            if not isinstance(row, self.kind):
                raise _faulty(entry, f"rows that are a {self.kind.__name__}", f"a {type(row).__name__}")
            name = str(vars(row)["name"])
            if name in rows:
                raise _faulty(entry, "rows with unique names", f"a second {name!r}")
            rows[name] = row

    def __getitem__(self, name: str) -> Row:
        rows, faults = self._found
        if name not in rows and faults:
            raise faults[0]
        return rows[name]

    def __contains__(self, name: object) -> bool:
        return name in self._found[0]

    def __iter__(self) -> Iterator[str]:
        rows, faults = self._found
        if faults:
            raise faults[0]
        return iter(rows)

    def __len__(self) -> int:
        return len(self._found[0])
