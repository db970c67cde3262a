"""Headers of a PGN file, scanned in blocks of bytes: a game at a time, no move is read.

A game is a run of header lines and the movetext after it, up to the next line ``[Tag "...`` that stands in no comment.
This gives the games of the chess library where a game's movetext is closed by a blank line, as the standard asks; where
it is missing, or a game has no movetext at all, the library joins or skips games and this scan does not.
Source of the format: Edwards (1994), Portable Game Notation Specification, sections 8.1 and 9.
"""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.compressed import ByteStream
from halfpoint.games.readers.text_file import check_text

BLOCK_BYTES = 2**20
GAME_LIMIT_BYTES = 2**24
Progress = Callable[[int, int], object]

HEADER_END = re.compile(rb"\n(?![\[%;])")
NEXT_HEADER = re.compile(rb'\n\[[A-Za-z0-9][\w+#=:-]*[ \t]+"')
ANY_TAG = re.compile(rb'^\[([A-Za-z0-9][\w+#=:-]*)[ \t]+"', re.MULTILINE)
BRACE = re.compile(rb"[;{}]")


class ScannedGame(NamedTuple):
    """One game of a PGN file: the line of its first header, its headers and its movetext, as bytes."""

    line: int
    headers: bytes
    movetext: bytes


def ends_in_comment(movetext: bytes) -> bool:
    """Return whether a comment in braces is open at the end of a movetext; `;` comments out the rest of its line."""
    if movetext.rfind(b"{") <= movetext.rfind(b"}"):
        return False
    inside = False
    for row in movetext.split(b"\n"):
        if not inside and row.startswith(b"%"):
            continue
        for mark in BRACE.finditer(row):
            if mark[0] == b"{":
                inside = True
            elif mark[0] == b"}":
                inside = False
            elif not inside:
                break
    return inside


def game_end(text: bytes, start: int) -> tuple[int, int]:
    """Return where the headers of the game at `start` end and where the next game starts, -1 where not in `text`."""
    found = HEADER_END.search(text, start)
    if found is None:
        return -1, -1
    headers_end = found.start() + 1
    # One blank line may stand between headers; a tag seen before begins another game.
    while NEXT_HEADER.match(text, headers_end):
        here = set(ANY_TAG.findall(text, start, headers_end))
        found = HEADER_END.search(text, headers_end + 1)
        if found is None:
            return -1, -1
        if here & set(ANY_TAG.findall(text, headers_end + 1, found.start() + 1)):
            return headers_end, headers_end + 1
        headers_end = found.start() + 1
    outside = headers_end  # from here on no comment is open
    found_at = next_header(text, headers_end - 1)
    while found_at >= 0 and ends_in_comment(text[outside:found_at]):
        closed = text.find(b"}", found_at)
        if closed < 0:
            return headers_end, -1
        outside = closed + 1
        found_at = next_header(text, outside)
    return headers_end, found_at


def next_header(text: bytes, start: int) -> int:
    """Return where the first header line after `start` begins, -1 if there is none."""
    at = text.find(b"\n[", start)  # many times faster than the expression alone
    while at >= 0 and NEXT_HEADER.match(text, at) is None:
        at = text.find(b"\n[", at + 1)
    return at if at < 0 else at + 1


def scan_games(stream: ByteStream, progress: Progress | None = None) -> Iterator[ScannedGame]:
    """Yield the games of a PGN stream.

    Parameters
    ----------
    stream : ByteStream
        The file.
    progress : callable, optional
        Called with the bytes of the file used and its size, once a block.

    Raises
    ------
    GameTableError
        If the file is damaged or not text, or a game does not end within 16 MiB.
    """
    carry, line, held, started = b"", 1, b"", False
    while True:
        block = stream.read(BLOCK_BYTES)
        last = not block
        if progress is not None:
            progress(stream.position, stream.size)
        block, held = (held + block, b"") if last or not block.endswith(b"\r") else (held + block[:-1], b"\r")
        if b"\r" in block:
            block = block.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        check_text(block, stream.source, line + carry.count(b"\n"))
        text = carry + block + (b"\n\n" if last else b"")
        start = 0
        if not started:
            text = text.removeprefix(b"\xef\xbb\xbf")
            first = ANY_TAG.search(text)
            if first is None and not last:
                kept = text.rfind(b"\n") + 1
                line += text.count(b"\n", 0, kept)
                carry = text[kept:]
                if len(carry) > GAME_LIMIT_BYTES:
                    raise GameTableError(f"{stream.source}, line {line}", "PGN headers", "a line over 16 MiB")
                continue
            if first is None:
                return
            start, started = first.start(), True
            line += text.count(b"\n", 0, start)
        while True:
            headers_end, end = game_end(text, start)
            if end < 0:
                break
            yield ScannedGame(line, text[start:headers_end], text[headers_end:end])
            line += text.count(b"\n", start, end)
            start = end
        carry = text[start:]
        if last:
            headers_end = max(headers_end, start)
            yield ScannedGame(line, text[start:headers_end], text[headers_end:])
            return
        if len(carry) > GAME_LIMIT_BYTES:
            where = f"{stream.source}, line {line}"
            raise GameTableError(where, "a game of at most 16 MiB", "more", "Is a comment left open there?")
