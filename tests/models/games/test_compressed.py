"""Compressed files by the libraries that make them; guards, control characters and encodings by hand."""

import bz2
import gzip
import hashlib
import io
import zipfile

import pytest
import zstandard

from halfpoint.models.games import compressed
from halfpoint.models.games.compressed import (
    as_utf8,
    check_text,
    decode,
    first_bytes,
    open_stream,
    plain_suffix,
    read_bytes,
    read_text,
    read_text_and_encoding,
)
from halfpoint.models.games.errors import GameTableError
from halfpoint.readers import read

TEXT = b"white,black,score\n" + b"".join(b"Ann,Bo %d,1\n" % k for k in range(500))


def zipped(**members):
    """An archive of files, with a folder and what a Mac adds."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.mkdir("games")
        archive.writestr("__MACOSX/games.csv", "x")
        for name, content in members.items():
            archive.writestr(f"games/{name}", content)
    return file.getvalue()


def frames(*parts):
    """Zstandard frames one after the other."""
    return b"".join(zstandard.ZstdCompressor().compress(part) for part in parts)


WAYS = {
    "plain": TEXT,
    "gzip": gzip.compress(TEXT),
    "bzip2": bz2.compress(TEXT),
    "zstandard": frames(TEXT),
    "frames": frames(TEXT[:100], b"", TEXT[100:2000], TEXT[2000:]),
    "zip": zipped(games=TEXT),
}


@pytest.fixture
def path(tmp_path):
    """Writes bytes to a file."""

    def write(content, name="games"):
        file = tmp_path / name
        file.write_bytes(content)
        return file

    return write


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("feed", [7, 65536])
def test_every_way_gives_the_bytes(path, monkeypatch, way, feed):
    monkeypatch.setattr(compressed, "_FEED_BYTES", feed)
    file = path(WAYS[way])
    assert read_bytes(file) == TEXT
    assert read_bytes(file, 50) == TEXT[:50]
    assert read_bytes(file, 0) == b""
    assert first_bytes(file) == TEXT
    with open_stream(file) as stream:
        parts = list(iter(lambda: stream.read(64), b""))
        assert [len(part) for part in parts[:-1]] == [64] * (len(TEXT) // 64)
        assert b"".join(parts) == TEXT
        assert stream.given == len(TEXT)
        assert stream.hash.hexdigest() == hashlib.sha256(TEXT).hexdigest()
        assert stream.size == len(WAYS[way])
    text, sha256, encoding = read_text_and_encoding(file)
    assert (text, sha256, encoding) == (TEXT.decode(), hashlib.sha256(TEXT).hexdigest(), "utf-8")
    assert read_text(file) == (text, sha256)


@pytest.mark.parametrize("way", ["gzip", "bzip2", "zstandard", "frames"])
def test_a_file_that_is_cut_off_is_named(path, way):
    with pytest.raises(GameTableError, match="expected a complete file, found EOFError"):
        read_bytes(path(WAYS[way][:-6]))


def test_frames_that_end_are_complete(path):
    assert read_bytes(path(frames(b"", b""))) == b""
    assert read_bytes(path(frames(b"abc"))) == b"abc"


def test_archives_of_one_file_are_read(path):
    with pytest.raises(GameTableError, match=r"an archive of one file, found 2 files \('games/a', 'games/b'\)"):
        read_bytes(path(zipped(a=b"1", b=b"2")))
    with pytest.raises(
        GameTableError, match=r"an archive of one file, found 4 files \('games/a', 'games/b', 'games/c'\)"
    ):
        read_bytes(path(zipped(a=b"1", b=b"2", c=b"3", d=b"4")))
    with pytest.raises(GameTableError, match="an archive of one file, found 0 files"):
        read_bytes(path(zipped()))
    with pytest.raises(GameTableError, match="expected a readable archive, found BadZipFile"):
        read_bytes(path(zipped(a=b"1")[:60]))
    several = zipped(a=b"1", b=b"2")
    assert first_bytes(path(several)) == several  # a spreadsheet is an archive


@pytest.mark.parametrize("name", ["games.zip", "games.csv.zip"])
def test_an_archive_made_on_a_mac_is_a_table(path, name):
    table = read(path(zipped(**{"games.csv": TEXT}), name))
    assert len(table) == 500
    assert table.players.tolist()[:2] == ["Ann", "Bo 0"]


@pytest.mark.parametrize(("size", "refused"), [(1000, False), (1001, True)])
def test_bombs_are_refused_above_a_floor_and_a_ratio(path, monkeypatch, size, refused):
    monkeypatch.setattr(compressed, "BOMB_FLOOR_BYTES", 1000)
    monkeypatch.setattr(compressed, "BOMB_RATIO", 2)
    file = path(gzip.compress(b"0" * size))
    if not refused:
        assert read_bytes(file) == b"0" * size
        assert read_bytes(path(b"0" * 5000, "plain")) == b"0" * 5000
        return
    length = file.stat().st_size
    message = f"expected games compressed at most 2 times, found {size} bytes out of {length}. Unpack it first."
    with pytest.raises(GameTableError, match=message):
        read_bytes(file)
    monkeypatch.setattr(compressed, "BOMB_RATIO", size)
    assert len(read_bytes(file)) == size


def test_whole_files_have_a_limit(path, monkeypatch):
    monkeypatch.setattr(compressed, "_WHOLE_FILE_LIMIT_BYTES", 10)
    assert read_bytes(path(b"0123456789")) == b"0123456789"
    with pytest.raises(GameTableError, match=r"expected at most 2 GiB of text, found more. Convert it to Parquet"):
        read_bytes(path(b"0123456789a"))
    assert read_bytes(path(b"0123456789ab"), 11) == b"0123456789a"


def test_the_beginning_of_a_file_is_64_kibibytes(path):
    assert len(first_bytes(path(b"a" * 70000))) == 65536


def test_places_that_are_no_files(tmp_path):
    with pytest.raises(GameTableError, match="expected a readable file, found no such file or directory"):
        read_bytes(tmp_path / "none")
    with pytest.raises(GameTableError, match="expected a readable file, found a directory"):
        read_bytes(tmp_path)
    with pytest.raises(GameTableError, match="the path of a file"):
        read_bytes("a\0b")


@pytest.mark.parametrize(
    ("content", "line", "byte"),
    [(b"a\x00", 1, "00"), (b"a\nb\n\x01", 3, "01"), (b"ok\n\x7f\n", 2, "7f"), (b"\x1b", 1, "1b")],
)
def test_control_characters_are_named_with_their_line(content, line, byte):
    with pytest.raises(GameTableError, match=f"games, line {line}: expected a text file, found the byte 0x{byte}"):
        check_text(content, "games")
    with pytest.raises(GameTableError, match=f"games, line {line + 9}: "):
        check_text(content, "games", 10)


@pytest.mark.parametrize("content", [b"\x89HDF\r\n\x1a\n\x00", b"CDF\x01\x00"])
def test_a_trace_in_place_of_games_is_named(content):
    with pytest.raises(
        GameTableError, match=r"trace\.nc: expected games, found a NetCDF file.* rank and match read a trace"
    ):
        check_text(content, "trace.nc")


def test_tabs_ends_of_lines_and_forms_are_text():
    check_text(b"a\tb\r\n\x0c\x1a", "games")


def test_encodings():
    assert decode("Žofie".encode("utf-8-sig")) == "Žofie"
    assert decode("Œhler".encode("cp1252")) == "Œhler"
    assert decode(b"\x81") == "\x81"
    assert decode("e\u0301".encode()) == "é"
    wide = "Ann,Bo\n".encode("utf-16")
    assert as_utf8(wide)[0].decode().lstrip("\ufeff") == "Ann,Bo\n"
    assert as_utf8(wide)[1].startswith("utf-16")
    assert as_utf8("Œ".encode("cp1252"))[0] == b"\x8c"


def test_streams_turn_wide_text_into_utf8(path):
    with open_stream(path("Ann Žák\n".encode("utf-16"))) as stream:
        parts = b"".join(iter(lambda: stream.read_utf8(5), b""))
        assert parts.decode().lstrip("\ufeff") == "Ann Žák\n"
        assert stream.encoding.startswith("utf-16")
    with open_stream(path("Œhler\n".encode("cp1252") + b"Ann\n" * 40)) as stream:
        assert b"".join(iter(lambda: stream.read_utf8(8), b"")) == b"\x8chler\n" + b"Ann\n" * 40
        assert stream.encoding == as_utf8("Œ".encode("cp1252"))[1] != "utf-8"
    with open_stream(path(b"Ann\n" * 40)) as stream:
        assert b"".join(iter(lambda: stream.read_utf8(64), b"")) == b"Ann\n" * 40
        assert stream.encoding == "utf-8"
        assert stream.position > 0


@pytest.mark.parametrize(
    ("name", "suffix"),
    [("a.csv", ".csv"), ("a.CSV.gz", ".csv"), ("a.pgn.zst", ".pgn"), ("a.gz", ""), ("a", ""), ("a.tar.gz.bz2", ".tar")],
)
def test_suffixes_without_those_of_compression(name, suffix):
    assert plain_suffix(name) == suffix
