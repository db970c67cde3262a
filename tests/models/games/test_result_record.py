"""Records of folders: read if complete and without paths outside the folder, otherwise ignored."""

import json

import pytest

from halfpoint.models.games.result_record import Entry, read_note, read_record

ENTRY = {"of": "rate", "sha256": "0" * 64}
WHOLE = {"files": {"ratings.csv": ENTRY, "trace.nc": ENTRY}, "moves": {}, "gone": []}


def put(folder, note):
    """Path of a record."""
    path = folder / ".halfpoint.json"
    path.write_text(json.dumps(note), encoding="utf-8")
    return path


def test_a_whole_record_is_read(tmp_path):
    assert read_note(put(tmp_path, WHOLE)) == WHOLE
    assert read_record(tmp_path) == {name: Entry("rate", "0" * 64) for name in ("ratings.csv", "trace.nc")}
    assert read_record(tmp_path / "nowhere") == {}


@pytest.mark.parametrize(
    "change",
    [
        {"files": {"ratings.csv": ENTRY, "trace.nc": {"of": "rate"}}},  # one of two entries lacks its hash
        {"files": {"ratings.csv": ENTRY, "../trace.nc": ENTRY}},
        {"files": {"ratings.csv": ENTRY, "/trace.nc": ENTRY}},
        {"gone": ["ratings.csv", "../trace.nc"]},
        {"others": ["/a", "b"]},
        {"first": "b"},
        {"files": []},
    ],
)
def test_a_record_that_is_not_whole_or_leads_outside_is_none(tmp_path, change):
    assert read_note(put(tmp_path, WHOLE | change)) is None
