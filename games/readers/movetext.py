"""What a movetext tells without reading a move: whether there is one, and whether two games have the same ones."""

import re
import zlib
from functools import lru_cache

COMMENT = re.compile(rb"\{[^}]*\}|;[^\n]*")
MOVE = re.compile(rb"[a-hKQRBNO][a-hxO0-9=-]")
NO_TEXT_BYTES = 400
NO_MOVES = 0
BLANKS = b" \t\n\r"


@lru_cache(maxsize=4096)  # a result alone stands there again and again
def without_moves(movetext: bytes) -> bool:
    """Return whether a short movetext holds no move."""
    return MOVE.search(COMMENT.sub(b"", movetext)) is None


def has_no_moves(movetext: bytes) -> bool:
    """Return whether a movetext holds no move; one of 400 bytes or more is taken to hold some."""
    return len(movetext) < NO_TEXT_BYTES and without_moves(movetext)


def outside_braces(movetext: bytes) -> bytes:
    """Return a movetext without what stands in braces, which end at the first that closes; an open one is text."""
    last = movetext.rfind(b"}") + 1
    before, *opened = movetext[:last].split(b"{")
    return b"".join([before, *[part.partition(b"}")[2] for part in opened], movetext[last:]])


def moves_hash(movetext: bytes) -> int:
    """Return a hash of the moves, whatever the comments and the line breaks; 0 without a move."""
    if has_no_moves(movetext):
        return NO_MOVES
    bare = COMMENT.sub(b"", movetext) if b";" in movetext else outside_braces(movetext)
    return zlib.crc32(bare.translate(None, BLANKS)) or 1
