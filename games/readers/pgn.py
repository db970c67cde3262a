"""Games from a PGN file of any size, from its headers alone, with what is no rated game set apart and counted.

Set apart: `unfinished` (the result ``*``), `bye` (a side is called so), `forfeit` (Termination or TimeControl say so,
or a win without a move in a file whose games have moves), `unnamed` (a side is ``?``), `time class` (none of those
asked for), and, on request, `faulty` (a result, date or rating that is none, or a player against themselves).
"""

import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.column_values import Values
from halfpoint.games.readers.compressed import open_stream
from halfpoint.games.readers.movetext import has_no_moves, moves_hash
from halfpoint.games.readers.pgn_scan import Progress, ScannedGame, scan_games
from halfpoint.games.readers.pgn_values import BYE, CACHE_LIMIT, NOBODY, UNFINISHED, TagCodes, TagTexts
from halfpoint.games.readers.time_control import CLASSES, UNKNOWN_CLASS, time_class
from halfpoint.games.table import GameTable

FORFEIT = re.compile(
    r"\bby (?:default|forfeit|walkover)\b|^(?:forfeit|unplayed|not played|walkover|no[ -]?show|default|\+/-|-/\+)",
    re.IGNORECASE,
)
ALL_CLASSES = (*CLASSES, UNKNOWN_CLASS)
SHOWN_LINES = 5


@dataclass(frozen=True, eq=False)
class PgnReading:
    """The games of a PGN file and what was set apart.

    Parameters
    ----------
    games : GameTable
        The games. Covariates: `time_class`, the tags asked for, and `moves` (a hash) on request.
    apart : mapping of str to int
        Reason to the number of games set apart for it.
    lines : mapping of str to tuple of int
        Reason to the lines of the first five of them.
    unknown_dates : int
        Games kept whose date lacks a part (NaT).
    """

    games: GameTable
    apart: Mapping[str, int]
    lines: Mapping[str, tuple[int, ...]]
    unknown_dates: int


def read_pgn_headers(
    path: str | Path,
    name: str | None = None,
    time_classes: Sequence[str] | None = None,
    tags: Sequence[str] = (),
    moves: bool = False,
    faulty: Literal["error", "apart"] = "error",
    keep_event: bool = True,
    progress: Progress | None = None,
    scored: bool = True,
) -> PgnReading:
    """Return the games of a PGN file from its headers.

    Parameters
    ----------
    path : str or Path
        PGN in UTF-8 or Windows-1252, plain or compressed with gzip, bzip2, Zstandard or zip.
    name : str, optional
        Name of the data set; the file's name if not given.
    time_classes : sequence of str, optional
        Keep only games of these classes: bullet, blitz, rapid, classical, unknown.
    tags : sequence of str
        Further tags to keep as covariates under their own names, such as Round or WhiteFideId.
    moves : bool
        Keep what duplicates are found by: the tag Round, and a hash of the movetext without comments (0 without a move)
        as the covariate `moves`.
    faulty : {"error", "apart"}
        Whether a game that breaks a rule is an error or is set apart.
    keep_event : bool
        Whether to keep the events' names (the largest column of a large file).
    progress : callable, optional
        Called with the bytes used and the size of the file as the reading goes on.
    scored : bool
        Whether to read scores; if not, unfinished games stay, and every game stands as a draw (games to come).

    Returns
    -------
    PgnReading

    Raises
    ------
    GameTableError
        If the file cannot be read or is not text, an argument is senseless, a game breaks a rule, or none is left.
    """
    asked = None if time_classes is None else frozenset(time_classes)
    if asked is not None and not asked <= set(ALL_CLASSES):
        raise GameTableError("time classes", f"some of {', '.join(ALL_CLASSES)}", str(sorted(asked)))
    if faulty not in ("error", "apart"):
        raise GameTableError("faulty", "error or apart", repr(faulty))
    kept = tuple(dict.fromkeys([*tags, "Round"] if moves else tags))
    collected = Collected(str(path), asked, kept, moves, faulty == "apart", keep_event)
    collected.scored = scored
    with open_stream(path) as stream:
        for game in scan_games(stream, progress):
            collected.add(game)
        sha256 = stream.hash.hexdigest()
    return collected.reading(name or Path(path).name, sha256)


class Collected:
    """Columns that grow a game at a time: numbers and codes of distinct texts, some 40 bytes a game."""

    def __init__(
        self, source: str, asked: frozenset[str] | None, tags: tuple[str, ...], moves: bool, lenient: bool, event: bool
    ) -> None:
        self.scored = True
        self.source, self.asked, self.moves, self.lenient, self.event = source, asked, moves, lenient, event
        self.values = TagCodes()
        self.further = {tag: TagTexts() for tag in tags}
        wanted = [*TagCodes.TAGS, *tags]
        self.tag = re.compile(
            rb'^\[(%s)[ \t]+"(.*)"\][ \t]*$' % b"|".join(map(re.escape, map(str.encode, wanted))), re.M
        )
        self.numbers = {key: array("d") for key in ("score", "white_rating_elo", "black_rating_elo")}
        self.codes = {key: array("i") for key in ("white", "black", "date", "event", "class", *self.further)}
        self.line, self.hash, self.still, self.won = array("q"), array("q"), array("b"), array("b")
        self.apart: Counter[str] = Counter()
        self.lines: dict[str, list[int]] = {}
        self.known: dict[tuple[bytes, bytes, bytes, bool], tuple[bool, int]] = {}

    def set_apart(self, reason: str, line: int) -> None:
        """Count a game that is not kept."""
        self.apart[reason] += 1
        if len(shown := self.lines.setdefault(reason, [])) < SHOWN_LINES:
            shown.append(line)

    def add(self, game: ScannedGame) -> None:
        """Keep a game, set it apart, or raise `GameTableError` for a fault."""
        tags: dict[bytes, bytes] = dict(self.tag.findall(game.headers))
        if not self.scored:
            tags[b"Result"] = b"1/2-1/2"
        if tags.get(b"Result", UNFINISHED) == UNFINISHED:
            self.set_apart("unfinished", game.line)
            return
        try:
            row = self.values.row(tags)
        except GameTableError as error:
            if not self.lenient:
                where = f"{self.source}, line {game.line}, column {error.where}"
                raise GameTableError(where, error.expected, error.found) from None
            self.set_apart("faulty", game.line)
            return
        white, black = row.white, row.black
        forfeited, kind = self.standing(tags)
        if BYE in (white, black):
            self.set_apart("bye", game.line)
        elif NOBODY in (white, black):
            self.set_apart("unnamed", game.line)
        elif forfeited:
            self.set_apart("forfeit", game.line)
        elif self.asked is not None and ALL_CLASSES[kind] not in self.asked:
            self.set_apart("time class", game.line)
        elif white == black and self.lenient:
            self.set_apart("faulty", game.line)
        else:
            for key, number in zip(self.numbers, (row.score, row.white_elo, row.black_elo), strict=True):
                self.numbers[key].append(number)
            event = self.values.events.code(tags.get(b"Event", b"")) if self.event else 0
            codes = (white, black, row.day, event, kind)
            for key, code in zip(("white", "black", "date", "event", "class"), codes, strict=True):
                self.codes[key].append(code)
            for tag, texts in self.further.items():
                self.codes[tag].append(texts.code(tags.get(tag.encode(), b"")))
            self.line.append(game.line)
            self.still.append(has_no_moves(game.movetext))
            self.won.append(row.score != 0.5)
            if self.moves:
                self.hash.append(moves_hash(game.movetext))

    def standing(self, tags: Mapping[bytes, bytes]) -> tuple[bool, int]:
        """Return whether a game was forfeited (a loss on time was not) and the index of its time class.

        Termination and TimeControl say the first, TimeControl and the event's words the second.
        """
        get = tags.get
        key = (
            get(b"TimeControl", b""),
            get(b"Termination", b""),
            get(b"Event", b""),
            b"lichess.org" in get(b"Site", b""),
        )
        known = self.known.get(key)
        if known is None:
            control, termination, event = (text.decode("latin-1").strip() for text in key[:3])
            forfeited = bool(FORFEIT.search(control) or FORFEIT.search(termination))
            kind = time_class(control, event, "lichess" if key[3] else "fide")
            known = (forfeited, ALL_CLASSES.index(kind))
            if len(self.known) < CACHE_LIMIT:
                self.known[key] = known
        return known

    def reading(self, name: str, sha256: str) -> PgnReading:
        """Return what was collected as a table and counts."""
        still, won = np.array(self.still, dtype=bool), np.array(self.won, dtype=bool)
        headers_only = bool(still.all())  # then a game without moves tells nothing
        played = ~(still & won) | headers_only
        line = np.array(self.line, dtype=np.int64)
        for number in line[~played]:
            self.set_apart("forfeit", int(number))
        if not played.any():
            shown = ", ".join(f"{count} {reason}" for reason, count in self.apart.items()) or "none"
            raise GameTableError(self.source, "at least one finished game", shown)
        # Views of the growing columns, not copies: they are the largest thing in memory.
        rows: slice | npt.NDArray[np.bool_] = slice(None) if played.all() else played
        columns = {key: np.frombuffer(values, dtype=np.float64)[rows] for key, values in self.numbers.items()}
        codes = {key: np.frombuffer(values, dtype=np.int32)[rows] for key, values in self.codes.items()}
        players, white, black = self.values.players.sorted(codes["white"], codes["black"])
        classes = np.array(ALL_CLASSES)
        covariates: dict[str, Values] = {"time_class": classes[codes["class"]]}
        covariates |= {tag: texts.array()[codes[tag]] for tag, texts in self.further.items()}
        if self.moves:
            covariates["moves"] = np.frombuffer(self.hash, dtype=np.int64)[rows]
        date = self.values.days(codes["date"])
        games = GameTable(
            players,
            white,
            black,
            columns["score"],
            date=date,
            white_rating_elo=columns["white_rating_elo"],
            black_rating_elo=columns["black_rating_elo"],
            event=self.values.events.array()[codes["event"]] if self.event else None,
            covariates=covariates,
            line=line[rows],
            name=name,
            source=self.source,
            sha256=sha256,
        )
        lines = {reason: tuple(shown) for reason, shown in self.lines.items()}
        return PgnReading(games, dict(self.apart), lines, int(np.isnat(date).sum()))
