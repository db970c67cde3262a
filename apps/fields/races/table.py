"""Rankings of two or more competitors: races, panels, free-for-alls. Immutable, checked once."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.components import Components, connected_groups
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import Sides, freeze
from halfpoint.models.games.table import Codes, Floats, Texts
from halfpoint.systems.matches import Matches

Ints = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
LAST = np.iinfo(np.int32).max  # of a row: behind all who have a place


@dataclass(frozen=True, eq=False)
class RaceTable:
    """Events, each a ranking: one row a competitor and event, event by event, best first."""

    competitors: Texts  # (competitor,), every competitor once, sorted
    events: Texts  # (event,), names of the events, in the order in which they took place
    start: Ints  # (event + 1,), rows `start[e]:start[e + 1]` are event e
    who: Codes  # (row,), index into `competitors`
    # (row,), 0 for the first place, 1 for the next one that is not equal to it, and so on, rising within an event;
    # `LAST` without a place: behind all placed, in unknown order
    group: Codes
    line: Ints | None = None  # (row,), line of the source file, for messages
    name: str = "races"  # name of the data set, and its source
    source: str = "races"
    simulated: bool = False  # whether the events were simulated
    notes: tuple[str, ...] = ()  # the reader's changes and omissions
    covariates: Mapping[str, Floats | Texts] = field(default_factory=dict)  # (row,): further columns of a placing
    sides: Sides | None = None  # the people of each competitor, where competitors are sides of several

    def __post_init__(self) -> None:
        if not len(self):
            raise GameTableError(self.source, "at least one event of two or more competitors", "none")
        freeze(self)
        few = np.flatnonzero(self.sizes < 2)
        if few.size:
            location = f"{self.source}, event {str(self.events[few[0]])!r}"
            raise GameTableError(location, "two or more competitors", f"{self.sizes[few[0]]}")
        person, _, seated = self.seats
        key = self.event[seated].astype(np.int64) * self.people.size + person
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(np.diff(key[order]) == 0)
        if again.size:
            row = int(seated[order[again[0] + 1]])
            place = f"event {str(self.events[self.event[row]])!r}"
            location = self.source if self.line is None else f"{self.source}, line {self.line[row]}"
            raise GameTableError(
                f"{location}, {place}", "every competitor once", f"{str(self.people[person[order[again[0]]]])!r} twice"
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
    def has_place(self) -> Flags:
        """True if a row has a place, shape (row,)."""
        return np.asarray(self.group != LAST)

    @cached_property
    def tie_sizes(self) -> Ints:
        """Number of competitors who share the place of a row, itself included, shape (row,); 0 without a place."""
        key = self.event * (self.who.size + 1) + np.minimum(self.group, self.who.size)
        _, place, count = np.unique(key, return_inverse=True, return_counts=True)
        return np.where(self.has_place, count[place], 0)

    @property
    def most_tied(self) -> int:
        """Largest number of competitors who share a place; 1 without ties."""
        return max(int(self.tie_sizes.max()), 1)

    @property
    def people(self) -> Texts:
        """Rated players, shape (person,): the competitors, or the people on their sides."""
        return self.competitors if self.sides is None else self.sides.people

    @cached_property
    def seats(self) -> tuple[Ints, Floats, Ints]:
        """Seats of the rows, row by row: person, share of play, and row, shape (seat,)."""
        if self.sides is None:
            return self.who.astype(np.int64), np.ones(self.who.size), np.arange(self.who.size)
        members = self.sides.members[self.who]
        row, seat = np.nonzero(members >= 0)
        return members[row, seat].astype(np.int64), self.sides.share[self.who[row], seat], row

    def by_person(self, values: Floats) -> Floats:
        """Sums of values of rows over the people in them, shape (person,)."""
        person, _, row = self.seats
        return np.asarray(np.bincount(person, values[row], self.people.size))

    def matches(self) -> Matches:
        """Events as matches for rating systems; competitors without a place share the last place."""
        rank = np.where(self.has_place, self.group, self.who.size).astype(np.float64)
        person, share, row = self.seats
        start = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=self.who.size))]).astype(np.int64)
        return Matches(self.people, person, share, start, rank, self.start.copy())

    def take(self, events: Flags) -> "RaceTable":
        """Events of a mask of shape (event,), all competitors kept."""
        rows = np.repeat(events, self.sizes)
        start = np.concatenate([[0], np.cumsum(self.sizes[events])]).astype(np.int64)
        line = None if self.line is None else self.line[rows]
        covariates = {name: values[rows] for name, values in self.covariates.items()}
        return replace(
            self, events=self.events[events], start=start, who=self.who[rows], group=self.group[rows], line=line,
            covariates=covariates,
        )  # fmt: skip

    def components(self) -> Components:
        """Groups of people who never meet one another."""
        person, _, row = self.seats
        first = person[np.searchsorted(row, self.start[:-1])]  # of each event the first of its first row
        leader, member = first[self.event[row]].astype(np.int32), person.astype(np.int32)
        return connected_groups(self.people, leader, member, np.zeros(0, dtype=np.int64))

    def largest(self) -> "RaceTable":
        """Events of the largest group that never meets others, with its competitors alone."""
        person, _, row = self.seats
        group = self.components().component[person[np.searchsorted(row, np.arange(self.who.size))]]
        subset = self.take(np.asarray(group[self.start[:-1]] == 0))
        people, code = np.unique(subset.who, return_inverse=True)
        sides = None if self.sides is None else self.sides.take(people)
        return replace(subset, competitors=self.competitors[people], who=code.astype(np.int32), sides=sides)
