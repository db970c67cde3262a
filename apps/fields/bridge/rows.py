"""Conversion of the rows of a file to a `BridgeTable`: scores of contracts, vulnerability, codes of names."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeGuard

import numpy as np
import pandas as pd

from halfpoint.apps.fields.bridge.contracts import UNKNOWN, VULNERABILITIES, Contract, score_for_ns, vulnerability_of
from halfpoint.apps.fields.bridge.table import SEAT_NAMES, BridgeTable
from halfpoint.models.games.errors import GameTableError, count_noun

_LARGEST = 10**6
_TEXTS = ("event", "scoring", "team_ns", "team_ew")


@dataclass(slots=True)
class Row:
    """One result in the form of a file."""

    line: int
    deal: str  #: results with the same text are compared
    names: tuple[str, str, str, str]  #: North, East, South, West; empty where a seat has no name
    score_ns: int | None = None  #: points of North and South, if they are given
    contract: Contract | None = None  #: the contract with declarer and tricks, if it is given
    adjusted: bool = False  #: an artificial score
    board: int = 0  #: number of the board; 0 if unknown
    vulnerable: int = UNKNOWN  #: 0 none, 1 NS, 2 EW, 3 all; -1 if unknown
    date: str = ""  #: YYYY-MM-DD, or empty
    event: str = ""  #: as in `BridgeTable`
    scoring: str = ""
    official: float = float("nan")  #: printed score of North and South; NaN if absent
    team_ns: str = ""
    team_ew: str = ""


def table_of(
    rows: Sequence[Row], source: str, name: str, notes: Sequence[str] = (), carried: tuple[tuple[str, float], ...] = ()
) -> BridgeTable:
    """Table of rows.

    A contract without points is scored; otherwise contract and points must agree. Vulnerability comes from its column,
    else from the board's number, else it is the one of four that fits all results of the deal.
    """
    if not rows:
        raise GameTableError(source, "at least one result", "none")
    deals: dict[str, list[Row]] = {}
    for row in rows:
        if row.board > _LARGEST:
            raise GameTableError(f"{source}, line {row.line}, board", f"a board's number, at most {_LARGEST:,}", "more")
        deals.setdefault(row.deal, []).append(row)
    for together in deals.values():
        _score_deal(together, source)
    often = Counter(name for row in rows for name in row.names)
    spelt = {name.casefold(): name for name, _ in reversed(often.most_common())}  # the most frequent spelling
    if len(spelt) < len(often):
        odd = next(name for name in often if spelt[name.casefold()] != name)
        usual = spelt[odd.casefold()]
        notes = [*notes, f"Names that differ only in case are merged, such as {odd} and {usual}."]
        for row in rows:
            north, east, south, west = (spelt[name.casefold()] for name in row.names)
            row.names = north, east, south, west
    code = {deal: number for number, deal in enumerate(deals)}
    players = np.array(sorted({name for row in rows for name in row.names if name}), dtype=np.str_)
    place = {player: number for number, player in enumerate(players.tolist())}
    seats = np.array([[place.get(name, UNKNOWN) for name in row.names] for row in rows], dtype=np.int32)
    columns: dict[str, Any] = {
        "board": np.array([row.board or 0 for row in rows], dtype=np.int32),
        "vulnerable": np.array([row.vulnerable for row in rows], dtype=np.int8),
        "contract": np.array(["" if row.contract is None else str(row.contract) for row in rows], dtype=np.str_),
        "date": np.array([row.date or "NaT" for row in rows], dtype="datetime64[D]"),
        "official": np.array([row.official for row in rows]),
    }
    columns |= {name: np.array([getattr(row, name) for row in rows], dtype=np.str_) for name in _TEXTS}
    absent = {"board": 0, "vulnerable": UNKNOWN, "date": np.datetime64("NaT", "D"), "official": np.nan}
    filled = {
        key: column for key, column in columns.items() if (~pd.isna(column) & (column != absent.get(key, ""))).any()
    }
    table = BridgeTable(
        players=players, deal=np.array([code[row.deal] for row in rows], dtype=np.int32),
        deal_names=np.array(list(deals), dtype=np.str_),
        score_ns=np.array([row.score_ns or 0 for row in rows], dtype=np.int32),
        adjusted=np.array([row.adjusted for row in rows], dtype=np.bool_),
        line=np.array([row.line for row in rows], dtype=np.int64), name=name, source=source, carried=carried,
        **dict(zip(SEAT_NAMES, seats.T, strict=True)), **filled,
    )  # fmt: skip
    return replace(table, notes=(*notes, *_remarks(table)))


def _remarks(table: BridgeTable) -> list[str]:
    """Remarks for the user: results that are not compared or not rated."""
    remarks = []
    if table.adjusted.any():
        remarks.append(f"Neither compared nor rated: {count_noun(int(table.adjusted.sum()), 'adjusted result')}.")
    if table.alone.size:
        names = ", ".join(table.deal_names[table.alone[:3]].tolist())
        ellipsis = ", ..." if table.alone.size > 3 else ""
        remarks.append(f"{table.alone.size:,} deals have fewer than two results and are left out: {names}{ellipsis}.")
    seats = table.seats
    unnamed = int((seats < 0).any(axis=1).sum())
    if unnamed:
        remarks.append(f"{unnamed:,} results have a seat without a name: compared, not rated.")
    robots = int(table.robot[np.maximum(seats, 0)].any(axis=1).sum()) if table.robot.any() else 0
    if robots:
        remarks.append(f"{robots:,} results have a robot at the table: compared, not rated.")
    return remarks


def _score_deal(rows: list[Row], source: str) -> None:
    """Set the points of the rows of one deal, and their vulnerability if it can be inferred."""

    def refusal(row: Row, expected: str, value: str, remedy: str = "") -> GameTableError:
        return GameTableError(f"{source}, line {row.line}, deal {row.deal}", expected, value, remedy)

    for row in rows:
        if row.vulnerable == UNKNOWN and row.board > 0:
            row.vulnerable = int(vulnerability_of(row.board))
        if row.adjusted:
            row.score_ns = 0
        elif row.score_ns is None and not _complete(row.contract):
            expected = "points, or a contract with declarer and tricks"
            raise refusal(row, expected, "neither", "An adjusted score is written A==.")
        elif row.score_ns is not None and abs(row.score_ns) > _LARGEST:
            raise GameTableError(f"{source}, line {row.line}", "a score of some contract", str(row.score_ns))
    contracts = [(row, row.contract) for row in rows if not row.adjusted and _complete(row.contract)]
    unknown = [entry for entry in contracts if entry[0].vulnerable == UNKNOWN]
    if unknown:
        points = {v: tuple(score_for_ns(played, v) for _, played in unknown) for v in range(4)}
        scores = [row.score_ns for row, _ in unknown]
        fitting = [
            v for v, computed in points.items() if all(a in (None, b) for a, b in zip(scores, computed, strict=True))
        ]
        if not fitting:
            possible = [{None, *options} for options in zip(*points.values(), strict=True)]
            strange = (k for k, score in enumerate(scores) if score not in possible[k])
            row, played = unknown[next(strange, 0)]
            raise refusal(row, "points of these contracts at one vulnerability", f"{row.score_ns} for {played}")
        if len({points[v] for v in fitting}) > 1:
            row = unknown[scores.index(None)][0]
            expected = "the points, a board's number or the vulnerability"
            raise refusal(row, expected, "a contract alone", "Add a column board, vulnerable or score.")
        for (row, _), score in zip(unknown, points[fitting[0]], strict=True):
            row.vulnerable = fitting[0] if len(fitting) == 1 else UNKNOWN
            row.score_ns = score
    for row, played in contracts:
        if row.vulnerable != UNKNOWN:
            score = score_for_ns(played, row.vulnerable)
            if row.score_ns not in (None, score):
                expected = f"{score} for {played}, vulnerable {VULNERABILITIES[row.vulnerable]}"
                raise refusal(row, expected, f"{row.score_ns}")
            row.score_ns = score


def _complete(contract: Contract | None) -> TypeGuard[Contract]:
    """True if a contract has a declarer and a number of tricks."""
    return contract is not None and (contract.level == 0 or (contract.declarer >= 0 and contract.tricks >= 0))
