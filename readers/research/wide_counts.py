"""Counts of wins, one row per pair: home.team, away.team, home.wins, away.wins; win1, win2, tied; wins, losses.

Each win and each tie is a separate game, in unknown order. (BradleyTerry2's `baseball`, `CEMS`, `springall` and
`countsToBinomial`; prefmod; EloRating.)
"""

from pathlib import Path

from halfpoint.models.games.compressed import read_text
from halfpoint.models.games.errors import GameTableError, count_noun
from halfpoint.models.games.plain_words import plain_word
from halfpoint.readers.csv_files import CsvColumns
from halfpoint.readers.first_rows import are_numbers, cells_of, rows_of
from halfpoint.readers.forms import Form, source_of_rows
from halfpoint.readers.sources import Source
from halfpoint.readers.words import WORDS, list_names

_SIDES = (
    ("home", "away"),
    ("1", "2"),
    ("a", "b"),
    ("white", "black"),
    ("first", "second"),
    ("left", "right"),
    ("i", "j"),
    ("x", "y"),
    ("player1", "player2"),
    ("team1", "team2"),
    ("p1", "p2"),
    ("item1", "item2"),
)
_WINS = {pattern.format(first): pattern.format(second) for first, second in _SIDES
         for pattern in ("{}wins", "wins{}", "{}win", "win{}", "nwins{}", "{}won", "won{}", "wins{}count",
                         "votes{}", "{}votes", "votesfor{}", "nvotes{}")}  # fmt: skip
_WINS |= {"wins": "losses", "win": "loss", "won": "lost", "nwins": "nlosses"}
_TIES = ("tied", "ties", "tie", "draws", "draw", "drawn", "ntied", "nties", "ndraws")
_PAIRS = (("player", "opponent"), ("row", "col"), ("team", "opponent"), ("i", "j"))
_MOST = 5_000_000  # games of a file


def _places(header: "tuple[str, ...] | list[str]") -> tuple[int, int, int, int, int | None] | None:
    """Columns of the two sides, their wins and the ties; None if a header has no such columns."""
    plain = [plain_word(name) for name in header]
    place = {word: k for k, word in reversed(list(enumerate(plain)))}
    wins = next(((place[a], place[b]) for a, b in _WINS.items() if a in place and b in place), None)
    seats = next(((place[a], place[b]) for a, b in _PAIRS if a in place and b in place), None)
    first, second = (next((place[word] for word in WORDS[side] if word in place), None) for side in ("white", "black"))
    if seats is None and first is not None and second is not None:
        seats = first, second
    if seats is None:
        ends = [
            (k, place[word[:-1] + "2"]) for word, k in place.items() if word[-1:] == "1" and word[:-1] + "2" in place
        ]
        seats = next((pair for pair in ends if not wins or pair[0] not in wins), None)
    results = {word for role in ("score", "winner", "white_goals", "margin") for word in (role, *WORDS.get(role, ()))}
    if seats is None or wins is None or set(seats) & set(wins) or results & set(plain):
        return None  # beside a result, wins are those of a season
    return *seats, *wins, next((place[word] for word in _TIES if word in place), None)


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
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, location)
    places = _places(table.header)
    assert places is not None
    first, second, *counted = places
    rows: list[tuple[str, str, str]] = []
    lines: list[int] = []
    empty = 0
    for line, row in cells_of(table):
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
    names = [table.header[k] for k in counted if k is not None]
    notes = [f"counts {' and '.join(names)}: {len(rows):,} games of {count_noun(len(table.lines), 'row')}, in no order"]
    notes += [f"{count_noun(empty, 'row')} without a game"] if empty else []
    unread_columns = [table.header[k] for k in range(len(table.header)) if k not in places]
    notes += [f"not used: {list_names(unread_columns)}"] if unread_columns else []
    plain = [plain_word(table.header[k]) for k in (first, second)]
    seats = [table.header[first], table.header[second]]
    seats_known = plain[0] in WORDS["white"] and plain[1] in WORDS["black"]
    return source_of_rows(
        [*(seats if seats_known else ("Player 1", "Player 2")), "Result"], rows, name, location, lines, sha256, notes
    )


WIDE_COUNTS = Form(recognises, columns)
