"""Files as bytes and as text: plain or compressed (gzip, bzip2, Zstandard, zip), detected from their first bytes.

Archives are never unpacked to disk, so names inside them are harmless. A file that expands beyond the size of any text
is a decompression bomb and is refused after 64 MiB. Text is read whole, in the encoding detected from its letters
(`halfpoint.models.games.encodings`); other content is refused.
"""

import bz2
import codecs
import gzip
import hashlib
import os
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast
from unicodedata import normalize

import zstandard

from halfpoint.models.games.encodings import USUAL, encoding_of
from halfpoint.models.games.errors import GameTableError

_SUFFIXES = (".gz", ".bz2", ".zst", ".zip")
BOMB_RATIO = 250
BOMB_FLOOR_BYTES = 64 * 2**20
_WINDOW_LIMIT_BYTES = 2**27
_FEED_BYTES = 2**10
# what reading a damaged file may raise
BROKEN = (OSError, EOFError, zlib.error, zstandard.ZstdError, zipfile.BadZipFile, RuntimeError, NotImplementedError)


class _ZstandardReader:
    """Reader of a Zstandard file, frame by frame, that detects a truncated last frame.

    Input comes in small parts: a block of four bytes may unpack to 128 KiB, so 1 KiB gives at most 32 MiB.
    """

    def __init__(self, raw: BinaryIO) -> None:
        self.raw = raw
        self.unpack = zstandard.ZstdDecompressor(max_window_size=_WINDOW_LIMIT_BYTES)
        self.frame = self.unpack.decompressobj()
        self.begun = False
        self.fed = b""
        self.ready = b""

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, none at the end; `EOFError` if the last frame is cut off."""
        parts, count = [self.ready], len(self.ready)
        while count < size:
            self.fed = self.fed or self.raw.read(_FEED_BYTES)
            if not self.fed:
                if self.begun:
                    raise EOFError("the last frame is cut off")
                break
            block = self.frame.decompress(self.fed)
            self.begun, self.fed = True, b""
            if self.frame.eof:
                self.begun, self.fed = False, self.frame.unused_data
                self.frame = self.unpack.decompressobj()
            parts.append(block)
            count += len(block)
        content = b"".join(parts)
        self.ready = content[size:]
        return content[:size]


class ByteStream:
    """Bytes of a file after decompression, counted, hashed (SHA-256, in `hash`) and guarded."""

    def __init__(self, source: str, raw: BinaryIO, content: BinaryIO) -> None:
        self.source = source
        self.raw = raw
        self.content = content
        self.given = 0
        self.hash = hashlib.sha256()
        self.encoding = "utf-8"  # of the text that `read_utf8` has given
        self._decoder: codecs.IncrementalDecoder | None = None

    def read(self, size: int) -> bytes:
        """Up to `size` bytes, none at the end."""
        try:
            block = self.content.read(size)
        except BROKEN as error:
            fault = f"{type(error).__name__}: {str(error)[:80]}"
            raise GameTableError(self.source, "a complete file", fault) from None
        self.given += len(block)
        self.hash.update(block)
        if self.content is not self.raw and self.given > max(BOMB_FLOOR_BYTES, BOMB_RATIO * self.size):
            fault = f"{self.given} bytes out of {self.size}"
            raise GameTableError(self.source, f"games compressed at most {BOMB_RATIO} times", fault, "Unpack it first.")
        return block

    def read_utf8(self, size: int) -> bytes:
        """Up to about `size` bytes of text as UTF-8, Windows-1252 unchanged; none at the end."""
        block = self.read(size)
        if self._decoder is None and self.encoding == "utf-8" and (not block.isascii() or 0 in block[:64]):
            self.encoding = encoding_of(block)
            if self.encoding not in USUAL:
                self._decoder = codecs.getincrementaldecoder(self.encoding)(errors="replace")
        return block if self._decoder is None else self._decoder.decode(block, final=not block).encode()

    @property
    def size(self) -> int:
        """Size of the file on disk in bytes."""
        return os.fstat(self.raw.fileno()).st_size

    @property
    def position(self) -> int:
        """Number of bytes of the file on disk used so far."""
        return self.raw.tell()


@contextmanager
def open_stream(path: str | Path) -> Iterator[ByteStream]:
    """Open a file for reading its decompressed bytes."""
    source = str(path)
    with ExitStack() as opened:
        try:
            if not Path(path).is_file() and not Path(path).is_dir() and Path(path).exists():
                raise GameTableError(source, "a file", "a device or a pipe")
            raw = opened.enter_context(Path(path).open("rb"))
        except OSError as error:
            fault = "A directory" if isinstance(error, IsADirectoryError) else error.strerror or type(error).__name__
            raise GameTableError(source, "a readable file", fault[:1].lower() + fault[1:]) from None
        except GameTableError:
            raise
        except ValueError as error:
            raise GameTableError(repr(source), "the path of a file", str(error)) from None
        magic = raw.read(4)
        raw.seek(0)
        try:
            content = _open_decompressed(raw, magic, opened, source)
        except GameTableError:
            raise
        except (*BROKEN, ValueError) as error:
            fault = f"{type(error).__name__}: {str(error)[:80]}"
            raise GameTableError(source, "a readable archive", fault) from None
        yield ByteStream(source, raw, content)


def _open_decompressed(raw: BinaryIO, magic: bytes, opened: ExitStack, source: str) -> BinaryIO:
    """The stream of decompressed bytes of a file that begins with `magic`."""
    if magic.startswith(b"\x1f\x8b"):
        return cast(BinaryIO, opened.enter_context(gzip.GzipFile(fileobj=raw)))
    if magic.startswith(b"BZh"):
        return cast(BinaryIO, opened.enter_context(bz2.BZ2File(raw)))
    if magic == b"\x28\xb5\x2f\xfd":
        return cast(BinaryIO, _ZstandardReader(raw))
    if magic == b"PK\x03\x04":
        archive = opened.enter_context(zipfile.ZipFile(raw))
        members = _files_in(archive)
        if len(members) != 1:
            names = ", ".join(repr(item.filename[:40]) for item in members[:3])
            raise GameTableError(source, "an archive of one file", f"{len(members)} files ({names})", "Unpack it.")
        return cast(BinaryIO, opened.enter_context(archive.open(members[0])))
    return raw


def _files_in(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    """Files of an archive, without folders and without the additions of macOS."""
    return [item for item in archive.infolist() if not item.is_dir() and not item.filename.startswith("__MACOSX")]


def texts_in(path: Path, suffix: str) -> list[str] | None:
    """Texts of the files with a suffix in a folder or a zip, by their names; None for another file."""
    if path.is_dir():
        return [read_text(file)[0] for file in sorted(path.rglob(f"*{suffix}"))]
    with path.open("rb") as raw:
        if raw.read(4) != b"PK\x03\x04":
            return None
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in _files_in(archive) if member.filename.lower().endswith(suffix)]
            size = sum(member.file_size for member in members)
            if size > max(BOMB_FLOOR_BYTES, BOMB_RATIO * path.stat().st_size):
                content = f"{size} bytes in the archive"
                raise GameTableError(str(path), "games compressed as text is", content, "Unpack it first.")
            return [decode(archive.read(member)) for member in sorted(members, key=lambda member: member.filename)]
    except BROKEN as error:
        raise GameTableError(str(path), "a readable archive", f"{type(error).__name__}: {str(error)[:80]}") from None


def plain_suffix(path: str | Path) -> str:
    """Suffix of a file's name without the suffix of its compression, in lower case."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    while suffixes and suffixes[-1] in _SUFFIXES:
        suffixes.pop()
    return suffixes[-1] if suffixes else ""


_CONTROL = bytes(set(range(32)) - set(b"\t\n\r\f\x1a")) + b"\x7f"
_NETCDF = (b"\x89HDF", b"CDF\x01", b"CDF\x02", b"CDF\x05")  # how such a file begins
_WHOLE_FILE_LIMIT_BYTES = 2 * 2**30
BLOCK_BYTES = 4 * 2**20
_SNIFFED_BYTES = 65536


def read_bytes(path: str | Path, limit: int | None = None) -> bytes:
    """The decompressed bytes of a file, or its first `limit` bytes."""
    blocks: list[bytes] = []
    left = _WHOLE_FILE_LIMIT_BYTES + 1 if limit is None else limit
    with open_stream(path) as stream:
        while left > 0 and (block := stream.read(min(left, BLOCK_BYTES))):
            blocks.append(block)
            left -= len(block)
    if limit is None and left <= 0:
        raise GameTableError(str(path), "at most 2 GiB of text", "more", "Convert it to Parquet.")
    return b"".join(blocks)


def first_bytes(path: str | Path) -> bytes:
    """First 64 KiB of a file, unpacked and as UTF-8; an archive of several files, such as .xlsx, unchanged."""
    with suppress(*BROKEN, ValueError), Path(path).open("rb") as raw:
        if raw.read(4) == b"PK\x03\x04" and len(_files_in(zipfile.ZipFile(raw))) > 1:
            raw.seek(0)
            return raw.read(_SNIFFED_BYTES)
    return as_utf8(read_bytes(path, _SNIFFED_BYTES))[0]


def check_text(content: bytes, source: str, line: int = 1) -> None:
    """Raise `GameTableError` for control characters; `line` is the number of the content's first line."""
    if len(content.translate(None, _CONTROL)) != len(content):
        if line == 1 and content.startswith(_NETCDF):
            remedy = "Give the file of games. Commands such as halfpoint rank and match read a trace."
            raise GameTableError(source, "games", "a NetCDF file, such as a trace", remedy)
        offset = next(k for k, byte in enumerate(content) if byte in _CONTROL)
        line += content.count(b"\n", 0, offset)
        raise GameTableError(f"{source}, line {line}", "a text file", f"the byte 0x{content[offset]:02x}")


def decode(content: bytes) -> str:
    """Text for bytes: UTF-8 with or without a mark, else Windows-1252, which is Latin-1 with more letters.

    Letters are composed (NFC): an accent stored as a separate character gives the same name.

    Examples
    --------
    >>> decode("Žofie Œhler".encode("cp1252"))
    'Žofie Œhler'
    """
    for encoding in ("utf-8-sig", "cp1252"):
        with suppress(UnicodeDecodeError):
            return normalize("NFC", content.decode(encoding))
    return content.decode("latin-1")  # has five bytes that Windows-1252 lacks


def as_utf8(content: bytes) -> tuple[bytes, str]:
    """Bytes as UTF-8, Windows-1252 unchanged, and their encoding."""
    encoding = encoding_of(content)
    if encoding in USUAL:
        return content, encoding
    return content.decode(encoding, errors="replace").encode(), encoding


def read_text(path: str | Path) -> tuple[str, str]:
    """The text of a file and the SHA-256 of its decompressed bytes."""
    return read_text_and_encoding(path)[:2]


def read_text_and_encoding(path: str | Path) -> tuple[str, str, str]:
    """The text of a file, the SHA-256 of its decompressed bytes, and its encoding."""
    content = read_bytes(path)
    sha256 = hashlib.sha256(content).hexdigest()
    content, encoding = as_utf8(content)
    check_text(content, str(path))
    return decode(content), sha256, encoding
