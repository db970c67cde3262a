"""Text files: read whole, decoded as UTF-8, UTF-16 with a mark or else Windows-1252, refused when they are not text."""

import codecs
import hashlib
from contextlib import suppress
from pathlib import Path

from halfpoint.games.errors import GameTableError
from halfpoint.games.readers.compressed import open_stream

CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1a")) + b"\x7f"
WHOLE_FILE_LIMIT_BYTES = 2 * 2**30
BLOCK_BYTES = 4 * 2**20


def read_bytes(path: str | Path, limit: int | None = None) -> bytes:
    """Return the decompressed bytes of a file, its first `limit` bytes if that is given."""
    blocks: list[bytes] = []
    left = WHOLE_FILE_LIMIT_BYTES + 1 if limit is None else limit
    with open_stream(path) as stream:
        while left > 0 and (block := stream.read(min(left, BLOCK_BYTES))):
            blocks.append(block)
            left -= len(block)
    if limit is None and left <= 0:
        raise GameTableError(str(path), "at most 2 GiB of text", "more", "Convert it to Parquet.")
    return b"".join(blocks)


def check_text(content: bytes, source: str, line: int = 1) -> None:
    """Raise `GameTableError` if there are control characters that no text has; `line` is the content's first line."""
    if len(content.translate(None, CONTROL)) != len(content):
        offset = next(k for k, byte in enumerate(content) if byte in CONTROL)
        line += content.count(b"\n", 0, offset)
        raise GameTableError(f"{source}, line {line}", "a text file", f"the byte 0x{content[offset]:02x}")


def decode(content: bytes) -> str:
    """Return text for bytes: UTF-8 with or without a mark, else Windows-1252, which is Latin-1 with more letters.

    Examples
    --------
    >>> decode("Žofie Œhler".encode("cp1252"))
    'Žofie Œhler'
    """
    for encoding in ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return content.decode(encoding)
    return content.decode("latin-1")  # where five bytes stand that Windows-1252 has not


def as_utf8(content: bytes) -> bytes:
    """Return bytes as UTF-8 where a mark says that they are UTF-16, as spreadsheets save "Unicode text"."""
    if not content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content
    return content.decode("utf-16", errors="replace").encode()


def read_text(path: str | Path) -> tuple[str, str]:
    """Return the text of a file and the SHA-256 of its decompressed bytes."""
    content = read_bytes(path)
    sha256 = hashlib.sha256(content).hexdigest()
    content = as_utf8(content)
    check_text(content, str(path))
    return decode(content), sha256
