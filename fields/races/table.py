"""Rankings of two or more competitors: races, panels, free-for-alls. Frozen, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from halfpoint.games.components import Components, connected_groups
from halfpoint.games.errors import GameTableError
from halfpoint.games.sides import freeze
from halfpoint.games.table import Codes, Floats, Texts
from halfpoint.systems.matches import Matches

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
LAST = np.iinfo(np.int32).max  # of a row: behind all who have a place


@dataclass(frozen=True, eq=False)
class RaceTable:
    """Events, each a ranking: one row a competitor in an event, event after event, best first."""

    competitors: Texts  # (competitor,), every competitor once, sorted
    events: Texts  # (event,), names of the events, in the order in which they took place
    start: Ints  # (event + 1,), rows `start[e]:start[e + 1]` are event e
    who: Codes  # (row,), index into `competitors`
    # (row,), 0 for the first place, 1 for the next one that is not equal to it, and so on, rising within an event;
    # `LAST` for who has no place: behind all placed, in an order that nobody knows
    group: Codes
    line: Ints | None = None  # (row,), line of the source file, for messages
    name: str = "races"  # name of the data set, and what it was read from
    source: str = "races"
    simulated: bool = False  # whether the events were simulated
    notes: tuple[str, ...] = ()  # what a reader did that a user should know
    covariates: Mapping[str, Floats | Texts] = field(default_factory=dict)  # (row,): what stands beside a placing

    def __post_init__(self) -> None:
        if not len(self):
            raise GameTableError(self.source, "at least one event of two or more competitors", "none")
        freeze(self)
        few = np.flatnonzero(self.sizes < 2)
        if few.size:
            where = f"{self.source}, event {self.events[few[0]]!r}"
            raise GameTableError(where, "two or more competitors", f"{self.sizes[few[0]]}")
        key = self.event.astype(np.int64) * self.competitors.size + self.who
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(np.diff(key[order]) == 0)
        if again.size:
            row = int(order[again[0] + 1])
            place = f"event {str(self.events[self.event[row]])!r}"
            where = self.source if self.line is None else f"{self.source}, line {self.line[row]}"
            raise GameTableError(
                f"{where}, {place}", "every competitor once", f"{str(self.competitors[self.who[row]])!r} twice"
            )

    def __len__(self) -> int:
        return int(self.events.size)

    @cached_property
    def sizes(self) -> Ints:
        """Competitors of each event, shape (event,)."""
        return np.diff(self.start)

    @cached_property
    def event(self) -> Ints:
        """Event of each row, shape (row,)."""
        return np.repeat(np.arange(len(self)), self.sizes)

    @property
    def placed(self) -> Flags:
        """True if a row has a place, shape (row,)."""
        return np.asarray(self.group != LAST)

    @cached_property
    def tied(self) -> Ints:
        """Number of competitors who share the place of a row, itself included, shape (row,); 0 without a place."""
        key = self.event * (self.who.size + 1) + np.minimum(self.group, self.who.size)
        _, place, count = np.unique(key, return_inverse=True, return_counts=True)
        return np.where(self.placed, count[place], 0)

    @property
    def most_tied(self) -> int:
        """Largest number of competitors who share a place; 1 without ties."""
        return max(int(self.tied.max()), 1)

    def matches(self) -> Matches:
        """The events as matches for rating systems; competitors without a place share the last one."""
        rank = np.where(self.placed, self.group, self.who.size).astype(np.float64)
        return Matches(
            self.competitors, self.who.astype(np.int64), np.ones(self.who.size),
            np.arange(self.who.size + 1, dtype=np.int64), rank, self.start.copy(),
        )  # fmt: skip

    def take(self, events: Flags) -> "RaceTable":
        """The events of a mask of shape (event,), all competitors kept."""
        rows = np.repeat(events, self.sizes)
        start = np.concatenate([[0], np.cumsum(self.sizes[events])]).astype(np.int64)
        line = None if self.line is None else self.line[rows]
        beside = {name: values[rows] for name, values in self.covariates.items()}
        return replace(
            self, events=self.events[events], start=start, who=self.who[rows], group=self.group[rows], line=line,
            covariates=beside,
        )  # fmt: skip

    def components(self) -> Components:
        """The unconnected groups of competitors."""
        first = np.repeat(self.who[self.start[:-1]], self.sizes)
        return connected_groups(self.competitors, first, self.who, np.zeros(0, dtype=np.int64))

    def largest(self) -> "RaceTable":
        """The events of the largest connected group, with its competitors only."""
        group = self.components().component
        kept = self.take(np.asarray(group[self.who[self.start[:-1]]] == 0))
        there = np.flatnonzero(group == 0)
        code = np.cumsum(group == 0) - 1
        return replace(kept, competitors=self.competitors[there], who=code[kept.who].astype(np.int32))
