"""A cross-table in a spreadsheet as a table of games: each row is a player, cells contain opponents and results.

    by players   a square whose diagonal is empty: of points ("1", "½", one sign per game as in "1½", seats unknown), or
                 of goals ("2-1"), each the game at the row's home, or one game in both rows if all cells have mirrors
    by rounds    "5w1", "5s½", or "+5", "=12", "W3": the opponent's number, the seat if given, the result
    counts       a square of numbers of wins of the row's player over the column's; the diagonal is ignored

Rows and columns of counts have the same names. (BradleyTerry2's `citations`, where a citation is a win of the cited
journal; the sociomatrices of studies of dominance, as of aniDom and compete.) Numbers of opponents come from a column
or from the order of the rows, whichever makes both players' rows agree on every game.
"""

import re
from array import array
from collections.abc import Sequence

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.rounds import POINTS, Game, Met, games_of_rounds
from halfpoint.readers.words import PEOPLE, RATINGS, WORDS

_HALVES = {"1": 2, "=": 1, "0": 0}
_RESULTS = ("0-1", "1/2-1/2", "1-0")
_DECIMAL, _POINTS = re.compile(r"\b(?:0[.,](5)|([01])[.,]0)\b"), re.compile(r"(?:(?:1/2|[10+=½-]) ?)+")
_BOUTS = re.compile(r"[vd] ?/?\d{0,2}"), re.compile(r"[wl] ?/?\d{0,2}")  # won or lost, and the touches of fencing
_CIRCLES = str.maketrans("○◯●△＼", "110½x")  # of Japan
_EMPTY, _GOALS, _NUMBERS = re.compile(r"[x*#■·.—–\\-]*"), re.compile(r"\A\d+ ?[-–:] ?\d+"), re.compile(r"\d+").findall
_ROUND = (  # as pairing programs write it; with the result before the number, or after it
    re.compile(r"\A(?P<other>\d+) ?(?P<seat>[wbsn]) ?(?P<points>1/2|[10=½+-])"),
    re.compile(r"\A(?P<points>[-+=wld]) ?(?P<seat>[wbsn]?) ?(?P<other>\d+)"),
    re.compile(r"\A(?P<other>\d+)(?P<seat>)(?P<points>[-+=½])"),
)
_NO_COUNT = re.compile(r"(?:[-–—x*#.]+|NA|NaN)?", re.IGNORECASE)
_COUNT = re.compile(r"\d{1,9}(?:\.0*)?")
_LEAST, _MOST, _MOSTLY = 3, 1000, 0.75  # players; share of games with a score
_SIDES = ("white", "loser", "opponent")  # of tables of games
type _Cells = Sequence[Sequence[str]]  # of each column


def cross_table_games(table: CsvColumns, place: str) -> tuple[str, ...]:
    """Turn a cross-table into rows of games, in place, and report it; any other table is unchanged."""
    if wins := _wins_of_square(table, place):
        return wins
    plain, count = [plain_word(name) for name in table.header], len(table.lines)
    at_corner = plain[0] in ("", "homeaway", *WORDS["own"])
    at_corner |= "\\" in table.header[0] and plain_word(table.header[0].partition("\\")[0]) in WORDS["white"]
    name_column = next((k for k, word in enumerate(plain) if word in PEOPLE), 0 if at_corner else None)
    if name_column is None or not _LEAST <= count <= _MOST or any({*WORDS[side]} & {*plain} for side in _SIDES):
        return ()
    cells = [
        [_DECIMAL.sub(lambda match: match[2] or "½", cell.strip().lower().translate(_CIRCLES)) for cell in column]
        for column in table.columns
    ]
    by_players = _games_by_players(cells[name_column + 1 :], table, place)
    at_home = bool(by_players) and by_players[0].seated
    games = by_players or _games_by_rounds(cells, table, place)
    if not games:
        return ()
    names, seats = table.columns[name_column], ("Home", "Away") if at_home else ("White", "Black")
    bare = [re.sub(rf"\A{k + 1}[.)]?\s+", "", name) for k, name in enumerate(names)]  # the number of the row before it
    names = names if any(map(str.__eq__, bare, names)) else bare
    rating = next((table.columns[k] for k, word in enumerate(plain) if word in RATINGS), [""] * count)
    rows = [(names[a], names[b], won, str(number or ""), rating[a], rating[b], "" if seated else "1")
            for a, b, won, number, seated in games]  # fmt: skip
    header = (*seats, "Result", "Round", "WhiteElo", "BlackElo", "neutral")
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    columns = {name: column for name, column in columns.items() if any(column)}
    table.header, table.columns = list(columns), list(columns.values())
    table.lines, table.odd = array("q", [table.lines[a] for a, *_ in games]), None
    unknown = "; the colours are unknown, so no first-move advantage can be estimated" if "neutral" in columns else ""
    return (f"a cross-table: {count_noun(len(games), 'game')} of {count} {'clubs' if at_home else 'players'}{unknown}",)


def _wins_of_square(table: CsvColumns, place: str) -> tuple[str, ...]:
    """Turn a square of counts of wins into rows of winners and losers, in place, and report it; empty if it is none."""
    rivals = table.header[1:]
    if not _LEAST <= len(rivals) == len({*rivals}) == len(table.lines):
        return ()
    names, *columns = ([cell.strip() for cell in column] for column in table.columns)
    if {*names} != {*rivals}:
        return ()
    cells = {(name, rival): cell for rival, column in zip(rivals, columns, strict=True)
             for name, cell in zip(names, column, strict=True) if not _NO_COUNT.fullmatch(cell)}  # fmt: skip
    outside = {pair: cell for pair, cell in cells.items() if pair[0] != pair[1]}
    if not outside or not all(map(_COUNT.fullmatch, cells.values())):
        return ()
    if len(outside) == len(cells) and all({*cell} <= {*"01"} for cell in outside.values()):
        return ()  # points
    counts = {pair: int(float(cell)) for pair, cell in outside.items()}
    if all(counts.get((b, a), 0) == count for (a, b), count in counts.items()):
        raise GameTableError(place, "wins of rows over columns", "a symmetric table, as of meetings or distances")
    line_of = dict(zip(names, table.lines, strict=True))
    rows = [(*pair, str(count), line_of[pair[0]]) for pair, count in counts.items() if count]
    *cells_of, lines = map(list, zip(*rows, strict=True))
    table.header, table.columns, table.lines = ["winner", "loser", "count"], cells_of, array("q", lines)
    idle = sum(float(cell) > 0 for cell in cells.values()) - len(rows)
    return (f"a square of counts among {count_noun(len(names), 'player')}, wins of the row over the column",
            *([f"not used: {count_noun(idle, 'number')} of the diagonal"] if idle else []))  # fmt: skip


def _games_by_players(cells: _Cells, table: CsvColumns, place: str) -> list[Game]:
    """Games of a square of points or goals; empty if no columns are one."""
    count = len(table.lines)
    for start in range(len(cells) - count + 1):
        square = cells[start : start + count]
        if not all(_EMPTY.fullmatch(square[k][k]) for k in range(count)):
            continue
        met = {(a, b): square[b][a] for a in range(count) for b in range(count) if a != b and square[b][a]}
        if met and len([*filter(_GOALS.fullmatch, met.values())]) >= _MOSTLY * len(met):
            twice = all(_NUMBERS(met.get((b, a), "")) == _NUMBERS(cell)[::-1] for (a, b), cell in met.items())
            return [Game(a, b, cell, 0, not twice) for (a, b), cell in met.items() if a < b or not twice]
        if met and any(all(map(form.fullmatch, met.values())) for form in _BOUTS):
            met = {pair: "1" if cell[0] in "vw" else "0" for pair, cell in met.items()}
        if met and all(_POINTS.fullmatch(cell) for cell in met.values()):
            halves = {key: [_HALVES[POINTS[sign]] for sign in re.findall(r"1/2|\S", cell)] for key, cell in met.items()}
            for (a, b), points in halves.items():
                if halves.get((b, a), mirror := [2 - half for half in points]) != mirror:
                    fault = f"{met[a, b]!r} and {met[b, a]!r} in line {table.lines[b]}"
                    raise GameTableError(f"{place}, line {table.lines[a]}", "the same result in both rows", fault)
            return [Game(a, b, _RESULTS[half], 0, False) for (a, b), points in halves.items() for half in points
                    if a < b or (b, a) not in halves]  # fmt: skip
    return []


def _games_by_rounds(cells: _Cells, table: CsvColumns, place: str) -> list[Game]:
    """The games of columns of opponents; empty without such columns."""
    count, odd = len(table.lines), None
    ids = [column for column in cells if all(map(str.isdecimal, column)) and len({*column}) == count]
    numberings = [{number: row for row, number in enumerate(numbers)}
                  for numbers in [*ids, [str(k + 1) for k in range(count)]]]  # fmt: skip
    for form in _ROUND:
        rounds = [[_met(form, cell) for cell in column] for column in cells]
        rounds = [column for column in rounds if 2 * (count - column.count(None)) >= count]
        try:
            if games := games_of_rounds([*zip(*rounds, strict=True)], numberings, "the same result in both rows",
                                        lambda row, _: f"{place}, line {table.lines[row]}"):  # fmt: skip
                return games
        except GameTableError as error:
            odd = odd or error
    if odd:
        raise odd
    return []


def _met(form: re.Pattern[str], cell: str) -> Met | None:
    """The opponent, the result and the seat in a cell of a round; None if it has no opponent."""
    match = form.fullmatch(cell)
    if match is None:
        return None
    points = match["points"] if form is _ROUND[0] and match["points"] in "+-" else POINTS[match["points"]]
    return Met(match["other"], points, {"w": "w", "b": "b", "s": "b"}.get(match["seat"], ""), repr(cell))
