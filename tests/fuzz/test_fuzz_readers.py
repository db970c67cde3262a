"""Any file is read, or refused in one printable line, without a traceback and without leftover files."""

import re
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent.parent / "readers"))
sys.path.insert(0, str(Path(__file__).parent))
from fuzzed_readers import READERS, SUITED, check
from mutations import NASTY, SOUND, mutate
from written import OF_A_STUDY, SHARE, TEXTS, sound

from halfpoint.apps.study.page import read_summary
from halfpoint.models.games.errors import HalfpointError

GIVEN = (*TEXTS, "battles.jsonl", "trace.nc")  # by a user, as a path
KINDS = [
    kind for kind in SUITED if kind not in OF_A_STUDY
]  # a run of the study takes long: tests/apps/cli/test_report.py


@pytest.mark.parametrize("kind", KINDS)
def test_sound_files_are_read(tmp_path, kind):
    (tmp_path / "games").write_bytes(SOUND[kind] if kind in SOUND else sound(kind))
    for reader in SUITED[kind]:
        assert check(reader, tmp_path / "games"), reader


@pytest.mark.cases(10)
@pytest.mark.parametrize("files", [30, pytest.param(150, marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", KINDS)
def test_damaged_files_are_read_or_refused(tmp_path, kind, files):
    chance = np.random.default_rng(list(kind.encode()))
    path = tmp_path / "games"
    whole = SOUND[kind] if kind in SOUND else sound(kind)
    for _ in range(max(3, files // SHARE.get(kind, 1))):
        path.unlink(missing_ok=True)
        path.write_bytes(mutate(whole, chance))
        for reader in SUITED[kind]:
            check(reader, path)


@pytest.mark.parametrize("kind", ["tuned.json", "choice.json", "record.json", "battles.jsonl"])
@pytest.mark.parametrize("odd", ["[" * 100_000, "9" * 400, "9" * 5000, "1e999"])
def test_numbers_and_brackets_without_end_are_refused_or_made_again(tmp_path, kind, odd):
    text, path = sound(kind).decode(), tmp_path / "games"
    values = set(re.findall(r'":\s?([-\w."]+)', text))
    assert len(values) > 1
    for value in sorted(values)[:12]:
        path.write_text(text.replace(f":{value}", f":{odd}", 1).replace(f": {value}", f": {odd}", 1))
        for reader in SUITED[kind]:
            check(reader, path)


def test_a_summary_that_is_deep_without_end_is_refused(tmp_path):
    (tmp_path / "summary.json").write_text('{"data": ' + "[" * 100_000)
    with pytest.raises(HalfpointError, match="expected JSON, found the nesting is too deep"):
        read_summary(tmp_path / "summary.json")


@settings(max_examples=4, deadline=None)
@given(st.binary(max_size=2000) | st.lists(st.sampled_from(NASTY) | st.binary(max_size=20), max_size=20).map(b"".join))
def test_any_bytes_are_read_or_refused_by_every_reader(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "games"
    path.write_bytes(content)
    for reader in READERS:
        if reader not in OF_A_STUDY:
            check(reader, path)


@pytest.mark.parametrize("reader", [reader for reader in READERS if reader not in SUITED or reader in GIVEN])
@pytest.mark.parametrize("kind", ["folder", "nothing", "no path", "device"])
def test_what_is_no_file_is_refused(tmp_path, reader, kind):
    places = {
        "folder": tmp_path,
        "nothing": tmp_path / "none\n",
        "no path": tmp_path / "a\0b",
        "device": Path("/dev/zero"),
    }
    assert check(reader, places[kind]) is False


def test_damaged_parquet_writes_nothing_on_the_terminal(tmp_path, capfd):
    chance = np.random.default_rng([1, *b"parquet"])
    path = tmp_path / "games"
    for _ in range(594):  # the first file on which polars 2.1 panics is the last of these
        content = mutate(SOUND["parquet"], chance)
    path.write_bytes(content)
    for reader in SUITED["parquet"]:
        assert check(reader, path) is False
    assert capfd.readouterr() == ("", "")
