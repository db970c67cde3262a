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
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.forms import source_of_rows
from halfpoint.readers.rounds import Met, games_of_rounds
from halfpoint.readers.sources import Source
from halfpoint.readers.words import list_names

COLUMNS = ("White", "Black", "Result", "Round", "Date", "WhiteElo", "BlackElo", "Event")
_ROUNDS_BEGIN, _ROUND_WIDTH = 91, 10
_POINTS = {"1": "1", "W": "1", "=": "=", "D": "=", "0": "0", "L": "0", "+": "+", "-": "-", "": ""}
_DAY = re.compile(r"(\d{4})[/.-](\d\d)[/.-](\d\d)|(\d{1,2})[/.-](\d{1,2})[/.-](\d{4}|\d\d)")
_ORDERS = ((0, 1, 2), (2, 1, 0), (2, 0, 1))  # where year, month and day are: year first as FIDE has it, day, month
_LONGEST_DAYS = 400  # of a tournament
_USED = ("001", "012", "042", "132")


def read_report(file: str | Path, name: str, place: str) -> Source:
    """The games of a report as a table of cells; forfeits and byes have separate rows."""
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
    rounds, byes = list[list[Met | None]](), list[tuple[int, int]]()
    row_of = {str(player): row for row, player in enumerate(players)}
    for row, (number, line) in enumerate(players.values()):
        rounds.append([])
        for round_, begin in enumerate(range(_ROUNDS_BEGIN, len(line), _ROUND_WIDTH), 1):
            cell = line[begin : begin + _ROUND_WIDTH].ljust(_ROUND_WIDTH)
            opponent, colour, points = cell[:4].strip(), cell[5].lower().strip(" -"), cell[7]
            if opponent not in ("", "0000") and opponent.lstrip("0") not in row_of:
                raise GameTableError(f"{place}, line {number}, round {round_}", "a player's number", repr(opponent))
            met = Met(opponent.lstrip("0"), _POINTS.get(points.upper().strip(), "x"), colour, repr(points))
            rounds[row].append(met if met.other else None)
            byes += [(row, round_)] if not met.other and points.strip() else []
    numbered, name_in = list(players.values()), list(name_of.values())
    games = games_of_rounds(rounds, [row_of], "the same result in both rows",
                            lambda row, round_: f"{place}, line {numbered[row][0]}, round {round_}")  # fmt: skip
    rows: list[Sequence[object]] = [(name_in[row], "bye", "", round_, "", "", "", event) for row, round_ in byes]
    for game in games:
        day = days[game.round - 1] if len(days) >= game.round else first
        elos = (numbered[row][1][48:52].strip().lstrip("0") for row in (game.white, game.black))
        rows.append((name_in[game.white], name_in[game.black], game.result, game.round, day, *elos, event))
    if not rows:
        raise GameTableError(place, "players (001) with rounds", "none")
    codes = [code for code in about if code not in _USED and code.strip()]
    notes = (*shared, f"not used: lines {list_names(codes)}" if codes else "")
    places = [numbered[row][0] for row in (*(row for row, _ in byes), *(game.white for game in games))]
    order = sorted(range(len(rows)), key=places.__getitem__)
    return source_of_rows(COLUMNS, [rows[k] for k in order], name, place, [places[k] for k in order], sha256, notes)


def _names_of(players: Mapping[int, tuple[int, str]]) -> tuple[dict[int, str], list[str]]:
    """The players' names by their numbers, two of one name with their FIDE ids or numbers, and a note on those."""
    names = {number: line[14:47].strip() for number, (_, line) in players.items()}
    times = Counter(names.values())
    shared = sorted(name for name, count in times.items() if count > 1)
    for number, (_, line) in players.items():
        if times[names[number]] > 1:
            names[number] += f" ({line[57:68].strip().lstrip('0') or f'no. {number}'})"
    are = "is" if len(shared) == 1 else "are"
    note = f"names: {list_names(shared)} {are} several players of the report, by id or number"
    return names, [note] if shared else []


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
