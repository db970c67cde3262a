"""A folder of results after a power cut or a failing system call, and its repair.

`tests/apps/cli/power_cuts.py` cuts the power at every write of commands, on real file systems.
"""

import errno
import json

import pytest

from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.result_record import NEXT, OLD, PARTS, RECORD, current, hash_of, read_record
from halfpoint.models.games.results import results
from halfpoint.models.games.single_files import files


def made(folder, **texts):
    """Write files of a command."""
    with results(folder, "one") as place:
        for name, text in texts.items():
            place.text(f"{name}.csv", text)


def contents(folder):
    """Visible files of a folder."""
    return {path.name: path.read_text() for path in folder.iterdir() if path.is_file() and path.name[0] != "."}


def hidden(folder):
    """Hidden files of a folder."""
    return sorted(path.name for path in folder.iterdir() if path.name[0] == ".")


@pytest.mark.parametrize("left", [b"", b"\0" * 600])
@pytest.mark.parametrize("record", [b"", b"\0\0", b'{"files": ', None])
def test_files_without_content_beside_a_record_are_made_again(tmp_path, left, record):
    made(tmp_path, a="1\n", b="2\n")
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_bytes(left)
    if record is not None:
        (tmp_path / RECORD).write_bytes(record)
    made(tmp_path, a="3\n", b="4\n")
    assert contents(tmp_path) == {"a.csv": "3\n", "b.csv": "4\n"}
    assert read_record(tmp_path).keys() == {"a.csv", "b.csv"}


def test_a_damaged_record_heals_where_the_same_is_made_and_protects_the_rest(tmp_path):
    made(tmp_path, a="1\n")
    (tmp_path / RECORD).write_bytes(b"")
    with pytest.raises(HalfpointError, match="a file that halfpoint did not write"):
        made(tmp_path, a="2\n")
    assert contents(tmp_path) == {"a.csv": "1\n"}
    made(tmp_path, a="1\n")
    made(tmp_path, a="2\n")
    assert contents(tmp_path) == {"a.csv": "2\n"}


def test_an_empty_file_of_somebody_else_is_not_replaced(tmp_path):
    (tmp_path / "a.csv").touch()
    with pytest.raises(HalfpointError, match="a file that halfpoint did not write"):
        made(tmp_path, a="2\n")


def noted(folder):
    """Leave the state of a process killed between two renames: only the first file is in place."""
    made(folder, a="1\n", b="2\n", c="3\n")
    before = (folder / RECORD).read_bytes()
    made(folder, a="4\n", b="5\n")
    new = json.loads((folder / RECORD).read_text()) | {"moves": ["a.csv", "b.csv"], "gone": ["c.csv"]}
    (folder / RECORD).write_bytes(before)
    (folder / NEXT).write_text(json.dumps(new))
    (folder / PARTS).mkdir()
    (folder / "b.csv").rename(folder / PARTS / "b.csv")
    (folder / "b.csv").write_text("2\n")
    (folder / "c.csv").write_text("3\n")


def test_readers_see_what_is_noted_and_not_yet_renamed(tmp_path):
    noted(tmp_path)
    assert current(tmp_path / "a.csv").read_text() == "4\n"
    assert current(tmp_path / "b.csv").read_text() == "5\n"
    assert not current(tmp_path / "c.csv").exists()
    assert current(tmp_path / "d.csv") == tmp_path / "d.csv"
    with files({"--out": tmp_path / "d.csv"}) as places:
        places.text("--out", "6\n")
    assert contents(tmp_path) == {"a.csv": "4\n", "b.csv": "5\n", "d.csv": "6\n"}
    assert hidden(tmp_path) == [RECORD]


def test_a_note_that_cannot_be_read_is_refused_and_one_that_is_damaged_is_void(tmp_path):
    noted(tmp_path)
    whole = (tmp_path / NEXT).read_bytes()
    (tmp_path / NEXT).unlink()
    (tmp_path / NEXT).symlink_to(NEXT)  # to itself
    with pytest.raises(HalfpointError, match=r"expected a place to write, found .*symbolic links"):
        made(tmp_path, a="7\n", b="8\n")
    (tmp_path / NEXT).unlink()
    (tmp_path / NEXT).write_bytes(whole[:-9])
    assert current(tmp_path / "b.csv") == tmp_path / "b.csv"


@pytest.mark.parametrize("read", ["recorded_hash", "complete"])
def test_an_earlier_result_that_cannot_be_read_gives_one_line(tmp_path, monkeypatch, read):

    def fail(*_):
        raise OSError(errno.EIO, "Input/output error")

    made(tmp_path, a="1\n")
    with files({"--out": tmp_path / "d.csv"}) as places:
        places.text("--out", "6\n")
    monkeypatch.setattr(f"halfpoint.models.games.results.{read}", fail)
    monkeypatch.setattr(f"halfpoint.models.games.single_files.{read}", fail, raising=False)
    line = f"{tmp_path}.*: expected a place to write, found Input/output error. Choose another --out."
    with pytest.raises(HalfpointError, match=line), results(tmp_path, "one", ("a.csv",)):
        pass
    with pytest.raises(HalfpointError, match=line), files({"--out": tmp_path / "d.csv"}):
        pass
    assert contents(tmp_path) == {"a.csv": "1\n", "d.csv": "6\n"}


def test_a_file_of_an_earlier_setting_that_cannot_be_read_keeps_the_old_result(tmp_path, monkeypatch):

    def fail(path):
        if path == tmp_path / "b.csv":
            raise OSError(errno.EIO, "Input/output error")
        return hash_of(path)

    made(tmp_path, a="1\n", b="2\n")
    monkeypatch.setattr("halfpoint.models.games.results.recorded_hash", fail)
    with pytest.raises(HalfpointError, match=r"b.csv: expected a readable file of an earlier run, found Input/output"):
        made(tmp_path, a="3\n")
    assert contents(tmp_path) == {"a.csv": "1\n", "b.csv": "2\n"}
    assert hidden(tmp_path) == [RECORD]


def test_a_rename_that_fails_halfway_puts_back_the_old_files(tmp_path):
    made(tmp_path, a="1\n", c="3\n")

    def written_beside_a_folder():
        with results(tmp_path, "one") as place:
            place.text("a.csv", "4\n")
            place.text("b.csv", "5\n")
            (tmp_path / "b.csv").mkdir()  # no file can be renamed over it
            (tmp_path / "b.csv" / "mine").touch()

    with pytest.raises(HalfpointError, match="expected a place to write"):
        written_beside_a_folder()
    assert contents(tmp_path) == {"a.csv": "1\n", "c.csv": "3\n"}
    assert hidden(tmp_path) == [RECORD]
    assert not (tmp_path / OLD).exists()
    (tmp_path / "b.csv" / "mine").unlink()
    (tmp_path / "b.csv").rmdir()
    made(tmp_path, a="4\n", b="5\n")
    assert contents(tmp_path) == {"a.csv": "4\n", "b.csv": "5\n"}
