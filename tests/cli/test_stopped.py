"""Commands that are killed at random moments over a good result: all files are of before, or all are new.

The old files are of one setting, the new ones of another, so that what is mixed is seen: every file must be byte for
byte what the one or the other run leaves. Traces and pages hold times: new ones must be whole. What a backtest or a
calibration keeps on its way to go on from (`rolled`, `tuned`, `ranks-...npz`) is whole, of either.
"""

import contextlib
import io
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from writing_commands import WRITING, make_inputs
from zygote import Zygote

from halfpoint.cli.stopping import SIGNALS
from halfpoint.games.errors import HalfpointError
from halfpoint.games.readers.read import read as read_games
from halfpoint.games.result_record import NEXT, PARTS, RECORD
from halfpoint.games.results import results
from halfpoint.inference.traces import read as read_trace

SAID = "results are those of before or all new; the same command makes them"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}
DONE = (0, 3)  # 3: too short a run to converge
TIMED = (".nc", ".html", ".npz", "backtest.json", "summary.json")
KEPT = ("rolled/", "tuned/", "ranks-")  # on the way
KILLS = int(os.environ.get("HALFPOINT_TESTS_KILLS", "10"))  # of each command


@pytest.fixture(scope="module")
def zygote():
    server = Zygote()
    yield server
    server.close()


@pytest.fixture(scope="module")
def place(request, tmp_path_factory, zygote):
    folder = tmp_path_factory.mktemp("stopped")

    def run(words):
        code, _, errors, _ = zygote.run(words, folder)
        assert code in DONE, errors

    make_inputs(run, folder, study="not slow" not in request.config.getoption("markexpr"))
    return folder


def files_of(folder):
    """Return the content of each file of a folder by its name; what is hidden is no result."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if "/." not in f"/{name}"}


def steady(name, content):
    """Return what does not change from run to run: a backtest's scores end in seconds."""
    if content is None or Path(name).name != "scores.csv":
        return content
    return b"\n".join(line.rpartition(b",")[0] for line in content.splitlines())


def is_whole(name, content, folder):
    """Return whether a file can be read to its end."""
    ending = Path(name).suffix
    if ending == ".nc":
        read_trace(folder / name)
    elif ending == ".json":
        json.loads(content)
    elif ending == ".html":
        return content.rstrip().endswith(b"</html>")
    elif ending == ".png":
        return content.endswith(b"IEND\xaeB`\x82")
    elif ending == ".parquet":
        pl.read_parquet(io.BytesIO(content))
    elif ending == ".npz":
        with np.load(io.BytesIO(content)) as held:
            assert all(held[key] is not None for key in held.files)
    elif ending == ".pgn":
        assert len(read_games(folder / name)) == 4000
    else:
        return content.endswith(b"\n") and ending in (".csv", ".md")
    return True


def emptied(folder):
    """Make a folder, or remove what it holds."""
    folder.mkdir(exist_ok=True)
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def is_on_the_way(name):
    """Return whether a file is one that a run goes on from."""
    return any(f"/{kept}" in f"/{name}" for kept in KEPT)


def is_run(now, wanted, exact):
    """Return whether the files are those of one run: all of them, byte for byte but for what holds times."""
    mine = {name for name in now if not is_on_the_way(name)}
    if mine != {name for name in wanted if not is_on_the_way(name)}:
        return False
    compared = [name for name in mine if exact or not name.endswith(TIMED)]
    return all(steady(name, now[name]) == steady(name, wanted[name]) for name in compared)


def stop_at_random_moments(name, numbers, folder, zygote):
    """Kill a command by one signal after the other, check what it leaves, and return how many ended it."""
    one, run = WRITING[name], folder / "run"
    emptied(run)
    code, _, errors, _ = zygote.run(one.words + one.new, folder)
    assert code in DONE, errors
    wanted = files_of(run)
    emptied(run)
    assert zygote.run(one.words + one.old, folder)[0] in DONE
    before = files_of(run)
    records = {path.relative_to(run).as_posix(): path.read_bytes() for path in run.rglob(RECORD)}
    seconds = zygote.run(one.words + one.new, folder)[3]  # over an earlier run, with what it may use of it
    chance, stopped, reach = random.Random(f"{name} {numbers[0]}"), Counter(), 1.0
    moments, new = list(numbers), 0
    while moments:
        number = moments.pop(0)
        emptied(run)
        for file, content in (before | records).items():
            (run / file).parent.mkdir(parents=True, exist_ok=True)
            (run / file).write_bytes(content)
        code, _, errors, _ = zygote.run(one.words + one.new, folder, chance.uniform(0.0, reach * seconds), number)
        assert code in (*DONE, CODES[number]), errors
        if code not in DONE:
            stopped[signal.Signals(number).name] += 1
            said = [f"halfpoint: stopped ({signal.Signals(number).name}); {SAID}"]
            assert errors.splitlines() == ([] if number == signal.SIGKILL else said)
        for noted in list(run.rglob(NEXT)):  # killed between two renames: the next command there finishes them
            with results(noted.parent, "nobody"):
                pass
        now = files_of(run)
        for file, content in now.items():
            assert is_whole(file, content, run), file
        new += is_run(now, wanted, exact=False)
        assert is_run(now, before, exact=True) or is_run(now, wanted, exact=False), (name, sorted(now))
        if not moments and not stopped and reach > 0.05:  # all came too late: again, sooner
            moments, reach = list(numbers), reach / 2
    assert zygote.run(one.words + one.new, folder)[0] in DONE
    assert is_run(files_of(run), wanted, exact=False)
    assert [path.name for path in run.rglob(".*") if path.name != RECORD] == []
    print(f"{name}: {len(numbers)} signals, {sum(stopped.values())} ended it: {dict(stopped)}; new {new}")
    return stopped


@pytest.mark.parametrize("name", ["rank", "bridge score", "simulate"])
def test_killed_over_a_good_result(name, place, zygote):
    assert stop_at_random_moments(name, list(CODES), place, zygote)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(WRITING))
def test_killed_many_times_over_a_good_result(name, place, zygote):
    assert stop_at_random_moments(name, list(itertools.islice(itertools.cycle(CODES), KILLS)), place, zygote)


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
