"""Cross-tables in text: a player's number, name, and per round the opponent's number, the result, and usually the seat.

    Vega, Swiss Manager    1  Adler, Ann  2250 GER  1.0  +W5  =B3  -W2        3w1  5b½
    EGF (.h9), OpenGotha   1 Adler Ann 3d UK Lon 2 20 5+/w2 3- 0=             AGA alike
    US Chess (MSA)         1 | ANN ADLER |1.0 |L   8|W   7|, with ratings and colours (|B    |W    |) in the next line
    WinTD, SwissSys        1. Adler, Ann   2250  W5  D3  L2  H---

Each game is in both players' lines: numbers come from a column or from the order of the lines, whichever makes both
lines agree. A bye, a forfeit and a round without an opponent are set apart. EGF: format of tournament tables,
europeangodatabase.eu.
"""

import re
from dataclasses import dataclass, field

from halfpoint.models.games.errors import count_noun
from halfpoint.models.games.packaged import packaged_table
from halfpoint.readers.forms import Rows, plain_text, set_aside, text_form, unknown_seats
from halfpoint.readers.rounds import POINTS, Met, games_of_rounds

_FORMS = [  # of a cell of a round, with an opponent and with none
    (re.compile(rf"\A{form['met']}"), re.compile(rf"\A(?:{form['none']})"))
    for form in packaged_table("readers.office", "rounds.toml").values()
]
_LEAST_PLAYERS, _SAMPLED_LINES = 3, 300
_RATING = re.compile(r"\b([5-9]\d\d|[12]\d{3})\b")
_DAY = re.compile(r"DT\[(\d{4}-\d\d-\d\d)|\b(\d{4}[-/.]\d\d[-/.]\d\d)\b")


type _Parts = tuple[tuple[str, ...], str, str, list[re.Match[str] | None]]  # numbers, name, rating, rounds


@dataclass
class _Player:
    """A player's line."""

    line: int
    numbers: tuple[str, ...]  # the numbers before the name: a place, a starting number, or both
    name: str
    rating: str
    rounds: list[re.Match[str] | None]  # None of a round without an opponent
    seats: list[str] = field(default_factory=list)  # by round, where a line below says them


def _players_of(text: str) -> list[_Player]:
    """The players of a text by the form with most; empty if fewer than three lines of a form are players."""
    best, lines = list[_Player](), text.splitlines()
    for cell, none in _FORMS:
        players: list[_Player] = []
        for number, line in enumerate(lines, 1):
            parts = _barred(line, cell, none) if line.count("|") > 2 else _spaced(line, cell, none)
            if parts is not None:
                players.append(_Player(number, *parts))
            elif players and number == players[-1].line + 1 and line.count("|") > 2:
                _add_below(players[-1], line)
        best = max(best, players, key=len)
    met = sum(match is not None for player in best for match in player.rounds)
    return best if len(best) >= _LEAST_PLAYERS and 2 * met >= len(best) else []


def _barred(line: str, cell: re.Pattern[str], none: re.Pattern[str]) -> _Parts | None:
    """The number, the name, the rating and the rounds of a line with bars."""
    cells = [part.strip() for part in line.strip().strip("|").split("|")]
    number = next((re.match(r"\d+", part) for part in cells if part), None)
    name = next((part for part in cells if re.search(r"[^\W\d_]{2}", part) and not cell.fullmatch(part)), "")
    rounds = [part for part in cells if cell.fullmatch(part) or none.fullmatch(part)]
    if number is None or not name or not any(map(cell.fullmatch, rounds)) or number[0] != cells[0]:
        return None
    return (number[0],), " ".join(name.split()), "", [cell.fullmatch(part) for part in rounds]


def _spaced(line: str, cell: re.Pattern[str], none: re.Pattern[str]) -> _Parts | None:
    """The number, the name, the rating and the rounds of a line with blanks."""
    player, _, behind = line.partition(";")[0].partition("|")
    line = player if any(map(cell.fullmatch, player.split())) else f"{player}  {behind}"
    line = re.sub(r"(?<!\S)([WLDTFX]) +(?=\d{1,3}(?!\d))", r"\1", line)  # W  39
    head = re.match(r"\A\s*(\d+)[.):]?\s+(?:(\d+)\s+)?(?:(?:GM|IM|FM|CM|WGM|WIM|WFM|WCM|NM)\s+)?(?=[^\W\d_])", line)
    if head is None:
        return None
    words = line[head.end() :].split()
    places = [k for k, word in enumerate(words) if cell.fullmatch(word)]
    if not places:
        return None
    first = places[0]
    while first and none.fullmatch(words[first - 1]) and not re.fullmatch(r"\d+", words[first - 1]):
        first -= 1
    rounds = [word for word in words[first:] if cell.fullmatch(word) or none.fullmatch(word)]
    before = line[head.end() :]
    before = before[: re.search(rf"(?<!\S){re.escape(words[first])}(?!\S)", before).start()]  # type: ignore[union-attr]
    rating = _RATING.search(before)
    numbers = tuple(filter(None, head.groups()))
    return numbers, _name_of(before), "" if rating is None else rating[1], [cell.fullmatch(word) for word in rounds]


def _name_of(text: str) -> str:
    """Name at the start of a text: up to a gap of two blanks, else up to a number, a rank or a code of letters."""
    words = re.split(r"\s{2,}|\t", text.strip())[0].split()
    end = next((k for k, word in enumerate(words) if k and re.match(r"\d", word)), len(words))
    return " ".join(words[: max(1, end)])


def _add_below(player: _Player, line: str) -> None:
    """Add the second line of a player: the rating before the event, and the colours of the rounds."""
    cells = [part.strip() for part in line.strip().strip("|").split("|")]
    if match := re.search(r"R: *(\d{3,4})", line):
        player.rating = match[1]
    seats = cells[-len(player.rounds) :]
    player.seats = seats if all(seat in ("", "W", "B") for seat in seats) else player.seats


def recognises(path: str, head: bytes) -> bool:
    """True if a text has three lines of players with rounds in one form, and no header of a table of games."""
    text = plain_text(head)
    end = text.count("\n")
    if text.count(",") > 3 * end or text.count("\t") > 2 * end or ";" in text.split("\n")[0][1:]:
        return False  # cells of a CSV file, which has a reader
    return bool(_players_of("\n".join(text.splitlines()[:_SAMPLED_LINES])))


def rows_of_text(text: str, location: str) -> Rows:
    """The games of a cross-table in text."""
    players = _players_of(text)
    numberings = [{player.numbers[-k]: row for row, player in enumerate(players)} for k in (1, 2)
                  if all(len(player.numbers) >= k for player in players)]  # fmt: skip
    numberings = [numbering for numbering in numberings if len(numbering) == len(players)]
    rounds = [[_met(player, match, k) for k, match in enumerate(player.rounds)] for player in players]
    numberings.append({str(k + 1): k for k in range(len(players))})
    games = games_of_rounds(rounds, numberings, "the same result from both players",
                            lambda row, number: f"{location}, line {players[row].line}, round {number}")  # fmt: skip
    day = next((match[1] or match[2] for match in [_DAY.search(text)] if match), "")
    rows = []
    for game in games:
        white, black, match = players[game.white], players[game.black], players[game.white].rounds[game.round - 1]
        stones = match.groupdict().get("handicap") if match else ""
        seat = "" if game.seated else "1"
        rows.append([white.name, black.name, game.result, game.round, day, white.rating, black.rating, seat, stones])
    idle, lines = sum(row.count(None) for row in rounds), {player.line for player in players}
    other_lines = sum(bool(line.strip(" -=_|")) and k not in lines for k, line in enumerate(text.splitlines(), 1))
    notes = [
        f"a cross-table in text: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}",
        set_aside(idle, "round", " of a player without an opponent (bye or absent)"),
        unknown_seats(sum(not game.seated for game in games)),
        f"not used: points and tie-breaks of players, and {count_noun(other_lines, 'other line')}",
    ]
    header = ["White", "Black", "Result", "Round", "Date", "WhiteElo", "BlackElo", "neutral", "handicap"]
    return Rows(header, rows, [players[game.white].line for game in games], notes)


PLAYER_ROWS = text_form(recognises, rows_of_text)


def _met(player: _Player, match: re.Match[str] | None, round_: int) -> Met | None:
    """The opponent, the result and the seat of a player in a round; None without an opponent."""
    if match is None or not match["other"].strip("0"):
        return None
    points = POINTS[match["points"].lower()]
    points = {"1": "+", "0": "-"}.get(points, "x") if match["forfeit"] else points
    groups = match.groupdict()
    seat = groups.get("seat") or groups.get("late") or (player.seats[round_ : round_ + 1] or [""])[0]
    return Met(match["other"], points, {"w": "w", "b": "b", "s": "b"}.get(seat.lower(), ""), repr(match[0]))
