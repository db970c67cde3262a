"""A valid result of a command, over which it runs again and is killed or its writes fail; the outcome must be old or
new.

The older and the newer result have different settings, so that a mixture is detected: every file must equal that of one
run byte for byte. Traces, pages, and forecasts from which a backtest resumes contain times, so new ones must only be
complete.
"""

import errno
import io
import json
import signal
from pathlib import Path

import numpy as np
import polars as pl
from writing_commands import WRITING

from halfpoint.apps.fields.races.model import SCHEMA as RACES
from halfpoint.inference.traces.netcdf import open_netcdf
from halfpoint.inference.traces.netcdf import read as read_trace
from halfpoint.models.games.result_record import NEXT, RECORD, TIMING, recorded_hash
from halfpoint.models.games.results import results
from halfpoint.readers.read import read as read_games

SAID = "results are unchanged or complete; run the same command again"
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGHUP: 129, signal.SIGKILL: -9}
DONE = (0, 3)  # 3: too short a run to converge
FULL, BROKEN, INTERRUPTED = errno.ENOSPC, errno.EIO, errno.EINTR
WHOLE = {}  # by hash: what was read to its end once


def files_of(folder):
    """Content of each file of a folder by its name, without hidden files."""
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in paths}
    return {name: path.read_bytes() for name, path in names.items() if "/." not in f"/{name}"}


def is_whole(name, content, folder):
    """True if a file can be read completely."""
    ending = Path(name).suffix
    if ending == ".nc":
        open_netcdf(folder / name, RACES) if RACES.encode() in content else read_trace(folder / name)
    elif ending == ".json":
        json.loads(content)
    elif ending in (".html", ".graphml"):
        return content.rstrip().endswith(f"</{ending[1:]}>".encode())
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
    """Create or empty a folder."""
    folder.mkdir(exist_ok=True)
    for path in sorted(folder.rglob("*"), reverse=True):
        path.unlink() if path.is_file() else path.rmdir()


def is_run(now, wanted, exact):
    """True if the files are all files of one run, byte for byte except seconds."""
    if now.keys() != wanted.keys():
        return False
    return all(now[name] == wanted[name] for name in now if exact or not name.endswith(TIMING))


class GoodResult:
    """Result of a command (of `WRITING`) with one setting, in `folder / "run"`, to be replaced by another.

    Parameters
    ----------
    name : str
        The command.
    folder : Path
        Folder of its inputs.
    zygote : Zygote
        The server that runs it.
    *more : str
        Further arguments.
    """

    def __init__(self, name, folder, zygote, *more):
        one, self.run, self.folder, self.zygote = WRITING[name], folder / "run", folder, zygote
        self.name, self.words = name, [*one.words, *one.new, *more]
        emptied(self.run)
        self.again()
        self.wanted = files_of(self.run)
        emptied(self.run)
        self.again([*one.words, *one.old, *more])
        self.before = files_of(self.run)
        self.records = {path.relative_to(self.run): path.read_bytes() for path in self.run.rglob(RECORD)}
        self.restore()
        self.seconds = self.again()  # over an earlier run, with what it may use of it

    def again(self, words=None):
        """Run to the end; return the seconds."""
        code, _, errors, seconds = self.zygote.run(words or self.words, self.folder)
        assert code in DONE, errors
        return seconds

    def restore(self):
        """Restore the old result without other files."""
        emptied(self.run)
        for file, content in (self.before | self.records).items():
            (self.run / file).parent.mkdir(parents=True, exist_ok=True)
            (self.run / file).write_bytes(content)

    def is_new(self):
        """True if the folder has the new result, False for the old one, after interrupted renames are finished."""
        for noted in list(self.run.rglob(NEXT)):  # killed between two renames: the next command there finishes them
            with results(noted.parent, "nobody"):
                pass
        now = files_of(self.run)
        for file, content in now.items():
            if content not in WHOLE.setdefault(self.name, set()) and content not in self.before.values():
                assert is_whole(file, content, self.run), file
                WHOLE[self.name].add(content)
        for record in self.run.rglob(RECORD):
            for file, entry in json.loads(record.read_text())["files"].items():
                assert recorded_hash(record.parent / file) == entry["sha256"], (self.name, file)
        old = is_run(now, self.before, exact=True)
        assert old or is_run(now, self.wanted, exact=False), (self.name, sorted(now))
        return not old

    def kill(self, number, after):
        """Run over the old result, send a signal after some seconds; return whether it ended the run, and `is_new`."""
        self.restore()
        code, _, errors, seconds = self.zygote.run(self.words, self.folder, after, number)
        assert code in (*DONE, CODES[number]), errors
        ended = code not in DONE
        if ended:
            said = [f"halfpoint: stopped ({signal.Signals(number).name}); {SAID}"]
            assert errors.splitlines() == ([] if number == signal.SIGKILL else said)
        elif seconds < after:
            self.seconds += (seconds - self.seconds) / 4  # machines are now fast, now slow
        return ended, self.is_new()

    def fail(self, error, at, once, calls="writes"):
        """Run over the old result, let its n-th write fail, optionally also the next ones; return as `kill`.

        With `calls` "all" any system call on the folder may fail; each alone must leave the older or the newer result.
        """
        self.restore()
        elsewhere = self.folder / "elsewhere"  # where draws that cannot be written are kept
        emptied(elsewhere)
        fault = {
            "FAULT_FOLDER": str(self.run),
            "FAULT_AT": str(at),
            "FAULT_ERRNO": str(error),
            "FAULT_CALLS": calls,
            "TMPDIR": str(elsewhere),
        }
        code, _, errors, _ = self.zygote.run(self.words, self.folder, **fault, **({"FAULT_ONCE": "1"} if once else {}))
        assert code in (*DONE, 2), errors
        if calls == "all" and once:
            now = files_of(self.run)
            assert is_run(now, self.before, exact=True) or is_run(now, self.wanted, exact=False), "mixed as it stands"
        ended, new = code not in DONE, self.is_new()
        if ended:
            assert errors.startswith("halfpoint: "), errors
            assert errors.count("\n") == 1
            assert "found " in errors
            assert error != INTERRUPTED  # who is interrupted goes on
        else:
            assert new or is_run(self.before, self.wanted, exact=False)  # some commands have one setting
        return ended, new

    def calls(self):
        """Number of system calls on its folder in a run over the old result."""
        self.restore()
        log = self.folder / "calls"
        log.unlink(missing_ok=True)
        fault = {"FAULT_FOLDER": str(self.run), "FAULT_AT": "1000000", "FAULT_ERRNO": "5", "FAULT_CALLS": "all"}
        self.zygote.run(self.words, self.folder, FAULT_LOG=str(log), **fault)
        return len(log.read_text().splitlines())

    def rerun(self):
        """Follow the last line: the same command makes the new result, without leftover files."""
        self.again()
        self.is_new()
        assert is_run(files_of(self.run), self.wanted, exact=False)
        assert [path.name for path in self.run.rglob(".*") if path.name != RECORD] == []
