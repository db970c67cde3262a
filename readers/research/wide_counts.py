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
_WINS = {pattern.format(one): pattern.format(other) for one, other in _SIDES
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
    wins = next(((place[one], place[two]) for one, two in _WINS.items() if one in place and two in place), None)
    seats = next(((place[one], place[two]) for one, two in _PAIRS if one in place and two in place), None)
    first, second = (next((place[word] for word in WORDS[one] if word in place), None) for one in ("white", "black"))
    if seats is None and first is not None and second is not None:
        seats = first, second
    if seats is None:
        ends = [
            (k, place[word[:-1] + "2"]) for word, k in place.items() if word[-1:] == "1" and word[:-1] + "2" in place
        ]
        seats = next((pair for pair in ends if not wins or pair[0] not in wins), None)
    told = {word for one in ("score", "winner", "white_goals", "margin") for word in (one, *WORDS.get(one, ()))}
    if seats is None or wins is None or set(seats) & set(wins) or told & set(plain):
        return None  # beside a result, wins are those of a season
    return *seats, *wins, next((place[word] for word in _TIES if word in place), None)


def recognises(path: str, head: bytes) -> bool:
    """True if a table has two sides and whole numbers of wins for each, at least one above 1."""
    rows = rows_of(head)
    places = _places(rows[0]) if len(rows) > 1 else None
    if places is None or any(len(row) != len(rows[0]) for row in rows):
        return False
    told = [row[k] for row in rows[1:] for k in places[2:] if k is not None]
    seats = [row[k] for row in rows[1:] for k in places[:2]]
    whole = are_numbers(told) and all(float(cell or 0) == int(float(cell or 0)) >= 0 for cell in told)
    return whole and max(float(cell or 0) for cell in told) > 1 and all(seats)


def columns(file: str | Path, name: str, where: str) -> Source:
    """The games of a file of counts."""
    text, sha256 = read_text(file)
    table = CsvColumns.whole(text, where)
    places = _places(table.header)
    assert places is not None
    one, two, *counted = places
    rows: list[tuple[str, str, str]] = []
    lines: list[int] = []
    empty = 0
    for line, row in cells_of(table):
        try:
            counts = [0 if k is None else int(float(row[k] or 0)) for k in counted]
        except ValueError:
            found = ", ".join(repr(row[k]) for k in counted if k is not None)
            raise GameTableError(f"{where}, line {line}", "whole numbers of wins", found) from None
        empty += not sum(counts)
        if len(rows) + sum(counts) > _MOST or min(counts) < 0:
            raise GameTableError(f"{where}, line {line}", f"counts that are at most {_MOST:,} games", str(counts))
        for result, count in zip(("1-0", "0-1", "1/2-1/2"), counts, strict=True):
            rows += [(row[one], row[two], result)] * count
            lines += [line] * count
    names = [table.header[k] for k in counted if k is not None]
    notes = [f"counts {' and '.join(names)}: {len(rows):,} games of {count_noun(len(table.lines), 'row')}, in no order"]
    notes += [f"{count_noun(empty, 'row')} without a game"] if empty else []
    rest = [table.header[k] for k in range(len(table.header)) if k not in places]
    notes += [f"not used: {list_names(rest)}"] if rest else []
    plain = [plain_word(table.header[k]) for k in (one, two)]
    seats = [table.header[one], table.header[two]]
    known = plain[0] in WORDS["white"] and plain[1] in WORDS["black"]
    return source_of_rows(
        [*(seats if known else ("Player 1", "Player 2")), "Result"], rows, name, where, lines, sha256, notes
    )


WIDE_COUNTS = Form(recognises, columns)
