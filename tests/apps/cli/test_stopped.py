"""Signals at the end of Python, locked folders, and processes killed between two renames."""

import contextlib
import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from good_results import files_of

from halfpoint.apps.cli.stopping import SIGNALS
from halfpoint.models.games.errors import HalfpointError
from halfpoint.models.games.result_record import PARTS, RECORD
from halfpoint.models.games.results import results


@pytest.mark.further
def test_the_campaign_begins_by_itself():
    program = [sys.executable, "-W", "ignore", Path(__file__).with_name("kill_campaign.py"), "--help"]
    done = subprocess.run(program, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "--moments" in done.stdout


@pytest.mark.parametrize("name", [name for name in SIGNALS if hasattr(signal, name)])
def test_a_signal_while_python_is_taken_down_changes_nothing(name):
    code = f"""
import os, signal, sys
class Last:
    def __del__(self, kill=os.kill, me=os.getpid(), number=signal.{name}):
        kill(me, number)
sys.kept = Last()
from halfpoint.apps.cli.stopping import stop_at_signals
stop_at_signals()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_held_folder_leaves_nothing_and_ends_with_its_process(tmp_path):
    held = tmp_path / "new" / "run"
    with results(held, "x"), pytest.raises(HalfpointError, match="expected no other writer"), results(held, "x"):
        pass
    assert list(tmp_path.iterdir()) == []
    code = (
        f"import os\nfrom halfpoint.models.games.results import results\nwith results({str(held)!r}, 'x'): os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert (held / ".halfpoint.lock").exists()
    with results(held, "x"):
        assert [path.name for path in held.iterdir()] == [".halfpoint.lock"]


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_process_killed_between_two_renames_is_finished_by_the_next(tmp_path, renamed):
    run = tmp_path / "run"
    for text in ("old", "new"):
        code = f"""
import os, pathlib
from halfpoint.models.games.results import results
real, left = pathlib.Path.replace, [{renamed}]
def replace(self, target):
    if {text == "new"} and "{PARTS}" in self.parts:
        if not left[0]:
            os._exit(9)
        left[0] -= 1
    return real(self, target)
pathlib.Path.replace = replace
with results({str(run)!r}, "x") as place:
    for name in ("a.csv", "b.csv", "c/d.csv"):
        place.text(name, {text!r})
    {"" if text == "old" else "pass #"}place.text("stale.csv", "old")
"""
        done = subprocess.run([sys.executable, "-c", code], check=False)
        assert done.returncode == (0 if text == "old" else 9)
    with contextlib.suppress(HalfpointError), results(run, "y"):
        pass
    assert files_of(run) == {"a.csv": b"new", "b.csv": b"new", "c/d.csv": b"new"}
    assert sorted(json.loads((run / RECORD).read_text())["files"]) == ["a.csv", "b.csv", "c/d.csv"]
    assert not (run / PARTS).exists() or not list((run / PARTS).rglob("*.csv"))


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("", ["at the end"]),  # objects are not taken apart, what is registered runs
        ("threading.Thread(target=lambda: (time.sleep(0.3), print('joined')), daemon=False).start()", None),
        ("sys.stdout = sys.stderr = None", []),  # as under pythonw: nothing to write to
        ("import cProfile; cProfile.Profile().enable()", ["at the end", "taken apart"]),
        ("sys.monitoring.use_tool_id(sys.monitoring.PROFILER_ID, 'profiler')", ["at the end", "taken apart"]),
    ],
)
def test_a_command_ends_at_once_unless_a_thread_or_a_profiler_waits(before, expected):
    code = f"""
import atexit, sys, threading, time
class Last:
    def __del__(self, say=print):
        say("taken apart")
last = Last()
atexit.register(print, "at the end")
from halfpoint.apps.cli.stopping import leave
{before}
leave(SystemExit(7))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (7, "")
    assert done.stdout.split("\n")[:-1] == (["joined", "at the end", "taken apart"] if expected is None else expected)
