"""FIDE rating lists as published, and filling of missing ratings from them.

Lists are fixed-width text of every year since 2001, plain or compressed: the header line gives the columns. The rating
column is named after its month (JAN01, Mar11, SEP26) in lists of one kind of rating, and SRtng, the standard rating, in
combined lists, whose month is in the file's name. Source: ratings.fide.com/download_lists.phtml.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path

import numpy as np

from halfpoint.apps.workflows.beside.columns import unused_columns
from halfpoint.apps.workflows.beside.duplicates import ID_TAGS, ids_of, normalise_name
from halfpoint.models.games.compressed import ByteStream, check_text, decode, open_stream
from halfpoint.models.games.errors import GameTableError
from halfpoint.models.games.table import Floats, GameTable, Texts

_Wanted = Callable[[int, tuple[str, str]], bool]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_COLUMN = re.compile(rf"({'|'.join(_MONTHS)})(\d\d)", re.IGNORECASE)
_MONTH_IN_NAME = re.compile(rf"({'|'.join(_MONTHS)})(\d\d)(?!\d)|(20\d\d)[-_]?(0[1-9]|1[0-2])(?!\d)", re.IGNORECASE)
_RATING_COLUMN = "SRtng"
BLOCK_BYTES = 2**20
_LINE_LIMIT_BYTES = 2**16


@dataclass(eq=False)
class FideList:
    """Ratings of one month."""

    month: np.datetime64  # the list's month
    source: str  # the file
    # FIDE id to rating in Elo points; players without a rating are left out
    rating_elo: dict[int, float] = field(default_factory=dict)
    # name, as `normalise_name` writes it, to the ids of all players so called
    ids: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    note: str = ""  # the columns that are not used

    def read_player(self, identity: str, text: str, value: str, wanted: _Wanted | None) -> bool:
        """Keep a requested player, by name only if without a rating; return True if the cells belong to a player."""
        if not identity.isdecimal() or not (value == "" or value.isdecimal()) or int(value or 0) > 4000:
            return False
        number, name = int(identity), normalise_name(text)
        if wanted is None or wanted(number, name):
            self.ids.setdefault(name, []).append(number)
            if int(value or 0) > 0:
                self.rating_elo[number] = float(value)
        return True


def read_fide_list(path: str | Path, wanted: _Wanted | None = None) -> FideList:
    """The standard ratings of a FIDE list."""
    source = str(path)
    listed = FideList(np.datetime64("NaT", "M"), source)
    with open_stream(path) as stream:
        column = read_lines(stream, listed, wanted)
    listed.month = _month_of(column, source)
    if not listed.ids and wanted is None:
        raise GameTableError(source, "at least one player", "none")
    return listed


def _month_of(column: str, source: str) -> np.datetime64:
    """Month of the rating column, else of the file's name."""
    match = _MONTH_COLUMN.fullmatch(column) or _MONTH_IN_NAME.search(Path(source).name)
    if match is None:
        raise GameTableError(source, "a month in the header or the file's name", "none", "Call it list_2012-12.txt.")
    if match[1]:
        return np.datetime64(f"20{match[2]}-{_MONTHS.index(match[1].lower()) + 1:02d}", "M")
    return np.datetime64(f"{match[3]}-{match[4]}", "M")


def rows(stream: ByteStream) -> Iterator[tuple[int, str]]:
    """Yield the lines of a text with their numbers, without a copy."""
    carry, number = b"", 0
    while block := stream.read(BLOCK_BYTES):
        check_text(block, stream.source, number + 1)
        *lines, carry = (carry + block).split(b"\n")
        for row in lines:
            number += 1
            yield number, decode(row).rstrip("\r")
        if len(carry) > _LINE_LIMIT_BYTES:
            raise GameTableError(f"{stream.source}, line {number + 1}", "a line of a rating list", "64 KiB in one line")
    yield number + 1, decode(carry).rstrip("\r")


def read_lines(stream: ByteStream, listed: FideList, wanted: _Wanted | None) -> str:
    """Add the players of a fixed-width list; return the name of its rating column."""
    lines = ((number, row) for number, row in rows(stream) if row.strip())
    number, header = next(lines, (1, ""))
    columns = [(match.start(), match[0]) for match in re.finditer(r"ID[ _]number|\S+", header, re.IGNORECASE)]
    spans = {name: (start, end) for (start, name), (end, _) in pairwise([*columns, (10_000, "")])}
    rating = next((name for name in spans if name == _RATING_COLUMN or _MONTH_COLUMN.fullmatch(name)), None)
    names = {name.lower(): name for name in spans}
    if rating is None or "name" not in names or not columns[0][1].lower().startswith("id"):
        expected = f"the header of a FIDE list (ID Number, Name, {_RATING_COLUMN} or a month)"
        raise GameTableError(f"{stream.source}, line {number}", expected, repr(header[:80]))
    name_start, name_end = spans[names["name"]]
    rating_start, rating_end = spans[rating]
    for number, row in lines:
        identity, value = row[:name_start].strip(), row[rating_start:rating_end].strip()
        if not listed.read_player(identity, row[name_start:name_end].strip(), value, wanted):
            expected = "a FIDE id, a name and a rating in the columns of the header"
            raise GameTableError(f"{stream.source}, line {number}", expected, repr(row[:80]))
    listed.note = "".join(unused_columns(list(spans), [columns[0][1], names["name"], rating]))
    return rating


@dataclass(frozen=True, eq=False)
class Filled:
    """Table with ratings filled in, and the players without one."""

    games: GameTable  # the games; a rating that was there stays
    filled: int  # ratings filled in
    by_name: int  # how many of them by the name alone
    ambiguous: tuple[str, ...]  # players whose name fits several in a list; their ratings stay unknown
    missing: tuple[str, ...]  # players in no list that is old enough, or without a rating there


def read_lists(games: GameTable, paths: Iterable[str | Path]) -> list[FideList]:
    """Read FIDE lists, keeping players of the table only."""
    names = {normalise_name(name) for name in games.players.tolist()}
    numbers = {number for tag in ID_TAGS for number in ids_of(games, tag).tolist() if number}
    return [read_fide_list(path, lambda number, name: number in numbers or name in names) for path in paths]


def fill_ratings(games: GameTable, lists: Sequence[FideList]) -> Filled:
    """The table with unknown ratings filled from the latest list before the game.

    A player is found by the FIDE id (the covariates WhiteFideId and BlackFideId), else by a name that only one player
    of the list has.

    Parameters
    ----------
    games : GameTable
        Games with dates.
    lists : sequence of FideList
        The lists, in any order.

    Raises
    ------
    GameTableError
        If the table has no dates, or there is no list, or there are two lists of one month.
    """
    if games.date is None:
        raise GameTableError(games.source, "dates, to choose the list of the month", "none")
    ordered = sorted(lists, key=lambda listed: listed.month)
    months = np.array([listed.month for listed in ordered], dtype="datetime64[M]")
    if not lists or np.unique(months).size != months.size:
        raise GameTableError("rating lists", "one or more, each of its own month", f"months {months.tolist()}"[:80])
    chosen = np.searchsorted(months, games.date.astype("datetime64[M]"), side="right") - 1
    chosen[np.isnat(games.date)] = -1
    ambiguous: set[str] = set()
    missing: set[str] = set()
    counts = np.zeros(2, dtype=np.int64)

    def side(known_elo: Floats | None, names: Texts, tag: str) -> Floats:
        rating = np.full(len(games), np.nan) if known_elo is None else known_elo.copy()
        numbers = ids_of(games, tag)
        for game in np.flatnonzero(np.isnan(rating)).tolist():
            name, number = str(names[game]), int(numbers[game])
            if chosen[game] < 0:
                missing.add(name)
                continue
            listed = ordered[chosen[game]]
            by_name = number not in listed.rating_elo
            if by_name and number == 0:
                ids = listed.ids.get(normalise_name(name), [])
                if len(ids) > 1:
                    ambiguous.add(name)
                    continue
                number = ids[0] if ids else 0
            if number in listed.rating_elo:
                rating[game] = listed.rating_elo[number]
                counts[:] += (1, by_name)
            else:
                missing.add(name)
        return rating

    white = side(games.white_rating_elo, games.white_names, ID_TAGS[0])
    black = side(games.black_rating_elo, games.black_names, ID_TAGS[1])
    filled = replace(games, white_rating_elo=white, black_rating_elo=black)
    return Filled(filled, int(counts[0]), int(counts[1]), tuple(sorted(ambiguous)), tuple(sorted(missing)))
