"""Text files: read whole, decoded as UTF-8 or else Latin-1, refused when they are not text."""

import hashlib
from pathlib import Path

from halfpoint.games.errors import GameTableError

CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1a")) + b"\x7f"


def read_bytes(path: str | Path) -> bytes:
    """Return the bytes of a file.

    Raises
    ------
    GameTableError
        If there is no such file or it cannot be read.
    """
    try:
        return Path(path).read_bytes()
    except OSError as error:
        found = error.strerror or type(error).__name__
        raise GameTableError(str(path), "a file that can be read", found[:1].lower() + found[1:]) from None
    except ValueError as error:
        raise GameTableError(repr(str(path)), "the path of a file", str(error)) from None


def decode(content: bytes, source: str) -> str:
    """Return text for bytes: UTF-8 with or without a mark, else Latin-1.

    Raises
    ------
    GameTableError
        If there are control characters that no text has.
    """
    if content.translate(None, CONTROL) != content:
        offset = next(k for k, byte in enumerate(content) if byte in CONTROL)
        line = content.count(b"\n", 0, offset) + 1
        raise GameTableError(f"{source}, line {line}", "a text file", f"the byte 0x{content[offset]:02x}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def read_text(path: str | Path) -> tuple[str, str]:
    """Return the text of a file and the SHA-256 of its bytes.

    Raises
    ------
    GameTableError
        If it cannot be read or is not text.
    """
    content = read_bytes(path)
    return decode(content, str(path)), hashlib.sha256(content).hexdigest()
