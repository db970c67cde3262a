"""Files that games pass through on their way through a command, beside another commit: walks.md.

    python benchmarks/walks.py [COMMIT] > benchmarks/walks.md

Games pass a function when they are among its arguments: a table of games or of bridge results, or what is selected of
one. Bodies of classes, which run where a file is imported, are no functions. The games, the battles and the bridge
results are SIMULATED, the same for both; options are the defaults.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import records
from bench_beside import package

COMMANDS = {
    "rate": ("rate", "games.csv", "--out", "run"),
    "forecast": ("forecast", "run/trace.nc", "games.csv"),
    "leaderboard": ("leaderboard", "battles.csv", "--out", "board"),
    "bridge rate": ("bridge", "rate", "results.csv", "--out", "club"),
}
WORKER = """
import sys
from inspect import CO_OPTIMIZED
monitoring, stays, ran = sys.monitoring, set(), set()
from halfpoint.cli import main
GAMES = ("GameTable", "BridgeTable", "Selection")

def seen(code, offset):
    if "/halfpoint/" not in code.co_filename or code.co_name.startswith("<") or not code.co_flags & CO_OPTIMIZED:
        return monitoring.DISABLE
    file = code.co_filename.rsplit("/halfpoint/", 1)[1]
    ran.add(file)
    given, names = sys._getframe(1).f_locals, code.co_varnames[:code.co_argcount + code.co_kwonlyargcount]
    if any(type(given.get(name)).__name__ in GAMES for name in names):
        stays.add((file, code.co_qualname))
        return monitoring.DISABLE

monitoring.use_tool_id(4, "walks")
monitoring.register_callback(4, monitoring.events.PY_START, seen)
monitoring.set_events(4, monitoring.events.PY_START)
sys.argv[0] = "halfpoint"
try:
    main()
except SystemExit as end:
    assert not end.code, end.code
finally:
    print("WALK", len(stays), len({file for file, _ in stays}), len(ran))
"""


def walk(home: Path, words: tuple[str, ...], place: Path) -> str:
    """Functions and files that games pass, and files of which anything runs, as cells of a table."""
    command = [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(home)!r})\n{WORKER}", *words]
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True)
    said = next(line for line in done.stdout.splitlines() if line.startswith("WALK"))
    return " | ".join(said.split()[1:])


def main() -> None:
    """Write the table."""
    commit = sys.argv[1] if len(sys.argv) > 1 else "22ce3cc"
    here = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True)
    print(
        f"# Files on the way of games\n\n{records.mark('python benchmarks/walks.py')}\n"
        "Written by `python benchmarks/walks.py`: functions that have games among their"
    )
    print(
        "arguments, the files these stand in, and all files of which a function runs; from the command to the page, on"
    )
    print(f"SIMULATED files with the default options, at {commit} and at {here.stdout.strip()}.\n")
    print("| command | functions, then | files | all | functions, now | files | all |\n|---|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as name:
        sides = [package(commit, Path(name) / "there"), package("", Path(name) / "here")]
        for place in ("before", "now"):
            make(Path(name) / place)
        for command, words in COMMANDS.items():
            before, now = (
                walk(side, words, Path(name) / place) for side, place in zip(sides, ("before", "now"), strict=True)
            )
            print(f"| `{command}` | {before} | {now} |", flush=True)


def make(place: Path) -> None:
    """Write the files that are read."""
    place.mkdir()
    for words in (("simulate", "games.csv"), ("bridge", "simulate", "results.csv")):
        subprocess.run(
            [Path(sys.executable).with_name("halfpoint"), *words], cwd=place, capture_output=True, check=True
        )
    rng = np.random.default_rng(1)
    with (place / "battles.csv").open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["model_a", "model_b", "winner"])
        for a, b in (rng.choice(10, 2, replace=False) for _ in range(2000)):
            rows.writerow([f"M{a}", f"M{b}", ("model_a", "model_b", "tie")[int(rng.integers(3))]])


if __name__ == "__main__":
    main()
