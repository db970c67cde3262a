"""From rows as files have them to a `BridgeTable`: contracts scored, vulnerability found, names coded."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from halfpoint.fields.bridge.contracts import UNKNOWN, VULNERABILITIES, Contract, score_for_ns, vulnerability_of
from halfpoint.fields.bridge.table import SEAT_NAMES, BridgeTable
from halfpoint.games.errors import GameTableError

LARGEST = 10**6


@dataclass(slots=True)
class Row:
    """One result as a file has it."""

    line: int
    deal: str  # results with the same text are compared
    names: tuple[str, str, str, str]  # North, East, South, West; empty where a seat has no name
    score_ns: int | None = None  # points of North and South, if they are given
    contract: Contract | None = None  # the contract with declarer and tricks, if it is given
    adjusted: bool = False  # an artificial score
    board: int = 0  # number of the board; 0 if unknown
    vulnerable: int = UNKNOWN  # 0 none, 1 NS, 2 EW, 3 all; -1 if unknown
    date: str = ""  # YYYY-MM-DD, or empty
    event: str = ""  # as in `BridgeTable`
    scoring: str = ""
    official: float = float("nan")  # printed score of North and South; NaN if there is none
    team_ns: str = ""
    team_ew: str = ""


def table_of(
    rows: Sequence[Row], source: str, name: str, notes: Sequence[str] = (), carried: tuple[tuple[str, float], ...] = ()
) -> BridgeTable:
    """Return the table of rows.

    A contract without points is scored, and a contract beside points must give them. Vulnerability comes from its
    column, else from the board's number; where neither is there it is that of the four which fits all results of the
    deal.
    """
    if not rows:
        raise GameTableError(source, "at least one result", "none")
    for row in rows:
        if row.board > LARGEST:
            raise GameTableError(f"{source}, line {row.line}, board", f"a board's number, at most {LARGEST:,}", "more")
    told = list(notes)
    deals: dict[str, int] = {}
    deal = np.array([deals.setdefault(row.deal, len(deals)) for row in rows], dtype=np.int32)
    of_deal: list[list[Row]] = [[] for _ in deals]
    for row, code in zip(rows, deal.tolist(), strict=True):
        of_deal[code].append(row)
    for together in of_deal:
        score_deal(together, source)
    players = np.array(sorted({name for row in rows for name in row.names if name}), dtype=np.str_)
    place = {player: code for code, player in enumerate(players.tolist())}
    seats = np.array([[place.get(one, UNKNOWN) for one in row.names] for row in rows], dtype=np.int32)
    columns: dict[str, Any] = {seat: seats[:, k].copy() for k, seat in enumerate(SEAT_NAMES)}
    for column, empty, kind in (("board", 0, np.int32), ("vulnerable", UNKNOWN, np.int8)):
        values = np.array([getattr(row, column) for row in rows], dtype=kind)
        columns[column] = values if (values != empty).any() else None
    for column in ("event", "scoring", "team_ns", "team_ew"):
        texts = np.array([getattr(row, column) for row in rows], dtype=np.str_)
        columns[column] = texts if (texts != "").any() else None
    contract = np.array(["" if row.contract is None else str(row.contract) for row in rows], dtype=np.str_)
    columns["contract"] = contract if (contract != "").any() else None
    if any(row.date for row in rows):
        columns["date"] = np.array([row.date or "NaT" for row in rows], dtype="datetime64[D]")
    official = np.array([row.official for row in rows])
    columns["official"] = None if np.isnan(official).all() else official
    table = BridgeTable(
        players=players, deal=deal, deal_names=np.array(list(deals), dtype=np.str_),
        score_ns=np.array([row.score_ns or 0 for row in rows], dtype=np.int32),
        adjusted=np.array([row.adjusted for row in rows], dtype=np.bool_),
        line=np.array([row.line for row in rows], dtype=np.int64), name=name, source=source, carried=carried,
        **columns,
    )  # fmt: skip
    return replace(table, notes=(*told, *remarks(table)))


def remarks(table: BridgeTable) -> list[str]:
    """Return what a user should know of a table: results that are not compared or not rated."""
    told = []
    if table.adjusted.any():
        told.append(f"{table.adjusted.sum():,} adjusted results are neither compared nor rated.")
    if table.alone.size:
        names = ", ".join(table.deal_names[table.alone[:3]].tolist())
        more = ", ..." if table.alone.size > 3 else ""
        told.append(f"{table.alone.size:,} deals have fewer than two results and are left out: {names}{more}.")
    seats = table.seats
    unnamed = int((seats < 0).any(axis=1).sum())
    if unnamed:
        told.append(f"{unnamed:,} results have a seat without a name: compared, not rated.")
    robots = int(table.robot[np.maximum(seats, 0)].any(axis=1).sum()) if table.robot.any() else 0
    if robots:
        told.append(f"{robots:,} results have a robot at the table: compared, not rated.")
    return told


def score_deal(rows: list[Row], source: str) -> None:
    """Give the rows of one deal their points, and their vulnerability where it can be known."""
    for row in rows:
        where = f"{source}, line {row.line}"
        if row.vulnerable == UNKNOWN and row.board > 0:
            row.vulnerable = int(vulnerability_of(row.board))
        if row.adjusted:
            row.score_ns = 0
        elif row.score_ns is None and not complete(row.contract):
            raise GameTableError(
                f"{where}, deal {row.deal}", "points, or a contract with declarer and tricks", "neither",
                "An adjusted score is written A==.",
            )  # fmt: skip
        elif row.score_ns is not None and abs(row.score_ns) > LARGEST:
            raise GameTableError(where, "a score that some contract gives", str(row.score_ns))
    unknown = [row for row in rows if row.vulnerable == UNKNOWN and not row.adjusted and complete(row.contract)]
    if unknown:
        fitting = [v for v in range(4) if all(r.score_ns in (None, score_for_ns(played(r), v)) for r in unknown)]
        if not fitting:
            row = next(
                (r for r in unknown if all(r.score_ns != score_for_ns(played(r), v) for v in range(4))), unknown[0]
            )
            raise GameTableError(
                f"{source}, line {row.line}, deal {row.deal}", "points that the contracts give at one vulnerability",
                f"{row.score_ns} for {row.contract}",
            )  # fmt: skip
        points = {tuple(score_for_ns(played(r), v) for r in unknown) for v in fitting}
        if len(points) > 1:
            row = next(r for r in unknown if r.score_ns is None)
            raise GameTableError(
                f"{source}, line {row.line}, deal {row.deal}", "the points, a board's number or the vulnerability",
                "a contract alone", "Add a column board, vulnerable or score.",
            )  # fmt: skip
        for row in unknown:
            row.vulnerable = fitting[0] if len(fitting) == 1 else UNKNOWN
            row.score_ns = score_for_ns(played(row), fitting[0])
    for row in rows:
        if row.adjusted or not complete(row.contract) or row.vulnerable == UNKNOWN:
            continue
        points_ns = score_for_ns(played(row), row.vulnerable)
        if row.score_ns is not None and row.score_ns != points_ns:
            side = VULNERABILITIES[row.vulnerable]
            raise GameTableError(
                f"{source}, line {row.line}, deal {row.deal}", f"{points_ns} for {row.contract}, vulnerable {side}",
                f"{row.score_ns}",
            )  # fmt: skip
        row.score_ns = points_ns


def complete(contract: Contract | None) -> bool:
    """Return whether a contract says who declared and how many tricks they took."""
    return contract is not None and (contract.level == 0 or (contract.declarer >= 0 and contract.tricks >= 0))


def played(row: Row) -> Contract:
    """Return the contract of a row that has one."""
    assert row.contract is not None
    return row.contract
