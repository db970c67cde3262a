"""A cross-table in a spreadsheet as a table of games: each row is a player, cells contain opponents and results.

    by players   a square whose diagonal is empty: of points ("1", "½", a sign a game as in "1½", seats unknown), or of
                 goals ("2-1"), each the game at the row's home
    by rounds    "5w1", "5s½", or "+5", "=12", "W3": the opponent's number, the seat if given, the result

Numbers come from a column or from the order of the rows, whichever makes both players' rows agree on every game.
"""

import re
from array import array
from collections.abc import Iterator, Mapping, Sequence

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.words import PEOPLE, RATINGS, WORDS

_HALVES = {"1": 2, "+": 2, "w": 2, "=": 1, "½": 1, "1/2": 1, "d": 1, "0": 0, "-": 0, "l": 0}
_RESULTS = ("0-1", "1/2-1/2", "1-0")
_DECIMAL, _POINTS = re.compile(r"\b([01])[.,][05]\b"), re.compile(r"(?:(?:1/2|[10+=½-]) ?)+")
_EMPTY, _GOALS = re.compile(r"[x*#■—–\\-]*"), re.compile(r"\A\d+ ?[-–:] ?\d+")
_ROUND = (  # as pairing programs write it; with the result before the number; behind it
    re.compile(r"\A(?P<other>\d+) ?(?P<seat>[wbsn]) ?(?P<points>1/2|[10=½+-])"),
    re.compile(r"\A(?P<points>[-+=wld]) ?(?P<seat>[wbsn]?) ?(?P<other>\d+)"),
    re.compile(r"\A(?P<other>\d+)(?P<seat>)(?P<points>[-+=½])"),
)
_LEAST, _MOST = 3, 1000  # players
type _Cells = Sequence[Sequence[str]]  # of each column
type _Game = tuple[int, int, str, str]  # rows of White and Black, result, round


def cross_table_games(table: CsvColumns, place: str) -> tuple[str, ...]:
    """Turn a cross-table into rows of games, in place, and report it; any other table is unchanged."""
    plain, count = [plain_word(name) for name in table.header], len(table.lines)
    name_column = next((k for k, word in enumerate(plain) if word in PEOPLE), 0 if plain[:1] == [""] else None)
    if name_column is None or not _LEAST <= count <= _MOST or not {*WORDS["white"], *WORDS["loser"]}.isdisjoint(plain):
        return ()
    cells = [[_DECIMAL.sub(_one_sign, cell.strip().lower()) for cell in column] for column in table.columns]
    games, seats_known = _games_by_players(cells[name_column + 1 :], table, place), False
    at_home = bool(games) and games[0][2] not in _RESULTS
    if not games:
        games, seats_known = _games_by_rounds(cells, table, place)
    if not games:
        return ()
    names, seats = table.columns[name_column], ("Home", "Away") if at_home else ("White", "Black")
    rating = next((table.columns[k] for k, word in enumerate(plain) if word in RATINGS), [""] * count)
    neutral = "" if seats_known or at_home else "1"
    rows = [(names[a], names[b], won, number, rating[a], rating[b], neutral) for a, b, won, number in games]
    header = (*seats, "Result", "Round", "WhiteElo", "BlackElo", "neutral")
    columns = dict(zip(header, map(list, zip(*rows, strict=True)), strict=True))
    columns = {name: column for name, column in columns.items() if any(column)}
    table.header, table.columns, table.width = list(columns), list(columns.values()), len(columns)
    table.lines, table.odd = array("q", [table.lines[a] for a, *_ in games]), None
    unknown = "; the colours are unknown, so no first-move advantage can be estimated" if neutral else ""
    return (f"a cross-table: {count_noun(len(games), 'game')} of {count} {'clubs' if at_home else 'players'}{unknown}",)


def _one_sign(match: re.Match[str]) -> str:
    """A decimal as one sign: 1.0, 0.5 and 0,0 as 1, ½ and 0."""
    return "½" if match[0][2:] == "5" else match[1]


def _games_by_players(cells: _Cells, table: CsvColumns, place: str) -> list[_Game]:
    """Games of a square of points or goals; empty if no columns are one."""
    count = len(table.lines)
    for start in range(len(cells) - count + 1):
        square = cells[start : start + count]
        if not all(_EMPTY.fullmatch(square[k][k]) for k in range(count)):
            continue
        met = {(a, b): square[b][a] for a in range(count) for b in range(count) if a != b and square[b][a]}
        if met and all(_GOALS.fullmatch(cell) for cell in met.values()):
            return [(a, b, cell, "") for (a, b), cell in met.items()]
        if met and all(_POINTS.fullmatch(cell) for cell in met.values()):
            halves = {key: [_HALVES[sign] for sign in re.findall(r"1/2|\S", cell)] for key, cell in met.items()}
            for (a, b), points in halves.items():
                mirror_points = halves.get((b, a))
                if mirror_points is not None and [2 - half for half in points] != mirror_points:
                    fault = f"{met[a, b]!r} and {met[b, a]!r} in line {table.lines[b]}"
                    raise GameTableError(f"{place}, line {table.lines[a]}", "the same result in both rows", fault)
            return [(a, b, _RESULTS[half], "") for (a, b), points in halves.items() for half in points
                    if a < b or (b, a) not in halves]  # fmt: skip
    return []


def _games_by_rounds(cells: _Cells, table: CsvColumns, place: str) -> tuple[list[_Game], bool]:
    """The games of columns of opponents, and whether seats are known; empty without such columns."""
    count, odd = len(table.lines), None
    ids = [column for column in cells if all(map(str.isdecimal, column)) and len({*column}) == count]
    for form in _ROUND:
        rounds = [[form.fullmatch(cell) for cell in column] for column in cells]
        rounds = [column for column in rounds if 2 * sum(map(bool, column)) >= count]
        for numbers in [*ids, [str(k + 1) for k in range(count)]] if rounds else []:
            row_of = {number: row for row, number in enumerate(numbers)}
            try:
                games = [
                    game
                    for k, met in enumerate(rounds, 1)
                    for game in _games_of_round(met, row_of, k, form is _ROUND[0])
                ]
            except ValueError as error:
                row, *fault = error.args
                odd = odd or GameTableError(f"{place}, line {table.lines[row]}", "the same result in both rows", *fault)
            else:
                return games, any(match["seat"] for match in rounds[0] if match)
    if odd:
        raise odd
    return [], False


def _games_of_round(
    met: Sequence[re.Match[str] | None], row_of: Mapping[str, int], number: int, forfeits: bool
) -> Iterator[_Game]:
    """Yield the games of a round; `ValueError` (row, found) if two players disagree."""
    for row, match in enumerate(met):
        if match is None:
            continue
        opponent = row_of.get(match["other"], -1)
        reply = met[opponent] if opponent >= 0 else None
        total = 0 if reply is None else _HALVES[match["points"]] + _HALVES[reply["points"]]
        if reply is None or row_of.get(reply["other"]) != row or total not in (2, 0 if forfeits else 2):
            raise ValueError(
                row, f"{match[0]!r} in round {number}, and {reply and reply[0]!r} of player {match['other']}"
            )
        if match["seat"] == "w" or (reply["seat"] != "w" and row < opponent):
            result = _RESULTS[_HALVES[match["points"]]]
            if forfeits and match["points"] in "+-":
                result = f"{match['points']}:{reply['points']}"
            yield row, opponent, result, str(number)
