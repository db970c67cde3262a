"""Games of a PGN file, found in blocks of bytes: start of each game, ends of its headers and of its movetext.

A game is a run of header lines and the movetext after it, up to the next line ``[Tag "...`` outside comments. The games
are the same as the chess library's if each movetext is closed by a blank line, as the standard requires; if the blank
line or the movetext is missing, the library joins or skips games and this scan does not. Most games are recognised by
the first bytes of their lines, all games of a block at once; `_game_end` scans the other games one by one. Values of
tags are kept as their start and end in the block. Empty movetexts, and movetexts with the same moves, are detected
without parsing moves. Source of the format: Edwards (1994), Portable Game Notation Specification, sections 8.1 and 9.
"""

import re
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from halfpoint.models.games.compressed import ByteStream, check_text
from halfpoint.models.games.errors import GameTableError

_MISSING = -1
BLOCK_BYTES = 2**20
_GAME_LIMIT_BYTES = 2**24
_EVENT = int.from_bytes(b'[Event "', "little")
_WORD_BYTES = 8
_Places = npt.NDArray[np.int64]
Progress = Callable[[int, int], object]

_HEADER_END = re.compile(rb"\n(?![\[%;])")
_NEXT_HEADER = re.compile(rb'\n\[[A-Za-z0-9][\w+#=:-]*[ \t]+"')
_ANY_TAG = re.compile(rb'^\[([A-Za-z0-9][\w+#=:-]*)[ \t]+"', re.MULTILINE)
_COMMENT_OR_ESCAPE = re.compile(rb"\{[^}]*+(\}|\Z)|;[^\n]*|^%[^\n]*", re.MULTILINE)


class _Lines(NamedTuple):
    """Lines of a text: where they start, their first byte (0 at the end of the text), the eight bytes at any place."""

    start: _Places
    first: npt.NDArray[np.uint8]
    words: npt.NDArray[np.uint64]


class Scanned(NamedTuple):
    """Whole games in a block of bytes: where each begins, its headers and itself end, and the line it begins at."""

    text: bytes
    lines: _Lines
    begin: _Places
    headers_end: _Places
    end: _Places
    line: _Places


def _lines_of(text: bytes) -> _Lines:
    """The lines of a text."""
    padded = text + bytes(2 * _WORD_BYTES)
    buffer = np.frombuffer(padded, dtype=np.uint8)
    start = np.concatenate([[0], np.flatnonzero(buffer[: len(text)] == ord("\n")) + 1])
    words: npt.NDArray[np.uint64] = np.ndarray((len(text) + _WORD_BYTES,), "<u8", padded, strides=(1,))
    return _Lines(start, buffer[start], words)


def ends_in_comment(movetext: bytes) -> bool:
    """True if a comment in braces is open at the end of a movetext; `;` comments out the rest of its line."""
    if movetext.rfind(b"{") <= movetext.rfind(b"}"):
        return False
    return any(match[1] == b"" for match in _COMMENT_OR_ESCAPE.finditer(movetext))


def _game_end(text: bytes, start: int) -> tuple[int, int]:
    """End of the headers of the game at `start`, and start of the next game; -1 if not in `text`."""
    match = _HEADER_END.search(text, start)
    if match is None:
        return -1, -1
    headers_end = match.start() + 1
    # One blank line may be between headers; a tag seen before begins another game.
    while _NEXT_HEADER.match(text, headers_end):
        tags = set(_ANY_TAG.findall(text, start, headers_end))
        match = _HEADER_END.search(text, headers_end + 1)
        if match is None:
            return -1, -1
        if tags & set(_ANY_TAG.findall(text, headers_end + 1, match.start() + 1)):
            return headers_end, headers_end + 1
        headers_end = match.start() + 1
    outside = headers_end  # from here on no comment is open
    found_at = _next_header(text, headers_end - 1)
    while found_at >= 0 and ends_in_comment(text[outside:found_at]):
        closed = text.find(b"}", found_at)
        if closed < 0:
            return headers_end, -1
        outside = closed + 1
        found_at = _next_header(text, outside)
    return headers_end, found_at


def _next_header(text: bytes, start: int) -> int:
    """Start of the first header line after `start`, -1 if absent."""
    match = _NEXT_HEADER.search(text, start)
    return -1 if match is None else match.start() + 1


def _whole_games(text: bytes, lines: _Lines, start: int) -> tuple[_Places, int]:
    """Begin, end of headers and end of the games from `start` on, shape (game, 3), and start of the last game."""
    line = int(np.searchsorted(lines.start, start))
    place, first = lines.start[line:], lines.first[line:]
    head = (first == ord("[")) | (first == ord("%")) | (first == ord(";"))
    edge = np.flatnonzero(head[1:] != head[:-1]) + 1  # where runs of header lines end and begin by turns
    begin = np.concatenate([[start], place[edge[1::2]]])
    headers_end = place[edge[::2]][: begin.size - 1]
    word = lines.words[begin]
    plain = (word[1:] == _EVENT) & ((begin[1:] - headers_end != 1) | (word[:-1] == _EVENT))
    for game in np.flatnonzero((word[1:] != _EVENT) & (begin[1:] - headers_end != 1)).tolist():
        plain[game] = _NEXT_HEADER.match(text, int(begin[game + 1]) - 1) is not None
    last = text.rfind  # a comment may be open where the next headers seem to begin
    spans = zip(headers_end.tolist(), begin[1:].tolist(), strict=True)
    plain &= np.fromiter((last(b"{", a, b) <= last(b"}", a, b) for a, b in spans), dtype=bool, count=headers_end.size)
    games = np.stack([begin[:-1], headers_end, begin[1:]], axis=1)
    if plain.all():
        return games, int(begin[-1])
    parts, run = [], 0
    for odd in np.flatnonzero(~plain).tolist():
        if odd < run:  # within a game already scanned
            continue
        parts.append(games[run:odd])
        game_start, run = int(begin[odd]), begin.size
        while run == begin.size or begin[run] != game_start:
            until, end = _game_end(text, game_start)
            if end < 0:
                return np.concatenate(parts), game_start
            parts.append(np.array([[game_start, until, end]], dtype=np.int64))
            game_start, run = end, int(np.searchsorted(begin, end))
    return np.concatenate([*parts, games[run:]]), int(begin[-1])


def scan_games(stream: ByteStream, progress: Progress | None = None) -> Iterator[Scanned]:
    """Yield the games of a PGN stream block by block."""
    carry, line, pending, started = b"", 1, b"", False
    while True:
        block = stream.read_utf8(BLOCK_BYTES)
        last = not block
        if progress is not None:
            progress(stream.position, stream.size)
        block, pending = (pending + block, b"") if last or not block.endswith(b"\r") else (pending + block[:-1], b"\r")
        block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n") if b"\r" in block else block
        check_text(block, stream.source, line + carry.count(b"\n"))
        text = carry + block + (b"\n\n" if last else b"")
        start = 0
        if not started:
            text = text.removeprefix(b"\xef\xbb\xbf")
            first = _ANY_TAG.search(text)
            start, started = (text.rfind(b"\n") + 1, False) if first is None else (first.start(), True)
            if first is None and last:
                return
        lines = _lines_of(text)
        games, tail = _whole_games(text, lines, start)
        games = np.concatenate([games, [[tail, max(_game_end(text, tail)[0], tail), len(text)]]]) if last else games
        before = np.searchsorted(lines.start, games[:, 0])
        if len(games):
            yield Scanned(text, lines, games[:, 0], games[:, 1], games[:, 2], line + before)
        if last:
            return
        line += int(np.searchsorted(lines.start, tail))
        carry = text[tail:]
        if len(carry) > _GAME_LIMIT_BYTES:
            location = f"{stream.source}, line {line}"
            raise GameTableError(location, "a game of at most 16 MiB", "more", "Is a comment left open there?")


class Cells:
    """Values of tags in the games of a block.

    Lines `[Tag "value"]` are recognised by their bytes, for all games at once. A game with a line in another form (two
    blanks, a tab, text after the bracket), or with a tag twice, is parsed with a regular expression. `twice` maps a
    game's number to its tag with two values.
    """

    def __init__(self, block: Scanned, wanted: Sequence[bytes]) -> None:
        text, lines = block.text, block.lines
        self.text = text
        self.begin = {tag: np.full(block.begin.size, _MISSING, dtype=np.int64) for tag in wanted}
        self.end = {tag: np.full(block.begin.size, _MISSING, dtype=np.int64) for tag in wanted}
        row = np.flatnonzero(lines.first == ord("["))
        start = lines.start[row]
        game = np.searchsorted(block.begin, start, side="right") - 1
        inside = (game >= 0) & (start < block.headers_end[np.maximum(game, 0)])
        row, start, game = row[inside], start[inside], game[inside]
        buffer = np.frombuffer(text, dtype=np.uint8)
        stop = lines.start[row + 1] - 1  # the line's last byte, without its end
        word = lines.words[start]
        closed = (buffer[stop - 1] == ord("]")) & (buffer[stop - 2] == ord('"'))
        odd = []
        for tag in wanted:
            index = np.flatnonzero(self.matches(lines.words, word, start, b"[" + tag))
            after = start[index] + 1 + len(tag)
            index, after = index[after < stop[index]], after[after < stop[index]]
            blank = (buffer[after] == ord(" ")) | (buffer[after] == ord("\t"))
            index, after = index[blank], after[blank]
            plain = closed[index] & (buffer[after] == ord(" ")) & (buffer[after + 1] == ord('"'))
            plain &= stop[index] - 2 >= after + 2
            odd.append(game[index[~plain]])
            odd.append(game[index[1:]][game[index[1:]] == game[index[:-1]]])
            index, after = index[plain], after[plain]
            self.begin[tag][game[index]] = after + 2
            self.end[tag][game[index]] = stop[index] - 2
        self.twice: dict[int, bytes] = {}
        expression = re.compile(rb'^\[(%s)[ \t]+"(.*)"\][ \t]*$' % b"|".join(map(re.escape, wanted)), re.MULTILINE)
        for number in np.unique(np.concatenate(odd)).tolist():
            for tag in wanted:
                self.begin[tag][number] = _MISSING
            for match in expression.finditer(text, int(block.begin[number]), int(block.headers_end[number])):
                if self.begin[match[1]][number] != _MISSING and self.one(match[1], number) != match[2]:
                    self.twice.setdefault(number, match[1])
                self.begin[match[1]][number], self.end[match[1]][number] = match.span(2)

    @staticmethod
    def matches(words: np.ndarray, first: np.ndarray, start: _Places, name: bytes) -> np.ndarray:
        """True where a name occurs at a place."""
        matched = np.ones(start.size, dtype=bool)
        for offset in range(0, len(name), _WORD_BYTES):
            part = name[offset : offset + _WORD_BYTES]
            mask = np.uint64((1 << 8 * len(part)) - 1)
            word = first if offset == 0 else words[start + offset]
            matched &= (word & mask) == np.uint64(int.from_bytes(part, "little"))
        return matched

    def there(self, tag: bytes) -> Any:
        """Mask of the games that have a tag, shape (game,)."""
        return self.begin[tag] != _MISSING

    def of(self, tag: bytes, games: _Places | slice = slice(None)) -> list[bytes]:
        """A tag's values, empty where it is missing."""
        begin, end = self.begin[tag][games], self.end[tag][games]
        text = self.text
        spans = zip(begin.tolist(), np.where(begin == _MISSING, _MISSING, end).tolist(), strict=True)
        return [text[a:b] for a, b in spans]

    def one(self, tag: bytes, game: int) -> bytes:
        """A tag's value in one game that has it."""
        return self.text[self.begin[tag][game] : self.end[tag][game]]


_COMMENT = re.compile(rb"\{[^}]*+(\}|\Z)|;[^\n]*")
_MOVE = re.compile(rb"[a-hKQRBNO][a-hxO0-9=-]")
NO_TEXT_BYTES = 400
NO_MOVES = 0
_BLANKS = b" \t\n\r"


def _without_comments(movetext: bytes) -> bytes:
    """A movetext without comments; an open comment is text."""
    return _COMMENT.sub(lambda match: match[0] if match[1] == b"" else b"", movetext)


@lru_cache(maxsize=4096)  # the same results alone recur
def has_no_moves(movetext: bytes) -> bool:
    """True if a movetext of fewer than 400 bytes has no moves; a longer one is assumed to have some."""
    return _MOVE.search(_without_comments(movetext)) is None


def _outside_braces(movetext: bytes) -> bytes:
    """A movetext without comments in braces, which end at the first closing one; an open comment is text."""
    last = movetext.rfind(b"}") + 1
    before, *opened = movetext[:last].split(b"{")
    return b"".join([before, *[part.partition(b"}")[2] for part in opened], movetext[last:]])


def moves_hash(movetext: bytes) -> int:
    """A hash of the moves, whatever the comments and the line breaks; 0 without a move."""
    if len(movetext) < NO_TEXT_BYTES and has_no_moves(movetext):
        return NO_MOVES
    bare = _without_comments(movetext) if b";" in movetext else _outside_braces(movetext)
    return zlib.crc32(bare.translate(None, _BLANKS)) or 1
