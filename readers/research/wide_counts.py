"""Counts of wins, one row per pair: home.team, away.team, home.wins, away.wins; win1, win2, tied; wins, losses.

Each win and each tie is a separate game, in unknown order. (BradleyTerry2's `baseball`, `CEMS`, `springall` and
`countsToBinomial`; prefmod; EloRating.)
"""

from collections.abc import Sequence
from pathlib import Path

from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import words_in
from halfpoint.readers.first_rows import are_numbers, place_of, read_sheet, rows_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import WORDS

_COUNTS = words_in("readers.research")
_PAIRS, _SIDES = ([word.split("-") for word in _COUNTS[role]] for role in ("seats_of_counts", "sides_of_counts"))
_WINS = {form.replace("*", first): form.replace("*", second)
         for form in _COUNTS["wins_of_side"] for first, second in _SIDES}  # fmt: skip
_WINS |= {"wins": "losses", "win": "loss", "won": "lost", "nwins": "nlosses"}
_MOST = 5_000_000  # games of a file


def _places(header: Sequence[str]) -> tuple[int, int, int, int, int | None] | None:
    """Columns of the two sides, their wins and the ties; None if a header has no such columns."""
    plain = [plain_word(name) for name in header]
    place = {word: k for k, word in reversed(list(enumerate(plain)))}
    wins = next(((place[a], place[b]) for a, b in _WINS.items() if a in place and b in place), None)
    seats = next(((place[a], place[b]) for a, b in _PAIRS if a in place and b in place), None)
    first, second = (place_of(WORDS[side], plain) for side in ("white", "black"))
    if seats is None and first is not None and second is not None:
        seats = first, second
    if seats is None:
        second_of = {k: place.get(f"{word[:-1]}2") for word, k in place.items() if word.endswith("1")}
        seats = next(((a, b) for a, b in second_of.items() if b is not None and a not in (wins or ())), None)
    results = {word for role in ("score", "winner", "white_goals", "margin") for word in (role, *WORDS.get(role, ()))}
    if seats is None or wins is None or set(seats) & set(wins) or results & set(plain):
        return None  # beside a result, wins are those of a season
    return *seats, *wins, place_of(_COUNTS["ties"], plain)


def recognises(path: str, head: bytes) -> bool:
    """True if a table has two sides and whole numbers of wins for each, at least one above 1."""
    rows = rows_of(head)
    places = _places(rows[0]) if len(rows) > 1 else None
    if places is None or any(len(row) != len(rows[0]) for row in rows):
        return False
    counts = [row[k] for row in rows[1:] for k in places[2:] if k is not None]
    seats = [row[k] for row in rows[1:] for k in places[:2]]
    are_whole = are_numbers(counts) and all(float(cell or 0) == int(float(cell or 0)) >= 0 for cell in counts)
    return are_whole and max(float(cell or 0) for cell in counts) > 1 and all(seats)


def columns(file: str | Path, name: str, location: str) -> Source:
    """The games of a file of counts."""
    sheet = read_sheet(file, location)
    places = _places(sheet.header)
    assert places is not None
    first, second, *counted = places
    rows: list[tuple[str, str, str]] = []
    lines: list[int] = []
    empty = 0
    for line, row in sheet.rows:
        try:
            counts = [0 if k is None else int(float(row[k] or 0)) for k in counted]
        except ValueError:
            cells = ", ".join(repr(row[k]) for k in counted if k is not None)
            raise GameTableError(f"{location}, line {line}", "whole numbers of wins", cells) from None
        empty += not sum(counts)
        if len(rows) + sum(counts) > _MOST or min(counts) < 0:
            raise GameTableError(f"{location}, line {line}", f"counts that are at most {_MOST:,} games", str(counts))
        for result, count in zip(("1-0", "0-1", "1/2-1/2"), counts, strict=True):
            rows += [(row[first], row[second], result)] * count
            lines += [line] * count
    names = " and ".join(sheet.header[k] for k in counted if k is not None)
    notes = [f"counts {names}: {len(rows):,} games of {count_noun(len(sheet.rows), 'row')}, in no order"]
    notes += [f"{count_noun(empty, 'row')} without a game"] if empty else []
    notes.append(sheet.not_used(places))
    seats = [sheet.header[first], sheet.header[second]]
    if sheet.plain[first] not in WORDS["white"] or sheet.plain[second] not in WORDS["black"]:
        seats = ["Player 1", "Player 2"]
    return source_of_rows([*seats, "Result"], rows, name, location, lines, sheet.sha256, notes)


WIDE_COUNTS = Form(recognises, columns)
