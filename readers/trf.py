"""FIDE's tournament report (TRF): games by round, from the lines of the players.

A line 001 is a player: their number (columns 5 to 8), name (15 to 47), rating (49 to 52), and from column 92 on ten
columns per round: the opponent's number, the colour, and the result, which is 1, = or 0 (W, D, L where a game was not
rated), + or - of a forfeit, F, H, U or Z of a bye. 012 is the name of the tournament, 042 its first day, 132 the days
of the rounds. A game is in both players' lines; White's line is used, and Black's line must agree. A game without a
result, or lost by both players, is set apart. Lines of other codes, such as XXR and BBW of pairing programs, are not
used.

FIDE Handbook C.04.A, Annex 2: Tournament Report File format of 2016 (TRF16); JaVaFo's TRF(x) and bbpPairings' TRF(bx).
"""

import re
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import polars

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable
from halfpoint.readers.frames import source_from_frame
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

COLUMNS = ("White", "Black", "Result", "Round", "Date", "WhiteElo", "BlackElo", "Event")
_ROUNDS_BEGIN, _ROUND_WIDTH = 91, 10
_POINTS = {"1": "1", "W": "1", "=": "=", "D": "=", "0": "0", "L": "0", "+": "+", "-": "-"}
_RESULTS = {"10": "1-0", "01": "0-1", "==": "1/2-1/2", "+-": "+:-", "-+": "-:+", "--": "-:-", "1-": "+:-", "-1": "-:+",
            "+0": "+:-", "0+": "-:+", "00": "", "": ""}  # fmt: skip
_DAY = re.compile(r"(\d{4})[/.-](\d\d)[/.-](\d\d)|(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d\d)")
_ORDERS = ((0, 1, 2), (2, 1, 0), (2, 0, 1))  # where year, month and day are: year first as FIDE has it, day, month
_LONGEST_DAYS = 400  # of a tournament
_USED = ("001", "012", "042", "132")


def read_report(file: str | Path, name: str | None = None, place: str | None = None) -> Source:
    """The games of a report as a table of cells; forfeits and byes have separate rows."""
    name, place = name or printable(Path(file).name), place or str(file)
    text, sha256 = read_text(file)
    lines = {number: line for number, line in enumerate(text.splitlines(), 1) if line.strip()}
    about = {line[:3]: line for line in lines.values()}
    players: dict[int, tuple[int, str]] = {}  # by their numbers: line, and its text
    for number, line in lines.items():
        if line.startswith("001"):
            if not line[4:8].strip().isdecimal() or int(line[4:8]) in players or not line[14:47].strip():
                raise GameTableError(f"{place}, line {number}", "a player with a name and a number", repr(line[:47]))
            players[int(line[4:8])] = number, line
    name_of, shared = _names_of(players)
    event = about.get("012", "")[4:].strip() or Path(name).stem
    first, *days = _days_of(about.get("042", "")[4:], about.get("132", "")[3:])
    rows: list[tuple[Any, ...]] = []
    places: list[int] = []
    for player, (number, line) in players.items():
        for round_, begin in enumerate(range(_ROUNDS_BEGIN, len(line), _ROUND_WIDTH), 1):
            opponent, colour, names_notes = (
                line[begin : begin + 4].strip(),
                line[begin + 5 : begin + 6],
                line[begin + 7 :][:1],
            )
            met = players.get(int(opponent)) if opponent.isdecimal() else None
            if met is None or opponent == "0000":
                if opponent not in ("", "0000"):
                    raise GameTableError(f"{place}, line {number}, round {round_}", "a player's number", repr(opponent))
                if names_notes.strip():
                    rows.append((name_of[player], "bye", "", round_, "", "", "", event))
                    places.append(number)
                continue
            reply = met[1][begin : begin + 8].ljust(8)
            result = _RESULTS.get(_POINTS.get(names_notes.upper(), "") + _POINTS.get(reply[7].upper(), ""))
            if (
                result is None
                or bool(names_notes.strip()) != bool(reply[7].strip())
                or not reply[:4].strip().isdecimal()
                or int(reply[:4]) != player
            ):
                fault = f"{names_notes!r} and {reply.strip()!r} in line {met[0]}"
                raise GameTableError(f"{place}, line {number}, round {round_}", "the same result in both rows", fault)
            if colour.lower() == "w" or (colour.lower() != "b" and player < int(opponent)):
                day = days[round_ - 1] if len(days) >= round_ else first
                elos = (row_text[48:52].strip().lstrip("0") for row_text in (line, met[1]))
                rows.append((name_of[player], name_of[int(opponent)], result, round_, day, *elos, event))
                places.append(number)
    if not rows:
        raise GameTableError(place, "players (001) with rounds", "none")
    table = polars.DataFrame(rows, schema=COLUMNS, orient="row")
    source = source_from_frame(table, name, place)
    codes = [code for code in about if code not in _USED and code.strip()]
    notes = (*shared, *([f"not used: lines {list_names(codes)}"] if codes else []))
    line_of = np.array(places, dtype=np.int64)
    return Source(place, "csv", source.names, source.cells, name, line=line_of, sha256=sha256, notes=notes)


def _names_of(players: Mapping[int, tuple[int, str]]) -> tuple[dict[int, str], list[str]]:
    """The players' names by their numbers, two of one name with their FIDE ids or numbers, and a note on those."""
    names = {number: line[14:47].strip() for number, (_, line) in players.items()}
    times = Counter(names.values())
    shared = sorted(name for name, count in times.items() if count > 1)
    for number, (_, line) in players.items():
        if times[names[number]] > 1:
            names[number] += f" ({line[57:68].strip().lstrip('0') or f'no. {number}'})"
    are = "is" if len(shared) == 1 else "are"
    return names, [
        f"names: {list_names(shared)} {are} several players of the report, by id or number"
    ] if shared else []


def _days_of(start: str, rounds: str) -> list[str]:
    """First day and days of the rounds, year first; two-digit years are in this century."""
    triples = [[int(part) for part in day.groups() if part] for text in (start, rounds) for day in _DAY.finditer(text)]
    begun = bool(_DAY.search(start))
    for year, month, day in _ORDERS:
        with suppress(ValueError):
            dates = [date(triple[year] + 2000 * (triple[year] < 100), triple[month], triple[day]) for triple in triples]
            if dates == sorted(dates) and (not dates or (dates[-1] - dates[0]).days < _LONGEST_DAYS):
                days = [day.isoformat() for day in dates]
                return days if begun else ["", *days]
    return [""]
