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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from halfpoint.models.games.compressed import decode, read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source

_HALVES = {"+": 2, "=": 1, "-": 0, "1": 2, "½": 1, "0": 0, "0.5": 1, "1/2": 1, "w": 2, "d": 1, "l": 0, "t": 1}
_RESULTS = ("0-1", "1/2-1/2", "1-0")
# a cell of a round in each form; `other` is empty for a bye or no game
_GO = r"(?P<other>\d+)(?P<points>[-+=?])(?:/(?P<seat>[wb])?h?(?P<handicap>\d)?)?(?P<forfeit>!?)"
_SIGN_FIRST = r"(?P<points>[-+=])(?P<seat>[WBwbNn]?) ?(?P<other>\d+)(?P<forfeit>[fF]?)"
_SEAT_FIRST = r"(?P<seat>[WB])(?P<points>[-+=])(?P<other>\d+)(?P<forfeit>[fF]?)"
_OTHER_FIRST = r"(?P<other>\d+) ?(?P<seat>[wbsWBS]) ?(?P<points>1/2|0\.5|[10½+=-])(?P<forfeit>[fF]?)"
_LETTER_FIRST = r"(?P<points>[WLDT]) *+(?P<seat>[wb]?) *(?P<other>\d+)(?: ?\(?(?P<late>[wb])\)?)?(?P<forfeit>[fF]?)"
_NONE = {
    "go": r"0[-+=]|--?",
    "sign": r"[-+=](?:BYE|bye|--+|00?|[FZHUfzhu])|0[BFZHUbfzhu]\w*|-{2,}|\*+|bye|BYE",
    "seat": r"[WB]?[-+=](?:BYE|bye|--+|00?)|-{2,}|\*+|bye|BYE",
    "other": r"-{2,}\w*|\*+|bye|spielfrei|[+=-]?bye|0{1,4}[wbs-]?[10½+=-]?|-[10½]|[-+=]|[-+]-[-+]",
    "letter": r"[HBUFXZ](?:[- ]*|---)|-{2,}|\*+|[HBUFXZ] *\d*|BYE|bye",
}
_FORMS = {
    form: (re.compile(rf"\A{cell}"), re.compile(rf"\A(?:{_NONE[form]})"))
    for form, cell in (
        ("go", _GO),
        ("sign", _SIGN_FIRST),
        ("seat", _SEAT_FIRST),
        ("other", _OTHER_FIRST),
        ("letter", _LETTER_FIRST),
    )
}
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


def _players_of(text: str) -> tuple[str, list[_Player]]:
    """Form of the rounds and the players of a text; empty if fewer than three lines of a form are players."""
    best: tuple[str, list[_Player]] = "", []
    lines = text.splitlines()
    for form, (cell, none) in _FORMS.items():
        players: list[_Player] = []
        for number, line in enumerate(lines, 1):
            parts = _barred(line, cell, none) if line.count("|") > 2 else _spaced(line, cell, none)
            if parts is not None:
                players.append(_Player(number, *parts))
            elif players and number == players[-1].line + 1 and line.count("|") > 2:
                _add_below(players[-1], line)
        if len(players) > len(best[1]):
            best = form, players
    rounds = max((len(player.rounds) for player in best[1]), default=0)
    met = sum(match is not None for player in best[1] for match in player.rounds)
    return best if len(best[1]) >= _LEAST_PLAYERS and rounds and 2 * met >= len(best[1]) else ("", [])


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
    line = re.sub(r"(?<=[WLDT])[ ]+(?=\d)", "", line.partition(";")[0].partition("|")[0])  # W  39
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
    return (
        tuple(filter(None, head.groups())),
        _name_of(before),
        "" if rating is None else rating[1],
        [cell.fullmatch(word) for word in rounds],
    )


def _name_of(text: str) -> str:
    """Name at the start of a text: up to a gap of two blanks, else up to a number, a rank or a code of letters."""
    wide = re.split(r"\s{2,}|\t", text.strip())[0]
    words = wide.split()
    end = next((k for k, word in enumerate(words) if k and re.match(r"\d", word)), len(words))
    return " ".join(words[: max(1, end)])


def _add_below(player: _Player, line: str) -> None:
    """Add the second line of a player: the rating before the event, and the colours of the rounds."""
    cells = [part.strip() for part in line.strip().strip("|").split("|")]
    if match := re.search(r"R: *(\d{3,4})", line):
        player.rating = match[1]
    seats = cells[-len(player.rounds) :]
    if all(seat in ("", "W", "B") for seat in seats):
        player.seats = seats


def recognises(path: str, head: bytes) -> bool:
    """True if a text has three lines of players with rounds in one form, and no header of a table of games."""
    if b"\0" in head[:1024] or head.lstrip()[:1] in b"{[<(" or head[:4] in (b"001 ", b"012 "):
        return False
    text = decode(head)
    if (
        text.count(",") > 3 * text.count("\n")
        or text.count("\t") > 2 * text.count("\n")
        or ";" in text.split("\n")[0][1:]
    ):
        return False  # cells of a CSV file, which has a reader
    return bool(_players_of("\n".join(text.splitlines()[:_SAMPLED_LINES]))[1])


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a cross-table in text."""
    text, sha256 = read_text(file)
    _, players = _players_of(text)
    rows, lines, notes = [], [], []
    numberings = [{player.numbers[-k]: row for row, player in enumerate(players)} for k in (1, 2)
                  if all(len(player.numbers) >= k for player in players)]  # fmt: skip
    numberings = [numbering for numbering in numberings if len(numbering) == len(players)]
    odd: GameTableError | None = None
    for row_of in [*numberings, {str(k + 1): k for k in range(len(players))}]:
        try:
            games = list(_games(players, row_of, location))
        except GameTableError as error:
            odd = odd or error
        else:
            break
    else:
        raise odd or GameTableError(location, "players with numbers of their own", "the same number twice")
    day = next((match[1] or match[2] for match in [_DAY.search(text)] if match), "")
    handicaps = idle = 0
    for first, second, result, round_, seated, handicap in games:
        idle += second < 0
        if second < 0:
            continue
        handicaps += bool(handicap) and result[0] in "01"
        white, black = players[first], players[second]
        rows.append(
            [
                white.name,
                black.name,
                result,
                str(round_),
                day,
                white.rating,
                black.rating,
                "" if seated else "1",
                handicap,
            ]
        )
        lines.append(white.line)
    notes.append(f"a cross-table in text: {count_noun(len(rows), 'game')} of {count_noun(len(players), 'player')}")
    notes += [f"set apart: {count_noun(idle, 'round')} of a player without an opponent (bye or absent)"] if idle else []
    unknown = sum(not game[4] for game in games if game[1] >= 0)
    notes += [f"who had White is not known of {count_noun(unknown, 'game')}: they are neutral"] if unknown else []
    notes += (
        [f"{count_noun(handicaps, 'game')} with handicap stones (column handicap), counted as even"]
        if handicaps
        else []
    )
    taken = {player.line for player in players}
    other_lines = sum(bool(line.strip(" -=_|")) and k not in taken for k, line in enumerate(text.splitlines(), 1))
    notes.append(f"not used: points and tie-breaks of players, and {count_noun(other_lines, 'other line')}")
    header = ["White", "Black", "Result", "Round", "Date", "WhiteElo", "BlackElo", "neutral", "handicap"]
    filled = [k for k in range(len(header)) if k < 3 or any(row[k] for row in rows)]
    cells = [[row[k] for k in filled] for row in rows]
    return source_of_rows([header[k] for k in filled], cells, name, location, lines, sha256, notes)


PLAYER_ROWS = Form(recognises, columns)


def _games(
    players: Sequence[_Player], row_of: Mapping[str, int], location: str
) -> Iterator[tuple[int, int, str, int, bool, str]]:
    """Yield White, Black (-1 without an opponent), result, round, True if the seats are known, and the handicap."""
    for row, player in enumerate(players):
        for round_, match in enumerate(player.rounds, 1):
            if match is None or match["other"].strip("0") == "":
                yield row, -1, "", round_, True, ""
                continue
            rival = row_of.get(match["other"], -1)
            reply = players[rival].rounds[round_ - 1] if rival >= 0 and len(players[rival].rounds) >= round_ else None
            place = f"{location}, line {player.line}, round {round_}"
            if reply is None or row_of.get(reply["other"]) != row or rival == row:
                raise GameTableError(place, "what both players tell", f"{match[0]!r} and {reply and reply[0]!r}")
            halves, opposite = _HALVES.get(match["points"].lower()), _HALVES.get(reply["points"].lower())
            forfeit = bool(match["forfeit"] or reply["forfeit"])
            if halves is not None and opposite is not None and halves + opposite != 2 and not (halves == opposite == 0):
                raise GameTableError(place, "what both players tell", f"{match[0]!r} and {reply[0]!r}")
            seat, their_seat = _seat(player, match, round_), _seat(players[rival], reply, round_)
            white = seat == "w" or (not seat and their_seat == "b")
            seats_known = bool(seat or their_seat) and seat != their_seat
            if (white and seats_known) or (not seats_known and row < rival):
                double = halves == opposite == 0
                result = "" if halves is None or double else _RESULTS[halves]
                if forfeit:
                    result = {"1-0": "+:-", "0-1": "-:+"}.get(result, "")
                yield row, rival, result, round_, seats_known, match.groupdict().get("handicap") or ""


def _seat(player: _Player, match: re.Match[str], round_: int) -> str:
    """Seat of a player in a round: w, b, or empty."""
    seat = (match.groupdict().get("seat") or match.groupdict().get("late") or "").lower()
    if not seat and len(player.seats) >= round_:
        seat = player.seats[round_ - 1].lower()
    return {"w": "w", "b": "b", "s": "b"}.get(seat, "")
