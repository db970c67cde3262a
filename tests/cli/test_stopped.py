"""Commands that are stopped at random moments: earlier files stay whole, one line, and the same command completes.

Real processes are sent SIGINT, SIGTERM and SIGKILL. The old files are of one seed, the new ones of another, so that
every file must be byte for byte what the one or the other run leaves (traces and pages hold times: they must be whole).
"""

import functools
import io
import itertools
import json
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

from halfpoint.cli.stopping import SIGNALS
from halfpoint.games.claim import claim
from halfpoint.games.errors import HalfpointError
from halfpoint.games.readers.read import read as read_games
from halfpoint.inference.traces import read as read_trace

COMMAND = "import sys; sys.argv[0] = 'halfpoint'; from halfpoint.cli import main; main()"
GOES_ON = "files are as they were or whole, the same command goes on"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: -9}
SHORT = ["--draws", "60", "--tune", "60", "--chains", "2", "--quiet"]
# name: the words, and how they say the run that is there before from the one that is stopped
COMMANDS = {
    "rate": (
        ["rate", "games.pgn", "--model", "bt-common", "--out", "run", "--force", *SHORT],
        ["--seed", "1"],
        ["--seed", "2"],
    ),
    "fit": (
        ["fit", "games.pgn", "--model", "davidson-common", "--method", "laplace", "--out", "run/trace.nc"],
        ["--seed", "1"],
        ["--seed", "2"],
    ),
    "simulate": (["simulate", "run/games.pgn", "--games", "4000"], ["--seed", "1"], ["--seed", "2"]),
    "rank": (["rank", "trace.nc", "--json"], ["--out", "run/list.json"], ["--out", "run/list.json"]),
    "backtest": (
        ["backtest", "games.pgn", "--systems", "elo,glicko", "--out", "run", "--every", "month"],
        ["--from", "5"],
        ["--from", "7"],
    ),
    "calibrate": (["calibrate", "bt-common", "--simulations", "20", "--out", "run"], ["--seed", "1"], ["--seed", "2"]),
    "study": (
        ["study", "--replica", "--models", "bt,bt-common", "--out", "run", "--force", *SHORT],
        ["--seed", "1"],
        ["--seed", "2"],
    ),
    "report": (["report", "study", "--out", "run/report.html"], [], []),
    "compare": (["compare", "trace.nc", "other.nc", "--out", "run/list.json"], [], []),
}


def start(words, folder):
    """Start a command; Ctrl-C reaches it even where the tests run in the background."""

    def alone():
        signal.signal(signal.SIGINT, signal.default_int_handler)

    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=alone,
    )


def complete(words, folder):
    """Run a command to its end and return the seconds it took."""
    begun = time.monotonic()
    child = start(words, folder)
    _, errors = child.communicate(timeout=600)
    assert child.returncode == 0, errors.decode()
    return time.monotonic() - begun


def listening(child):
    """Wait until a command has come to its first line of code, from where on signals end it in one line."""
    bit = 1 << (signal.SIGTERM - 1)
    while child.poll() is None:
        status = Path(f"/proc/{child.pid}/status").read_text()
        if int(status.partition("SigCgt:")[2].split()[0], 16) & bit:
            return
        time.sleep(0.005)


def files_of(folder):
    """Return the content of each file of a folder by its name, temporary ones and locks left out."""
    hidden = (".part", ".lock")
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not (path.name.startswith(".") and path.name.endswith(hidden))
    }


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


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stopped")
    complete(["simulate", "games.pgn", "--games", "600", "--players", "8"], folder)
    for name, seed in (("trace.nc", "1"), ("other.nc", "2")):
        complete([*COMMANDS["fit"][0][:-1], name, "--seed", seed], folder)
    return folder


@pytest.fixture(scope="module")
def runs(place):
    """Return a function: command -> seconds of a run, files it finds (one seed), files it is to leave (another)."""

    @functools.cache
    def of(command):
        words, old, new = COMMANDS[command]
        empty(place / "run")
        complete(words + new, place)
        wanted = files_of(place / "run")
        empty(place / "run")
        seconds = complete(words + old, place)
        return seconds, files_of(place / "run"), wanted

    return of


def empty(folder):
    """Remove what a folder holds."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def stop_at_random_moments(command, numbers, folder, runs):
    """Stop a command by one signal after the other, check all that is promised, and return how many it ended."""
    seconds, before, wanted = runs(command)
    words, _, new = COMMANDS[command]
    run = folder / "run"
    empty(run)
    for name, content in before.items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(content)
    timed = {name for name in wanted if name.endswith((".nc", ".html", ".npz", "backtest.json", "summary.json"))}
    chance = random.Random(f"{command} {numbers[0]}")
    stopped = Counter()
    moments, reach = list(numbers), 0.9
    while moments:
        number = moments.pop(0)
        began = time.monotonic()
        child = start(words + new, folder)
        if number != signal.SIGKILL:
            listening(child)
        left = max(0.05, seconds - (time.monotonic() - began))  # it takes a while until a signal is listened for
        time.sleep(chance.uniform(0.0, reach * left))
        child.send_signal(number)
        _, errors = child.communicate(timeout=120)
        assert child.returncode in (0, CODES[number]), errors.decode()
        if child.returncode:
            stopped[signal.Signals(number).name] += 1
            lines = errors.decode().splitlines()
            said = [f"halfpoint: stopped ({signal.Signals(number).name}); {GOES_ON}"]
            assert lines == ([] if number == signal.SIGKILL else said)
        now = files_of(run)
        assert set(before) <= set(now)
        for name, content in now.items():
            assert is_whole(name, content, run), name
            if name not in timed:
                allowed = [steady(name, files.get(name)) for files in (before, wanted)]
                assert steady(name, content) in allowed, name
        if not moments and not stopped and reach > 0.05:  # all came too late: again, sooner
            moments, reach = list(numbers), reach / 2
    assert stopped
    complete(words + new, folder)
    now = files_of(run)
    assert set(wanted) <= set(now)
    assert [name for name in set(wanted) - timed if steady(name, now[name]) != steady(name, wanted[name])] == []
    left = [path.name for path in run.rglob(".*")]
    assert left == []
    return stopped


@pytest.mark.parametrize("number", list(CODES))
@pytest.mark.parametrize("command", ["rate", "simulate"])
def test_stopped_at_a_random_moment(command, number, place, runs):
    stop_at_random_moments(command, [number] * (1 if command == "rate" else 3), place, runs)


@pytest.mark.slow
@pytest.mark.parametrize("command", list(COMMANDS))
def test_stopped_at_fifty_random_moments(command, place, runs):
    if command == "report" and not (place / "study").exists():
        complete(["study", "--replica", "--models", "bt", "--out", "study", *SHORT], place)
    stopped = stop_at_random_moments(command, list(itertools.islice(itertools.cycle(CODES), 50)), place, runs)
    print(f"{command}: 50 signals, {sum(stopped.values())} ended it: {dict(stopped)}")
    assert set(stopped) == {signal.Signals(number).name for number in CODES}


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
    words = [*COMMANDS["rate"][0], "--seed", "1"]
    words[words.index("run")] = "shared"
    first = start(words, place)
    while not (place / "shared" / ".halfpoint.lock").exists():
        assert first.poll() is None
        time.sleep(0.01)
    first.send_signal(signal.SIGSTOP)  # however long the second takes to begin, the first is at work
    second = start(words, place)
    out, errors = second.communicate(timeout=120)
    first.send_signal(signal.SIGCONT)
    assert second.returncode == 2
    assert errors.decode() == (
        "halfpoint: shared: expected no other writer, found another command that writes there. "
        "Wait for it, or choose another --out.\n"
    )
    assert out == b""
    _, errors = first.communicate(timeout=300)
    assert first.returncode == 0, errors.decode()
    assert sorted(path.name for path in (place / "shared").iterdir()) == [
        "ratings.csv",
        "ratings.json",
        "report.html",
        "trace.nc",
    ]


def test_a_claim_leaves_nothing_and_ends_with_its_process(tmp_path):
    held = tmp_path / "new" / "run"
    with claim(held), pytest.raises(HalfpointError, match="expected no other writer"), claim(held):
        pass
    assert list(tmp_path.iterdir()) == []
    script = f"import os\nfrom halfpoint.games.claim import claim\nwith claim({str(held)!r}): os._exit(9)"
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == 9
    assert (held / ".halfpoint.lock").exists()
    with claim(held):
        assert [path.name for path in held.iterdir()] == [".halfpoint.lock"]
