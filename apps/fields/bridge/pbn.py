r"""Results from Portable Bridge Notation: score tables of a deal, or one full record for each table.

A record is tag pairs, ``[Board "5"]``, and sections below a tag. The section ScoreTable has its columns in the tag,
``PairId_NS\4R;PairId_EW\4R;Contract\5L;Declarer;Result;Score_NS``, and one line per table, with cells that contain
blanks in quotation marks; TotalScoreTable names the pairs. In a match of teams each room has its record, with HomeTeam,
VisitTeam and Room; the home team is assumed North-South in the open room. In cells ``-`` is irrelevant, ``*`` and ``?``
unknown, ``^`` marks an adjusted score; a tag value ``#`` repeats the value of the previous record. Deals without a
result are left out.

Clubs use extensions of the standard: a pair's name in one seat of its line, or in both; ``Names_NS`` and ``Names_EW``
without quotation marks, as wide as their columns (``Ash-Birch    Van Dam-Elm``); numbers of pairs that restart in each
section, or in each direction; title and day in comments (``%HRTitleEvent "Monday Pairs"``, ``%HRTitleDate
2026.03.09``).
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from halfpoint.apps.fields.bridge.contracts import SEATS, UNKNOWN, Contract, read_contract
from halfpoint.apps.fields.bridge.csv_results import ADJUSTED, VULNERABLE
from halfpoint.apps.fields.bridge.pbn_names import (
    NOTHING,
    Pairs,
    id_of,
    keys_of,
    names_of_seats,
    plain_name,
    seats_of,
    split_unquoted,
    two_of,
)
from halfpoint.apps.fields.bridge.rows import Row, table_of
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable

_TAG = re.compile(r'\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]?')
_CELL = re.compile(r'"((?:[^"\\]|\\.)*)"|(\S+)')
_DATE = re.compile(r"(\d{4})[.-](\d{2})[.-](\d{2})")
_NOT_PLAYED = ("NP", "LATE", "BYE")
_HEADINGS = {"Event": re.compile(r'^%HRTitleEvent\s+"(.+)"', re.MULTILINE),
            "Date": re.compile(r"^%HRTitleDate\s+(\S+)", re.MULTILINE)}  # fmt: skip
_LETTERS = ("N", "E", "S", "W")
_ROOMS = {"open": True, "o": True, "closed": False, "c": False}


@dataclass
class _Record:
    """One record of a file."""

    line: int  #: where it begins
    tags: dict[str, str] = field(default_factory=dict)  #: tag values
    sections: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  #: lines below a tag, each with its number


def read_pbn(path: str | Path) -> BridgeTable:
    """The results of a PBN file."""
    text, _ = read_text(path)
    headings = {name: match[1] for name, pattern in _HEADINGS.items() if (match := pattern.search(text))}
    rows: list[Row] = []
    empty = 0
    played: list[_Record] = []
    several = list(_records(text, str(path)))
    pairs = _pairs_of_file(several, str(path))
    for record in several:
        for name, value in headings.items():
            record.tags[name] = record.tags.get(name, "") or value
        if "ScoreTable" in record.sections:
            rows_of_record = _from_score_table(record, pairs, str(path))
        else:
            rows_of_record = _from_record(record, str(path))
            played += [record] * len(rows_of_record)
        empty += not rows_of_record and "Board" in record.tags
        rows += rows_of_record
    if not rows:
        expected = "results: a ScoreTable, or Contract, Declarer and Result"
        raise GameTableError(str(path), expected, f"{empty} records without one")
    notes = [f"{empty:,} deals without a result are left out."] if empty else []
    shared_name = next((row.names[0] for row in rows if row.names[0].endswith(" (1)")), None)
    if shared_name is not None:
        pair = shared_name.removesuffix(" (1)")
        notes.append(f"Pairs listed under one name are shown as {pair} (1) and {pair} (2), for example.")
    if len(pairs.sections) > 1:
        notes.append(f"Sections {', '.join(sorted(pairs.sections))} are compared with each other.")
    notes += _of_teams(played, sum(row.team_ns != "" for row in rows))
    return table_of(rows, str(path), printable(Path(path).name), notes)


def _without_comments(text: str) -> str:
    """A text without comments in braces, whose line ends stay; an open comment is text."""
    *closed, tail = text.split("}")
    parts = [part.partition("{") for part in closed]
    return (
        "".join([f"{before}{'\n' * comment.count('\n') if begin else '}'}" for before, begin, comment in parts]) + tail
    )


def _records(text: str, source: str) -> Iterator[_Record]:
    """Yield the records of a text, which begin at a tag after a blank line or at a repeated tag."""
    plain = _without_comments(text)
    record, before, blank, tag = _Record(1), dict[str, str](), True, ""
    any_tag = False
    for number, raw in enumerate(plain.splitlines(), 1):
        line = raw.strip()
        if line.startswith(("%", ";")):
            continue
        if not line:
            blank = True
            continue
        match = _TAG.match(line)
        if match is None:
            record.sections.setdefault(tag, []).append((number, line))
            continue
        any_tag = True
        tag, value = match[1], match[2] if "Table" in match[1] else re.sub(r"\\(.)", r"\1", match[2])
        if record.tags and (tag in record.tags or (blank and tag in ("Event", "Board"))):
            yield record
            record, before = _Record(number), record.tags
        if not record.tags:
            record.line = number
        record.tags[tag] = before.get(tag, "") if value in ("#", "##") else value.strip()
        blank = False
    if not any_tag:
        raise GameTableError(source, 'PBN, tags such as [Board "1"]', "none")
    yield record


def _rows_of_section(record: _Record, name: str, source: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the lines of a table by column, none if a record has no such table."""
    if name not in record.sections:
        return
    formats = [column.partition("\\") for column in record.tags[name].split(";")]
    columns = [column.strip() for column, _, _ in formats]
    names = sum(column.startswith("Names") for column in columns[-2:])
    width = re.match(r"\d+", formats[-2][2]) if names == 2 else None
    for number, line in record.sections[name]:
        if line.startswith(";"):
            continue
        matches = list(_CELL.finditer(line))
        cells = [match[1] if match[2] is None else match[2] for match in matches]
        if len(cells) > len(columns) and names:
            first = len(columns) - names
            cells = [
                *cells[:first],
                *split_unquoted(line[matches[first].start() :], names, int(width[0]) if width else 0),
            ]
        if len(cells) != len(columns):
            expected = f"{len(columns)} cells ({';'.join(columns)})"
            raise GameTableError(f"{source}, line {number}, {name}", expected, f"{len(cells)}")
        yield number, dict(zip(columns, cells, strict=True))


def _pairs_of_file(several: list[_Record], source: str) -> Pairs:
    """The pairs of a file, from its tables of totals and of scores."""
    names: dict[tuple[str, str, str], tuple[str, str] | None] = {}
    sections, by_direction = set[str](), False
    for record in several:
        for _, cells in _rows_of_section(record, "TotalScoreTable", source):
            number, text = id_of(cells), plain_name(cells.get("Names", ""))
            if number in NOTHING or not text:
                continue
            side = cells.get("Direction", "").replace("-", "").upper()
            for key in keys_of(cells.get("Section", ""), side, number):
                names[key] = two_of(text) if names.get(key, two_of(text)) == two_of(text) else None
        for _, cells in _rows_of_section(record, "ScoreTable", source):
            sections.add(cells.get("Section", ""))
            by_direction |= id_of(cells, "_NS") == id_of(cells, "_EW") not in NOTHING
    return Pairs(names, frozenset(sections - set(NOTHING)), by_direction)


def _from_score_table(record: _Record, pairs: Pairs, source: str) -> list[Row]:
    """Rows of a score table, without byes."""
    common = _of_deal(record, source)
    rows = []
    for number, cells in _rows_of_section(record, "ScoreTable", source):
        contract, points = _contract_of(cells, f"{source}, line {number}"), _points_of(cells)
        printed = next(
            (cells[column] for column in ("Score_NS", "Score_EW") if cells.get(column, "-") not in NOTHING), ""
        )
        adjusted = bool(ADJUSTED.fullmatch(printed)) or "^" in cells.get("Contract", "") + cells.get("Result", "")
        if contract is None and points is None and not adjusted:
            continue
        row = replace(common, line=number, names=seats_of(cells, pairs), adjusted=adjusted)
        if not adjusted:
            row.score_ns, row.contract = points, contract
        if _is_number(cells.get("Percentage_NS", "")):
            row.official, row.scoring = float(cells["Percentage_NS"]), "MP"
        elif _is_number(cells.get("IMP_NS", "")):
            row.official, row.scoring = float(cells["IMP_NS"]), "XIMP" if row.scoring == "XIMP" else "IMP"
        rows.append(row)
    return rows


def _from_record(record: _Record, source: str) -> list[Row]:
    """Row of a record with contract, declarer and result; empty for a deal only."""
    cells = {key: record.tags.get(key, "") for key in ("Contract", "Declarer", "Result")}
    contract = _contract_of(cells, f"{source}, line {record.line}")
    score = record.tags.get("Score", "").split()
    points = None
    if len(score) == 2 and score[0] in ("NS", "EW") and _is_number(score[1]):
        points = round(float(score[1])) * (1 if score[0] == "NS" else -1)
    if contract is None and points is None:
        return []
    if contract is not None and contract.level and min(contract.declarer, contract.tricks) < 0 and points is None:
        return []  # a deal with a bidding, not played
    row = _of_deal(record, source)
    row.contract, row.score_ns = contract, points
    row.team_ns, row.team_ew = _teams_of(record)
    row.scoring = "TEAM" if row.team_ns else row.scoring
    row.names = names_of_seats(record.tags)
    return [row]


def _teams_of(record: _Record) -> tuple[str, str]:
    """Teams on North-South's and East-West's line of a record; empty if unknown."""
    home, visit = (plain_name(record.tags.get(name, "")) for name in ("HomeTeam", "VisitTeam"))
    room = record.tags.get("Room", "").lower()
    if not home or not visit or home == visit or room not in _ROOMS:
        return "", ""
    return (home, visit) if _ROOMS[room] else (visit, home)


def _of_teams(records: list[_Record], matched: int) -> list[str]:
    """Remarks on records with teams: the assumed seats of the home team, and unknown data."""
    of_teams = [
        record for record in records if plain_name(record.tags.get("HomeTeam", record.tags.get("VisitTeam", "")))
    ]
    notes = []
    if matched:
        notes.append(
            "The home team (HomeTeam) is assumed to sit North-South in the open room and East-West in the closed one."
        )
    if len(of_teams) > matched:
        lost = next(record for record in of_teams if not _teams_of(record)[0])
        notes.append(
            f"{len(of_teams) - matched:,} records name teams without a match, the first in line {lost.line}: they need "
            'HomeTeam, VisitTeam and Room "Open" or "Closed".'
        )
    return notes


def _of_deal(record: _Record, source: str) -> Row:
    """Data shared by all tables of a deal."""
    location = f"{source}, line {record.line}"
    tags = record.tags
    board = tags.get("Board", "")
    if board not in NOTHING and not (board.isdecimal() and len(board) <= 6):
        raise GameTableError(f"{location}, Board", "a board's number", repr(board))
    vulnerable = tags.get("Vulnerable", "").lower()
    if vulnerable not in (*VULNERABLE, "love", "?", "*"):
        raise GameTableError(f"{location}, Vulnerable", "None, NS, EW or All", repr(tags["Vulnerable"]))
    day = _DATE.match(tags.get("Date", ""))
    date = "-".join(day.groups()) if day else ""
    try:
        np.datetime64(date or "NaT", "D")
    except ValueError:
        raise GameTableError(f"{location}, Date", "a day, such as 2024.03.21", repr(tags["Date"])) from None
    cards = tags.get("Deal", "")
    parts = (tags.get("Event", ""), "" if cards not in NOTHING else date, f"board {board}", cards)
    return Row(
        record.line, " ".join(part for part in parts if part not in NOTHING), ("", "", "", ""),
        board=int(board) if board.isdecimal() else 0, date=date, event=tags.get("Event", ""),
        vulnerable=0 if vulnerable == "love" else VULNERABLE.get(vulnerable, UNKNOWN),
        scoring=_scoring_of(tags.get("Scoring", "").lower()),
    )  # fmt: skip


def _scoring_of(text: str) -> str:
    """Scoring of a tag as in `BridgeTable.scoring`; empty if it is not supported."""
    if text.startswith(("mp", "matchpoint")):
        return "MP"
    return "" if "imp" not in text and "cross" not in text else "XIMP" if "cross" in text else "IMP"


def _contract_of(cells: Mapping[str, str], location: str) -> Contract | None:
    """The contract of a row or record."""
    text = cells.get("Contract", "")
    if text in NOTHING or text.upper() in _NOT_PLAYED or "^" in text or ADJUSTED.fullmatch(text):
        return None
    contract = read_contract(text)
    if contract is None:
        raise GameTableError(f"{location}, Contract", "a contract, such as 4S or 3NTX", repr(text))
    seat, result = cells.get("Declarer", "").lstrip("^"), cells.get("Result", "").lstrip("^")
    if seat not in (*NOTHING, *_LETTERS):
        raise GameTableError(f"{location}, Declarer", "N, E, S or W", repr(seat))
    declarer = SEATS.index(seat) if seat in _LETTERS else contract.declarer
    tricks = contract.tricks
    if result not in NOTHING:
        if not (result.isdecimal() and len(result) <= 2 and int(result) <= 13):
            raise GameTableError(f"{location}, Result", "tricks from 0 to 13", repr(result))
        tricks = int(result)
    return Contract(contract.level, contract.strain, contract.doubling, declarer, tricks)


def _points_of(cells: Mapping[str, str]) -> int | None:
    """Points of North and South in a row, None if absent."""
    for column, sign in (("Score_NS", 1), ("Score_EW", -1)):
        text = cells.get(column, "").replace("−", "-")
        if re.fullmatch(r"[+-]?\d{1,6}", text):
            return sign * int(text)
    return None


def _is_number(text: str) -> bool:
    """True if a cell is a number."""
    return re.fullmatch(r"[+-]?\d+(\.\d+)?", text) is not None
