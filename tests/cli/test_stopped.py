"""Commands that are killed at random moments over a good result: all files are of before, or all are new.

A part of `kill_campaign.py`, which does the same to every command, by night.
"""

import contextlib
import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from good_results import CODES, DONE, GoodResult, files_of
from writing_commands import WRITING, make_inputs
from zygote import Zygote

from halfpoint.cli.stopping import SIGNALS
from halfpoint.games.errors import HalfpointError
from halfpoint.games.result_record import PARTS, RECORD
from halfpoint.games.results import results


@pytest.fixture(scope="module")
def zygote():
    server = Zygote()
    yield server
    server.close()


@pytest.fixture(scope="module")
def place(tmp_path_factory, zygote):
    folder = tmp_path_factory.mktemp("stopped")

    def run(words):
        code, _, errors, _ = zygote.run(words, folder)
        assert code in DONE, errors

    make_inputs(run, folder)
    return folder


def stop_at_random_moments(name, place, zygote):
    """Kill a command by one signal after the other, and once more sooner while all come too late; return who ended."""
    result, chance, reach, stopped = GoodResult(name, place, zygote), random.Random(name), 1.0, []
    while not stopped and reach > 0.05:
        for number in CODES:
            ended, _ = result.kill(number, chance.uniform(0.0, reach * result.seconds))
            stopped += [number] * ended
        reach /= 2
    result.rerun()
    return stopped


@pytest.mark.parametrize("name", ["rank", "bridge score", "simulate"])
def test_killed_over_a_good_result(name, place, zygote):
    assert stop_at_random_moments(name, place, zygote)


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
from halfpoint.cli.stopping import stop_at_signals
stop_at_signals()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_of_two_commands_that_write_to_one_folder_the_second_is_told(place):
    command = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.cli import main; main()"
    words = [*WRITING["rate"].words, "--seed", "1"]
    words[words.index("run")] = "shared"

    def start():
        whole = [sys.executable, "-c", command, *words]
        return subprocess.Popen(whole, cwd=place, stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    first = start()
    while not (place / "shared" / ".halfpoint.lock").exists():
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)  # however long the second takes to begin, the first is at work
    second = start()
    out, errors = second.communicate(timeout=120)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert errors.decode() == (
        "halfpoint: shared: expected no other writer, found another command that writes there. "
        "Wait for it, or choose another --out.\n"
    )
    assert out == b""
    _, errors = first.communicate(timeout=300)
    assert first.returncode in DONE, errors.decode()
    assert sorted(path.name for path in (place / "shared").iterdir()) == [
        RECORD,
        "index.html",
        "ratings.csv",
        "ratings.json",
        "report.html",
        "trace.nc",
    ]


def test_a_held_folder_leaves_nothing_and_ends_with_its_process(tmp_path):
    held = tmp_path / "new" / "run"
    with results(held, "x"), pytest.raises(HalfpointError, match="expected no other writer"), results(held, "x"):
        pass
    assert list(tmp_path.iterdir()) == []
    code = f"import os\nfrom halfpoint.games.results import results\nwith results({str(held)!r}, 'x'): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 9
    assert (held / ".halfpoint.lock").exists()
    with results(held, "x"):
        assert [path.name for path in held.iterdir()] == [".halfpoint.lock"]


@pytest.mark.parametrize("renamed", [0, 1, 2])
def test_a_process_killed_between_two_renames_is_finished_by_the_next(tmp_path, renamed):
    """Whatever was renamed when it was killed: the next command that comes to the folder has all of the new files."""
    run = tmp_path / "run"
    for text in ("old", "new"):
        code = f"""
import os, pathlib
from halfpoint.games.results import results
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
