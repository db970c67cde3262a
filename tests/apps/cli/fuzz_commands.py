"""The command line against damaged files: `python tests/apps/cli/fuzz_commands.py --inputs 500 --seed 1`.

Each input runs in a child process with its own limits of memory and time. A command must end with code 0, or with code
2 and one line, and must write no files except its results. The counts are printed as JSON.
"""

import argparse
import collections
import contextlib
import io
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import xarray as xr

sys.path.insert(0, str(Path(__file__).parent.parent.parent / "readers"))
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "fuzz"))
sys.path.insert(0, str(Path(__file__).parent.parent.parent / "helpers"))
from json_records import record_in
from mutations import SOUND, mutate
from zygote import import_all

from halfpoint.apps.cli.app import main
from halfpoint.inference.fit import fit
from halfpoint.inference.traces.netcdf import write
from halfpoint.models.declaration.catalogue import declare
from halfpoint.models.games.select import select
from halfpoint.readers.read import read

SECONDS = 60
MEMORY_BYTES = 3 * 2**30  # above what the process has when the command begins
ALLOWED = {"names.csv", "names-further.csv", "answer.csv", ".halfpoint.json"}
RATED = {"index.html", "ratings.csv", "ratings.json", "report.html", "trace.nc"}  # of a list that came to be
PLAYERS = ["Ann", "Bob", "Cid", "../../up", "=1+1", "[/red]"]
IN_FILES = [*(f"Bob{k}" for k in range(3)), *(f"{name}Ann{k}" for name in ("", "Müller, ") for k in range(12))]
Damage = Callable[[bytes, np.random.Generator], bytes]
LIST = "\n".join(PLAYERS).encode()  # a tournament's players


def sound_trace(path: Path) -> None:
    """Write a small trace of a Davidson model."""
    chance = np.random.default_rng(1)
    everybody = [*PLAYERS, *IN_FILES]
    pairs = [(one, other) for one in everybody for other in everybody if one != other] * 2
    white, black = zip(*pairs, strict=True)
    score = chance.integers(0, 3, len(pairs)) / 2
    games = read(pd.DataFrame({"white": white, "black": black, "score": score}))
    chosen = select(games, games.players, "both")
    write(fit(declare("davidson-common", chosen), "normal", draws=40, chains=2), path)


def in_a_process_of_its_own(call: Callable[[Path], None], path: Path) -> None:
    """Call with a path in a process without threads of polars, so that it can be forked."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        try:
            call(path)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0


def damaged_trace(path: Path, chance: np.random.Generator) -> None:
    """Damage a trace: its bytes, or its contents."""
    kind = int(chance.integers(0, 3))
    if kind == 0:
        path.write_bytes(mutate(path.read_bytes(), chance))
        return
    if kind == 1:
        content = bytearray(path.read_bytes())
        for place in chance.integers(0, len(content), int(chance.integers(1, 40))).tolist():
            content[place] ^= 1 << int(chance.integers(0, 8))
        path.write_bytes(bytes(content))
        return
    with xr.open_datatree(path, engine="h5netcdf") as opened:
        tree = opened.load()
    for _ in range(int(chance.integers(1, 4))):
        tree = altered(tree, chance)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree.to_netcdf(path, engine="h5netcdf")


def altered(tree: xr.DataTree, chance: np.random.Generator) -> xr.DataTree:
    """Trace with a missing or wrong group, variable, dimension, value or attribute."""
    groups = {name: tree[name].to_dataset() for name in tree.children}
    attributes = dict(tree.attrs)

    def one_of(items):
        items = list(items)
        return items[int(chance.integers(0, len(items)))]

    group = one_of(groups) if groups else "posterior"
    part = groups.get(group, xr.Dataset())
    name = one_of(part.data_vars) if part.data_vars else None
    accident = int(chance.integers(0, 8))
    if accident == 0:
        groups.pop(group, None)
    elif accident == 1 and name is not None:
        groups[group] = part.drop_vars(name)
    elif accident == 2 and name is not None:
        groups[group] = part.assign({name: part[name] * np.nan if part[name].dtype.kind == "f" else part[name]})
    elif accident == 3 and part.sizes:
        groups[group] = part.isel({one_of(part.sizes): slice(0, int(chance.integers(0, 2)))})
    elif accident == 4 and part.sizes:
        groups[group] = part.rename({one_of(part.sizes): "other"})
    elif accident == 5 and name is not None:
        groups[group] = part.assign({name: part[name].astype(str)})
    elif accident == 6:
        key = one_of(attributes)
        attributes[key] = one_of(["", "nan", -1, np.nan, "../../up", "<script>", np.array([1.0, 2.0]), 10**15])
    else:
        attributes.pop(one_of(attributes))
    made = xr.DataTree.from_dict({key: xr.DataTree(value) for key, value in groups.items()})
    made.attrs = attributes
    return made


def words_for(kind: str, folder: Path, chance: np.random.Generator, damage: Damage = mutate) -> list[list[str]]:
    """Write damaged files of a kind and return the commands that read them."""
    trace, games = str(folder / "trace.nc"), folder / "games"
    if kind == "trace":
        damaged_trace(folder / "trace.nc", chance)
        (folder / "players.txt").write_text("Ann\nBob\nCid\n")
        return [
            ["rank", trace],
            ["summary", trace],
            ["match", trace, "Ann", "../../up", "--json"],
            ["forecast", trace, "--white", "Ann", "--black", "Bob"],
            ["tournament", trace, str(folder / "players.txt"), "--simulations", "50"],
            ["compare", trace, trace, "--by", "neg_mean_loglik"],
        ]
    games.write_bytes(damage(SOUND[kind], chance))
    # No list comes of so many games: the command reads, checks and reports everything, and then refuses.
    rate = ["rate", "--out", str(folder / "run"), "--quiet", "--min-games", "99999", "--model", "bt-common"]
    sound = folder / "sound.csv"
    sound.write_text("white,black,score,date\nAnn,Bob,1,2023-02-01\nBob,Ann,0.5,2023-02-01\nAnn,Bob,0,2023-02-01\n")
    if kind.startswith("list"):
        return [[*rate, str(sound), "--fide-list", str(games)]]
    if kind == "names.txt":
        return [[*rate, str(sound), "--monitor", str(games)]]
    if kind == "proposals":
        players = folder / "players.txt"
        players.write_bytes(damage(LIST, chance))
        tournament = ["tournament", trace, str(players), "--simulations", "20", "--json"]
        return [[*rate, str(sound), "--names", str(games)], [*rate, str(sound), "--monitor", str(players)], tournament]
    reading = [*rate, str(games), "--groups", "apart", "--json"]
    return [reading, ["forecast", trace, str(games), "--out", str(folder / "answer.csv")]]


def sound_codes() -> dict[str, list[int]]:
    """Exit codes of the commands on undamaged files, by kind."""
    codes = {}
    with tempfile.TemporaryDirectory() as place:
        sound = Path(place) / "sound.nc"
        sound_trace(sound)
        for kind in SOUND:
            folder = Path(place) / kind
            folder.mkdir()
            shutil.copy(sound, folder / "trace.nc")
            commands = words_for(kind, folder, np.random.default_rng(1), undamaged)
            codes[kind] = [outcome_of(words)[0] for words in commands]
    return codes


def undamaged(content: bytes, chance: np.random.Generator) -> bytes:
    """Content, unchanged."""
    return content


def outcome_of(words: list[str]) -> tuple[int, str, str]:
    """Run one command in this process; return code, standard output and standard error."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    sys.argv = ["halfpoint", *words]
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as stop:
            code = int(stop.code or 0)
        except BaseException:
            code = 70
            traceback.print_exc()
    return code, out.getvalue(), err.getvalue()


def fault_of(words: list[str], folder: Path) -> tuple[int, str]:
    """Exit code of a command and the fault of its behaviour, empty if none."""
    before = {path for path in folder.rglob("*") if path.is_file()}
    code, out, err = outcome_of(words)
    left = {path.name for path in folder.rglob("*") if path.is_file() and path not in before} - ALLOWED
    left -= RATED if code != 2 and words[0] == "rate" else set()
    told = [line for line in err.splitlines() if line.startswith("halfpoint: ")]
    if code not in (0, 2, 3):  # 3: not converged
        return code, f"exit code {code}: {err.strip()[-900:]}"
    if code == 2 and (len(told) != 1 or not err.endswith(told[0] + "\n") or not told[0].isprintable()):
        return code, f"not one line: {err[:300]!r}"
    if code in (0, 1, 2, 3) and "--json" in words:
        record_in(out, code)
    return code, f"left behind: {sorted(left)}" if left else ""


def in_a_child(words: list[str], folder: Path) -> tuple[int, str]:
    """Run one command in a child with limits of memory and time; return code and fault."""
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        child = os.fork()
    if child == 0:
        os.close(reading)
        used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + MEMORY_BYTES, used + MEMORY_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.alarm(SECONDS)
        try:
            answer = fault_of(words, folder)
        except BaseException:
            answer = 70, traceback.format_exc()[-900:]
        os.write(writing, json.dumps(answer).encode())
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as stream:  # noqa: PTH123
        content = stream.read()
    _, status = os.waitpid(child, 0)
    if not content:
        return 70, f"ended by signal {os.WTERMSIG(status)}"
    code, fault = json.loads(content)
    return code, fault


def campaign(inputs: int, seed: int, kinds: list[str]) -> dict[str, dict[str, float]]:
    """Counts of outcomes for damaged inputs of each kind."""
    tally: dict[str, dict[str, float]] = {}
    import_all()
    with tempfile.TemporaryDirectory() as place:
        sound = Path(place) / "sound.nc"
        in_a_process_of_its_own(sound_trace, sound)
        for kind in sorted(kinds, key="parquet".__eq__):  # last: it begins the threads of polars in this process
            chance = np.random.default_rng([seed, *kind.encode()])
            count: collections.Counter[str] = collections.Counter()
            slowest = 0.0
            for number in range(inputs):
                folder = Path(place) / f"{kind}-{number}"
                folder.mkdir()
                shutil.copy(sound, folder / "trace.nc")
                for words in words_for(kind, folder, chance):
                    start = time.perf_counter()
                    # The threads of polars do not survive a fork: Parquet is read in this process.
                    code, fault = (fault_of if kind == "parquet" else in_a_child)(words, folder)
                    slowest = max(slowest, time.perf_counter() - start)
                    count["failed" if fault else "answered" if code == 0 else "refused"] += 1
                    if fault:
                        print(f"{kind} {number} {words[0]}: {fault}", file=sys.stderr)
                shutil.rmtree(folder)
            print(kind, dict(count), file=sys.stderr, flush=True)
            tally[kind] = {"inputs": inputs, **count, "slowest_seconds": round(slowest, 1)}
    return tally


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=50, help="damaged files of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(["trace", *SOUND]))
    arguments = parser.parse_args()
    found = campaign(arguments.inputs, arguments.seed, arguments.kinds.split(","))
    print(json.dumps(found, indent=1))
    raise SystemExit(1 if any(one.get("failed") for one in found.values()) else 0)
