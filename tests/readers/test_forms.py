"""A form reads the files that it recognises, whatever their suffix, with the options of every table."""

import importlib

import numpy as np
import pytest

from halfpoint.models.games.compressed import first_bytes, read_text
from halfpoint.models.games.plugins import PluginError
from halfpoint.readers.forms import Form, form_of, source_of_rows

reading = importlib.import_module("halfpoint.readers.read")  # halfpoint.readers.read is its function


def _recognises(path, head):
    return b" beat " in head.partition(b"\n")[0]


def _columns(file, name, where):
    text, sha256 = read_text(file)
    rows = [[*line.split(" beat "), "13/11/2024"] for line in text.splitlines() if line.strip()]
    return source_of_rows(("winner", "loser", "day"), rows, name, where, range(1, len(rows) + 1), sha256)


@pytest.fixture
def beat(monkeypatch):
    class _Readers(dict):
        entry = dict.get

    readers = _Readers(reading._READERS) | {"beat": Form(_recognises, _columns)}
    monkeypatch.setattr(reading, "_READERS", _Readers(readers))


def test_a_form_reads_its_files(tmp_path, beat):
    for name in ("games.txt", "games.beat", "games"):
        (tmp_path / name).write_text("Ann beat Bob\nBob beat Carl\n")
        assert reading.detect(tmp_path / name) == "beat"
        games = reading.read(tmp_path / name, date_format="%d/%m/%Y")
        assert games.white_names.tolist() == ["Ann", "Bob"]
        assert (games.date == np.datetime64("2024-11-13")).all()
    (tmp_path / "games.csv").write_text("white,black,result\nAnn,Bob,1\n")
    assert reading.detect(tmp_path / "games.csv") == "csv"


def test_a_reader_that_cannot_be_imported_is_in_nobodys_way():
    class _Broken(dict):
        def __getitem__(self, name):
            if name == "broken":
                raise PluginError("broken", "a reader", "none")
            return super().__getitem__(name)

    readers = _Broken(broken=None, plain=len, beat=Form(_recognises, _columns))
    assert form_of(readers, "a", b"Ann beat Bob") == "beat"
    assert form_of(readers, "a", b"Ann lost") is None


def test_the_beginning_of_a_file(tmp_path):
    import zipfile

    (tmp_path / "a.txt").write_bytes("Ünal beat Bob\n".encode("utf-16"))
    assert first_bytes(tmp_path / "a.txt").decode("utf-8-sig") == "Ünal beat Bob\n"
    for members in (1, 2):
        with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
            for k in range(members):
                archive.writestr(f"{k}.txt", "Ann beat Bob\n")
        assert first_bytes(tmp_path / "a.zip")[:4] == (b"Ann ", b"PK\x03\x04")[members - 1]
