"""Data sets: folder, then cache, then download, never a file with another hash."""

import contextlib
import functools
import hashlib
import http.server
import threading

import pytest

from halfpoint.models.games.errors import GameTableError
from halfpoint.readers.datasets import fetch as fetching

CONTENT = b"Site Data WR W B BR y\nClub 1 2000 Ann Bob 1900 1\n"
SHA256 = hashlib.sha256(CONTENT).hexdigest()
CLOSED = "http://127.0.0.1:9/games.txt"


@pytest.fixture
def registry(monkeypatch, tmp_path):
    """Registry of one small file, an empty cache and no folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("HALFPOINT_DATA_DIR", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")

    def register(url=CLOSED, sha256=SHA256):
        item = fetching.DataSet("small", "games.txt", url, str(len(CONTENT)), sha256, "one game", "none")
        monkeypatch.setattr(fetching, "DATASETS", {"small": item})
        return item

    register()
    return register


@pytest.fixture
def server(tmp_path):
    """Address of a folder served on this machine."""
    (tmp_path / "served").mkdir()
    (tmp_path / "served" / "games.txt").write_bytes(CONTENT)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

    handler = functools.partial(Quiet, directory=str(tmp_path / "served"))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        yield f"http://127.0.0.1:{served.server_port}"
        served.shutdown()
        thread.join()


def test_a_file_in_the_folder_is_used(registry, tmp_path, monkeypatch):
    (tmp_path / "games.txt").write_bytes(CONTENT)
    assert fetching.fetch("small", tmp_path) == tmp_path / "games.txt"
    monkeypatch.setenv("HALFPOINT_DATA_DIR", str(tmp_path))
    assert fetching.fetch("small") == tmp_path / "games.txt"


def test_a_download_that_does_not_end_is_left_at_the_size_of_the_file(registry, tmp_path):
    sent = []

    class Endless(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                for _ in range(600):
                    sent.append(self.wfile.write(bytes(10**6)))

        def log_message(self, *arguments):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Endless) as served:
        thread = threading.Thread(target=served.serve_forever)
        thread.start()
        registry(f"http://127.0.0.1:{served.server_port}/games.txt")
        with pytest.raises(GameTableError, match=f"found more than its {len(CONTENT)} bytes"):
            fetching.fetch("small")
        served.shutdown()
        thread.join()
    assert sum(sent) < 20e6  # what the connection holds
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_wrong_hash_names_both(registry, tmp_path):
    (tmp_path / "games.txt").write_bytes(CONTENT + b"\n")
    with pytest.raises(GameTableError) as caught:
        fetching.fetch("small", tmp_path)
    assert SHA256 in caught.value.expected
    assert hashlib.sha256(CONTENT + b"\n").hexdigest() in caught.value.found


def test_a_download_is_kept_and_not_repeated(registry, server, tmp_path):
    registry(f"{server}/games.txt")
    path = fetching.fetch("small", tmp_path)
    assert path.read_bytes() == CONTENT
    assert path.is_relative_to(tmp_path / "cache")
    registry(CLOSED)
    assert fetching.fetch("small") == path
    assert [item.name for item in path.parent.iterdir()] == ["games.txt"]


def test_a_download_with_another_hash_is_refused_and_not_kept(registry, server):
    registry(f"{server}/games.txt", "0" * 64)
    with pytest.raises(GameTableError) as caught:
        fetching.fetch("small")
    assert "0" * 64 in str(caught.value)
    assert SHA256 in str(caught.value)
    assert list(fetching.cache_folder().iterdir()) == []


def test_no_network_is_one_clear_line(registry):
    with pytest.raises(GameTableError) as caught:
        fetching.fetch("small")
    expected = "games.txt from 127.0.0.1:9: expected a download, found no connection. Put games.txt into a folder and"
    assert str(caught.value) == f"{expected} set HALFPOINT_DATA_DIR to it."


def test_a_page_that_is_not_there_is_one_clear_line(registry, server):
    registry(f"{server}/none.txt")
    with pytest.raises(GameTableError, match="found the answer 404 of its server"):
        fetching.fetch("small")


def test_a_cache_that_cannot_be_written_is_one_clear_line(registry, tmp_path):
    (tmp_path / "cache").write_text("a file where the folder should be")
    with pytest.raises(GameTableError, match=r"expected a download, found .*cache/halfpoint: Not a directory"):
        fetching.fetch("small")


def test_an_unknown_name_is_told(registry):
    with pytest.raises(GameTableError, match="data set: expected small, found 'large'"):
        fetching.fetch("large")


@pytest.mark.real
def test_the_studys_files_are_the_registered_ones():
    for item in fetching.DATASETS.values():
        assert hashlib.sha256(fetching.fetch(item.name).read_bytes()).hexdigest() == item.sha256
