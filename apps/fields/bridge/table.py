"""The table of bridge results: immutable, checked once, one row per deal and table.

Every reader returns a `BridgeTable`, whose constructor checks that every score is possible for some contract, no player
sits twice at a table or plays a deal twice, and scores agree with given contracts.
"""

from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import combinations
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from halfpoint.apps.fields.bridge.comparison import Bools, Deals, Ints, deals_of
from halfpoint.apps.fields.bridge.contracts import SEATS, UNKNOWN, possible_scores
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.sides import freeze
from halfpoint.models.games.table import Codes, Dates, Floats, Texts

SEAT_NAMES = ("north", "east", "south", "west")
SCORINGS = ("", "MP", "IMP", "XIMP", "TEAM")
_ROBOTS = ("gib", "robot")


@dataclass(frozen=True, eq=False)
class BridgeTable:
    """Results of duplicate bridge, one row a deal and table; `GameTableError` if a column breaks a rule."""

    players: Texts  #: (player,), every player once, sorted
    north: Codes  #: (result,), indexes into `players` of those in the four seats; -1 where a seat has no name
    east: Codes
    south: Codes
    west: Codes
    deal: Codes  #: (result,), results with the same code are compared
    deal_names: Texts  #: (deal,), names of deals in the source, for messages
    score_ns: Codes  #: (result,), points of North and South; 0 for a deal passed out, and for adjusted results
    adjusted: Bools  #: (result,), artificial scores of a director: neither compared nor rated
    board: Codes | None = None  #: (result,), number of the board, from 1; 0 where unknown
    vulnerable: npt.NDArray[np.int8] | None = None  #: (result,), 0 none, 1 NS, 2 EW, 3 all; -1 if unknown
    contract: Texts | None = None  #: (result,), as LIN files write it (4SN=, 3NWx-2, P), empty where unknown
    date: Dates | None = None  #: (result,), NaT where unknown
    event: Texts | None = None  #: (result,), tournament, session or match
    scoring: Texts | None = None  #: (result,), MP, IMP (datum), XIMP, TEAM, or empty where unknown
    official: Floats | None = None  #: (result,), score of North and South that the source prints; NaN where none
    team_ns: Texts | None = None  #: (result,), teams of the two lines in a match of teams, empty if absent
    team_ew: Texts | None = None
    line: Ints | None = None  #: (result,), line of the source file, for messages
    name: str = "results"  #: of the data set, and its source
    source: str = "results"
    simulated: bool = False
    carried: tuple[tuple[str, float], ...] = ()  #: IMPs that teams brought into the match from earlier segments
    notes: tuple[str, ...] = ()  #: the reader's changes and omissions, a line each

    def __post_init__(self) -> None:
        freeze(self)
        _check_results(self)

    def __len__(self) -> int:
        return int(self.score_ns.size)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle by rebuilding, which freezes and checks again."""
        return partial(type(self), **{field.name: getattr(self, field.name) for field in fields(self)}), ()

    @property
    def seats(self) -> Codes:
        """Players by seat, shape (result, 4), North, East, South, West; -1 for a seat without a name."""
        return np.stack([self.north, self.east, self.south, self.west], axis=1)

    @property
    def names_by_seat(self) -> dict[str, Texts]:
        """Names in each seat, shape (result,) each; empty if a seat lacks them."""
        return {seat: np.append(self.players, "")[getattr(self, seat)] for seat in SEAT_NAMES}

    @property
    def robot(self) -> Bools:
        """Mask of players that are programs, by their name, shape (player,)."""
        lower = np.char.lower(self.players)
        return np.asarray(np.isin(lower, _ROBOTS) | np.char.startswith(self.players, "~~"))

    @property
    def deals(self) -> Deals:
        """Groups of comparable results: the unadjusted ones of each deal."""
        return deals_of(self.deal, ~self.adjusted)

    @property
    def alone(self) -> Ints:
        """Deals with fewer than two results to compare, shape (alone,), which carry no information."""
        return np.flatnonzero(self.deals.results < 2)

    @property
    def can_be_rated(self) -> Bools:
        """Mask of results that can be rated, shape (result,): compared with another, all four seats named, no robot."""
        seats = self.seats
        has_names = (seats >= 0).all(axis=1)
        robots = self.robot[np.maximum(seats, 0)].any(axis=1) if self.players.size else has_names
        return np.asarray(has_names & ~robots & ~self.adjusted & (self.deals.results[self.deal] >= 2))

    def place(self, result: int) -> str:
        """Place of a result in its source, for messages."""
        return (
            f"{self.source}, result {result + 1}" if self.line is None else f"{self.source}, line {self.line[result]}"
        )

    def pairs(self) -> tuple[Texts, Codes, Codes]:
        """Pairs, "A & B" by the alphabet, and indexes of both lines, (result,), -1 without a name."""
        count, seats = self.players.size, self.seats.astype(np.int64)
        ends = np.sort(np.concatenate([seats[:, ::2], seats[:, 1::2]]), axis=1)
        keys = np.where(ends[:, 0] >= 0, ends[:, 0] * count + ends[:, 1], -1)
        unique, inverse = np.unique(keys, return_inverse=True)
        unknown = int(unique.size > 0 and unique[0] == -1)
        pair_keys = unique[unknown:]
        first, second = self.players[pair_keys // count], self.players[pair_keys % count]
        names = np.char.add(np.char.add(first, " & "), second) if pair_keys.size else np.empty(0, dtype=np.str_)
        codes = (inverse - unknown).astype(np.int32)
        return names, codes[: len(self)], codes[len(self) :]

    def partners(self) -> Codes:
        """Players of each pair of `pairs`, shape (pair, 2), index into `players`."""
        names, *codes = self.pairs()
        partners, pair = np.empty((names.size, 2), dtype=np.int32), np.concatenate(codes)
        ends = np.sort(np.concatenate([self.seats[:, ::2], self.seats[:, 1::2]]), axis=1)
        partners[pair[pair >= 0]] = ends[pair >= 0]
        return partners

    def take(self, rows: Bools | Ints) -> Self:
        """Results of `rows` (mask or indexes), with the players and deals that appear in them."""
        columns: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name not in ("players", "deal_names") and isinstance(value, np.ndarray):
                columns[field.name] = value[rows]
        seats = np.concatenate([columns[seat] for seat in SEAT_NAMES])
        players = np.unique(seats[seats >= 0])
        columns["players"] = self.players[players]
        for seat in SEAT_NAMES:
            codes = columns[seat]
            columns[seat] = np.where(codes >= 0, np.searchsorted(players, codes), UNKNOWN).astype(np.int32)
        played, deal = np.unique(columns["deal"], return_inverse=True)
        columns |= {"deal": deal.astype(np.int32), "deal_names": self.deal_names[played]}
        return replace(self, **columns)


def _check_results(table: BridgeTable) -> None:
    """Raise `GameTableError` at the first rule a table breaks (see `BridgeTable`)."""
    n = table.score_ns.size
    if n == 0:
        raise GameTableError(table.source, "at least one result", "no rows")
    for field in fields(table):
        value = getattr(table, field.name)
        if field.name not in ("players", "deal_names") and isinstance(value, np.ndarray) and value.shape != (n,):
            raise GameTableError(
                f"{table.source}, column {field.name}", f"{n} values, one a result", f"shape {value.shape}"
            )
    if np.unique(table.players).size != table.players.size:
        raise GameTableError(table.source, "every player once in players", "a repeated name")
    if (np.char.strip(table.players) == "").any():
        raise GameTableError(table.source, "names of all players", "an empty name")
    seats = table.seats
    if seats.min() < UNKNOWN or seats.max() >= table.players.size:
        raise GameTableError(table.source, f"player codes from -1 to {table.players.size - 1}", "another code")
    if table.deal.min() < 0 or table.deal.max() >= table.deal_names.size:
        raise GameTableError(table.source, f"deal codes from 0 to {table.deal_names.size - 1}", "another code")
    if table.scoring is not None and not np.isin(table.scoring, SCORINGS).all():
        wrong = int(np.flatnonzero(~np.isin(table.scoring, SCORINGS))[0])
        raise GameTableError(table.place(wrong), "scoring MP, IMP, XIMP or TEAM", repr(str(table.scoring[wrong])))
    impossible = np.flatnonzero(~table.adjusted & ~np.isin(table.score_ns, possible_scores()))
    if impossible.size:
        row = int(impossible[0])
        remedy = "Write North and South's points, or A== for an adjusted score."
        raise GameTableError(table.place(row), "a score of some contract", f"{table.score_ns[row]}", remedy)
    counted = np.where(np.append(table.robot, True)[seats], UNKNOWN, seats)  # a robot may sit anywhere
    _check_twice_at_a_table(table, counted)
    _check_twice_in_a_deal(table, counted)


def _check_twice_at_a_table(table: BridgeTable, seats: Codes) -> None:
    """Raise if a person has two seats of one table."""
    for seat, later_seat in combinations(range(4), 2):
        same = np.flatnonzero((seats[:, later_seat] == seats[:, seat]) & (seats[:, later_seat] >= 0))
        if same.size:
            row = int(same[0])
            clash = f"{str(table.players[seats[row, later_seat]])!r} as {SEATS[seat]} and {SEATS[later_seat]}"
            raise GameTableError(table.place(row), "four different players", clash)


def _check_twice_in_a_deal(table: BridgeTable, seats: Codes) -> None:
    """Raise if a person plays a deal at two tables: on both lines, or in a repeated row."""
    player = seats.astype(np.int64).ravel()
    rows = np.repeat(np.arange(len(table)), 4)[player >= 0]
    key = table.deal[rows].astype(np.int64) * max(table.players.size, 1) + player[player >= 0]
    order = np.argsort(key, kind="stable")
    again = np.flatnonzero(np.diff(key[order]) == 0)
    if again.size:
        first = again[np.argmin(rows[order[again + 1]])]
        before, row = int(rows[order[first]]), int(rows[order[first + 1]])
        name = table.players[key[order[first]] % table.players.size]
        deal = table.deal_names[table.deal[row]]
        clash = f"{str(name)!r} at two tables (also {table.place(before).rpartition(', ')[2]})"
        remedy = "If these are different deals, distinguish them in the column deal or event."
        raise GameTableError(f"{table.place(row)}, deal {deal}", "every player once a deal", clash, remedy)
