"""Matches of teams from LIN files, the format of BBO's vugraphs: results of two rooms by board.

    vg|event,segment,I,first board,last board,team 1,carried over,team 2,carried over|
    rs|results, the open and the closed room of each board in turn: 4SN=, 3NWx-2, P, empty if not played|
    pn|open room South, West, North, East, then the closed room|

Team 1 sits North-South in the open room. Hands, bids, cards and comments are not read.
"""

from pathlib import Path

from halfpoint.apps.fields.bridge.contracts import read_contract
from halfpoint.apps.fields.bridge.rows import Row, table_of
from halfpoint.apps.fields.bridge.table import BridgeTable
from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, printable

_SEATS_OF_PN = (2, 3, 0, 1)  # North, East, South, West among South, West, North, East
_IMPS = "I"


def read_lin(path: str | Path) -> BridgeTable:
    """The results of a match."""
    text, _ = read_text(path)
    fields: dict[str, tuple[str, int]] = {}
    line = 1
    parts = text.split("|")
    for key, value in zip(parts[::2], parts[1::2], strict=False):
        line += key.count("\n")
        fields.setdefault(key.strip(), (value.replace("\n", " ").strip(), line))
        line += value.count("\n")
    for key, what in (("vg", "the match"), ("rs", "the results"), ("pn", "the players")):
        if key not in fields:
            remedy = "Only files of vugraph matches have results."
            raise GameTableError(str(path), f"a field {key}|...| ({what})", "none", remedy)
    match, line = fields["vg"]
    cells = [cell.strip() for cell in match.split(",")]
    if len(cells) < 9 or not all(cell.isdecimal() and len(cell) <= 6 for cell in cells[3:5]):
        expected = "event,segment,scoring,first board,last board,team,carried,team,carried"
        raise GameTableError(f"{path}, line {line}, field vg", expected, repr(match))
    event, segment, scoring, first, last, home, carried_home, away, carried_away = cells[:9]
    boards = range(int(first), int(last) + 1)
    results, line = fields["rs"]
    scores = [cell.strip() for cell in results.split(",")]
    while len(scores) > 2 * len(boards) and not scores[-1]:
        scores.pop()
    if len(scores) > 2 * len(boards) or not boards:
        expected = f"at most {2 * len(boards)} results, two for each of the boards {first} to {last}"
        raise GameTableError(f"{path}, line {line}, field rs", expected, f"{len(scores)}")
    players, line_pn = fields["pn"]
    names = [" ".join(cell.split()) for cell in players.split(",")]
    if len(names) != 8:
        raise GameTableError(f"{path}, line {line_pn}, field pn", "eight names", f"{len(names)}")
    home, away = home or "team 1", away or "team 2"
    title = ", ".join(filter(None, (event, segment)))
    rows = []
    for place, result in enumerate(scores):
        if not result:
            continue
        board, room = boards[place // 2], place % 2
        north, east, south, west = (names[4 * room + seat] for seat in _SEATS_OF_PN)
        contract = read_contract(result)
        adjusted = contract is None and result.upper().startswith("A")
        if not adjusted and (contract is None or (contract.level and min(contract.declarer, contract.tricks) < 0)):
            location = f"{path}, line {line}, field rs, board {board}, {('open', 'closed')[room]} room"
            raise GameTableError(location, "a result such as 4SN= or 3NWx-2", repr(result))
        teams = (home, away) if room == 0 else (away, home)
        rows.append(Row(
            line, f"{title}, board {board}", (north, east, south, west), contract=contract, adjusted=adjusted,
            board=board, event=title, scoring="TEAM" if scoring == _IMPS else "", team_ns=teams[0], team_ew=teams[1],
        ))  # fmt: skip
    location = f"{path}, field vg"
    carried = ((home, _carried_imps(carried_home, location)), (away, _carried_imps(carried_away, location)))
    notes = [] if scoring == _IMPS else [f"scoring {scoring!r} is not IMPs: no match is scored."]
    return table_of(rows, str(path), printable(Path(path).name), notes, carried)


def _carried_imps(text: str, location: str) -> float:
    """IMPs carried over; 0 for an empty cell."""
    try:
        return float(text or 0)
    except ValueError:
        raise GameTableError(location, "IMPs carried over, a number", repr(text)) from None
