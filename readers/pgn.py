"""Games from a PGN file of any size, from headers alone; unrated games are set apart and counted.

Set apart: `unfinished` (the result ``*``), `bye` (a side is called so), `forfeit` (by Termination or TimeControl, or a
win without a move in a file whose games have moves), `unnamed` (a side is ``?``), `time class` (not requested), and, on
request, `faulty` (an invalid result, date or rating, or a player against themselves).
"""

import math
import re
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compressed import decode, open_stream
from halfpoint.models.games.encodings import note_on
from halfpoint.models.games.errors import GameTableError, count_noun, printable
from halfpoint.models.games.keywords import passed_keywords
from halfpoint.models.games.periods import CLOCK
from halfpoint.models.games.ranges import require_word
from halfpoint.models.games.table import Codes, GameTable, Texts
from halfpoint.models.games.time_classes import CLASSES, EVIDENCE, TOLD_BY, UNKNOWN_CLASS, class_and_evidence, venue
from halfpoint.readers import pgn_scan
from halfpoint.readers.column_values import Values
from halfpoint.readers.options import FAULTY
from halfpoint.readers.pgn_scan import Cells, Progress, Scanned
from halfpoint.readers.pgn_values import FAULT, SIMULATED, UNFINISHED, Known, PlayerCodes, TagCodes, TagTexts
from halfpoint.readers.set_apart import SHOWN_LINES, add_advice, apart_in_words, odd_rows_allowed

_FORFEIT = re.compile(r"(?i)\bby (?:default|forfeit|walkover)\b|"
                      r"^(?:forfeit|unplayed|not played|walkover|no[ -]?show|default|\+/-|-/\+)")  # fmt: skip
_AT_END = re.compile(rb"(?<!\S)(1-0|0-1|1/2-1/2|\*)\s*\Z")
_ALL_CLASSES = (*CLASSES, UNKNOWN_CLASS)
_TAGS = (b"White", b"Black", b"WhiteElo", b"BlackElo", b"Event", b"TimeControl", b"Termination", b"Site", b"Date",
         b"Time", b"UTCTime")  # fmt: skip
_IN_A_GAME = re.compile(r", line \d+, column \w+$")


@dataclass(frozen=True, eq=False)
class PgnReading:
    """The games of a PGN file and the games set apart."""

    # the games. Covariates: `time_class` and `time_class_by` (its evidence), `clock` (seconds since midnight, of Time
    # or UTCTime) where a game has one, the tags asked for, and `moves` (a hash) on request.
    games: GameTable
    apart: Mapping[str, int]  # reason to the number of games set apart for it
    lines: Mapping[str, tuple[int, ...]]  # reason to the lines of the first five of them
    unknown_dates: int  # games kept whose date lacks a part (NaT)


@dataclass(frozen=True)
class PgnOptions:
    """Options of reading a PGN file."""

    #: keep only games of these classes: bullet, blitz, rapid, online, classical, unknown
    time_classes: Sequence[str] | None = None
    tags: Sequence[str] = ()  #: further tags to keep as covariates under their own names, such as Round or WhiteFideId
    #: keep what duplicates are found by: the tag Round, and a hash of the movetext without comments (0 without a move)
    #: as the covariate `moves`
    moves: bool = False
    faulty: str = "error"  #: whether a game that breaks a rule is an error or is set apart
    keep_event: bool = True  #: whether to keep the events' names (the largest column of a large file)
    #: whether to read scores; if not, unfinished games stay, and every game counts as a draw (games to come)
    scored: bool = True

    def __post_init__(self) -> None:
        if self.time_classes is not None and not set(self.time_classes) <= set(_ALL_CLASSES):
            raise GameTableError("time classes", f"some of {', '.join(_ALL_CLASSES)}", str(sorted(self.time_classes)))
        require_word("--faulty", self.faulty, FAULTY, GameTableError)

    @property
    def kept(self) -> tuple[str, ...]:
        """Tags kept as covariates."""
        return tuple(dict.fromkeys([*self.tags, "Round"] if self.moves else self.tags))


def read_pgn_headers(
    path: str | Path, name: str | None = None, progress: Progress | None = None, *,
    time_classes: Sequence[str] | None = None, tags: Sequence[str] = (), moves: bool = False, faulty: str = "error",
    keep_event: bool = True, scored: bool = True,
) -> PgnReading:  # fmt: skip
    """The games of a PGN file from its headers.

    Parameters
    ----------
    path : str or Path
        PGN in UTF-8 or Windows-1252, plain or compressed with gzip, bzip2, Zstandard or zip.
    name : str, optional
        Name of the data set; the file's name if not given.
    progress : callable, optional
        Called with the bytes read so far and the size of the file.
    time_classes, tags, moves, faulty, keep_event, scored
        Options of reading (`PgnOptions`: time_classes, tags, moves, faulty, keep_event, scored).

    Raises
    ------
    GameTableError
        If the file cannot be read or is not text, an argument is invalid, a game breaks a rule, or no game is left.
    """
    collected = _Collected(str(path), PgnOptions(**passed_keywords(read_pgn_headers, locals())))
    try:
        with open_stream(path) as stream:
            for block in pgn_scan.scan_games(stream, progress):
                collected.add(block)
            sha256, collected.encoding = stream.hash.hexdigest(), stream.encoding
        return collected.reading(name or printable(Path(path).name), sha256)
    except GameTableError as error:
        raise (error if faulty == "apart" or not _IN_A_GAME.search(error.where) else add_advice(error)) from None


def read_pgn(
    path: str | Path, *, time_classes: Sequence[str] | None = None, tags: Sequence[str] = (), moves: bool = False,
    faulty: str = "error", keep_event: bool = True, scored: bool = True,
) -> GameTable:  # fmt: skip
    """The games of a PGN file; options as in `read_pgn_headers`."""
    return read_pgn_headers(path, **passed_keywords(read_pgn, locals())).games


def _standing(key: tuple[bytes, bytes, bytes, str]) -> int:
    """Time class of a game, its source, and forfeits (not losses on time), as one number.

    `key` has TimeControl and Termination, which mark forfeits, the event, whose name gives the class if TimeControl
    does not, and the venue.
    """
    control, termination, event = (text.decode("latin-1").strip() for text in key[:3])
    forfeited = bool(_FORFEIT.search(control) or _FORFEIT.search(termination))
    kind, by = class_and_evidence(control, event, key[3])
    return 2 * (len(EVIDENCE) * _ALL_CLASSES.index(kind) + EVIDENCE.index(by)) + forfeited


class _Collected:
    """Columns that grow a block at a time: numbers and codes of distinct texts, some 40 bytes a game."""

    def __init__(self, source: str, options: PgnOptions) -> None:
        self.source, self.asked, self.simulated = source, options, False
        self.values, self.players = TagCodes(), PlayerCodes()
        self.further = {tag: TagTexts() for tag in (*["Event"] * options.keep_event, *options.kept)}
        self.wanted = dict.fromkeys([*_TAGS, b"Result", b"UTCDate", *map(str.encode, self.further)])
        self.numbers = {key: array("d") for key in ("score", "white_rating_elo", "black_rating_elo", CLOCK)}
        self.codes = {key: array("i") for key in ("white", "black", "date", "class", *self.further)}
        self.line, self.hash, self.still, self.won = array("q"), array("q"), array("b"), array("b")
        self.apart: Counter[str] = Counter()
        self.fault: GameTableError | None = None  # the first
        self.by_moves, self.allowed, self.encoding = 0, 0.0, "utf-8"
        self.lines: dict[str, list[int]] = {}
        self.standing = Known(_standing, 0)
        self.venue_of: Known[bytes, str] = Known(lambda raw: venue(raw.decode("latin-1")), "")

    def set_apart(self, reason: str, lines: npt.NDArray[np.int64]) -> None:
        """Count excluded games, by the lines they begin at."""
        self.apart[reason] += lines.size
        shown = self.lines.setdefault(reason, [])
        shown += lines[: SHOWN_LINES - len(shown)].tolist()

    def results(self, block: Scanned, cells: Cells) -> list[bytes]:
        """Results of a block; for games without the tag, the results at the end of their moves."""
        results = cells.of(b"Result")
        for game in np.flatnonzero(~cells.there(b"Result")).tolist():
            end = int(block.end[game])
            match = _AT_END.search(block.text, max(int(block.headers_end[game]), end - 200), end)
            results[game] = match[1] if match else UNFINISHED
            self.by_moves += match is not None and match[1] != UNFINISHED
        return results

    def notes(self, undated: int) -> tuple[str, ...]:
        """Report of changes to the games during reading, a line each."""
        notes = [*note_on(self.encoding)]
        for reason, count in sorted(self.apart.items()):
            fault = self.fault.found if reason == "faulty" and self.fault else ""
            notes.append(apart_in_words(self.lines.get(reason, []), "line", reason, fault, count))
        if self.by_moves:
            notes.append(f"results: {count_noun(self.by_moves, 'game')} without the tag, by the end of their moves")
        return (*notes, *([f"dates: {count_noun(undated, 'game')} without a complete date"] if undated else []))

    def add(self, block: Scanned) -> None:
        """Keep each game of a block, set it apart, or raise `GameTableError` for the first fault."""
        with_ids = PlayerCodes.IN_A_BLOCK in block.text
        cells = Cells(block, list(self.wanted | dict.fromkeys(PlayerCodes.ID_TAGS if with_ids else ())))
        if block.begin.size:  # the first game of a block speaks for the others
            self.simulated |= f'[{SIMULATED} "'.encode() in block.text[int(block.begin[0]) : int(block.headers_end[0])]
        results = self.results(block, cells) if self.asked.scored else [b"1/2-1/2"] * len(block.begin)
        games = np.flatnonzero(np.fromiter((raw != UNFINISHED for raw in results), dtype=bool, count=len(results)))
        game_of, tags = games.tolist(), [cells.of(tag, games) for tag in _TAGS]
        white, black, white_elo, black_elo, event, control, ended, site, date, local, universal = tags
        for k, raw in enumerate(date):
            if (not raw or b"?" in raw) and cells.there(b"UTCDate")[game_of[k]]:
                date[k] = cells.one(b"UTCDate", game_of[k])
        time = [utc if not clock or b"?" in clock else clock for clock, utc in zip(local, universal, strict=True)]
        result = [results[game] for game in game_of]
        values, whites, blacks = self.values, white, black
        if with_ids:
            numbers = [cells.of(tag, games) for tag in PlayerCodes.ID_TAGS]
            whites, blacks = map(PlayerCodes.with_id, (white, black), numbers)
        codes = self.players.codes.of([*whites, *blacks], np.int32).reshape(2, -1)
        elos = values.rating_of.of([*white_elo, *black_elo]).reshape(2, -1)
        score, day = values.score_of.of(result), values.day_of.of(date, np.int32)
        faulty = (codes == FAULT).any(axis=0) | np.isinf([score, *elos]).any(axis=0) | (day == TagCodes.FAULTY_DAY)
        line = block.line[games]
        faulty |= np.isin(games, list(cells.twice))
        themselves = (codes[0] == codes[1]) & (codes[0] >= 0)
        if self.fault is None and (faulty | themselves).any():
            at = int(np.argmax(faulty | themselves))
            try:
                if (tag := cells.twice.get(game_of[at])) is not None:
                    raise GameTableError(tag.decode(), "one value", "the tag twice with two values")
                self.players.code(whites[at])
                self.players.code(blacks[at])
                values.score(result[at])
                values.rating(white_elo[at], "WhiteElo")
                values.rating(black_elo[at], "BlackElo")
                values.day(date[at])
                raise GameTableError("black", "two different players", repr(decode(white[at])))
            except GameTableError as error:
                place = f"{self.source}, line {line[at]}, column {error.where}"
                self.fault = GameTableError(place, error.expected, error.found)
        venues = map(self.venue_of.__getitem__, site)
        state = self.standing.of(list(zip(control, ended, event, venues, strict=True)), np.int64)
        code, forfeited = state >> 1, state & 1 == 1
        kind = code // len(EVIDENCE)
        classes = self.asked.time_classes
        chosen = np.array([classes is None or name in classes for name in _ALL_CLASSES])
        reasons = {
            "faulty": faulty,
            "bye": (codes == PlayerCodes.BYE).any(axis=0),
            "unnamed": (codes == PlayerCodes.NOBODY).any(axis=0),
            "forfeit": forfeited | (score == TagCodes.FORFEITED),
            "not played": score == TagCodes.NOT_PLAYED,
            "time class": ~chosen[kind],
            "against themselves": themselves,
        }
        reason = np.full(len(results), len(reasons) + 1)
        reason[games] = np.select(list(reasons.values()), range(1, len(reasons) + 1), 0)
        reasons_met, first = np.unique(reason, return_index=True)
        for number in reasons_met[np.argsort(first)].tolist():
            if number:
                name = ["", *reasons, "unfinished"][number]
                self.set_apart("faulty" if name == "against themselves" else name, block.line[reason == number])
        index = np.flatnonzero(reason[games] == 0)
        for key, column in zip(self.numbers, (score, *elos, values.clock_of.of(time)), strict=True):
            self.numbers[key].frombytes(column[index].tobytes())
        kept = [texts.codes.of(cells.of(tag.encode(), games[index]), np.int32) for tag, texts in self.further.items()]
        for key, coded in zip(self.codes, (*codes[:, index], day[index], code[index], *kept), strict=True):
            self.codes[key].frombytes(np.asarray(coded, dtype=np.int32).tobytes())
        self.line.frombytes(line[index].tobytes())
        self.won.frombytes((score[index] != 0.5).astype(np.int8).tobytes())
        text, spans = block.text, (block.headers_end[games[index]].tolist(), block.end[games[index]].tolist())
        short = pgn_scan.NO_TEXT_BYTES
        self.still.extend(b - a < short and pgn_scan.has_no_moves(text[a:b]) for a, b in zip(*spans, strict=True))
        if self.asked.moves:
            self.hash.extend(pgn_scan.moves_hash(text[a:b]) for a, b in zip(*spans, strict=True))

    def refuse_themselves(self, players: Texts, white: Codes, line: Values, differ: Values) -> None:
        """Set apart the games of two spellings of one player, or raise `GameTableError` if they are too many."""
        first = int(np.argmin(differ))
        self.set_apart("faulty", line[~differ])
        if self.fault is None:
            fault = f"two spellings of {str(players[white[first]])!r}"
            place = f"{self.source}, line {line[first]}, column Black"
            self.fault = GameTableError(place, "two different players", fault)
        if not differ.any() or self.apart["faulty"] > self.allowed:
            raise self.fault

    def reading(self, name: str, sha256: str) -> PgnReading:
        """Table of the collected games, and counts."""
        count = len(self.line) + self.apart.total()
        self.allowed = math.inf if self.asked.faulty == "apart" else odd_rows_allowed(count, "error")
        if self.fault is not None and self.apart["faulty"] > self.allowed:
            raise self.fault
        still, won = np.array(self.still, dtype=bool), np.array(self.won, dtype=bool)
        played = ~(still & won) | bool(still.all())  # in a file of headers alone missing moves are uninformative
        line = np.array(self.line, dtype=np.int64)
        if not played.all():
            self.set_apart("forfeit", line[~played])
        if not played.any():
            shown = ", ".join(f"{count} {reason}" for reason, count in self.apart.items()) or "none"
            raise GameTableError(self.source, "at least one finished game", shown)
        # Views of the growing columns, not copies: they are the largest thing in memory.
        rows: slice | npt.NDArray[np.bool_] = slice(None) if played.all() else played
        sides = (np.frombuffer(self.codes[key], dtype=np.int32)[rows] for key in ("white", "black"))
        players, white, black, player_notes = self.players.named(*sides)
        differ = white != black
        if not differ.all():
            self.refuse_themselves(players, white, line[rows], differ)
            rows = np.flatnonzero(played)[differ]
            used, inverse = np.unique(np.concatenate([white[differ], black[differ]]), return_inverse=True)
            players, (white, black) = players[used], inverse.astype(np.int32).reshape(2, -1)
        columns = {key: np.frombuffer(values, dtype=np.float64)[rows] for key, values in self.numbers.items()}
        codes = {key: np.frombuffer(values, dtype=np.int32)[rows] for key, values in self.codes.items()}
        kind, by = np.divmod(codes["class"], len(EVIDENCE))
        covariates: dict[str, Values] = {"time_class": np.array(_ALL_CLASSES)[kind], TOLD_BY: np.array(EVIDENCE)[by]}
        if not np.isnan(columns[CLOCK]).all():
            covariates[CLOCK] = columns[CLOCK]
        texts = {tag: distinct.array()[codes[tag]] for tag, distinct in self.further.items()}
        covariates |= {tag: texts[tag] for tag in self.asked.kept}
        if self.asked.moves:
            covariates["moves"] = np.frombuffer(self.hash, dtype=np.int64)[rows]
        date = self.values.days(codes["date"])
        undated = int(np.isnat(date).sum())
        games = GameTable(
            players, white, black, columns["score"], date=date, white_rating_elo=columns["white_rating_elo"],
            black_rating_elo=columns["black_rating_elo"],
            event=texts["Event"] if self.asked.keep_event else None,
            covariates=covariates, line=line[rows], name=name, source=self.source, sha256=sha256,
            simulated=self.simulated, notes=(*self.notes(undated), *player_notes),
        )  # fmt: skip
        return PgnReading(games, dict(self.apart), {key: tuple(lines) for key, lines in self.lines.items()}, undated)
