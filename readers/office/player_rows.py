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
    one: (re.compile(rf"\A{cell}"), re.compile(rf"\A(?:{_NONE[one]})"))
    for one, cell in (
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
            found = _barred(line, cell, none) if line.count("|") > 2 else _spaced(line, cell, none)
            if found is not None:
                players.append(_Player(number, *found))
            elif players and number == players[-1].line + 1 and line.count("|") > 2:
                _add_below(players[-1], line)
        if len(players) > len(best[1]):
            best = form, players
    rounds = max((len(one.rounds) for one in best[1]), default=0)
    met = sum(one is not None for player in best[1] for one in player.rounds)
    return best if len(best[1]) >= _LEAST_PLAYERS and rounds and 2 * met >= len(best[1]) else ("", [])


def _barred(line: str, cell: re.Pattern[str], none: re.Pattern[str]) -> _Parts | None:
    """The number, the name, the rating and the rounds of a line with bars."""
    cells = [one.strip() for one in line.strip().strip("|").split("|")]
    number = next((re.match(r"\d+", one) for one in cells if one), None)
    name = next((one for one in cells if re.search(r"[^\W\d_]{2}", one) and not cell.fullmatch(one)), "")
    rounds = [one for one in cells if cell.fullmatch(one) or none.fullmatch(one)]
    if number is None or not name or not any(map(cell.fullmatch, rounds)) or number[0] != cells[0]:
        return None
    return (number[0],), " ".join(name.split()), "", [cell.fullmatch(one) for one in rounds]


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
        [cell.fullmatch(one) for one in rounds],
    )


def _name_of(text: str) -> str:
    """Name at the start of a text: up to a gap of two blanks, else up to a number, a rank or a code of letters."""
    wide = re.split(r"\s{2,}|\t", text.strip())[0]
    words = wide.split()
    end = next((k for k, word in enumerate(words) if k and re.match(r"\d", word)), len(words))
    return " ".join(words[: max(1, end)])


def _add_below(player: _Player, line: str) -> None:
    """Add the second line of a player: the rating before the event, and the colours of the rounds."""
    cells = [one.strip() for one in line.strip().strip("|").split("|")]
    if found := re.search(r"R: *(\d{3,4})", line):
        player.rating = found[1]
    seats = cells[-len(player.rounds) :]
    if all(one in ("", "W", "B") for one in seats):
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


def columns(file: str | Path, name: str, where: str) -> Source:
    """The games of a cross-table in text."""
    text, sha256 = read_text(file)
    _, players = _players_of(text)
    rows, lines, notes = [], [], []
    numberings = [{one.numbers[-k]: row for row, one in enumerate(players)} for k in (1, 2)
                  if all(len(one.numbers) >= k for one in players)]  # fmt: skip
    numberings = [one for one in numberings if len(one) == len(players)]
    odd: GameTableError | None = None
    for of in [*numberings, {str(k + 1): k for k in range(len(players))}]:
        try:
            games = list(_games(players, of, where))
        except GameTableError as error:
            odd = odd or error
        else:
            break
    else:
        raise odd or GameTableError(where, "players with numbers of their own", "the same number twice")
    day = next((found[1] or found[2] for found in [_DAY.search(text)] if found), "")
    handicaps = apart = 0
    for one, other, result, round_, seated, handicap in games:
        apart += other < 0
        if other < 0:
            continue
        handicaps += bool(handicap) and result[0] in "01"
        white, black = players[one], players[other]
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
    notes += (
        [f"set apart: {count_noun(apart, 'round')} of a player without an opponent (bye or absent)"] if apart else []
    )
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
    kept = [k for k in range(len(header)) if k < 3 or any(row[k] for row in rows)]
    cells = [[row[k] for k in kept] for row in rows]
    return source_of_rows([header[k] for k in kept], cells, name, where, lines, sha256, notes)


PLAYER_ROWS = Form(recognises, columns)


def _games(
    players: Sequence[_Player], row_of: Mapping[str, int], where: str
) -> Iterator[tuple[int, int, str, int, bool, str]]:
    """Yield White, Black (-1 without an opponent), result, round, True if the seats are known, and the handicap."""
    for row, player in enumerate(players):
        for round_, own in enumerate(player.rounds, 1):
            if own is None or own["other"].strip("0") == "":
                yield row, -1, "", round_, True, ""
                continue
            other = row_of.get(own["other"], -1)
            theirs = players[other].rounds[round_ - 1] if other >= 0 and len(players[other].rounds) >= round_ else None
            place = f"{where}, line {player.line}, round {round_}"
            if theirs is None or row_of.get(theirs["other"]) != row or other == row:
                raise GameTableError(place, "what both players tell", f"{own[0]!r} and {theirs and theirs[0]!r}")
            halves, others = _HALVES.get(own["points"].lower()), _HALVES.get(theirs["points"].lower())
            forfeit = bool(own["forfeit"] or theirs["forfeit"])
            if halves is not None and others is not None and halves + others != 2 and not (halves == others == 0):
                raise GameTableError(place, "what both players tell", f"{own[0]!r} and {theirs[0]!r}")
            seat, their_seat = _seat(player, own, round_), _seat(players[other], theirs, round_)
            white = seat == "w" or (not seat and their_seat == "b")
            known = bool(seat or their_seat) and seat != their_seat
            if (white and known) or (not known and row < other):
                double = halves == others == 0
                result = "" if halves is None or double else _RESULTS[halves]
                if forfeit:
                    result = {"1-0": "+:-", "0-1": "-:+"}.get(result, "")
                yield row, other, result, round_, known, own.groupdict().get("handicap") or ""


def _seat(player: _Player, own: re.Match[str], round_: int) -> str:
    """Seat of a player in a round: w, b, or empty."""
    told = (own.groupdict().get("seat") or own.groupdict().get("late") or "").lower()
    if not told and len(player.seats) >= round_:
        told = player.seats[round_ - 1].lower()
    return {"w": "w", "b": "b", "s": "b"}.get(told, "")
