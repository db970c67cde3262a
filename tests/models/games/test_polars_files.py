"""Processes in which polars lacks its threads are refused, others read files."""

import os

import pytest

from halfpoint.models.games import polars_files
from halfpoint.models.games.errors import GameTableError


@pytest.mark.parametrize(
    ("missing", "first", "parent", "pool", "refused"),
    [
        (False, True, None, False, False),  # the first process is not tested
        (True, True, None, True, True),  # forked from a process that used polars
        (False, False, None, False, True), (False, False, None, True, False),  # forked by hand
        (False, True, "parent", False, True), (False, True, "parent", True, False),  # by multiprocessing
    ],
)  # fmt: skip
def test_forks_without_the_threads_of_polars_are_refused(missing, first, parent, pool, refused, monkeypatch):
    monkeypatch.setattr(polars_files._Threads, "missing", missing)
    monkeypatch.setattr(polars_files._Threads, "in_use", False)
    monkeypatch.setattr(polars_files, "FIRST_PROCESS", os.getpid() + (not first))
    monkeypatch.setattr(polars_files.multiprocessing, "parent_process", lambda: parent)
    monkeypatch.setattr(polars_files, "_has_pool", lambda process: pool)
    if refused:
        with pytest.raises(GameTableError, match="found a process that was forked after the first use of polars"):
            polars_files.require_pool()
    else:
        polars_files.require_pool()
    assert polars_files._Threads.in_use == (not refused)


@pytest.mark.parametrize(
    ("used", "names", "noted"),
    [(False, ["python"], False), (True, ["python"], True), (False, ["polars-3\n"], True), (False, ["polars-x"], False)],
)
def test_a_fork_notes_whether_anyone_used_polars(used, names, noted, monkeypatch):
    threads = polars_files._Threads
    for name, value in (("in_use", used), ("missing", False), ("in_use_at_fork", False)):
        monkeypatch.setattr(threads, name, value)
    monkeypatch.setattr(polars_files, "names_of_threads", lambda: names)
    threads.before_fork()
    threads.in_child()
    assert (threads.missing, threads.in_use) == (noted, False)
    threads.before_fork()  # of the child's own child: polars is not in use, but its threads are still missing
    threads.in_child()
    assert threads.missing == noted


def test_names_that_polars_would_take_for_patterns_are_read_first(tmp_path):
    strange, plain = tmp_path / "games[1].parquet", tmp_path / "games.parquet"
    for path in (strange, plain):
        path.write_bytes(b"bytes")
    assert polars_files.readable(strange) == b"bytes"
    assert polars_files.readable(plain) == plain
    assert polars_files.readable(tmp_path / "*.parquet") == tmp_path / "*.parquet"
