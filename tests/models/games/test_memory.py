"""Memory that is left, by limits of a process and of a container; the message where it is not enough."""

from pathlib import Path

import pytest

from halfpoint.models.games import memory
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.memory import GIB

resource = pytest.importorskip("resource", reason="a system without limits of processes")


@pytest.mark.parametrize(
    ("limit", "used", "left"), [(10, 4, 6), (3, 4, 0), (4, 4, 0), (resource.RLIM_INFINITY, 4, None)]
)
def test_a_limit_of_addresses_leaves_what_is_not_used(limit, used, left, monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit, resource.RLIM_INFINITY))
    monkeypatch.setattr(memory, "used_addresses", lambda: used)
    assert memory.limit_of_addresses() == left


@pytest.mark.parametrize(("limit", "left"), [("1000", 700), ("200", 0), ("max", None)])
def test_a_container_leaves_what_is_not_used(limit, left, tmp_path, monkeypatch):
    (tmp_path / "memory.max").write_text(f"{limit}\n")
    (tmp_path / "memory.current").write_text("300\n")
    monkeypatch.setattr(memory, "Path", lambda name: tmp_path / Path(name).name)
    assert memory._limit_of_container() == left


def test_the_least_limit_counts(tmp_path, monkeypatch):
    (tmp_path / "meminfo").write_text("MemTotal: 9 kB\nMemAvailable:      5 kB\nBuffers: 1 kB\n")
    (tmp_path / "memory.max").write_text("4000\n")
    (tmp_path / "memory.current").write_text("0\n")
    (tmp_path / "statm").write_text("3 1 1 0 0 0 0\n")
    monkeypatch.setattr(memory, "Path", lambda name: tmp_path / Path(name).name)
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (10**12, resource.RLIM_INFINITY))
    assert memory.used_addresses() == 3 * resource.getpagesize()
    assert memory.available_bytes() == 4000
    (tmp_path / "memory.max").write_text("max\n")
    assert memory.available_bytes() == 5 * 1024
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (3 * resource.getpagesize() + 7, 0))
    assert memory.available_bytes() == 7


def test_limits_are_set_as_given(monkeypatch):
    limits = {}
    monkeypatch.setattr(resource, "setrlimit", lambda kind, pair: limits.update({kind: pair}))
    memory.limit_addresses(lambda: 123)
    memory.write_no_core()
    assert limits == {resource.RLIMIT_AS: (123, resource.RLIM_INFINITY), resource.RLIMIT_CORE: (0, 0)}


def test_work_that_needs_more_than_is_free_is_refused_with_both_numbers(monkeypatch):
    monkeypatch.setattr(memory, "available_bytes", lambda: 2 * GIB)
    memory.require_room("draws", 2 * GIB, "Draw less.")
    with pytest.raises(HalfpointError) as refused:
        memory.require_room("draws", 5 * GIB / 2, "Draw less.")
    assert str(refused.value) == "draws: expected at most the 2.0 GiB of free memory, found 2.5 GiB. Draw less."
