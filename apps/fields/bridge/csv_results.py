"""Bridge results from a CSV file: a header, then one line per deal and table.

Columns: north, east, south, west (or ns and ew with two names each, "Ann & Bob"); deal, or board (with event and date
if boards repeat); score (points of North and South) or contract with declarer and result (or all in one: 4SN=).
Optional: vulnerable, date, event, scoring, official, adjusted, team_ns, team_ew.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path

import numpy as np

from halfpoint.apps.fields.bridge.contracts import SEATS, UNKNOWN, Contract, read_contract
from halfpoint.apps.fields.bridge.rows import Row, table_of
from halfpoint.apps.fields.bridge.table import SCORINGS, SEAT_NAMES, BridgeTable
from halfpoint.apps.workflows.beside.columns import columns_by_words, unused_columns
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.readers.column_values import parse_date
from halfpoint.readers.csv_files import CsvColumns, words_in
from halfpoint.readers.sound_cells import require_header, require_short

_WORDS = words_in("apps.fields.bridge")
_OF_SCORES = ("score", "contract", "declarer", "result", "tricks", "official", "adjusted")
ADJUSTED = re.compile(r"A(?:[V=+\-]|\d\d).*|\^.*|\d\d/\d\d|\d\d-\d\d", re.IGNORECASE)
TRUE = ("1", "true", "yes", "y", "x")
FALSE = ("", "0", "false", "no", "n")
VULNERABLE = {"": UNKNOWN, "none": 0, "-": 0, "o": 0, "ns": 1, "n-s": 1, "n": 1, "ew": 2, "e-w": 2, "e": 2, "all": 3,
              "both": 3, "b": 3}  # fmt: skip
_BETWEEN = re.compile(r"(?<!\s)\s++[&-]\s+|(?:(?<!\s)\s++)?[/+]\s*")


def read_csv_results(path: str | Path, columns: Mapping[str, str] | None = None, scored: bool = True) -> BridgeTable:
    """The results of a CSV file."""
    table = CsvColumns.whole(read_text(path)[0], str(path))
    chosen = _assign(table.header, columns or {}, f"{path}, header", scored)
    looked_at = [field for field in chosen if scored or field not in _OF_SCORES]
    require_header(table.header, str(path))
    for column in {chosen[field] for field in looked_at}:
        require_short(table.cells[column], column, lambda row: f"{path}, line {table.lines[row]}")
    texts = zip(*(map(str.strip, table.cells[chosen[field]]) for field in looked_at), strict=True)
    rows = [_row_of(dict(zip(looked_at, cells, strict=True)), line, str(path))
            for cells, line in zip(texts, table.lines, strict=True)]  # fmt: skip
    for row in () if scored else rows:
        row.score_ns = 0
    notes = [*unused_columns(table.header, [*chosen.values()])]
    return replace(table_of(rows, str(path), printable(Path(path).name), notes), simulated=table.simulated)


def _assign(header: Sequence[str], columns: Mapping[str, str], location: str, scored: bool = True) -> dict[str, str]:
    """Assignment of columns to fields."""
    chosen = columns_by_words(header, _WORDS, columns, location, one_only=True)
    seats = all(seat in chosen for seat in SEAT_NAMES)
    missing = [] if seats or ("ns" in chosen and "ew" in chosen) else ["north, east, south, west (or ns and ew)"]
    missing += [] if "deal" in chosen or "board" in chosen else ["deal or board"]
    has_result = not scored or any(field in chosen for field in ("score", "contract", "result"))
    missing += [] if has_result else ["score or contract"]
    if missing:
        remedy = "Say which is which with --columns FIELD=COLUMN,..."
        raise GameTableError(location, f"a column for {'; '.join(missing)}", f"columns {', '.join(header)}", remedy)
    return chosen


def _row_of(cells: Mapping[str, str], line: int, source: str) -> Row:
    """A row of a file."""
    location = f"{source}, line {line}"

    def parse_cell[V](field: str, expected: str, parse: Callable[[str], V]) -> V | None:
        text = cells.get(field, "")
        try:
            return parse(text) if text else None
        except ValueError:
            raise GameTableError(f"{location}, column {field}", expected, repr(text)) from None

    board = parse_cell("board", "a board's number, from 1", int) or 0
    day = parse_cell("date", "a day, such as 2024-03-21", parse_date)
    date = "" if day is None or np.isnat(day) else str(day)
    event = cells.get("event", "")
    deal = cells.get("deal", "") or " ".join(filter(None, (event, date, f"board {board}" if board > 0 else "")))
    if board < 0 or (board == 0 and not cells.get("deal", "")):
        raise GameTableError(f"{location}, column board", "a board's number, from 1", repr(cells.get("board", "")))
    score, mark = cells.get("score", ""), cells.get("adjusted", "").lower()
    if mark not in TRUE + FALSE:
        raise GameTableError(f"{location}, column adjusted", "1 or 0, yes or no", repr(cells["adjusted"]))
    written = (cells.get(field, "") for field in ("score", "contract", "result"))
    adjusted, points = mark in TRUE or any(map(ADJUSTED.fullmatch, written)), None
    if not adjusted and score:
        try:
            points = int(score.replace("−", "-"))
        except ValueError:
            expected = "points of North and South, a whole number"
            raise GameTableError(
                f"{location}, column score", expected, repr(score), "A== is an adjusted score."
            ) from None
    vulnerable = cells.get("vulnerable", "").lower()
    if vulnerable not in VULNERABLE:
        raise GameTableError(f"{location}, column vulnerable", "None, NS, EW or All", repr(cells["vulnerable"]))
    scoring = cells.get("scoring", "").upper()
    if scoring not in SCORINGS:
        raise GameTableError(f"{location}, column scoring", "MP, IMP, XIMP or TEAM", repr(cells["scoring"]))
    official = parse_cell("official", "a printed score, a number", _finite_number)
    contract = None if adjusted else _contract_of(cells, location)
    return Row(
        line, deal, _names_of(cells, location), points, contract, adjusted, int(board), VULNERABLE[vulnerable],
        date, event, scoring, float("nan") if official is None else official, cells.get("team_ns", ""),
        cells.get("team_ew", ""),
    )  # fmt: skip


def _finite_number(text: str) -> float:
    """Number in a cell, without a per cent sign; `ValueError` if it is not one."""
    value = float(text.rstrip("% "))
    if not isfinite(value):
        raise ValueError(text)
    return value


def _names_of(cells: Mapping[str, str], location: str) -> tuple[str, str, str, str]:
    """Names of North, East, South and West, empty for empty cells."""
    if all(seat in cells for seat in SEAT_NAMES):
        north, east, south, west = (" ".join(cells[seat].split()) for seat in SEAT_NAMES)
        return north, east, south, west
    pairs = []
    for side in ("ns", "ew"):
        names = split_pair(cells[side]) if cells[side] else ("", "")
        if names is None:
            remedy = "Write Ann & Bob, or give the columns north, east, south and west."
            raise GameTableError(f"{location}, column {side}", "two names", repr(cells[side]), remedy)
        pairs.append(names)
    (north, south), (east, west) = pairs
    return north, east, south, west


def split_pair(text: str) -> tuple[str, str] | None:
    """The two names of a pair: "Ann & Bob", "Ann - Bob", "Ann/Bob", "Ann+Bob"; None if they are not two.

    Examples
    --------
    >>> split_pair("Ann Lee & Bob"), split_pair("Anne-Marie"), split_pair("Pair - 16")
    (('Ann Lee', 'Bob'), None, None)
    """
    parts = [" ".join(part.split()) for part in _BETWEEN.split(text.strip())]
    return (parts[0], parts[1]) if len(parts) == 2 and all(parts) and not parts[1].isdecimal() else None


def _contract_of(cells: Mapping[str, str], location: str) -> Contract | None:
    """Contract of a row, with declarer and tricks if other columns have them."""
    text = cells.get("contract", "")
    result = cells.get("result", "")
    if not text and read_contract(result) is not None:
        text, result = result, ""  # the whole contract in one column, as travellers on the web have it
    if not text or text == "-":
        return None
    seat = cells.get("declarer", "").upper()[:1]
    if cells.get("declarer") and seat not in SEATS:
        raise GameTableError(f"{location}, column declarer", "N, E, S or W", repr(cells["declarer"]))
    contract = read_contract(text)
    if contract is None:
        raise GameTableError(f"{location}, column contract", "a contract, such as 4S, 3NTx or 4SN=", repr(text))
    if contract.level == 0:
        return contract
    declarer = SEATS.index(seat) if seat else contract.declarer
    tricks = contract.tricks
    for field, cell in (("result", result), ("tricks", cells.get("tricks", ""))):
        if not cell or cell == "-":
            continue
        over = cell.replace("−", "-")
        try:
            tricks = 6 + contract.level + (0 if over == "=" else int(over)) if over[0] in "=+-" else int(over)
        except ValueError:
            tricks = 99
        if not 0 <= tricks <= 13:
            expected = "=, +1, -2, or tricks from 0 to 13"
            raise GameTableError(f"{location}, column {field}", expected, repr(cell))
    return Contract(contract.level, contract.strain, contract.doubling, declarer, tricks)
